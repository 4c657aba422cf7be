# ---
# title: Projections
# question: Where do Q, K and V come from?
# settles: What is trained is W_Q, W_K and W_V; Q, K and V are made anew for each sentence. W_Q is no
#   embedding, `layer(x, x, x)` does not make Q = K = V, and one table for both is not enough.
# goal: make queries, keys and values from any x, say which numbers are stored and which
#   are computed anew, choose W_Q and W_K by hand so that a word looks where you want, and show why one
#   matrix is not enough
# minutes: 110
# builds on: chapter 2
# here: where Q, K and V come from
# heart: 80 minutes: Where the arrows came from; What is trained?; Three meanings of one word; Choose
#   the tables yourself; Which table can be spared?; W_Q is not the embedding
# ---

# %% [markdown]
# # {number}. {title}: where Q, K and V come from
#
# {here}
#
# Open the file of a trained model and search for Q. You will not find it. You will find W_Q, a table of
# numbers that is the same for every sentence. (Others say **weight matrix**; we say table, and mean the
# same.) Q appears when a sentence arrives: its vectors are multiplied by that table. Another sentence, another
# Q, the same W_Q.
#
# **The questions of this chapter: what is trained, Q, K and V or the W's? Is W_Q the embedding? Torch
# wants to be called as `attention(x, x, x)`: are the three then equal? And why are there two
# matrices for what looks like one comparison?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: scores, weights, the soft lookup.

# %%
import torch

from qkvlib import AttentionLab, ask, check, glossary, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Where the arrows came from
#
# In chapters 1 and 2 we made up the query of *its* and the keys and values of three words. A model
# cannot make up numbers for each word of each sentence. It has for every word *one* vector, called
# $x$, and three tables. (That is so at its entrance. What enters a second layer, chapter 6 shows.)
#
# Here are five words of our sentence. Each vector says four things about its word: is it a thing; how
# old is it; does it point back to another word; is it of the mind? Such a thing is called a **feature**.
# Here each has a number of its own, so that you can read a vector. In a trained model it is seldom so: a
# meaning is a *direction*, to which many numbers add, and a single number by itself says little.

# %%
words = ["law", "old", "its", "spirit", "young"]
says = ["thing", "age", "points back", "mind"]

x = torch.tensor([
    [1.0, 0.0, 0.0, 0.0],    # law: a thing
    [0.0, 1.0, 0.0, 0.0],    # old
    [0.0, 0.0, 1.0, 0.0],    # its: points back
    [1.0, 0.0, 0.0, 1.0],    # spirit: a thing of the mind
    [0.0, -1.0, 0.0, 0.0],   # young: the opposite of old
])

# %% [markdown]
# The first table is called $W_Q$. It has a row for each of the four things that $x$ can say, and a
# column for each number of a query. It answers: a word that says *this*, what does it look for?

# %%
w_q = torch.tensor([
    [0.0, 1.0],     # a thing
    [1.0, 0.0],     # age
    [2.0, 1.0],     # points back
    [0.0, 0.5],     # mind
])

# %% [markdown]
# A word's query is put together from the rows of this table, each multiplied by what the word says.
# *spirit* says "thing" once and "mind" once, so its query is the first row plus the last. Its second
# number by hand, then all numbers of all words with a loop, then as a matrix product:

# %%
by_hand = 1.0 * 1.0 + 0.0 * 0.0 + 0.0 * 1.0 + 1.0 * 0.5

q = torch.zeros(5, 2)
for word in range(5):
    for column in range(2):
        for thing in range(4):
            q[word, column] += x[word, thing] * w_q[thing, column]

assert q[3, 1] == by_hand
assert torch.equal(q, x @ w_q)

matrix(q, words, ["1st", "2nd"], "q = x @ w_q")

# %% [markdown]
# Look at the row of *its*: (2, 1), the blue arrow of chapter 1. That is where it came from. Multiplying
# by such a table is called a **projection**. Torch has it as `nn.Linear`, which stores the table
# lying on its side, one row for each number that goes *out*.

# %%
linear = torch.nn.Linear(4, 2, bias=False)
linear.weight.data = w_q.T
assert torch.equal(linear(x), q)

# %% [markdown]
# ### Exercise: `project_qkv`
#
# There are three tables, $W_Q$, $W_K$ and $W_V$, and all three are used on the same $x$. Return queries,
# keys and values. Shapes have names in this course, as in most papers: **d_model** is how many numbers a
# word's vector $x$ has, here four; d_k is how many a query and a key have, and d_v a value, here two each.


