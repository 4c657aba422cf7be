# ---
# title: Queries, keys and values
# question: Where do Q, K and V come from?
# settles: W_Q, W_K and W_V are trained; Q, K and V are computed again for each sentence. W_Q is not the
#   embedding, `layer(x, x, x)` does not make Q = K = V, and a game shows why queries and keys need different
#   matrices.
# goal: compute queries, keys and values from any x, say which numbers are stored and which are computed
#   for each sentence, choose W_Q and W_K by hand so that a word looks where you want, and show where one
#   matrix for both is not enough
# minutes: 110
# builds on: chapter 2
# here: where Q, K and V come from
# heart: 80 minutes: Where the arrows came from; What is trained?; Three meanings of one word; What if the
#   matrices change nothing?; Choose W_Q and W_K yourself; W_Q is not the embedding
# ---

# %% [markdown]
# # {number}. {title}: where they come from
#
# {here}
#
# Open the file of a trained model and search for Q. You will not find it. You will find W_Q: a **weight
# matrix**, a table of numbers that is the same for every sentence. Q appears only when a sentence arrives and
# its vectors are multiplied by W_Q. A new sentence gets a new Q, from the same W_Q.
#
# **The questions of this chapter: are Q, K and V trained, or the W's? Is W_Q the embedding? In torch you call
# `attention(x, x, x)`: are Q, K and V then equal? And why are there two matrices for what looks like one
# comparison?**
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
# In chapters 1 and 2 we made up the query of *its* and the keys and values of three words. In a trained model
# nobody makes up vectors for each new sentence. The model has just *one* vector for each word, called $x$,
# and three weight matrices.
#
# Here are five words of our sentence. Each vector answers four questions about its word. Is it a thing? How
# old is it? Does it point back to another word? Does it belong to the mind? Each answer is called a
# **feature**. Here each feature has its own number, so that you can read a vector. In a trained model that is
# rare: a meaning is usually a *direction*, to which many numbers contribute.

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
# The first matrix, $W_Q$, has a row for each of the four features and a column for each number of a query. A
# row answers the question: what does a word with *this* feature look for?

# %%
w_q = torch.tensor([
    [0.0, 1.0],     # a thing
    [1.0, 0.0],     # age
    [2.0, 1.0],     # points back
    [0.0, 0.5],     # mind
])

# %% [markdown]
# A word's query is a sum of the rows of this matrix, each multiplied by the word's number for that feature.
# *spirit* has "thing" once and "mind" once, so its query is the first row plus the last. Here is the second
# number of that query by hand, then all queries with a loop, and then as a matrix product:

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
# The row of *its* is (2, 1), the blue arrow of chapter 1. Multiplying by such a matrix is called a
# **projection**. In torch it is `nn.Linear`, which stores the matrix transposed, one row for each number that
# comes *out*.

# %%
linear = torch.nn.Linear(4, 2, bias=False)
linear.weight.data = w_q.T
assert torch.equal(linear(x), q)

# %% [markdown]
# ### Exercise: `project_qkv`
#
# Apply the three matrices $W_Q$, $W_K$ and $W_V$ to the same $x$. Return queries, keys and values.
# **d_model** is the number of entries in a word's vector $x$, here four. d_k is the number of entries in a
# query or a key, and d_v is the number of entries in a value. Here d_k and d_v are two.


# %%
def project_qkv(x, w_q, w_k, w_v):
    """Queries, keys and values of every word, each with its own matrix.

    x [n, d_model], w_q and w_k [d_model, d_k], w_v [d_model, d_v] -> q, k, v
    """
    ### BEGIN SOLUTION
    return x @ w_q, x @ w_k, x @ w_v
    ### END SOLUTION


# %%
project_qkv = check(project_qkv)

# %% [markdown]
# Two more matrices give the keys and values that you already know.

