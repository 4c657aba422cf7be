# ---
# title: Gradients
# question: How does the loss reach W_Q?
# settles: One loss and one backward pass reach every table; no separate network, and nothing interferes.
#   You write it by hand.
# goal: write attention whole, write its backward pass by hand and check it against
#   torch's, train a head with nothing but your own functions, and say when W_Q learns nothing at all
# minutes: 150
# builds on: chapters 2 and 3
# here: the way back
# heart: 50 minutes: Attention, whole; A wish, and how far we are from it; One number: nudge it and
#   look; See it flow; A separate network?
# ---

# %% [markdown]
# # {number}. {title}: how the loss reaches W_Q
#
# {here}
#
# In chapter 3 training changed W_Q. Nobody had told it what a question should look for. All it got was one
# number, the loss, which says how wrong the answers were. Between the loss and W_Q lie the output, the
# values, the weights, a softmax, the scores, and the queries.
#
# **The questions of this chapter: how does the loss get back to W_Q through all of that? Is a separate
# network needed to train W_Q, W_K and W_V? Do their gradients disturb one another, or the rest of the
# model?**
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
# ## Attention, whole
#
# You have all the parts. Put them together: scores, divided by the square root; softmax; the blend of
# the values. One thing is new, the **mask**. Sometimes a word may not look at some of the others
# (chapter 7 has the reasons). The mask is a table of True and False, a row for each query and a column
# for each key, and True means *may attend*.
#
# ### Exercise: `scaled_dot_product_attention`
#
# A forbidden key must get the weight 0, and the others must still sum to one. So it has to be done
# *before* softmax: which score becomes 0 when you take its exponential?
# `scores.masked_fill(~mask, number)` puts a number wherever the mask is False. When everybody may look
# everywhere, `mask` is None. Return two things, the output and the weights. The check tries batches, too (the
# dots in the shapes below), and masks that have one row for all queries: write `k.mT`, as in chapter 2, and not
# `k.T`.