# %%
def project_qkv(x, w_q, w_k, w_v):
    """Queries, keys and values of every word, each through its own table.

    x [n, d_model], w_q and w_k [d_model, d_k], w_v [d_model, d_v] -> q, k, v
    """
    ### BEGIN SOLUTION
    return x @ w_q, x @ w_k, x @ w_v
    ### END SOLUTION


# %%
project_qkv = check(project_qkv)

# %% [markdown]
# Two more tables, and the keys and values are the ones you know.

# %%
w_k = torch.tensor([
    [2.0, 0.5],     # a thing
    [-1.0, 2.0],    # age
    [0.0, 0.0],     # points back: nobody should find 'its'
    [-1.5, 1.5],    # mind
])
w_v = torch.tensor([
    [8.0, 0.0],     # a thing
    [2.0, 2.0],     # age
    [0.0, 0.0],     # points back
    [-8.0, 8.0],    # mind
])

q, k, v = project_qkv(x, w_q, w_k, w_v)

assert k[0].tolist() == [2.0, 0.5]     # law, as in chapter 1
assert k[1].tolist() == [-1.0, 2.0]    # old
assert k[3].tolist() == [0.5, 2.0]     # spirit
assert v[3].tolist() == [0.0, 8.0]     # spirit, as in chapter 2

side_by_side(
    matrix(q, words, ["1st", "2nd"], "q: what it looks for"),
    matrix(k, words, ["1st", "2nd"], "k: how it is found"),
    matrix(v, words, ["1st", "2nd"], "v: what it hands out"),
)

# %% [markdown]
# The same word has three vectors now, one for each of its roles. *its* looks for things and cannot be
# found itself; *spirit* is found in one direction and hands out another.
#
# ## What is trained?
#
# Now a real training run. The little task is called *recall*, and chapter 5 is about it: six cards, each with a
# name and a colour ("Ada red"), and a question, a name. The model has to answer with the colour. It is one **head**: that is what a W_Q, a W_K and a W_V are called, together with the
# attention made with them. Each word has a fixed vector in this run, so $x$ cannot learn. Everything else
# may. A card carries two words, a person and a colour, and its $x$ is the sum of their two vectors.

# %%
what_changed = predict(
    "03-what-changed",
    "We train for 300 steps and compare before with after. For the same sentence, which has changed: "
    "x, W_Q, q? (The words' vectors are fixed.)",
    ["Only q: the queries are what is learned", "Only W_Q", "W_Q and q", "All three"],
)
what_changed

# %% [markdown]
# {notebook: The next cell trains, and then asks|page: The code below trains, and then asks} its **recording**, in which the tables of every few steps are kept, for
# those of the first step and of the last. You need not understand the settings yet. `d_model` says how many numbers
# a word's vector has, `spread` how large they are at random at the start, `freeze` what does not learn, and
# `adam(0.02)` how a step is taken; chapters 4 and 5 come to all of them.

# %%
from qkvlib.models import OneHead
from qkvlib.tasks import Recall
from qkvlib.training import adam, train

task = Recall()
model = OneHead(task.n_tokens, task.n_answers, d_model=12, spread=1.0, seed=0)
recording = train(model, task, 300, adam(0.02), freeze="embedding", seed=0)

one, other = task.test(2).inputs[0]  # two questions


def numbers(question, step):
    """x, W_Q and q, for a question, at a step of the run."""
    weights = recording.weights_at(step)
    x = weights["embedding"][question].sum(-2)  # the sum of the words on a card: here it is one
    return {"x": x, "W_Q": weights["w_q"], "q": x @ weights["w_q"]}


def compare(a, b):
    """Which of the three are the same, and which not."""
    return "     ".join(f"{n}: {'same' if torch.equal(a[n], b[n]) else 'CHANGED':8}" for n in a)


print("one sentence, before and after training   ", compare(numbers(one, 0), numbers(one, 300)))
print("after training, one sentence and another  ", compare(numbers(one, 300), numbers(other, 300)))

# %%
what_changed.reveal(
    2,
    "W_Q is what the training moves. q is computed from x and W_Q whenever it is needed, so it "
    "changes with either of them. Nobody stores it, and nobody trains it.",
)

