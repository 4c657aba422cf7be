# ---
# title: Start here
# question: Where do queries, keys and values come from, in one hour?
# settles: The whole story in eight stations, and how predictions, widgets, checks and hints work.
# minutes: 60
# builds on: nothing
# ---

# %% [markdown]
# # {title}: queries, keys and values in one hour
#
# A sentence ends with *full*. You want it to end with *sour*. {notebook: Put the cursor in the cell below and press **Shift+Enter**, which runs it. Then press|page: Press}
# *sour*, and then *Learn*.
#
# *It takes* about {minutes} minutes to go through the whole story in eight stations. *It builds on*
# {builds on} but a little Python and school mathematics.

# %%
from qkvlib import LearnToLook

LearnToLook()

# %% [markdown]
# ## 1. Training: it learns where to look
#
# Nobody told the word *it* where to look. You gave only the right ending.
#
# Each knob is a **weight**, a number that training may change. The weights are in three **weight matrices**,
# $W_Q$, $W_K$ and $W_V$. The **loss** is one number, and it says how wrong the ending is. The arrow at a knob
# shows how the loss pulls on this weight. The arrow points against the **gradient**, and a longer arrow means
# a stronger pull. A step of training moves a weight a little way along its arrow. This method is called
# **gradient descent**.
#
# Now drag a knob against its arrow, and press *Learn* again. Then press *Reset* and *sour*, but not *Learn*:
# the next question comes first.
#
# In this course you predict before you see. Choose an answer and press *Commit*. Your predictions are kept
# {notebook: on this computer|page: in this browser} and sent nowhere, and wrong ones cost nothing. You
# remember best what surprises you.

# %%
from qkvlib import predict

moves_first = predict(
    "00-moves-first",
    "The wanted ending is “sour”. Which of the three matrices moves first when you press Learn?",
    ["W_Q: the query has to turn", "W_K: milk has to be found", "W_V: cat has to say something else", "All three, in the same step"],
)
moves_first

# %% [markdown]
# What the widget computes is about twenty lines of **torch**, the library in which real models are written. You need not
# understand them yet. {notebook: Run this cell, and every cell from here on, with Shift+Enter.|page: In a
# notebook you run such lines; here you see what comes out.}

# %%
import torch

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

x = torch.eye(4)  # a vector for each word: cat, milk, bowl, it
start = {
    "W_Q": torch.tensor([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.5, 1.9]]),
    "W_K": torch.tensor([[0.4, 1.4], [-1.3, -0.4], [1.4, -0.3], [0.0, 0.0]]),
    "W_V": torch.tensor([[4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [0.0, 0.0]]),
}
read_out, bias = torch.tensor([[1.5, 0.0, 0.0], [0.0, 1.5, 0.0]]), torch.tensor([0.0, 0.0, 3.3])
SOUR = 1


def loss_of(w_q, w_k, w_v):
    """How wrong the ending is, if it should be “sour”."""
    q, k, v = x[3] @ w_q, x[:3] @ w_k, x[:3] @ w_v     # a query of "it"; keys and values of the others
    attention = torch.softmax(q @ k.T / 2**0.5, dim=-1)    # how much "it" attends to each of them
    endings = attention @ v @ read_out + bias              # a score for each ending
    return torch.nn.functional.cross_entropy(endings, torch.tensor(SOUR))


def gradients_of(weights):
    """The gradient of the loss for each matrix."""
    leaves = [w.clone().requires_grad_() for w in weights.values()]
    return dict(zip(weights, torch.autograd.grad(loss_of(*leaves), leaves)))


gradients = gradients_of(start)
print(f"loss: {float(loss_of(*start.values())):.2f}")
for name, gradient in gradients.items():
    print(f"{name}: its gradient has the length {float(gradient.norm()):.2f}")

# %%
together = all(float(gradient.norm()) > 0 for gradient in gradients.values())
moves_first.reveal(
    3 if together else 0,
    "One backward pass gives all three matrices their gradients, and one step moves them all.",
)