# %%
def scaled_dot_product_attention(q, k, v, mask=None):
    """Attention: every query gets a blend of the values, weighted by how well their keys fit it.

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
# Now the five words and the three tables of chapter 3. We write them in double precision (twice as many
# digits), because soon we compare numbers that differ very little.

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
# ## A wish, and how far we are from it
#
# Training needs a wish. Say that *its* should stand for *law* and nothing else, so its output should be
# (8, 0), the value of *law*. For the other words any output will do. The **loss** measures how far we
# are: the squared distance of the third output from (8, 0).


# %%
def loss_of(w_q, w_k, w_v, x=x):
    """How far the output of 'its' is from (8, 0): the square of the distance."""
    output, _ = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)
    return ((output[2] - torch.tensor([8.0, 0.0])) ** 2).sum()


print(f"loss: {float(loss_of(w_q, w_k, w_v)):.3f}")

# %% [markdown]
# ## One number: nudge it and look
#
# W_Q has eight numbers. Take the one in row "points back", first column; it is 2. Make it a little
# larger, then a little smaller, and see what the loss does. The change of the loss divided by the
# change of the number is the **gradient** for this number.


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
# The gradient is negative: more of this number means less loss. Training would make it larger. That is
# the whole idea, and a loop gives it for all eight numbers. This way of finding gradients is called
# **finite differences**.


# %%
def by_nudging(loss, w, h=1e-5):
    """The gradient of a loss by trying it out, one number of w after the other."""
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
# Only one row is not zero. The loss asks about *its* alone, *its* says only "points back", so no other
# row of W_Q has a part in its query.
#
# Why not always do it like this? Because it runs the model twice for *each number*. A model with a
# hundred million numbers would need two hundred million runs for a single step. There is a way to get
# all gradients from one run forwards and one run backwards, the **backward pass**.
#
# ## Backwards, one line at a time
#
# The **chain rule** of school says: if $z$ depends on $y$ and $y$ on $x$, multiply the two derivatives. So
# we go back through attention line by line. We write `d_output` for the gradient of the loss with
# respect to the output. It has the output's shape, and says for each number of it: if this grew a
# little, how would the loss change? So a *negative* number stands where more would help, and a positive
# one where less would. That is so for every gradient on the way. Only the step at the end turns the sign
# around: it goes against the gradient. Then we ask the same of what came before.
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
# The smallest case is school: in $y = b_1 c_1 + b_2 c_2$ the derivative with respect to $b_1$ is $c_1$, so
# $db_1 = dy \, c_1$: what comes back, times the other factor. The rule says that for all numbers at once, and
# the shapes say which way round: $dB$ must have the shape of $B$.
#
# Take the first line, `output = weights @ v`, and write $O$, $A$ and $V$ for the output, the weights and the
# values. The rule gives $dV = A^{\mathsf T} dO$: a value collects the gradients of all who listened to
# it, each times how much they listened. And $dA = dO \, V^{\mathsf T}$: what comes back to a weight is the
# dot product of its value and the output's gradient. It is negative, and the weight should grow, where the
# value points the way that lowers the loss.
#
# ## Back through softmax
#
# The second line is not a product. Before you compute, think.

# %%
sum_of_a_row = predict(
    "04-sum-of-a-row",
    "Somebody uses as loss the sum of all attention weights of a row. What is its gradient with "
    "respect to the scores?",
    ["All ones", "Large for the largest score", "All zeros"],
)
sum_of_a_row

# %% [markdown]
# (torch can find gradients by itself, too: how, you will see further below.)

# %%
row_of_scores = torch.tensor([4.5, 0.0, 3.0], dtype=torch.float64, requires_grad=True)
torch.softmax(row_of_scores, dim=-1).sum().backward()
print("largest gradient is below 1e-12:", bool(row_of_scores.grad.abs().max() < 1e-12))

# %%
sum_of_a_row.reveal(
    2,
    "The weights of a row always sum to one, whatever the scores. What cannot change has no gradient. "
    "So to test a backward pass, never use the plain sum: it would miss every mistake in the softmax.",
)

# %% [markdown]
# The weights of a row share one total. When one grows, the others must shrink. Look at it: raise the
# score of *law* a little, and see how all three weights move.

# %%
before = torch.softmax(torch.tensor([4.5, 0.0, 3.0]), dim=-1)
after = torch.softmax(torch.tensor([4.6, 0.0, 3.0]), dim=-1)
for word, a, b in zip(["law", "old", "spirit"], before, after):
    print(f"{word:7} {float(a):.4f} -> {float(b):.4f}")

# %% [markdown]
# How far? School's rule for a quotient says it. When $s_j$ grows a little, its own weight grows by
# $a_j (1 - a_j)$ times as much, and each other weight $a_i$ shrinks by $a_i a_j$ times as much. What comes back to
# $s_j$ is all of these changes, each times the gradient $da_i$ of its weight. Take out the $a_j$ that stands in
# every term, and you have
#
# $$ds_j \;=\; a_j (1 - a_j) \, da_j - \sum_{i \ne j} a_i a_j \, da_i \;=\; a_j \Bigl( da_j - \sum_i a_i \, da_i \Bigr)$$
#
# So what counts is not a weight's gradient alone, but how far it lies from that of the others. "The
# others" means the average of the row, taken with the weights themselves.
#
# By hand, for two weights of one half each, the first with the gradient 4 and the second with 1: the
# average is $0.5 \cdot 4 + 0.5 \cdot 1 = 2.5$. The first lies 1.5 above it and the second 1.5 below, and each
# times its weight gives +0.75 and −0.75. More of either weight would raise the loss, but they cannot both
# shrink. So a step lowers the first score and raises the second. A row of $dS$ always sums to zero.
#
# ### Exercise: `softmax_backward`
#
# For a whole matrix, each row on its own. The check tries batches of matrices, too, because
# `attention_backward` below hands them on: count dimensions from the end, `dim=-1`.


# %%
def softmax_backward(d_weights, weights):
    """The gradient of the scores, from that of the weights.

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
# From the output back to q, k and v. You have each piece: the product rule for `weights @ v`, your
# `softmax_backward`, and the product rule again for `q @ k.mT`, where the division by $\sqrt{d_k}$ stays
# what it is:
#
# $$dV = A^{\mathsf T} dO \qquad dA = dO \, V^{\mathsf T} \qquad dQ = dS \, K / \sqrt{d_k} \qquad dK = dS^{\mathsf T} Q / \sqrt{d_k}$$
#
# Mind one name that means two things. In a shape, as in [n, d_k], d_k is a width; among the results, `d_k` is
# the gradient of k. For a batch, write `.mT` here, too.


