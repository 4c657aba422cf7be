# ---
# title: Backpropagation through attention
# question: How does the loss reach W_Q?
# settles: One loss and one backward pass reach every weight matrix, without a separate network. You write
#   the backward pass by hand.
# goal: write all of attention, write its backward pass by hand and check it against torch's, train a head
#   with only your own functions, and say when W_Q learns nothing at all
# minutes: 180
# builds on: chapters 2 and 3
# here: the way back
# heart: 45 minutes: All of attention in one function; A target, and the loss; One number: nudge
#   it and look; A separate network?
# ---

# %% [markdown]
# # {number}. {title}: how the loss reaches W_Q
#
# {here}
#
# In chapter 3 training changed W_Q. Nobody had told W_Q what a question should look for. Training had only
# one number, the loss, which says how wrong the answers were. Between the loss and W_Q are the output, the
# weights, a softmax, the scores, and the queries.
#
# **The questions of this chapter: how does the loss get back to W_Q through all of that? Is a separate
# network needed to train W_Q, W_K and W_V? What stops W_Q from learning?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}. From school you need the derivative: how
# much a function changes when its input changes a little.

# %%
import torch

from qkvlib import AttentionLab, ask, check, glossary, hint, predict, replay_predictions, terms
from qkvlib.figures import curves, landscape, matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## All of attention in one function
#
# You have all the parts. Put them together: scores divided by the square root, softmax, and the weighted sum
# of the values. One thing is new, the **mask**. Sometimes a word may not look at some other words (chapter 7
# has the reasons). The mask is a matrix of True and False, with a row for each query and a column for each
# key, and True means *may attend*.
#
# ### Exercise: `scaled_dot_product_attention`
#
# A forbidden key must get the weight 0, and the others must still sum to one. So apply the mask *before*
# softmax: which score becomes 0 when you take its exponential? `scores.masked_fill(~mask, number)` puts a
# number wherever the mask is False. When every word may look at every other, `mask` is None. Return two
# things, the output and the weights. The check also tries masks with a single row for all queries, and
# batches (the dots in the shapes below). For batches write `k.mT`, as in chapter 2, not `k.T`.


# %%
def scaled_dot_product_attention(q, k, v, mask=None):
    """Attention: every query gets a sum of the values, weighted by how well their keys match it.

    q [..., n, d_k], k [..., m, d_k], v [..., m, d_v], mask [n, m], [..., 1, m] or None
    -> output [..., n, d_v], weights [..., n, m]
    """
    ### BEGIN SOLUTION
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
    ### END SOLUTION


# %%
scaled_dot_product_attention = check(scaled_dot_product_attention)

# %% [markdown]
# Here are the five words and the three matrices of chapter 3. They are in double precision (twice as many
# digits), because we will soon compare numbers that differ very little.

# %%
words = ["law", "old", "its", "spirit", "young"]
says = ["thing", "age", "points back", "mind"]

x = torch.tensor([
    [1.0, 0.0, 0.0, 0.0],    # law
    [0.0, 1.0, 0.0, 0.0],    # old
    [0.0, 0.0, 1.0, 0.0],    # its
    [1.0, 0.0, 0.0, 1.0],    # spirit
    [0.0, -1.0, 0.0, 0.0],   # young
], dtype=torch.float64)
w_q = torch.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.5]], dtype=torch.float64)
w_k = torch.tensor([[2.0, 0.5], [-1.0, 2.0], [0.0, 0.0], [-1.5, 1.5]], dtype=torch.float64)
w_v = torch.tensor([[8.0, 0.0], [2.0, 2.0], [0.0, 0.0], [-8.0, 8.0]], dtype=torch.float64)

output, weights = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)
matrix(output, words, ["rule", "mood"], "output")

# %% [markdown]
# ## A target, and the loss
#
# Training needs a target. Say that *its* should stand for *law* and nothing else, so the output of *its*
# should be (8, 0), the value of *law*. For the other words any output will do. The **loss** measures how far
# we are: the squared distance of the third output from (8, 0). (In a real model the loss compares only the
# answers. Gradients lead from there back to this output.)