# %% [markdown]
# **Who tells W_Q what to look for?** Only the loss does, through the gradient. There is no separate network,
# and no label says where to look. *Chapter 4* computes the gradient by hand, and *chapter 5* trains a head.
#
# ## 2. Attention: a query is compared with keys
#
# Attention takes two steps. First a **query** is compared with each **key** by a dot product, and softmax
# turns these scores into **attention weights** that sum to one. Here is the first step by itself.
#
# Many widgets have a goal. To reach this one, drag the tip of the blue arrow. {notebook: By keyboard:
# press Esc to leave the text of a cell, then press Tab until|page: By keyboard: press Tab until} a tip has the
# focus. The arrow keys move it, and `[` and `]` turn it. *Undo* takes back your last move. {notebook: The code above a widget with a goal is folded to one line; click on it to read
# it.|page:}

# %%
from qkvlib import Vectors
from qkvlib.widgets import Goal, Prefers

Vectors(
    [2.0, 1.0],
    [[2.0, -1.0], [-1.0, 2.0]],
    names=["a", "b"],
    goal=Goal(
        "00-turn",
        "Move the blue arrow, q, until b has more weight than a.",
        conditions=[Prefers("b")],
        touch=["query"],
    ),
)

# %% [markdown]
# In the second step, attention uses these weights to compute a **weighted sum** of the **values**. Drag the
# query of *it* to the other keys, and watch the black point on the right.

# %%
from qkvlib import SoftLookup

SoftLookup.of("first")

# %% [markdown]
# **What is the intuition behind the dot product?** It is large when a query and a key are long and point the
# same way, and the key with the largest product gets the most weight. The weighted sum always lies among the
# values.
# *Chapters 1 and 2* show both, by hand and with a loop. {notebook: (If a widget says that no kernel answers, run the notebook from its top: Run > Run All Cells.)|page:}
#
# ## 3. W_Q, W_K and W_V: where queries, keys and values come from
#
# In station 2 you made the query by hand. In a model a matrix makes the query: $q = x \, W_Q$, where $x$ is
# the word's vector (its **embedding**). Keys and values are made in the same way, from the same $x$: $k = x \, W_K$ and
# $v = x \, W_V$. Each of these products is called a **projection**. Drag a number of $W_Q$ below and see
# which queries change.

# %%
from qkvlib import AttentionLab

words = ["cat", "milk", "bowl", "it"]
x4 = torch.tensor([[1.0, 0.2, 0.3], [0.1, 1.0, 0.4], [0.5, 0.1, 1.0], [0.4, 0.6, 0.2]])
w_q = torch.tensor([[1.0, 0.5], [-0.5, 1.0], [0.3, -1.0]])
w_k = torch.tensor([[0.5, -1.0], [1.0, 0.3], [-0.4, 0.8]])
w_v = torch.tensor([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])

AttentionLab(x4, w_q, w_k, w_v, tokens=words)

# %%
which_change = predict(
    "00-which-change",
    "You change one number of W_Q, in the first row. How many of the four words get a different query?",
    ["One", "Two", "All four", "None until the next training"],
)
which_change

# %% [markdown]
# ### Exercise: `queries`
#
# An exercise is a function with a line `raise NotImplementedError`. Write your answer {notebook: instead of
# that line, run the cell, and then run the cell below it, which says `check`.|page: instead of that line, and
# press *Check*. The first time it loads Python into this page, which takes some seconds.} The check tries
# your function on many inputs.
#
# Make a mistake on purpose first. Many people think that the query *is* the word's vector. So write
# `return x`, {notebook: run both cells|page: press *Check*}, and read the verdict. Then make it right, in one
# line. (`@` is the matrix product in Python.)


# %%
def queries(x, w_q):
    """A query for each word.

    x [n, d_model], w_q [d_model, d_k] -> [n, d_k]
    """
    ### BEGIN SOLUTION
    return x @ w_q
    ### END SOLUTION


# %%
from qkvlib import check, hint

queries = check(queries)