# %% [markdown]
# The two lines are the answer to the first question. Training changes W_Q. A new sentence changes $x$.
# Either of them changes $q$. So when people say that a model "learns its queries", they mean that it
# learns the table that makes them. A model can be asked for everything that it stores:

# %%
model.parameters()

# %% [markdown]
# Search this list for q, k and v: they are not there. (`w_o` reads the result of attention and turns it
# into an answer: here a score for each of the eight colours. `embedding` is the table with a vector for each word; here it was frozen.)
#
# ## Three meanings of one word
#
# Much of the confusion about queries comes from the word. In papers, blogs and libraries it names three
# different things.

# %%
glossary("query")

# %% [markdown]
# So the meaning is: the input $x$ (torch's and Keras's layer), or the projected $q$ (torch's function,
# and this course), or the table $W_Q$ (code of BERT and its relatives). Before you read on in a text,
# ask which of the three it means. And now this line, which puzzles nearly everybody:

# %%
equal_inside = predict(
    "03-x-x-x",
    "Self-attention in torch is called as layer(x, x, x): query, key and value are the same. Are the "
    "queries, keys and values inside the layer then the same, too?",
    ["Yes, Q = K = V", "No, each gets its own projection", "Only at the start of training"],
)
equal_inside

# %%
torch.manual_seed(0)
layer = torch.nn.MultiheadAttention(embed_dim=4, num_heads=1, bias=False)
theirs, their_weights = layer(x, x, x)

# The layer stores three tables on top of each other, lying on their side.
tables = [table.T for table in layer.in_proj_weight.detach().chunk(3)]    # .detach(): the numbers alone
inside = project_qkv(x, *tables)
weights = torch.softmax(inside[0] @ inside[1].T / 4**0.5, dim=-1)
ours = weights @ inside[2] @ layer.out_proj.weight.T

assert torch.allclose(ours, theirs, atol=1e-6)
assert torch.allclose(weights, their_weights, atol=1e-6)
print("q equals k:", torch.equal(inside[0], inside[1]), "    k equals v:", torch.equal(inside[1], inside[2]))

# %%
equal_inside.reveal(
    1,
    "query = key = value = x says where the three come FROM. Inside, x goes through three different "
    "tables, and out come three different matrices.",
)

# %% [markdown]
# We rebuilt the layer with your `project_qkv`, and the numbers agree. (The last factor, `out_proj`, is
# W_O. Here it turns the result into a vector as wide as x again, which the next layer can take in.)
# When all three come from one $x$, as here, one speaks of **self-attention**. But equal inputs do not make
# equal projections: the three tables start with different random numbers, and training moves each in
# its own way (chapter 4).
#
# ## What if the tables change nothing?
#
# Suppose we leave the projections out. That is the same as choosing for all three tables the identity
# $I$, with ones on the diagonal: $x I = x$. Then $q = k = v = x$, and the scores are $X X^{\mathsf T}$.

# %%
identity = predict(
    "03-identity",
    "W_Q and W_K are the identity, and all word vectors have the same length. Which word does each "
    "word give the most weight?",
    ["Its neighbour", "Itself", "The word that means the opposite", "That depends on the seed"],
)
identity

# %%
self_chosen, symmetric = [], []
for seed in range(10):
    some = torch.randn(8, 16, generator=torch.Generator().manual_seed(seed))
    some = some / some.norm(dim=-1, keepdim=True)
    scores = some @ some.T
    self_chosen.append(torch.equal(scores.argmax(dim=-1), torch.arange(8)))
    symmetric.append(torch.allclose(scores, scores.T, atol=1e-5))    # but for rounding

print("every word chooses itself:        ", sum(self_chosen), "of 10 seeds")
print("A scores B just as B scores A:    ", sum(symmetric), "of 10 seeds")

# %%
identity.reveal(
    1,
    "No vector of that length has a larger product with x than x itself: the cosine is largest, 1, "
    "for the same direction. (With unequal lengths a long neighbour can win, as in chapter 1.)",
)

# %%
same = x / x.norm(dim=-1, keepdim=True)
matrix(same @ same.T, words, words, "our five words, at equal length, with W = I")