# %%
def loss_of(w_q, w_k, w_v, x=x):
    """How far the output of 'its' is from (8, 0): the square of the distance."""
    output, _ = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)
    return ((output[2] - torch.tensor([8.0, 0.0])) ** 2).sum()


print(f"loss: {float(loss_of(w_q, w_k, w_v)):.3f}")

# %% [markdown]
# ## One number: nudge it and look
#
# W_Q has eight numbers. Take the number in row "points back", first column, which is 2. Make it a little
# larger, then a little smaller, and see what the loss does. The change in the loss divided by the change in
# the number is the **gradient** for this number.


# %%
def nudged(w, row, column, by):
    """A copy of w with one number changed."""
    w = w.clone()
    w[row, column] += by
    return w


h = 0.001
higher = loss_of(nudged(w_q, 2, 0, +h), w_k, w_v)
lower = loss_of(nudged(w_q, 2, 0, -h), w_k, w_v)
one_number = (higher - lower) / (2 * h)

print(f"a little more: loss {float(higher):.4f}     a little less: loss {float(lower):.4f}")
print(f"gradient: {float(one_number):.3f}")

# %% [markdown]
# The gradient is negative: a larger number means a smaller loss. Training would make the number larger. A
# loop measures all eight gradients like this. The method is called **finite differences**.


# %%
def by_nudging(loss, w, h=1e-5):
    """The gradient of a loss by trial, one number of w after another."""
    gradient = torch.zeros_like(w)
    for row in range(w.shape[0]):
        for column in range(w.shape[1]):
            higher, lower = loss(nudged(w, row, column, h)), loss(nudged(w, row, column, -h))
            gradient[row, column] = (higher - lower) / (2 * h)
    return gradient


nudged_w_q = by_nudging(lambda w: loss_of(w, w_k, w_v), w_q)
assert torch.isclose(nudged_w_q[2, 0], one_number, rtol=1e-3)

matrix(nudged_w_q, says, ["1st", "2nd"], "gradient of W_Q")

# %% [markdown]
# Only one row is not zero. The loss depends only on the output for *its*, and *its* has only the feature
# "points back". So no other row of W_Q contributes to that query.
#
# Why not always use finite differences? You would run the model twice for *each number*. A model with a
# hundred million numbers would need two hundred million runs for a single step. The **backward pass** gets
# all gradients from one run forwards and one run backwards.
#
# ## Backwards, one line at a time
#
# The **chain rule** from school says: if $z$ depends on $y$ and $y$ depends on $x$, multiply the two
# derivatives. So we go back through attention line by line. We write `d_output` for the gradient of the loss
# with respect to the output. It has the output's shape. A *negative* gradient means that a larger number
# would help, here and everywhere on the way back. Only the training step at the end reverses the sign: it
# goes against the gradient.
#
# Here is attention again, last line first:
#
#     output  = weights @ v
#     weights = softmax(scores)
#     scores  = q @ k.mT / sqrt(d_k)
#     q, k, v = x @ w_q, x @ w_k, x @ w_v
#
# Three of these four lines are matrix products, and for a product there is one rule:
#
# $$Y = B C \qquad\Longrightarrow\qquad dB = dY \, C^{\mathsf T}, \quad dC = B^{\mathsf T} \, dY$$
#
# You know the smallest case from school. In $y = b_1 c_1 + b_2 c_2$ the derivative with respect to $b_1$ is
# $c_1$, so $db_1 = dy \, c_1$: the gradient that comes back, times the other factor. The rule says the same
# for all numbers at once. The shapes tell you the order: $dB$ must have the shape of $B$.
#
# Take the first line, `output = weights @ v`, and write $O$, $A$ and $V$ for the output, the weights and the
# values. The rule gives $dV = A^{\mathsf T} dO$: a value collects the gradients of all the words that
# listened to it, each multiplied by how much that word listened. And $dA = dO \, V^{\mathsf T}$: the gradient
# of a weight is the dot product of its value and the output's gradient. When the value points in a direction
# that lowers the loss, this gradient is negative, and the weight should grow.
#
# ## Back through softmax
#
# The second line, softmax, is not a product.