# %%
def attention_backward(d_output, q, k, v, weights):
    """The gradients of q, k and v, from that of the output.

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
# The last step, from q, k and v to the tables. `q = x @ w_q` is a product, too. Every word has used the
# same table, so each table collects from all words.


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
# That is the whole way. torch does the same when you call `backward()`: it is called **autograd**,
# and it keeps all that was computed on the way forwards so that it can go back. Four ways to one
# number, and they must agree: nudged by hand, nudged in a loop, by the chain rule, by torch.


# %%
def back_to_q_k_v(w_q, w_k, w_v):
    """One pass forwards and one backwards, with your functions, as far as d_q, d_k, d_v."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    output, weights = scaled_dot_product_attention(q, k, v)
    d_output = torch.zeros_like(output)
    d_output[2] = 2 * (output[2] - torch.tensor([8.0, 0.0]))  # the loss asks about 'its' alone
    return attention_backward(d_output, q, k, v, weights)


def gradients_of(w_q, w_k, w_v):
    """The rest of the way: d_w_q, d_w_k, d_w_v."""
    return projection_gradients(x, *back_to_q_k_v(w_q, w_k, w_v))


by_chain_rule = gradients_of(w_q, w_k, w_v)

tables = [w.clone().requires_grad_() for w in (w_q, w_k, w_v)]
loss_of(*tables).backward()

assert torch.isclose(by_chain_rule[0][2, 0], one_number, rtol=1e-3)
assert torch.allclose(by_chain_rule[0], nudged_w_q, atol=1e-6)
for mine, table in zip(by_chain_rule, tables):
    assert torch.allclose(mine, table.grad, atol=1e-12)

side_by_side(*(
    matrix(d, says, ["1st", "2nd"], f"gradient of {name}")
    for name, d in zip(("W_Q", "W_K", "W_V"), by_chain_rule)
))

# %% [markdown]
# Read the tables with the sign in mind: where a number is negative, more of it is better, and where it is
# positive, less. The row "points back" of W_Q says: let *its* look more to the right and less upwards, towards
# *law* and away from *spirit*. The rows of W_K say the same from the other side: let things be found
# more easily by *its*, and what is of the mind much less. Both follow from the same wish, along two arms
# of the same chain.
#
# ## And x?
#
# In a model the rows of $x$ come from a table, too, the embedding, with a row for each word. How is that
# table trained at the same time? The way back does not have to end at the tables. $x$ stands in three
# products, so three gradients come back to it, and they add up:
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
# The loss asks about *its* alone, and yet every word has a gradient: *its* has looked at all of them, at
# each through its key and its value. In a model each row goes on to the embedding's row of that word,
# and is one more gradient of the same pass. If there is a layer below, this $dX$ is its `d_output`, and
# the chain goes on from there.
#
# ## How small a nudge?
#
# (You may skip this section: it is about rounding, and nothing builds on it.) Finite differences are the judge
# when you write a backward pass. How small should $h$ be? Smaller is more exact, one would think.

# %%
how_small = predict(
    "04-how-small",
    "We compare finite differences with the exact gradient, for h from 0.01 down to 0.0000000001. "
    "Which h comes closest?",
    ["The smallest, by far", "One in the middle", "All are about the same", "The largest"],
)
how_small

# %%
steps = [10.0**-e for e in range(2, 11, 2)]
errors = []
for h in steps:
    found = by_nudging(lambda w: loss_of(w, w_k, w_v), w_q, h)
    errors.append(float((found - by_chain_rule[0]).norm() / by_chain_rule[0].norm()))