# %% [markdown]
# The scores measure how *similar* two words are, and each is most similar to itself. Look at the column
# of *law* and the row of *its*: a zero. The two words have nothing in common, so *its* would never
# find *law*. But words that belong together are often not alike at all: a pronoun and its noun, a verb
# and its object, a question and its answer. **Related is not the same as similar**, and it is not even
# the same in both directions: *its* needs *law*, and *law* does not need *its*.
#
# That is what two different tables are for. W_Q says what a word looks for, W_K how it is found, and
# these may have nothing to do with each other. Here are our words through the tables from above:

# %%
scores = q @ k.T
side_by_side(
    matrix(scores, words, words, "scores with W_Q and W_K: row asks, column is found"),
    matrix(torch.softmax(scores / 2**0.5, dim=-1), words, words, "weights", weights=True),
)

# %% [markdown]
# The score of *its* for *law* is 4.5, the number from chapter 1. The other way, *law* for *its*, is
# zero. If the table were symmetric you would see the same number on both sides of the diagonal. Mind that
# the *weights* could still differ: each row has a softmax of its own, and so rivals of its own.
#
# ## Choose the tables yourself
#
# Here is the whole of attention under your hands: x times the tables, scores, weights, output. Every
# number in the tables can be changed: drag it up or down, or click it and type. By keyboard: Tab goes
# from table to table, left and right, Page Up and Page Down go from number to number, up and down
# change it, and a number that you type is set with Enter. Hover over a number to see what it comes from
# and what it feeds. The rows of a table are what a word can say, in the order from above: thing, age,
# points back, mind. At the start W_Q and W_K are the same. So the score of *law* for *its* is also the
# score of *its* for *law*.
#
# **The goal:** make *its* give more weight to *law* than to any other word, while *law* gives *its* no
# more than a tenth. Only W_Q and W_K can be moved. You need very few changes. Ask yourself which row of
# W_K says how *its* is found.

# %%
from qkvlib.widgets import AtMost, Goal, Prefers

one_table = torch.tensor([
    [1.5, 0.0],     # a thing
    [0.0, 1.5],     # age
    [1.5, 0.5],     # points back
    [0.0, -0.5],    # mind
])

AttentionLab(
    x,
    w_q=one_table,
    w_k=one_table,
    w_v=w_v,
    tokens=words,
    features=says,
    goal=Goal(
        "03-its-law",
        "Make \"its\" give most weight to \"law\", and \"law\" give \"its\" at most 0.10.",
        conditions=[Prefers("law", row="its"), AtMost("its", 0.1, row="law")],
        touch=["w_q", "w_k"],
    ),
)

# %% [markdown]
# <details><summary>One way to reach it</summary>
#
# Set the third row of W_K, "points back", to zero. Then nobody finds *its* any more, *its* itself
# included, and what its query has looked for all along comes first: *law*.
#
# </details>
#
# You could change how *its* is found, and leave alone what it looks for. With a single table you could
# not.
#
# ### Exercise: `choose_w_q_w_k`
#
# Now without a widget, as numbers. There are three words, and to make it easy each is a feature of its own:
# $x$ is the identity, so row 0 of w_q is the query of *law*, row 1 that of *its*, row 2 that of *old*;
# the rows of w_k are their keys. Choose both tables such that
#
# - *its* looks at *law*,
# - *old* looks at *law*,
# - *law* looks at *old*,
#
# and "looks at" means more than half of the weight. You may take as many columns as you like.


# %%
def choose_w_q_w_k():
    """W_Q and W_K, [3, d_k] both. Rows: law, its, old.

    its -> law, old -> law, law -> old
    """
    ### BEGIN SOLUTION
    # One column says "I am the noun", the other "I am the adjective".
    w_k = torch.tensor([
        [1.0, 0.0],     # law
        [0.0, 0.0],     # 'its': nobody looks for it
        [0.0, 1.0],     # old
    ])
    w_q = torch.tensor([
        [0.0, 6.0],     # law looks for the adjective
        [6.0, 0.0],     # 'its' looks for the noun
        [6.0, 0.0],     # old looks for the noun
    ])
    return w_q, w_k
    ### END SOLUTION


# %%
choose_w_q_w_k = check(choose_w_q_w_k)

# %%
chosen_q, chosen_k = (table.float() for table in choose_w_q_w_k())
chosen = torch.softmax(chosen_q @ chosen_k.T / chosen_q.shape[1] ** 0.5, dim=-1)
assert (chosen[[1, 2, 0], [0, 0, 2]] > 0.5).all()
print("its -> law, old -> law, law -> old: all three above one half")