# %%
w_k = torch.tensor([
    [2.0, 0.5],     # a thing
    [-1.0, 2.0],    # age
    [0.0, 0.0],     # points back: no query should find 'its'
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
    matrix(v, words, ["1st", "2nd"], "v: what it passes on"),
)

# %% [markdown]
# Each word has three vectors now, one for each of its roles. *its* looks for things, but its own key is zero,
# so every query gives it a score of zero. (A score of zero can still beat a negative one.) *spirit* is found
# by its key and passes on a different vector, its value.
#
# ## What is trained?
#
# Now for a real training run, on a small task called *recall* (chapter 5). There are six cards, each with a
# name and a colour ("Ada red"). The question is a name, and the model has to answer with the colour. The
# model is a single **head**: a W_Q, a W_K and a W_V, together with the attention computed from them. In this
# run the words' vectors are fixed, and everything else can learn. A card has two words, a person and a
# colour, and its $x$ is the sum of their two vectors.

# %%
what_changed = predict(
    "03-what-changed",
    "We train for 300 steps and compare before with after. For the same sentence, which of these have changed: "
    "x, W_Q, q? (The words' vectors are fixed.)",
    ["Only q: the queries are what is learned", "Only W_Q", "W_Q and q", "All three"],
)
what_changed

# %% [markdown]
# {notebook: The next cell|page: The code below} trains the model. A **recording** keeps the weight matrices
# every few steps, and we take the first and the last from it. The setting `spread` is the size of the random
# numbers in a word's vector at the start, `freeze` names what is not trained, and `adam(0.02)` chooses how
# each step is taken.

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
    "Training moves W_Q. q is computed from x and W_Q whenever it is needed, so it changes with either "
    "of them. It isn't stored, and it isn't trained.",
)

# %% [markdown]
# The two printed lines answer the chapter's first question. Training changes W_Q. A new sentence changes $x$.
# Either change also changes $q$. So when people say that a model "learns its queries", they mean that it
# learns the matrix that computes the queries. Here is everything that the model stores:

# %%
model.parameters()

# %% [markdown]
# Search this list for q, k and v: they are not there. (`w_o` turns the result of attention into an answer,
# here a score for each of the eight colours. `embedding` has a vector for each word.)
#
# ## Three meanings of one word
#
# Much of the confusion about queries comes from the word itself. Papers, blogs and libraries use it for three
# different things.

# %%
glossary("query")

# %% [markdown]
# So "query" can mean the input $x$ (torch's and Keras's layer), the projected $q$ (torch's function and this
# course), or the matrix $W_Q$ (the code of BERT and its relatives). When you meet the word in a text, ask
# which of the three it means.

# %%
equal_inside = predict(
    "03-x-x-x",
    "Self-attention in torch is called as layer(x, x, x): query, key and value are the same. Does that make "
    "the queries, keys and values inside the layer the same, too?",
    ["Yes, Q = K = V", "No, each gets its own projection", "Only at the start of training"],
)
equal_inside

# %%
torch.manual_seed(0)
layer = torch.nn.MultiheadAttention(embed_dim=4, num_heads=1, bias=False)
theirs, their_weights = layer(x, x, x)

# The layer stores the three matrices transposed, one below the other.
matrices = [w.T for w in layer.in_proj_weight.detach().chunk(3)]    # .detach(): the numbers only
inside = project_qkv(x, *matrices)
weights = torch.softmax(inside[0] @ inside[1].T / 4**0.5, dim=-1)
ours = weights @ inside[2] @ layer.out_proj.weight.T

assert torch.allclose(ours, theirs, atol=1e-6)
assert torch.allclose(weights, their_weights, atol=1e-6)
print("q equals k:", torch.equal(inside[0], inside[1]), "    k equals v:", torch.equal(inside[1], inside[2]))

# %%
equal_inside.reveal(
    1,
    "query = key = value = x says where the three come FROM. Inside, x is multiplied by three different weight "
    "matrices, which gives three different results.",
)

# %% [markdown]
# We rebuilt the layer with your `project_qkv`, and the numbers agree. (The last factor, `out_proj`, is W_O.
# It makes the result as wide as x again.) When Q, K and V all come from one $x$, as here, this is called
# **self-attention**. The three matrices start with different random numbers, and each gets its own gradient
# in training (chapter 4).
#
# ## What if the matrices change nothing?
#
# Suppose we leave the projections out. That is the same as choosing the identity $I$, with ones on the
# diagonal, for all three matrices: $x I = x$. Then $q = k = v = x$, and the scores are $X X^{\mathsf T}$.

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
    symmetric.append(torch.allclose(scores, scores.T, atol=1e-5))    # except for rounding