# %% [markdown]
# The check gives you a diagnosis, then a question to think about, then the smallest case that fails. You
# never have to solve an exercise to go on: until your function is right, the lesson uses its own.
# {notebook: Each exercise has three hints. Open the first under the verdict, try again, and only then open
# the next. In a terminal, where nothing can be opened, `hint` shows|page: Each exercise has three hints. Open
# the first, try again, and only then open the next. In a notebook `hint` shows} the next one each time you
# call it.

# %%
hint(queries)

# %%
def changed(before, after):
    """How many rows are not the same."""
    return int((before != after).any(dim=1).sum())


other_w_q, other_x = w_q.clone(), x4.clone()
other_w_q[0, 0] += 1
other_x[0, 0] += 1

of_w_q = changed(queries(x4, w_q), queries(x4, other_w_q))
of_x = changed(queries(x4, w_q), queries(other_x, w_q))
print("one number of W_Q changed: other queries for", of_w_q, "of 4 words")
print("one number of x changed:   other queries for", of_x, "of 4 words")

# %%
which_change.reveal(
    2 if of_w_q == 4 else 0,
    "All words share W_Q. Each word has its own x, so changing one x changes only one query.",
)

# %% [markdown]
# **Are Q, K and V stored? Are they trained?** W_Q, W_K and W_V are stored and trained. Queries, keys and values are
# computed again from $x$ for every sentence, and then forgotten. *Chapter 3* trains a model and compares before with after.
#
# ## 4. Gradients: how the loss reaches W_Q
#
# A gradient is a number that you can measure. Take one weight of station 1, the second number in W_Q's row
# for *it*. In that model each word has a row of its own, so this is also the second number of its query. Raise
# it a little, and see what the loss does.

# %%
nudge = predict(
    "00-nudge",
    "“It” attends to cat, and the ending should be “sour”. You raise the second number of its query, so the "
    "query gets longer and still points at cat. What does the loss do?",
    ["It rises", "It falls", "It stays as it is: a loss depends only on the ending"],
)
nudge

# %%
row, column, by = 3, 1, 0.01
nudged = {name: w.clone() for name, w in start.items()}
nudged["W_Q"][row, column] += by

rise = float(loss_of(*nudged.values()) - loss_of(*start.values()))
measured, computed = rise / by, float(gradients["W_Q"][row, column])
print(f"measured, rise of the loss / rise of the weight: {measured:.2f}")
print(f"computed by torch, the gradient:                 {computed:.2f}")

learning_rate = 0.08
stepped = {name: w - learning_rate * gradients[name] for name, w in start.items()}
print(f"the loss before a step and after: {float(loss_of(*start.values())):.2f}, {float(loss_of(*stepped.values())):.2f}")

# %%
nudge.reveal(
    0 if measured > 0 else 1,
    "So the gradient is positive, and a step goes the other way: it makes this number smaller.",
)

# %% [markdown]
# **How does one number train three matrices?** By the chain rule: each weight's gradient says how much the
# loss would change if this weight changed a little and nothing else did. In *chapter 4* you write each link
# of the chain, and compare your numbers with torch's.
#
# ## 5. Two matrices, or three: why not Q = K?
#
# If one matrix made both queries and keys, the score of A for B would equal the score of B for A. Take rock,
# paper, scissors: each player has to find the player that beats it, and say that player's colour, one of
# eight. We train ten models with two matrices and ten with one matrix for both, each from different random
# numbers (a different **seed**).

# %%
one_matrix = predict(
    "00-one-matrix",
    "The models with W_Q and W_K get nearly all answers right. How many do the models with one matrix for "
    "both get right?",
    ["Nearly all, too", "About two of three", "Fewer than half"],
)
one_matrix

# %%
from qkvlib.figures import seeds
from qkvlib.models import OneHead, TiedHead
from qkvlib.tasks import RockPaperScissors
from qkvlib.training import adam, measure, train, train_together


def played(kind):
    """Ten trained models, one for each seed: their shares of right answers on new games."""
    game = RockPaperScissors()
    models = [kind(game.n_tokens, game.n_answers, d_model=12, spread=0.5, seed=seed) for seed in range(10)]
    train_together(models, game, 200, adam(0.02))
    return [measure(model, game.test()).accuracy for model in models]