print("  h         digits that agree")
for h, error in zip(steps, errors):
    digits = int(-torch.tensor(error).log10())
    print(f"{h:7.0e}    {digits:2}  {'#' * digits}")

# %%
how_small.reveal(
    1 if 0 < errors.index(min(errors)) < len(steps) - 1 else 0,
    "A large h sees the curve and not its slope. With a tiny h both losses are nearly equal, and "
    "subtracting them leaves the rounding errors. The best lies between.",
)

# %% [markdown]
# ## See it flow
#
# The same layer, with a target for each word: (8, 0) for *its*, and for the others what comes out already.
# The loss is now the average over all ten numbers of the output, so it starts at a tenth of ours. The
# widget opens on *Backward*. Click through its steps: each is one of the lines that you have
# written. Then choose *Weights*, press **Step** a few times, and watch which numbers move.
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
# A gradient says which way is up. To make the loss smaller, go a little way down: take from each number
# its gradient times a small factor, the **learning rate**.
#
# ### Exercise: `sgd_step`
#
# Each parameter `p` has its gradient in `p.grad`. Change `p` itself, in place, and set `p.grad` to
# `None` afterwards, or the next gradients would be added to the old ones. Changing a parameter is not
# part of what is differentiated: do it inside `with torch.no_grad():`. The function returns nothing, so where
# the check shows `got = None`, that is as it should be: it looks at what has become of the parameters.


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
# Now train the three tables with nothing but your own functions: your attention, your backward pass,
# your step. Torch only multiplies.

# %%
trained = [w.clone() for w in (w_q, w_k, w_v)]
for step in range(201):
    if step in (0, 1, 10, 50, 200):
        _, weights = scaled_dot_product_attention(x @ trained[0], x @ trained[1], x @ trained[2])
        print(f"step {step:3}   loss {float(loss_of(*trained)):6.3f}   "
              f"weight of 'its' on law {float(weights[2, 0]):.2f}")
    for table, gradient in zip(trained, gradients_of(*trained)):
        table.grad = gradient
    sgd_step(trained, lr=0.005)

# %% [markdown]
# ## A separate network?
#
# Some people picture three small networks, one for each table, each trained in a way of its own. Then
# they ask how these are kept from disturbing each other. You have seen the answer: there is one loss and
# one way back, and on it each table gets its *own* gradient. Put it to the test. One run has a single
# optimiser for everything. In the other each table has an optimiser of its own, which knows nothing of
# the rest. (An **optimiser** is a rule for steps. Adam, used here, is a more careful `sgd_step`.)

# %%
one_or_many = predict(
    "04-one-or-many",
    "Recall, 40 steps, once with one optimiser for all tables and once with one for each. How much "
    "do the trained tables differ?",
    ["Not at all, to the last digit", "A little, by rounding", "Clearly"],
)
one_or_many

# %%
from qkvlib.models import OneHead
from qkvlib.tasks import Recall
from qkvlib.training import adam, cross_entropy

task = Recall()


def trained_by(optimisers_for, seed):
    """The tables after 40 steps; `optimisers_for` deals the tables out to optimisers."""
    model = OneHead(task.n_tokens, task.n_answers, seed=seed)
    tables = [table.requires_grad_() for table in model.weights.values()]
    optimisers = [torch.optim.Adam(some, lr=0.02) for some in optimisers_for(tables)]
    generator = torch.Generator().manual_seed(seed)
    for _ in range(40):
        batch = task.batch(64, generator)
        loss = cross_entropy(model(*batch.inputs).logits, batch.answers)
        loss.backward()
        for optimiser in optimisers:
            optimiser.step()
            optimiser.zero_grad()
    return tables


largest = 0.0
for seed in range(10):
    together = trained_by(lambda tables: [tables], seed)
    apart = trained_by(lambda tables: [[table] for table in tables], seed)
    for one, other in zip(together, apart):
        largest = max(largest, float((one - other).detach().abs().max()))
print("largest difference of any number, ten seeds:", largest)

# %%
one_or_many.reveal(
    0 if largest == 0 else 1,
    "One optimiser for all is a matter of convenience. Each table is moved by its own gradient, and "
    "who does the moving changes nothing.",
)