print("every word chooses itself:        ", sum(self_chosen), "of 10 seeds")
print("A scores B just as B scores A:    ", sum(symmetric), "of 10 seeds")

# %%
identity.reveal(
    1,
    "No other vector of that length has a larger product with x than x itself: the cosine is largest, 1, "
    "for the same direction. (With unequal lengths a long neighbour can win, as in chapter 1.)",
)

# %%
same = x / x.norm(dim=-1, keepdim=True)
matrix(same @ same.T, words, words, "our five words, at equal length, with W = I")

# %% [markdown]
# The scores measure how *similar* two words are. *its* and *law* have no feature in common, so *its* gives
# *law* no more weight than *old* or *young*. But words that belong together are often not alike at all: a
# pronoun and its noun, a verb and its object, a question and its answer. **Related is not the same as
# similar**, and a relation need not go both ways: *its* needs *law*, but *law* does not need *its*.
#
# That is why queries and keys have matrices of their own. W_Q says what a word looks for, W_K says how it is
# found, and the two can be unrelated. Here are our words with our first W_Q and W_K:

# %%
scores = q @ k.T
side_by_side(
    matrix(scores, words, words, "scores with W_Q and W_K: row asks, column is found"),
    matrix(torch.softmax(scores / 2**0.5, dim=-1), words, words, "weights", weights=True),
)

# %% [markdown]
# The score of *its* for *law* is 4.5, the number from chapter 1. The score of *law* for *its* is zero. (Even
# if the two scores were equal, the *weights* could differ, because softmax works on each row separately.)
#
# ## Choose W_Q and W_K yourself
#
# Here is all of attention: x times the matrices, scores, weights, output. To change a number of a matrix,
# drag it up or down, or click it and type. On the keyboard, Tab moves from matrix to matrix. The left and
# right arrows, Page Up and Page Down move from number to number. The up and down arrows change a number, and
# Enter accepts a number that you have typed. Hover over a number to see what it comes from and what it feeds.
# At the start W_Q and W_K are the same. So the score of *law* for *its* is also the score of *its* for *law*.
#
# **The goal:** make *its* give more weight to *law* than to any other word, while *law* gives *its* no more
# than a tenth. You can change only W_Q and W_K, and very few changes are enough. Ask yourself which row of
# W_K says how *its* is found.

# %%
from qkvlib.widgets import AtMost, Goal, Prefers

shared = torch.tensor([
    [1.5, 0.0],     # a thing
    [0.0, 1.5],     # age
    [1.5, 0.5],     # points back
    [0.0, -0.5],    # mind
])