# %% [markdown]
# You have just done by hand what training does. It does not start from a wish like yours, though. It
# only sees that the answers are wrong, and chapter 4 shows how that reaches W_Q.
#
# ## Break it
#
# Two tables for one comparison look like a waste. Let queries and keys share one: $W_Q = W_K$. The game
# is rock, paper, scissors. Each of the three players holds a colour, dealt anew each time, and has to
# say the colour of *whoever beats it*.

# %%
shared_table = predict(
    "03-one-table",
    "Three players, eight colours. The model with two tables gets nearly every answer right. And the "
    "model with one table for queries and keys?",
    ["Nearly every answer, too", "About two of three", "Fewer than half", "None"],
)
shared_table

# %%
from functools import partial  # partial(f, a=1) is f with this argument given already

from qkvlib.models import TiedHead
from qkvlib.tasks import RockPaperScissors
from qkvlib.training import measure, train_together


def played(kind):
    """Ten heads, one for each seed, trained on the game; and their shares of right answers on new deals."""
    game = RockPaperScissors()
    heads = [
        kind(game.n_tokens, game.n_answers, d_model=12, spread=0.5, seed=seed) for seed in range(10)
    ]
    train_together(heads, game, 400, adam(0.01))
    return heads, [measure(head, game.test()).accuracy for head in heads]


two_tables, right_with_two = played(OneHead)
one_shared, right_with_one = played(TiedHead)

seeds({"two tables": right_with_two, "one table": right_with_one}, "right answers", chance=1 / 8)

# %% [markdown]
# You will see many such drawings. Each row is one way to train, and each point in it is one seed: a
# training of its own, from other random numbers. The further to the right, the more answers are right.
# Points that would hide each other are piled up. The upright line is the **median**: as many seeds lie to
# its left as to its right. The dotted line is what guessing gives, here one colour of eight. Where nearly
# all points of one row lie on one side of those of the other, it was not luck. {notebook: Point at one, and it says
# its seed and its number.|page: In JupyterLab each says its seed and its number.}

# %%
shared_table.reveal(2 if max(right_with_one) < 0.5 else 1, "On every seed. Here is why.")

# %% [markdown]
# With one table the score of A for B is $x_A W \, (x_B W)^{\mathsf T}$, and that is the score of B for
# A. Write $S$ for it. What we want is impossible then:
#
# - rock has to look at paper, so $S(\text{rock}, \text{paper}) > S(\text{rock}, \text{scissors})$;
# - scissors at rock, so $S(\text{scissors}, \text{rock}) > S(\text{scissors}, \text{paper})$;
# - paper at scissors, so $S(\text{paper}, \text{scissors}) > S(\text{paper}, \text{rock})$.
#
# The right side of the first line is the left side of the second, because $S$ does not care about the
# order. The right side of the second is the left side of the third. And the right side of the third is
# the left side of the first, so a number would have to be larger than itself. At most two of the three
# can ever hold. A score that is the same in both directions cannot say who beats whom.
#
# One would expect two right answers of three, then. Training does worse than that. Look at one deal. Each row
# should have its weight on the player that beats it: rock on paper, scissors on rock, paper on scissors. With
# one table the training has settled for equal weights. The model then hears all three colours at once, and
# can only guess which is meant. (Nearly half of the answers are right and not a third, because two players may hold the
# same colour. Why training does not find the possible two of three, we leave open.)

# %%
deal = RockPaperScissors().test(1)
players = RockPaperScissors().words(deal.inputs[0][0])

side_by_side(*(
    matrix(head(*deal.inputs).attention["head"][0, 0], players, players, title, weights=True, digits=1)
    for title, head in (("two tables", two_tables[0]), ("one table", one_shared[0]))
))

# %% [markdown]
# Is one table always a bad idea? No. In *recall* the question "Ada" looks for the card that says "Ada",
# and for that, being similar is just right.