right_with_two, right_with_one = played(OneHead), played(TiedHead)
seeds({"W_Q and W_K": right_with_two, "one matrix": right_with_one}, "right answers", chance=1 / 8)

# %%
one_matrix.reveal(2 if max(right_with_one) < 0.5 else 1, "This is so on every seed.")

# %% [markdown]
# Each point is one seed. Points further to the right have more correct answers.
#
# **Why two, why three?** With one matrix for queries and keys no head can say who beats whom, because its
# scores are the same in both directions. A third matrix, W_V, adds capacity, but the model learns this game
# without it, too. *Chapter 3* proves the first point and tries all seven ways to make do with fewer matrices.
#
# ## 6. Multi-head attention: built alike, why not the same?
#
# A W_Q, a W_K and a W_V together make a **head**. Real layers have many heads, all built alike. Train a layer
# of two heads twice: once from random numbers, and once with the second head a copy of the first.

# %%
copies = predict(
    "00-copies",
    "Two heads start as exact copies of each other. After 250 steps of training they are",
    ["different: training parts them", "nearly the same", "the same to the last digit"],
)
copies

# %%
from qkvlib import Replay
from qkvlib.models import MultiHead
from qkvlib.tasks import TwoQuestions
from qkvlib.training import Keep

task = TwoQuestions()
layers = [MultiHead(task.n_tokens, task.n_answers, 16, 2, seed=0) for _ in range(2)]
layers[1].start_equal()
runs = [train(layer, task, 250, adam(0.02), record=Keep(every=10)) for layer in layers]

first, second = layers[1].weights["w_q"].chunk(2, dim=1)
apart = float((first - second).abs().max())
print(f"copies, after training: the largest difference of their W_Q is {apart:g}")
for name, layer in zip(["random start", "copies"], layers):
    print(f"{name}: both answers right in {measure(layer, task.test()).all_right:.0%} of the examples")

Replay(*runs, names=["random start", "copies"], tokens=task.tokens)

# %%
copies.reveal(2 if apart == 0 else 1, "They get equal gradients and take equal steps, so they stay equal.")

# %% [markdown]
# Press *play*. In each matrix, the left half belongs to head 1 and the right half to head 2.
#
# **Why do heads differ?** Only because they start from different random numbers. Nobody gives them jobs.
# *Chapters 8 and 9* build many heads in three ways and find out what each head does.
#
# ## 7. A real model: one head of MiniLM
#
# Does a real, trained model work like this? MiniLM reads a sentence and turns it into a vector for search
# engines. The course includes some of its heads. Here one of them reads a sentence of ours, and your
# `queries` computes its queries.

# %%
from qkvlib import Heads
from qkvlib.attention import attention_weights
from qkvlib.models.minilm import minilm_embedding, minilm_heads

embedding = minilm_embedding()
head = minilm_heads()["what is done"]

tokens = embedding.split("The cat drank the milk, and the dog ate the cake.")
real_x = embedding.x(tokens)

q = queries(real_x, head.w_q) + head.b_q    # a real head also adds a bias
k = real_x @ head.w_k + head.b_k
Heads(attention_weights(q, k), tokens)

# %%
looks = attention_weights(q, k)
for verb, noun in [("drank", "milk"), ("ate", "cake")]:
    if verb in tokens and noun in tokens:  # your own sentence may have other words
        print(f"{verb} attends to {noun}: {float(looks[tokens.index(verb), tokens.index(noun)]):.2f}")

# %% [markdown]
# {notebook: Replace the sentence above with one of your own, and run both cells again; a message names the words
# that the course does not include.|page: In JupyterLab you can replace this sentence with one of your own.}
#
# **Does a real model work like this?** Yes. It multiplies $x$ by W_Q and W_K and applies softmax, and in this head a
# verb attends to what is eaten or drunk. Nobody told the head to. *Chapter 12* reproduces such attention maps
# to three digits, and tests the heads on new sentences.
#
# ## 8. What people get wrong: ten statements
#
# True or false? Each answer names the station or the chapter that settles it.