AttentionLab(
    x,
    w_q=shared,
    w_k=shared,
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
# Set the third row of W_K, "points back", to zero. Then *its* no longer attracts any query, including its
# own. So *law*, the word that the query of *its* was looking for, gets the most weight.
#
# </details>
#
# You changed how *its* is found without changing what it looks for. With a single matrix for queries and
# keys, every change would have changed both.
#
# ### Exercise: `choose_w_q_w_k`
#
# Now do it without a widget, by writing numbers. There are three words. Each word is a feature of its own, so
# $x$ is the identity. The rows of w_q are then the queries of *law*, *its* and *old*, in this order, and the
# rows of w_k are their keys. Choose both matrices so that
#
# - *its* looks at *law*,
# - *old* looks at *law*,
# - *law* looks at *old*,
#
# where "looks at" means more than half of the weight. You can use as many columns as you like.


# %%
def choose_w_q_w_k():
    """W_Q and W_K, [3, d_k] both. Rows: law, its, old.

    its -> law, old -> law, law -> old
    """
    ### BEGIN SOLUTION
    # One column says "I am the noun", the other "I am the adjective".
    w_k = torch.tensor([
        [1.0, 0.0],     # law
        [0.0, 0.0],     # 'its': no word looks for it
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
chosen_q, chosen_k = (w.float() for w in choose_w_q_w_k())
chosen = torch.softmax(chosen_q @ chosen_k.T / chosen_q.shape[1] ** 0.5, dim=-1)
assert (chosen[[1, 2, 0], [0, 0, 2]] > 0.5).all()
print("its -> law, old -> law, law -> old: all three above one half")

# %% [markdown]
# You have just done by hand what training does. But training has no target for where to look. All it has is
# the error in the answers. Chapter 4 shows how this error reaches W_Q.
#
# ## Break it: one matrix for both
#
# Two matrices for one comparison look like a waste. Let queries and keys share one matrix: $W_Q = W_K$. The
# game is rock, paper, scissors. Each of the three players holds a colour, dealt at random each time, and has
# to say the colour of *the player that beats it*.

# %%
shared_table = predict(
    "03-one-table",
    "Three players, eight colours. The model with two matrices gets almost every answer right. How many "
    "does the model with one matrix for queries and keys get right?",
    ["Almost every answer, too", "About two of three", "Fewer than half", "None"],
)
shared_table

# %%
from functools import partial  # partial(f, a=1) is f with this argument given already

from qkvlib.models import TiedHead
from qkvlib.tasks import RockPaperScissors
from qkvlib.training import measure, train_together


def played(kind):
    """Ten heads, one for each seed, trained on the game; and their accuracy on new deals."""
    game = RockPaperScissors()
    heads = [
        kind(game.n_tokens, game.n_answers, d_model=12, spread=0.5, seed=seed) for seed in range(10)
    ]
    train_together(heads, game, 200, adam(0.02))
    return heads, [measure(head, game.test()).accuracy for head in heads]


two_matrices, right_with_two = played(OneHead)
one_shared, right_with_one = played(TiedHead)

seeds({"two matrices": right_with_two, "one matrix": right_with_one}, "accuracy", chance=1 / 8)

# %% [markdown]
# In a figure like this, each row is one way to train, and each point is one seed: a separate training run
# that starts from different random numbers. The further to the right, the higher the **accuracy**, the share
# of answers that are right. The upright line is the **median**: as many seeds are to its left as to its
# right. The dotted line shows what guessing gives, here one in eight. When almost all points of one row lie
# to one side of the other row's points, the difference is unlikely to be luck. {notebook: Hover over a point
# to see its seed and its number.|page: In JupyterLab you can hover over a point to see its seed and its
# number.}

# %%
shared_table.reveal(2 if max(right_with_one) < 0.5 else 1, "This is so on every seed. Here is why.")

# %% [markdown]
# With one matrix the score of A for B is $x_A W \, (x_B W)^{\mathsf T}$, and that equals the score of B for
# A. Call this score $S$. Then we want three things that cannot all be true:
#
# - rock has to look at paper, so $S(\text{rock}, \text{paper}) > S(\text{rock}, \text{scissors})$;
# - scissors has to look at rock, so $S(\text{scissors}, \text{rock}) > S(\text{scissors}, \text{paper})$;
# - paper has to look at scissors, so $S(\text{paper}, \text{scissors}) > S(\text{paper}, \text{rock})$.
#
# Swapping the two players makes no difference to $S$. So the right side of each line is the left side of the
# next, and the right side of the last is the left side of the first. Then a number would have to be larger
# than itself. In one deal at most two of the three inequalities can hold. A score that is the same in both
# directions cannot say who beats whom.
#
# So you would expect two right answers out of three. Training does worse. The figure below shows one deal.
# Each player should give its weight to the player that beats it. With one matrix, training has settled for
# equal weights. The model then gets all three colours at once and can only guess which one is meant. (Almost
# half of the answers are right, not just a third, because two players may hold the same colour. We leave open
# why training doesn't get to two out of three here. With `spread=1.0` it comes close on some seeds: we have
# tried.)

# %%
deal = RockPaperScissors().test(1)
players = RockPaperScissors().words(deal.inputs[0][0])

side_by_side(*(
    matrix(head(*deal.inputs).attention["head"][0, 0], players, players, title, weights=True, digits=1)
    for title, head in (("two matrices", two_matrices[0]), ("one matrix", one_shared[0]))
))

# %% [markdown]
# Is one matrix always a bad idea? No. In *recall* the question "Ada" looks for the card that says "Ada". For
# that, similarity is just right.

# %%
heads = [TiedHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
train_together(heads, task, 300, adam(0.02))
recalled = [measure(head, task.test()).accuracy for head in heads]

seeds({"the game, one matrix": right_with_one, "recall, one matrix": recalled}, "accuracy", chance=1 / 8)

# %% [markdown]
# ## One matrix between two words
#
# Write out the score of word $i$ for word $j$, and move the brackets:
#
# $$q_i \cdot k_j \;=\; (x_i W_Q)(x_j W_K)^{\mathsf T} \;=\; x_i \, \bigl(W_Q W_K^{\mathsf T}\bigr) \, x_j^{\mathsf T}$$
#
# Between the two words there is a single matrix, with d_model rows and d_model columns. A matrix that turns
# two vectors into one number is called a **bilinear form**. Its entry in row $a$ and column $b$ says how
# strongly a word with feature $a$ looks for a word with feature $b$.
#
# ### Exercise: `bilinear_form`
#
# Compute this matrix from W_Q and W_K.


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

matrix(form, says, says, "row: feature of the word that asks; column: feature of the other word")

# %% [markdown]
# The largest number in the row "points back" is in the column "thing". This one matrix contains everything
# that W_Q and W_K say together. (A small d_k saves numbers: if d_k is an eighth of d_model, W_Q and W_K
# together have a quarter of this matrix's numbers. The price is that at most d_k of its rows are
# independent.)
#
# Now rotate all queries and all keys by the same angle. What changes?

# %%
from math import cos, radians, sin

angle = radians(40)
rotation = torch.tensor([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])
rotated_q, rotated_k = w_q @ rotation, w_k @ rotation

assert torch.allclose(bilinear_form(rotated_q, rotated_k), form, atol=1e-6)
side_by_side(
    matrix(w_q, says, ["1st", "2nd"], "W_Q"),
    matrix(rotated_q, says, ["1st", "2nd"], "W_Q, rotated"),
    matrix(x @ rotated_q @ (x @ rotated_k).T - q @ k.T, words, words, "change of the scores"),
)

# %% [markdown]
# W_Q has different numbers, but no score has changed. Two trained models can have quite different W_Q and W_K
# and still do the same thing. So a single number in W_Q means little by itself. For a given x, the scores
# depend on W_Q and W_K only through the product $W_Q W_K^{\mathsf T}$.
#
# ## Does a head need all three matrices?
#
# Here are seven heads that store fewer than three matrices. In three of them, two of the matrices are one and
# the same. In the fourth, all three are. In the last three, one matrix is left out, and the words' vectors
# are used as they are. (Training them takes about half a minute.)

# %%
seven = predict(
    "03-seven",
    "Each of the seven is trained on rock, paper, scissors. Which of them fail?",
    [
        "All seven: each matrix has its own job",
        "The two in which W_Q is W_K",
        "The four in which W_V is shared, or left out",
        "None: one matrix is enough",
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
seeds(right, "accuracy", chance=1 / 8)

# %%
seven.reveal(
    1 if fails == ["W_Q = W_K", "all three one"] else 3,
    f"These fail: {', '.join(fails)}. Each of the others is right on at least {least:.1%} of the deals.",
)

# %% [markdown]
# The score of word $i$ for word $j$ is $x_i \, (W_Q W_K^{\mathsf T}) \, x_j^{\mathsf T}$. In these heads
# $d_k$ is as large as d_model. So $W_Q W_K^{\mathsf T}$ can become any matrix, even with W_Q or W_K left out,
# unless the two are the same matrix. And W_O, which comes right after, can do the work of W_V.
#
# Only wide heads have this freedom. In a real model d_k is much smaller than d_model. So here are heads whose
# queries, keys and values have only two numbers each:
# %%
narrow = {
    "three matrices": partial(TiedHead, tied="", d_k=2, d_v=2),
    "W_K = W_V": partial(TiedHead, tied="w_k w_v", d_k=2, d_v=2),
    "W_Q = W_V": partial(TiedHead, tied="w_q w_v", d_k=2, d_v=2),
}
seeds({name: played(kind)[1] for name, kind in narrow.items()}, "accuracy, d_k = d_v = 2", chance=1 / 8)

# %% [markdown]
# Three matrices still solve the game. Two are no longer enough: one vector of only two numbers then has to do
# two jobs. So in this game **queries and keys must differ. A third matrix adds capacity, and this narrow head
# needs it.** Chapter 6 shows what training does with the capacity.
#
# ## W_Q is not the embedding
#
# W_Q and the embedding are both matrices, and both are trained. But the **embedding** has a row for each
# *word* of the vocabulary (all words that a model knows). It is used once, to turn words into vectors. W_Q
# has a row for each *number* of such a vector, whatever word it came from. To show that they are different
# things, we leave the embedding out. The next task has no words: each of six cards shows a vector drawn at
# random, which never appears again, with a colour beside it. The question repeats one of the vectors.

# %%
no_embedding = predict(
    "03-no-embedding",
    "No words, no embedding, and every vector is new. Only W_Q, W_K, W_V and W_O can learn anything. "
    "How often does the trained model name the right colour?",
    ["1 time in 8: it can only guess", "About half of the time", "Almost always"],
)
no_embedding

# %%
from qkvlib.tasks import NewVectors

new = NewVectors()
heads = [OneHead(None, new.n_answers, d_model=new.d_model, seed=seed) for seed in range(10)]
train_together(heads, new, 600, adam(0.01))
shares = [measure(head, new.test()).accuracy for head in heads]

print("stored:", ", ".join(heads[0].weights))
seeds({"every vector is new": shares}, "accuracy", chance=1 / 8)

# %%
no_embedding.reveal(
    2 if min(shares) >= 0.97 else 1,
    "There is nothing to learn by heart. The matrices have learned something that works for every "
    "vector: find the one that is equal to the question.",
)

# %% [markdown]
# The product $W_Q W_K^{\mathsf T}$ shows what the matrices have learned. Its first eight rows and columns
# compare the question's vector with the vector on each card. (The other rows and columns belong to the
# colours.)

# %%
learned = bilinear_form(heads[0].w_q, heads[0].w_k)[:8, :8]
diagonal = learned.diag().mean()

numbered = [str(i) for i in range(8)]
matrix(learned / diagonal, numbered, numbered, "W_Q W_K^T, divided by its mean diagonal", digits=2)

# %% [markdown]
# The product comes close to the identity. So each number of the question is compared mainly with the same
# number of the card. If W_Q held a row for each word, there would be no reason for this pattern. Training
# arrived at this pattern because such a product picks out equal vectors.
#
# ## What you have seen
#
# Queries, keys and values are computed again from every x, but the weight matrices W_Q, W_K and W_V are
# stored and trained. For a given x and d_k, the attention weights depend on W_Q and W_K only through their
# product. Because W_Q and W_K are two matrices, *its* can find *law* although these words are not similar,
# and *law* need not find *its*. The embedding is a different matrix: it gives x, and W_Q works on any x, even
# a new one.

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
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

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
    "Chapter 2. Which trained numbers are inside softmax(Q Kᵀ / √d_k) V?",
    ["None", "One for each key", "d_k of them"],
    answer=0,
    because="Q, K and V go in. The trained numbers come before them, in W_Q, W_K and W_V, and you have "
    "now seen these.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017: sections 3.2.1 and 3.2.2. Watch the letter Q
#   change its meaning between them.
# - Minh-Thang Luong, Hieu Pham and Christopher Manning, *Effective Approaches to Attention-based Neural
#   Machine Translation*, 2015: three ways to score; the one called "general" is our bilinear form.
# - Nelson Elhage and others, *A Mathematical Framework for Transformer Circuits*, 2021: what you can read in
#   a trained model by looking at the products of its matrices.
#
# **Next:** [chapter 4](04_gradients.ipynb). Training changed W_Q. How did it know in which direction?