# %%
heads = [TiedHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
train_together(heads, task, 300, adam(0.02))
recalled = [measure(head, task.test()).accuracy for head in heads]

seeds({"the game, one table": right_with_one, "recall, one table": recalled}, "right answers", chance=1 / 8)

# %% [markdown]
# ## One matrix between two words
#
# Write out the score of word $i$ for word $j$, and move the brackets:
#
# $$q_i \cdot k_j \;=\; (x_i W_Q)(x_j W_K)^{\mathsf T} \;=\; x_i \, \bigl(W_Q W_K^{\mathsf T}\bigr) \, x_j^{\mathsf T}$$
#
# Between the two words stands a single matrix, of d_model rows and d_model columns. It takes two
# vectors and gives one number, and such a thing is called a **bilinear form**. Its entry in row $a$ and
# column $b$ answers: how much does a word that says $a$ want a word that says $b$?
#
# ### Exercise: `bilinear_form`
#
# Make this matrix of W_Q and W_K.


# %%
def bilinear_form(w_q, w_k):
    """The matrix M with q_i . k_j = x_i M x_j^T.

    w_q [d_model, d_k], w_k [d_model, d_k] -> [d_model, d_model]
    """
    ### BEGIN SOLUTION
    return w_q @ w_k.T
    ### END SOLUTION


# %%
bilinear_form = check(bilinear_form)

# %%
form = bilinear_form(w_q, w_k)
assert torch.allclose(x @ form @ x.T, q @ k.T)

matrix(form, says, says, "row: what the asking word says; column: what the other word says")

# %% [markdown]
# The largest number in the row "points back" stands in the column "thing". So this form says in one
# place what the two tables say together.
#
# It also settles a question that comes up when people compare trained models. Turn all queries by some
# angle, and turn all keys by the same angle. What changes?

# %%
from math import cos, radians, sin

angle = radians(40)
turn = torch.tensor([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])
turned_q, turned_k = w_q @ turn, w_k @ turn

assert torch.allclose(bilinear_form(turned_q, turned_k), form, atol=1e-6)
side_by_side(
    matrix(w_q, says, ["1st", "2nd"], "W_Q"),
    matrix(turned_q, says, ["1st", "2nd"], "W_Q, turned"),
    matrix(x @ turned_q @ (x @ turned_k).T - q @ k.T, words, words, "change of the scores"),
)

# %% [markdown]
# W_Q has other numbers, and no score has changed. Two trained models can have quite different W_Q and
# W_K and still do exactly the same. A single number in W_Q means nothing by itself; only the product
# $W_Q W_K^{\mathsf T}$ is determined by what the model does.
#
# ## Which table can be spared?
#
# In the game of rock, paper, scissors each of three players holds a colour, and has to say the colour of whoever
# beats it. (The part "Break it" above is about this game.) It needs two tables for one comparison. Does a head need
# three in all? Here are seven heads that store less. In three of them two of the tables are one and the same. In one all three are. In the last
# three a table is left out, and the words' vectors go on as they are. (To train them all on ten seeds
# takes about half a minute.)

# %%
seven = predict(
    "03-seven",
    "Each of the seven learns rock, paper, scissors. Which of them fail?",
    [
        "All seven: each table has its own work",
        "The two in which W_Q is W_K",
        "The four in which W_V is another table, or none",
        "None: one table is enough",
    ],
)
seven

# %%
spared = {
    "W_K = W_V": partial(TiedHead, tied="w_k w_v"),
    "W_Q = W_V": partial(TiedHead, tied="w_q w_v"),
    "all three one": partial(TiedHead, tied="w_q w_k w_v"),
    "no W_Q": partial(TiedHead, tied="", left_out="w_q"),
    "no W_K": partial(TiedHead, tied="", left_out="w_k"),
    "no W_V": partial(TiedHead, tied="", left_out="w_v"),
}
right = {"W_Q = W_K": right_with_one} | {name: played(kind)[1] for name, kind in spared.items()}

fails = [name for name, shares in right.items() if max(shares) < 0.5]
least = min(min(shares) for name, shares in right.items() if name not in fails)
seeds(right, "right answers", chance=1 / 8)

# %%
seven.reveal(
    1 if fails == ["W_Q = W_K", "all three one"] else 3,
    f"These fail: {', '.join(fails)}. Each of the others is right on at least {least:.1%} of the deals.",
)

# %% [markdown]
# The score of word $i$ for word $j$ is $x_i \, (W_Q W_K^{\mathsf T}) \, x_j^{\mathsf T}$. In these heads $d_k$ is
# as large as d_model. So the matrix in the middle can become anything as long as W_Q and W_K are not one, also
# with one of the two left out. And what W_V does, W_O can do right after it. (With all three one it is worse than with
# W_Q = W_K: what is handed out must serve as the key, too.) In this game **queries and keys
# must differ; a third table is room, not need**. What training does with the room, chapter 6 shows.
#
# ## W_Q is not the embedding
#
# Both are tables, and both are multiplied with something. But the **embedding** has a row for each
# *word* of the vocabulary (all words that a model knows), and it is used once, to turn words into vectors. W_Q has a row for each
# *number* of such a vector, whatever word it came from. To show that they are different things, take
# the embedding away. In the next task there are no words at all: each of six cards shows a vector
# drawn at random, never seen before and never seen again, with a colour beside it. The question repeats
# one of the vectors.

# %%
no_embedding = predict(
    "03-no-embedding",
    "No words, no embedding, and every vector is new. Only W_Q, W_K, W_V and W_O can learn anything. "
    "How often does the trained model name the right colour?",
    ["1 time in 8: it can only guess", "About half of the time", "Nearly always"],
)
no_embedding

# %%
from qkvlib.tasks import NewVectors

new = NewVectors()
heads = [OneHead(None, new.n_answers, d_model=new.d_model, seed=seed) for seed in range(10)]
train_together(heads, new, 600, adam(0.01))
shares = [measure(head, new.test()).accuracy for head in heads]

print("stored:", ", ".join(heads[0].weights))
seeds({"every vector is new": shares}, "right answers", chance=1 / 8)

# %%
no_embedding.reveal(
    2 if min(shares) >= 0.97 else 1,
    "There is nothing to learn by heart. The tables have learned something that works for every "
    "vector: find the one that is equal to the question.",
)

# %% [markdown]
# And here is what they have learned, in one matrix. Take the form $W_Q W_K^{\mathsf T}$, and of it the
# part that compares the vectors (the rest belongs to the colours). These are its first eight rows and
# columns.

# %%
learned = bilinear_form(heads[0].w_q, heads[0].w_k)[:8, :8]
diagonal = learned.diag().mean()

numbered = [str(i) for i in range(8)]
matrix(learned / diagonal, numbered, numbered, "W_Q W_K^T, divided by its mean diagonal", digits=0)

# %% [markdown]
# Nearly the identity: each number of the question is compared with the same number of the card. If
# W_Q were a table of words, there would be no reason for this pattern. Nobody asked for it. It is
# the form that finds equals, and training came upon it.
#
# ## What you have seen
#
# Queries, keys and values are computed anew from every x; what is stored and trained is the tables W_Q,
# W_K and W_V. Only the product of W_Q and W_K matters for who looks where, and because they are two, a
# word can find what is not similar to it, and need not be found by what it finds. The embedding is
# another table: it makes x, and W_Q works on any x, also on one that it has never seen.

# %%
terms(
    "x", "feature", "weight matrix", "W_Q", "W_K", "W_V", "projection", "d_model", "d_k", "head",
    "self-attention", "bilinear form", "embedding",
)

# %% [markdown]
# ## Say it in your own words
#
# A friend says: the model learns its queries. What is right about that, and what is wrong?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take this course in a class, it is read
# by a person.

# %% [markdown]
# <!-- answer: what-is-trained, 3 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("03")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "03-close-constant",
    "Chapter 2. All scores of one query become larger by 10. What happens to its weights?",
    ["The largest becomes larger", "Nothing", "All become larger"],
    answer=1,
    because="Softmax only sees the differences between scores. Multiplying the scores by 10 would "
    "make the weights sharper; adding 10 changes nothing.",
)

# %%
ask(
    "03-close-root",
    "Chapter 2. Which trained numbers are inside of softmax(Q Kᵀ / √d_k) V?",
    ["None", "One for each key", "d_k of them"],
    answer=0,
    because="Q, K and V go in. What is trained lies before it, in W_Q, W_K and W_V, and you have now "
    "seen these.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017: sections 3.2.1 and 3.2.2. Watch the
#   letter Q change its meaning from the one to the other.
# - Minh-Thang Luong, Hieu Pham and Christopher Manning, *Effective Approaches to Attention-based Neural
#   Machine Translation*, 2015: three ways to score; the one called "general" is our bilinear form.
# - Nelson Elhage and others, *A Mathematical Framework for Transformer Circuits*, 2021: what one can
#   read in a trained model when one looks at the products of its tables.
#
# **Next:** [chapter 4](04_gradients.ipynb). Training changed W_Q. How did it know in which direction?