# %%
sum_of_a_row = predict(
    "04-sum-of-a-row",
    "Suppose the loss is the sum of all attention weights in a row. What is its gradient with respect "
    "to the scores?",
    ["All ones", "Large for the largest score", "All zeros"],
)
sum_of_a_row

# %% [markdown]
# (torch can also find gradients by itself, as you will see.)

# %%
row_of_scores = torch.tensor([4.5, 0.0, 3.0], dtype=torch.float64, requires_grad=True)
torch.softmax(row_of_scores, dim=-1).sum().backward()
print("largest gradient is below 1e-12:", bool(row_of_scores.grad.abs().max() < 1e-12))

# %%
sum_of_a_row.reveal(
    2,
    "The weights of a row always sum to one, whatever the scores are. A constant has gradient zero. So "
    "don't test a backward pass with the plain sum of the weights: it says nothing about the scores.",
)

# %% [markdown]
# When one weight of a row grows, the others must shrink. Raise the score of *law* a little, and see how all
# three weights move.

# %%
before = torch.softmax(torch.tensor([4.5, 0.0, 3.0]), dim=-1)
after = torch.softmax(torch.tensor([4.6, 0.0, 3.0]), dim=-1)
for word, a, b in zip(["law", "old", "spirit"], before, after):
    print(f"{word:7} {float(a):.4f} -> {float(b):.4f}")

# %% [markdown]
# The quotient rule from school tells us how far. When $s_j$ grows a little, its own weight grows by
# $a_j (1 - a_j)$ times as much, and each other weight $a_i$ shrinks by $a_i a_j$ times as much. The gradient
# of $s_j$ is the sum of all these changes, each multiplied by the gradient $da_i$ of its weight. Factor out
# the $a_j$ that is in every term, and you have
#
# $$ds_j \;=\; a_j (1 - a_j) \, da_j - \sum_{i \ne j} a_i a_j \, da_i \;=\; a_j \Bigl( da_j - \sum_i a_i \, da_i \Bigr)$$
#
# So what counts is how far a weight's gradient is from the average gradient of its row. This average is
# weighted by the attention weights themselves.
#
# By hand, for two weights of one half each, the first with gradient 4 and the second with gradient 1: the
# average is $0.5 \cdot 4 + 0.5 \cdot 1 = 2.5$. The first is 1.5 above the average and the second 1.5 below.
# Multiplied by the weights, that gives +0.75 and −0.75. Raising either weight would raise the loss, but the
# two weights cannot both shrink. So a step lowers the first score and raises the second. A row of $dS$ always
# sums to zero.
#
# ### Exercise: `softmax_backward`
#
# Write this formula for a whole matrix, each row separately. The check also tries batches of matrices,
# because `attention_backward` below uses them: count dimensions from the end, `dim=-1`.


# %%
def softmax_backward(d_weights, weights):
    """The gradient of the scores, from the gradient of the weights.

    d_weights and weights [..., n, m] -> d_scores [..., n, m]
    """
    ### BEGIN SOLUTION
    average = (weights * d_weights).sum(dim=-1, keepdim=True)
    return weights * (d_weights - average)
    ### END SOLUTION


# %%
softmax_backward = check(softmax_backward)

# %%
half = torch.tensor([[0.5, 0.5]])
assert softmax_backward(torch.tensor([[4.0, 1.0]]), half).tolist() == [[0.75, -0.75]]