# %% [markdown]
# So no separate network is needed, and nothing interferes. The tables do depend on each other in one
# way: each gradient is computed with the *present* numbers of all the others. When W_V changes, the
# next gradient of W_Q is another one. They learn together, as two people do who carry a wardrobe.
#
# And on what would a separate network be trained? A network needs to be told what was right. The data hold
# right answers, and no right queries: nobody has ever written down what the query of *its* should be. Only
# the loss of the whole model knows whether a query was of use, and it says so through this one way back.
#
# And in which order? Compare the lengths of two gradients while a head learns recall.

# %%
from qkvlib.training import train_together


def heads_on_recall(prepare=lambda head: None):
    """Ten heads, each from a seed of its own, trained on recall for 120 steps; and their recordings."""
    heads = [OneHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
    for head in heads:
        prepare(head)
    return heads, train_together(heads, task, 120, adam(0.02))


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
# At the start every key gets about the same weight, so it hardly matters who looks where, and W_Q has
# little to learn from. First the values learn to say something useful. Then it pays to look at the
# right one, and W_Q and W_K follow.
#
# ## Break it
#
# Where do the first numbers come from? They are random. Is that necessary? Zero would be so much tidier.

# %%
from_zero = predict(
    "04-from-zero",
    "W_Q and W_K both start at zero. W_V and the rest start at random, and everything may learn for "
    "120 steps. What becomes of W_Q and W_K?",
    ["They learn as usual", "They learn, but slowly", "They stay exactly zero"],
)
from_zero

# %%
from qkvlib.training import measure


def fill(number, *names):
    """A function that prepares a head: it fills these tables with one number."""
    def prepare(head):
        for name in names:
            head.weights[name].fill_(number)
    return prepare


starts = {
    "all random": lambda head: None,    # fill nothing
    "W_Q zero": fill(0.0, "w_q"),
    "W_K zero": fill(0.0, "w_k"),
    "W_Q, W_K zero": fill(0.0, "w_q", "w_k"),
    "every table zero": fill(0.0, "w_q", "w_k", "w_v", "w_o"),
}
runs = {start: heads_on_recall(prepare) for start, prepare in starts.items()}

right = {}
for start, (heads, recordings) in runs.items():
    right[start] = [measure(head, task.test()).accuracy for head in heads]
    moved = sum(not torch.equal(w_q[0], w_q[-1]) for w_q in (run.weights["w_q"] for run in recordings))
    print(f"{start:17} W_Q has moved on {moved:2} seeds of 10")

stuck, _ = runs["W_Q, W_K zero"]
seeds(right, "right answers", chance=1 / 8)

# %%
from_zero.reveal(
    2 if all(not head.w_q.any() and not head.w_k.any() for head in stuck) else 1,
    "The gradient of W_Q is made with K, and K is zero. The gradient of W_K is made with Q, and Q is "
    "zero. Each waits for the other, at every step, for ever.",
)

# %% [markdown]
# If only W_Q is zero, K is not. So W_Q gets a gradient, leaves zero at the first step, and all is well a
# few steps later; the same goes for W_K. With both at zero every weight stays equal, and the head can only
# average its cards. With everything at zero nothing moves at all. Here is the loss of each start, for the first
# seed.

# %%
curves({start: recordings[0] for start, (_, recordings) in runs.items()})

# %% [markdown]
# Why is zero such a place? Look at it in the smallest case. Take *its* once more, with the wish for *law*, and
# let all of W_Q and W_K be zero but one number each: how much *its* looks for things, and how much a thing lets
# itself be found. A loss over two numbers is a landscape. Its height is the loss, and training walks
# down in it.


# %%
def loss_at(a, b):
    """The loss of 'its', where a is the one number of W_Q that is not zero, and b that of W_K."""
    in_w_q, in_w_k = torch.zeros(2, 4, 2)
    in_w_q[2, 0] = in_w_k[0, 0] = 1.0    # row "points back" of W_Q, row "thing" of W_K
    return loss_of(a * in_w_q, b * in_w_k, w_v.float(), x.float())


def walk(a, b, steps=30, learning_rate=0.05):
    """The places that training goes through, from (a, b)."""
    places = [(a, b)]
    for _ in range(steps):
        here = torch.tensor(places[-1], requires_grad=True)
        (gradient,) = torch.autograd.grad(loss_at(*here), here)
        places.append(tuple((here - learning_rate * gradient).tolist()))
    return places


landscape(
    loss_at,
    ("number of W_Q", "number of W_K"),
    paths={"both zero": walk(0.0, 0.0), "W_Q zero": walk(0.0, -1.5), "both random": walk(-2.0, 1.6)},
    gradients_at=[(0.0, -1.5)],
)

# %% [markdown]
# {notebook: Turn it with the pointer. The middle|page: (In JupyterLab you can turn it.) The middle} is a **saddle**: from there the loss falls in two directions and rises in
# two others, and the place itself is level. Its gradient is zero, so a step goes nowhere. Start a little
# beside it, and there is a slope. On the line where W_Q is zero the loss is the same everywhere, and yet
# a step leads down from it: sideways, to where W_Q is no longer zero. The red arrow shows at one place which way a
# step would go.
#
# All of this is in the product. The score is made of $a \cdot b$ and of nothing else, so the loss knows
# only the product, and the two valleys are equally deep: minus times minus is plus.
#
# Is any number but zero a good start, then? Fill every table with 0.1. All tables move, but look at what becomes of
# W_Q:

# %%
_, recordings = heads_on_recall(fill(0.1, "w_q", "w_k", "w_v", "w_o"))
halfway = [run.weights["w_q"][run.index(100)] for run in recordings]
equal = sum(bool((w_q - w_q[:, :1]).abs().max() < 0.001) for w_q in halfway)
print("after 100 steps all columns of W_Q are equal, to within 0.001, on", equal, "seeds of 10")

# %% [markdown]
# Numbers that start equal, and play equal parts, get equal gradients, and stay equal. The twelve columns
# do the work of one. In mathematics that lasts for ever. A processor rounds, and on some of them the
# rounding slowly pulls the columns apart, which is no way to train. A random start is there to break
# this tie; chapter 9 does the same with whole heads.
#
# ## What you have seen
#
# The loss reaches W_Q by the chain rule: through the output to the weights, back through the softmax,
# which compares each weight with its row, to the scores, to the queries, to the table. One pass
# backwards gives every table its own gradient, so nothing separate is needed and nothing interferes.
# A gradient is made of the other factor of a product, and therefore two tables at zero never start.

# %%
terms(
    "loss", "gradient", "finite differences", "chain rule", "backward pass", "autograd",
    "learning rate", "optimiser", "mask",
)

# %% [markdown]
# ## Say it in your own words
#
# Does it take a separate network, or a training of its own, to teach W_Q, W_K and W_V? Say how the loss
# reaches W_Q.
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take this course in a class, it is read
# by a person.

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
    because="Q, K and the attention weights are computed anew from every sentence. The tables are the "
    "same for all sentences, and they are what was trained.",
)

# %%
ask(
    "04-close-turned",
    "Chapter 3. Two models give exactly the same scores for every sentence. Must their W_Q be equal?",
    ["Yes", "No, but the product W_Q W_Kᵀ must", "No, and nothing about them must be equal"],
    answer=1,
    because="Turn all queries and all keys by the same angle: W_Q and W_K change, their product and "
    "every score stay.",
)

# %% [markdown]
# ## What to read next
#
# - David Rumelhart, Geoffrey Hinton and Ronald Williams, *Learning Representations by Back-propagating
#   Errors*, 1986: four pages that made the way back famous.
# - Andrej Karpathy, *micrograd*, 2020: an autograd in about a hundred lines of Python.
# - Atılım Güneş Baydin and others, *Automatic Differentiation in Machine Learning: a Survey*, 2018: how
#   libraries do it, and what finite differences are good for.
#
# **Next:** [chapter 5](05_one_head.ipynb). One head is trained on a task whose labels never say where to
# look. Does it look at the right place?