# %%
from qkvlib import ask

ask(
    "00-stored",
    "1. A trained model stores its queries, keys and values.",
    ["True", "False"],
    answer=1,
    because="It stores W_Q, W_K and W_V. It computes queries, keys and values from x for every sentence: "
    "station 3, and chapter 3.",
)

# %%
ask(
    "00-same-x",
    "2. If the same x is used three times, then Q, K and V are equal.",
    ["True", "False"],
    answer=1,
    because="x goes through three different matrices: station 3. Chapter 3 tries it with torch’s own layer.",
)

# %%
ask(
    "00-embedding",
    "3. W_Q is another name for the embedding.",
    ["True", "False"],
    answer=1,
    because="The embedding has a row for each word. W_Q has a row for each number of x, and serves all words: chapter 3.",
)

# %%
ask(
    "00-network",
    "4. A separate network trains W_Q, W_K and W_V.",
    ["True", "False"],
    answer=1,
    because="The loss of the whole model reaches them by the chain rule: stations 1 and 4, and chapter 4.",
)

# %%
ask(
    "00-labels",
    "5. Training needs labels that say which word to look at.",
    ["True", "False"],
    answer=1,
    because="The only label was the right ending: station 1. Chapter 5 trains a head and then checks where it looks.",
)

# %%
ask(
    "00-one-step",
    "6. One step of gradient descent changes all three matrices.",
    ["True", "False"],
    answer=0,
    because="One backward pass gives gradients to all three: station 1, and chapter 4.",
)

# %%
ask(
    "00-direction",
    "7. A gradient points in the direction in which a step moves the weight.",
    ["True", "False"],
    answer=1,
    because="A step goes against the gradient, which points to where the loss rises: station 4, and chapter 4.",
)

# %%
ask(
    "00-symmetric",
    "8. With W_Q = W_K, the score of A for B equals the score of B for A.",
    ["True", "False"],
    answer=0,
    because="So such a head cannot say who beats whom: station 5, and chapter 3.",
)

# %%
ask(
    "00-own-jobs",
    "9. Heads become different because each is given a job.",
    ["True", "False"],
    answer=1,
    because="They start from different random numbers. Exact copies stay copies: station 6, and chapter 9.",
)

# %%
ask(
    "00-hand-over",
    "10. What attention returns is a weighted sum of the values.",
    ["True", "False"],
    answer=0,
    because="The weights come from softmax, so they sum to one: station 2, and chapter 2.",
)

# %% [markdown]
# Here are your predictions, beside what happened.

# %%
from qkvlib import replay_predictions

replay_predictions("00")

# %% [markdown]
# ## What to read next: the map
#
# Here is a whole model that writes. Read it from left to right. Words come in. Each becomes a vector, and
# gets its position. Then come **blocks**: in *attention* the words look at one another, and in *feed-forward*
# each is processed by itself. At the end, every word that the model knows gets a score: how likely it is to
# come next. Every chapter opens with this picture, with its own part highlighted.
#
# {drawing: model}
#
# These are the chapters. Click on one to open it, and {notebook: run the cell again to see how far you
# are.|page: come back to see how far you are.} If you have eight hours, keep to the sections named in [the
# list of lessons](../lessons/README.md).

# %%
from qkvlib import course_map

course_map()

# %% [markdown]
# Three helpers go with you. `glossary("query")`, after `from qkvlib import glossary`, says what a word means
# in this course and elsewhere. `??` after the name of a course function shows its code: try
# `attention_weights??`. And `doctor` checks that everything the course needs is installed. {notebook: If a
# line says FAIL, the command under it fixes that.|page: This page needs nothing.}

# %% tags=["nbval-ignore-output"]
from qkvlib import doctor

doctor()

# %% [markdown]
# Where the lessons say *token*, read *word* for now. Chapter 6 tells them apart.
#
# **Next:** [chapter 1](01_similarity.ipynb). Why should multiplying and adding say that two things belong
# together?