# %% [markdown]
# ### Exercise: `attention_backward`
#
# Go from the output back to q, k and v. You have all the pieces: the product rule for `weights @ v`, your
# `softmax_backward`, and the product rule again for `q @ k.mT`. The division by $\sqrt{d_k}$ stays in $dQ$
# and $dK$:
#
# $$dV = A^{\mathsf T} dO \qquad dA = dO \, V^{\mathsf T} \qquad dQ = dS \, K / \sqrt{d_k} \qquad dK = dS^{\mathsf T} Q / \sqrt{d_k}$$
#
# One name means two things here. In a shape, as in [n, d_k], d_k is a width. Among the results, `d_k` is the
# gradient of k. Write `.mT` again, for batches.


# %%
def attention_backward(d_output, q, k, v, weights):
    """The gradients of q, k and v, from the gradient of the output.

    d_output [..., n, d_v], q [..., n, d_k], k [..., m, d_k], v [..., m, d_v], weights [..., n, m]
    -> d_q, d_k, d_v
    """
    ### BEGIN SOLUTION
    d_v = weights.mT @ d_output
    d_weights = d_output @ v.mT
    d_scores = softmax_backward(d_weights, weights) / q.shape[-1] ** 0.5
    return d_scores @ k, d_scores.mT @ q, d_v
    ### END SOLUTION


# %%
attention_backward = check(attention_backward)

# %% [markdown]
# ### Exercise: `projection_gradients`
#
# The last step goes from q, k and v to the weight matrices. q itself is not stored, so no training step
# changes q. Its gradient is passed on to W_Q by the product rule again, because `q = x @ w_q` is a product,
# too. Every word used the same matrix, so each matrix collects gradients from all words.


# %%
def projection_gradients(x, d_q, d_k, d_v):
    """The gradients of w_q, w_k and w_v.

    x [n, d_model], d_q and d_k [n, d_k], d_v [n, d_v] -> d_w_q, d_w_k, d_w_v
    """
    ### BEGIN SOLUTION
    return x.T @ d_q, x.T @ d_k, x.T @ d_v
    ### END SOLUTION


# %%
projection_gradients = check(projection_gradients)

# %% [markdown]
# That is the whole way: $dW_Q = X^{\mathsf T} dQ$, and likewise for W_K and W_V. torch goes this way for you
# when you call `backward()`. Its method is called **autograd**: torch keeps what it computed on the way
# forwards so that it can go back. We now have four ways to compute the gradient of one number, and they must
# agree: nudging the number by hand, nudging it in a loop, the chain rule, and torch.


# %%
def back_to_q_k_v(w_q, w_k, w_v):
    """One pass forwards and one backwards, with your functions, as far as d_q, d_k, d_v."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    output, weights = scaled_dot_product_attention(q, k, v)
    d_output = torch.zeros_like(output)
    d_output[2] = 2 * (output[2] - torch.tensor([8.0, 0.0]))  # only 'its' has a target
    return attention_backward(d_output, q, k, v, weights)


def gradients_of(w_q, w_k, w_v):
    """The rest of the way: d_w_q, d_w_k, d_w_v."""
    return projection_gradients(x, *back_to_q_k_v(w_q, w_k, w_v))


by_chain_rule = gradients_of(w_q, w_k, w_v)

copies = [w.clone().requires_grad_() for w in (w_q, w_k, w_v)]
loss_of(*copies).backward()

assert torch.isclose(by_chain_rule[0][2, 0], one_number, rtol=1e-3)
assert torch.allclose(by_chain_rule[0], nudged_w_q, atol=1e-6)
for mine, w in zip(by_chain_rule, copies):
    assert torch.allclose(mine, w.grad, atol=1e-12)

side_by_side(*(
    matrix(d, says, ["1st", "2nd"], f"gradient of {name}")
    for name, d in zip(("W_Q", "W_K", "W_V"), by_chain_rule)
))

# %% [markdown]
# Again, a negative gradient means that a larger number would help. The row "points back" of W_Q says: let
# *its* look more to the right and less upwards, towards *law* and away from *spirit*. The rows of W_K say the
# same from the side of the keys: let *its* find things more easily, and things of the mind much less.
#
# ## The gradient of x, and of the embedding
#
# In a model the rows of $x$ come from the embedding, a matrix with a row for each word. How is the embedding
# trained at the same time? $x$ is a factor in three products, so three gradients come back to it, and they
# add up:
#
# $$dX \;=\; dQ \, W_Q^{\mathsf T} + dK \, W_K^{\mathsf T} + dV \, W_V^{\mathsf T}$$

# %%
d_q, d_k, d_v = back_to_q_k_v(w_q, w_k, w_v)
d_x = d_q @ w_q.T + d_k @ w_k.T + d_v @ w_v.T

vectors = x.clone().requires_grad_()
loss_of(w_q, w_k, w_v, vectors).backward()
assert torch.allclose(d_x, vectors.grad, atol=1e-12)

matrix(d_x, words, says, "gradient of x")

# %% [markdown]
# The loss depends only on the output for *its*, and yet every word has a gradient: *its* looked at all of
# them, using the key and the value of each. In a model each row is passed on to that word's row of the
# embedding, in the same backward pass. If there is a layer below, this $dX$ is its `d_output`.
#
# ## See it flow
#
# Here is the same layer, with a target for each word: (8, 0) for *its*, and the current output for each of
# the other words. The loss is now the average over all ten numbers of the output, so it starts at a tenth of
# our loss. The widget opens on *Backward*. Click through its steps: each step is one of the lines that you
# wrote. Then choose *Weights*, press **Step**, and watch which numbers move.
#
# **The goal:** bring the loss below 0.05, with Step or by hand.

# %%
from qkvlib.widgets import Goal, LossBelow

target = output.clone()
target[2] = torch.tensor([8.0, 0.0])

AttentionLab(
    x,
    w_q=w_q,
    w_k=w_k,
    w_v=w_v,
    target=target,
    tokens=words,
    features=says,
    learning_rate=0.2,
    view="backward",
    goal=Goal(
        "04-loss",
        "Bring the loss below 0.05.",
        conditions=[LossBelow(0.05)],
        touch=["w_q", "w_k", "w_v"],
    ),
)

# %% [markdown]
# ## One step, then many
#
# A gradient says which way is up. To make the loss smaller, go a little way down: subtract from each number
# its gradient times a small factor, the **learning rate**.
#
# ### Exercise: `sgd_step`
#
# Each parameter `p` has its gradient in `p.grad`. Change `p` itself, in place, and set `p.grad` to `None`
# afterwards, or the next gradients would be added to the old ones. The step itself must not be
# differentiated: do it inside `with torch.no_grad():`. The function returns nothing: the check looks at what
# happened to the parameters, and may show `got = None`.


# %%
def sgd_step(params, lr):
    """Move every parameter a little downhill, in place, and clear its gradient.

    params: a list of tensors with .grad; lr: one number
    """
    ### BEGIN SOLUTION
    with torch.no_grad():
        for p in params:
            p -= lr * p.grad
            p.grad = None
    ### END SOLUTION


# %%
sgd_step = check(sgd_step)

# %% [markdown]
# Now train the three matrices with only your own functions.

# %%
trained = [w.clone() for w in (w_q, w_k, w_v)]
for step in range(201):
    if step in (0, 1, 10, 50, 200):
        _, weights = scaled_dot_product_attention(x @ trained[0], x @ trained[1], x @ trained[2])
        print(f"step {step:3}   loss {float(loss_of(*trained)):6.3f}   "
              f"weight of 'its' on law {float(weights[2, 0]):.2f}")
    for w, gradient in zip(trained, gradients_of(*trained)):
        w.grad = gradient
    sgd_step(trained, lr=0.005)

print("value of law:", [f"{number:.2f}" for number in (x @ trained[2])[0].tolist()])

# %% [markdown]
# The loss is zero, though *law* does not have all the weight. The target was an output, and W_V could move,
# too: the value of *law* has shifted to make up for the rest.
#
# ## A separate network?
#
# Some people picture three small networks, one for each matrix. But there is only one loss and one backward
# pass, which gives each matrix its *own* gradient. Does it matter how many optimisers take the steps? An
# **optimiser** is a rule for steps. We train twice: with a single optimiser for everything, and with one
# optimiser for each matrix. (Adam is a more careful `sgd_step`, and `cross_entropy` is a loss for answers,
# explained in chapter 5.)

# %%
one_or_many = predict(
    "04-one-or-many",
    "Recall, 40 steps, once with one optimiser for all matrices and once with one for each. How much "
    "do the trained matrices differ?",
    ["Not at all, to the last digit", "A little, by rounding", "Clearly"],
)
one_or_many

# %%
from qkvlib.models import OneHead
from qkvlib.tasks import Recall
from qkvlib.training import adam, cross_entropy

task = Recall()


def trained_by(optimisers_for, seed):
    """The weights after 40 steps; `optimisers_for` assigns the matrices to optimisers."""
    model = OneHead(task.n_tokens, task.n_answers, seed=seed)
    weights = [w.requires_grad_() for w in model.weights.values()]
    optimisers = [torch.optim.Adam(some, lr=0.02) for some in optimisers_for(weights)]
    generator = torch.Generator().manual_seed(seed)
    for _ in range(40):
        batch = task.batch(64, generator)
        loss = cross_entropy(model(*batch.inputs).logits, batch.answers)
        loss.backward()
        for optimiser in optimisers:
            optimiser.step()
            optimiser.zero_grad()
    return weights


largest = 0.0
for seed in range(10):
    together = trained_by(lambda weights: [weights], seed)
    apart = trained_by(lambda weights: [[w] for w in weights], seed)
    for one, other in zip(together, apart):
        largest = max(largest, float((one - other).detach().abs().max()))
print("largest difference of any number, ten seeds:", largest)

# %%
one_or_many.reveal(
    0 if largest == 0 else 1,
    "Adam moves each number by that number's gradients only, so it makes no difference how the matrices "
    "are grouped.",
)

# %% [markdown]
# So no separate network is needed. The matrices do depend on each other: each gradient is computed with the
# *current* numbers of all the other matrices. The matrices learn together, like two people carrying a
# wardrobe: each has to adjust to the other.
#
# And what would a separate network learn from? The data contain right answers, but no right queries: nobody
# has ever written down what the query of *its* should be. Only the loss of the whole model shows whether a
# query was useful.
#
# In which order do the matrices learn? Compare the lengths of two gradients while a head learns recall.

# %%
from qkvlib.training import train_together


def heads_on_recall(prepare=lambda head: None, steps=120):
    """Ten heads, each with its own seed, trained on recall; and their recordings."""
    heads = [OneHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
    for head in heads:
        prepare(head)
    return heads, train_together(heads, task, steps, adam(0.02))


def ratio(recording, step):
    """How many times longer the gradient of W_V is than that of W_Q."""
    at = recording.index(step)
    return float(recording.gradients["w_v"][at].norm() / recording.gradients["w_q"][at].norm())


_, recordings = heads_on_recall()
first = [ratio(recording, 0) for recording in recordings]
later = [ratio(recording, 20) for recording in recordings]
seeds(
    {"at the first step": first, "20 steps later": later},
    "how many times longer the gradient of W_V is than that of W_Q",
    span=(0, max(first + later)),
)

# %% [markdown]
# At the start W_Q has by far the smaller gradient. Why? Here is a tempting reason: every key gets about the
# same weight, so it hardly matters who looks where. To test this reason, change one thing about the initial
# numbers, and compare the gradients at the first step again.

# %%
def multiply(number, name):
    """A function that prepares a head: it multiplies one matrix by a number."""
    def prepare(head):
        head.weights[name].mul_(number)
    return prepare


def equal_weights_and_long_keys(head):
    head.weights["w_q"].zero_()    # all scores are zero
    head.weights["w_k"].mul_(10)


changed = {
    "as it was": lambda head: None,
    "W_Q × 10": multiply(10, "w_q"),
    "W_Q = 0, W_K × 10": equal_weights_and_long_keys,
    "W_V × 10": multiply(10, "w_v"),
}
ratios = {
    name: [ratio(recording, 0) for recording in heads_on_recall(prepare, steps=1)[1]]
    for name, prepare in changed.items()
}
seeds(
    ratios,
    "how many times longer the gradient of W_V is than that of W_Q, at the first step",
    span=(0, max(map(max, ratios.values()))),
)

# %% [markdown]
# In the third row all weights are exactly equal and the keys are long, and the difference is gone. In the
# second row, with W_Q ten times as large, the weights are unequal, and the difference is still there. So
# equal weights are not the reason. Look at the product rule: the gradient of W_Q contains the keys and,
# through $dA$, the values. Both are small at the start. The gradient of W_V contains neither. As training
# makes the values longer, the gradient of W_Q grows with them.
#
# ## Break it: start from zero
#
# The initial numbers are random. Do they have to be? Zero would be tidier.

# %%
from_zero = predict(
    "04-from-zero",
    "W_Q and W_K both start at zero. W_V and the rest start at random, and everything learns for "
    "120 steps. What happens to W_Q and W_K?",
    ["They learn as usual", "They learn, but slowly", "They stay exactly zero"],
)
from_zero

# %%
from qkvlib.training import measure


def fill(number, *names):
    """A function that prepares a head: it fills these matrices with one number."""
    def prepare(head):
        for name in names:
            head.weights[name].fill_(number)
    return prepare


starts = {
    "all random": lambda head: None,    # fill nothing
    "W_Q zero": fill(0.0, "w_q"),
    "W_K zero": fill(0.0, "w_k"),
    "W_Q, W_K zero": fill(0.0, "w_q", "w_k"),
    "every matrix zero": fill(0.0, "w_q", "w_k", "w_v", "w_o"),
}
runs = {start: heads_on_recall(prepare) for start, prepare in starts.items()}

right = {}
for start, (heads, recordings) in runs.items():
    right[start] = [measure(head, task.test()).accuracy for head in heads]
    moved = sum(not torch.equal(w_q[0], w_q[-1]) for w_q in (run.weights["w_q"] for run in recordings))
    print(f"{start:17} W_Q has moved on {moved:2} seeds of 10")

stuck, _ = runs["W_Q, W_K zero"]
seeds(right, "accuracy", chance=1 / 8)

# %%
from_zero.reveal(
    2 if all(not head.w_q.any() and not head.w_k.any() for head in stuck) else 1,
    "The gradient of W_Q contains K as a factor, and K is zero. The gradient of W_K contains Q, and Q is "
    "zero. Each waits for the other, at every step, forever.",
)

# %% [markdown]
# If only W_Q is zero, K is not. So W_Q gets a gradient, leaves zero at the first step, and all is well a few
# steps later. The same is true of W_K. With both at zero all weights stay equal, and the head can only
# average its cards. With everything at zero nothing moves at all. Here is the loss for each start, with the
# first seed.

# %%
curves({start: recordings[0] for start, (_, recordings) in runs.items()})

# %% [markdown]
# Look at the smallest case. Take *its* once more, with the target (8, 0). Let all of W_Q and W_K be zero
# except for one number each: how much *its* looks for things, and how easily a thing is found. A loss over
# two numbers is a landscape. Its height is the loss, and training walks downhill.


# %%
def loss_at(a, b):
    """The loss of 'its', where a is the only number of W_Q that is not zero, and b the only one of W_K."""
    in_w_q, in_w_k = torch.zeros(2, 4, 2)
    in_w_q[2, 0] = in_w_k[0, 0] = 1.0    # row "points back" of W_Q, row "thing" of W_K
    return loss_of(a * in_w_q, b * in_w_k, w_v.float(), x.float())


def walk(a, b, steps=30, learning_rate=0.05):
    """The points that training goes through, from (a, b)."""
    points = [(a, b)]
    for _ in range(steps):
        here = torch.tensor(points[-1], requires_grad=True)
        (gradient,) = torch.autograd.grad(loss_at(*here), here)
        points.append(tuple((here - learning_rate * gradient).tolist()))
    return points


landscape(
    loss_at,
    ("number of W_Q", "number of W_K"),
    paths={"both zero": walk(0.0, 0.0), "W_Q zero": walk(0.0, -1.5), "both random": walk(-2.0, 1.6)},
    gradients_at=[(0.0, -1.5)],
)

# %% [markdown]
# {notebook: Turn the landscape with the pointer. The middle|page: (In JupyterLab you can turn the landscape.)
# The middle} is a **saddle**: from there the loss falls in two directions and rises in two others, and the
# middle itself is level. Its gradient is zero, so a step goes nowhere. On the line where W_Q is zero the loss
# is the same everywhere. Yet a step leads downhill, because it leaves this line sideways, to where W_Q is no
# longer zero. The red arrow shows the direction of a step at one such point.
#
# The score of *its* for a thing is $a \cdot b$ divided by $\sqrt{d_k}$, so the loss depends only on the
# product $a \cdot b$. The two valleys are equally deep, because minus times minus is plus.
#
# Is any other number a good start, then? Fill every matrix with 0.1. All matrices move, but look at what
# happens to W_Q:

# %%
_, recordings = heads_on_recall(fill(0.1, "w_q", "w_k", "w_v", "w_o"))
halfway = [run.weights["w_q"][run.index(100)] for run in recordings]
equal = sum(bool((w_q - w_q[:, :1]).abs().max() < 0.001) for w_q in halfway)
print("after 100 steps all columns of W_Q are equal, to within 0.001, on", equal, "seeds of 10")

# %% [markdown]
# Numbers that start equal and have equal roles get equal gradients and stay equal. The twelve columns do the
# work of one column. (On some processors rounding slowly pulls the columns apart.) A random start breaks this
# tie. Chapter 9 tries an equal start with whole heads.
#
# ## What you have seen
#
# The loss reaches W_Q by the chain rule: from the output to the weights, through softmax to the scores, to
# the queries, to the matrix. On the way back, softmax compares each weight's gradient with the gradients of
# its row. One backward pass gives every matrix its own gradient, so no separate network is needed. In a
# product, the gradient of one factor contains the other factor, so W_Q learns slowly while keys and values
# are small. And if W_Q and W_K both start at zero, neither matrix ever moves.

# %%
terms(
    "loss", "gradient", "finite differences", "chain rule", "backward pass", "autograd",
    "learning rate", "optimiser", "mask",
)

# %% [markdown]
# ## Say it in your own words
#
# Does it take a separate network, or separate training, to teach W_Q, W_K and W_V? Say how the loss reaches
# W_Q.
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: one-backward-pass, 3 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("04")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "04-close-stored",
    "Chapter 3. A trained model is saved to a file. Which of these is in the file?",
    ["Q and K", "W_Q and W_K", "The attention weights"],
    answer=1,
    because="Q, K and the attention weights are computed again for every sentence. W_Q and W_K are the "
    "same for all sentences, and they were trained.",
)

# %%
ask(
    "04-close-turned",
    "Chapter 3. Two models have the same embedding but different W_Q. Can all their scores be equal?",
    ["No", "Yes, if the product W_Q W_Kᵀ is the same", "Yes, whatever W_K is"],
    answer=1,
    because="Rotate all queries and all keys by the same angle: W_Q and W_K change, but their product and "
    "every score stay the same.",
)

# %% [markdown]
# ## What to read next
#
# - David Rumelhart, Geoffrey Hinton and Ronald Williams, *Learning Representations by Back-propagating
#   Errors*, 1986: four pages that made backpropagation famous.
# - Andrej Karpathy, *micrograd*, 2020: an autograd in about a hundred lines of Python.
# - Atılım Güneş Baydin and others, *Automatic Differentiation in Machine Learning: a Survey*, 2018: how
#   libraries compute gradients, and where finite differences are useful.
#
# **Next:** [chapter 5](05_one_head.ipynb). One head is trained on a task whose labels never say where to
# look. Does it look in the right place?
