# ---
# title: Multi-head attention
# question: Three ways to compute heads: which two are the same?
# settles: A matrix for each head, and one big matrix with a reshape, are the same function. Cutting x first
#   is a different function.
# goal: write all of multi-head attention, tell the right reshape from the wrong ones by tests that need no
#   answer key, say what each head adds to the output, count the weights of a layer, and train two heads with
#   your own loop
# minutes: 165
# builds on: chapters 3, 4, 5 and 7
# here: the heads
# heart: 35 minutes: One attention pattern is not enough; Three ways to make the queries; What W_O does
# ---

# %% [markdown]
# # {number}. {title}: three ways, and which two are the same
#
# {here}
#
# Look up how several heads are computed, and you will find three different answers. Each head has its own
# matrix W_Q. Or there is one big W_Q, and its result is cut into pieces. Or x is cut into pieces, and each
# head gets one piece. All three are stated with great confidence.
#
# **The questions of this chapter: which of the three ways are the same, and which is right? Does each head
# see the whole x? What do `view` and `transpose` do, and what is W_O for?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: projections, attention with a mask,
# the task recall, and what happens to the output when the words are shuffled.

# %%
import torch

from qkvlib import Shapes, ask, check, hint, predict, puzzle, replay_predictions, terms
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.figures import matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## One attention pattern is not enough
#
# The law is old, but its spirit is young. Here are the five words and the three weight matrices of chapter 3
# again. *its* looks for things, and finds *law*.

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

w_q_1 = torch.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.5]])
w_k_1 = torch.tensor([[2.0, 0.5], [-1.0, 2.0], [0.0, 0.0], [-1.5, 1.5]])
w_v_1 = torch.tensor([[8.0, 0.0], [2.0, 2.0], [0.0, 0.0], [-8.0, 8.0]])

# %% [markdown]
# Suppose *its* should also find out how old the thing is. In one row of weights *old* and *law* compete: the
# weights sum to one, so any weight for *old* is taken from *law*. And the output is a single blend: you can
# no longer tell which part came from which word.
#
# So we give *its* a second attention pattern, with three more weight matrices. As in chapter 3, a head is one
# set of W_Q, W_K and W_V, and the attention computed from it. A layer with several heads side by side
# computes **multi-head attention**.

# %%
w_q_2 = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 4.0], [1.0, 0.0]])   # 'its' looks for an age
w_k_2 = torch.tensor([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 0.0]])   # an age is found
w_v_2 = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])

_, weights_1 = scaled_dot_product_attention(x @ w_q_1, x @ w_k_1, x @ w_v_1)
_, weights_2 = scaled_dot_product_attention(x @ w_q_2, x @ w_k_2, x @ w_v_2)

side_by_side(
    matrix(weights_1, words, words, "head 1: whose?", weights=True),
    matrix(weights_2, words, words, "head 2: how old?", weights=True),
)

# %% [markdown]
# Look at the row of *its*: in head 1 most of the weight goes to *law*, in head 2 most of it goes to *old*.
# Each row still sums to one, but now there are two rows for each word.
#
# ## Three ways to make the queries
#
# Two heads need two sets of queries. Here are three ways to compute them.

# %%
# 1. Every head has its own matrix, and both work on the whole x.
first_way = [x @ w_q_1, x @ w_q_2]

# 2. There is one big matrix. Its result is cut into pieces.
w_q = torch.cat([w_q_1, w_q_2], dim=1)
q = x @ w_q
second_way = [q[:, :2], q[:, 2:]]

# 3. x is cut into pieces, and every head has a small matrix for its piece: only the rows for that piece.
small_1, small_2 = w_q_1[:2], w_q_2[2:]
third_way = [x[:, :2] @ small_1, x[:, 2:] @ small_2]

print("big matrix", list(w_q.shape), "  small matrices", list(small_1.shape), "and", list(small_2.shape))

# %%
same_queries = predict(
    "08-three-ways",
    "Which of the three ways give the same queries?",
    ["All three", "The first and the second", "The second and the third", "All three differ"],
)
same_queries

# %% [markdown]
# We compute the second number of the query of *its* in head 2: by hand, with a loop over all features, and as
# a part of the big product. Then we compare all queries.

# %%
by_hand = 0.0 * 0.0 + 0.0 * 1.0 + 1.0 * 4.0 + 0.0 * 0.0

by_loop = 0.0
for thing in range(4):
    by_loop += x[2, thing] * w_q_2[thing, 1]

assert by_hand == by_loop == first_way[1][2, 1] == second_way[1][2, 1]

for name, way in {"first": first_way, "second": second_way, "third": third_way}.items():
    agree = [torch.equal(mine, theirs) for mine, theirs in zip(way, first_way)]
    one, two = ("same" if same else "DIFFERENT" for same in agree)
    print(f"{name:7} way:  head 1 {one:10} head 2 {two}")

# %%
same_queries.reveal(
    1 if torch.equal(second_way[1], first_way[1]) and not torch.equal(third_way[1], first_way[1]) else 0,
    "The big matrix is the heads' matrices side by side. Cutting x first is something else.",
)

# %% [markdown]
# Why are the first two ways the same? A column of a product depends on only *one* column of the matrix. So
# the other columns make no difference:
#
# $$x \, [\, A \;|\; B \,] \;=\; [\, xA \;|\; xB \,]$$
#
# And the third way? Write $x$ as its two pieces, and the matrix of head 1 as its upper and its lower half.
# Then compare the queries of head 1 in the first way and in the third:
#
# $$x A \;=\; x_1 A_{\text{upper}} + x_2 A_{\text{lower}} \qquad\text{versus}\qquad x_1 A_{\text{upper}}$$
#
# The two results are equal for every $x$ only if $A_{\text{lower}}$ is zero. So the third way is a big
# matrix, too, but one that is zero outside the blocks on its diagonal. Such a matrix is called
# **block-diagonal**.

# %%
blocks = torch.block_diag(small_1, small_2)
assert torch.equal(x @ blocks, torch.cat(third_way, dim=1))

columns = ["head 1", "head 1", "head 2", "head 2"]
side_by_side(
    matrix(w_q, says, columns, "the big W_Q of the first and second way"),
    matrix(blocks, says, columns, "the big W_Q of the third way"),
)

# %% [markdown]
# In the third way head 1 sees only whether a word is a thing and how old it is. Head 2 sees only the rest.

# %%
side_by_side(
    matrix(x[:, :2], words, says[:2], "all that head 1 sees"),
    matrix(x[:, 2:], words, says[2:], "all that head 2 sees"),
)

# %% [markdown]
# In the piece for head 1, the row of *its* is all zeros. Whatever the matrix of head 1 is, the query of *its*
# is zero, and *its* looks at all words equally. In the piece for head 2, *law*, *old* and *young* have equal
# rows, so no matrix can make *its* prefer *old* there. So does each head see the whole x? Yes, in the first
# two ways, and *Attention Is All You Need* and the libraries use these two.
#
# Do the first two ways agree for other numbers? Here are ten random layers, with twelve numbers for each word
# and three heads:


# %%
def three_ways(seed, d_model=12, n_heads=3):
    """The queries in the three ways, as [n, d_model]: own matrices, cut afterwards, cut first."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(5, d_model, generator=generator, dtype=torch.float64)
    big = torch.randn(d_model, d_model, generator=generator, dtype=torch.float64)
    d_k = d_model // n_heads
    pieces = [slice(head * d_k, (head + 1) * d_k) for head in range(n_heads)]
    own = torch.cat([x @ big[:, piece].clone() for piece in pieces], dim=1)
    cut_first = torch.cat([x[:, piece] @ big[piece, piece] for piece in pieces], dim=1)
    return own, x @ big, cut_first


def apart(a, b):
    """How far two results are from each other, compared with how large they are."""
    return float((a - b).norm() / b.norm())


random_ways = [three_ways(seed) for seed in range(10)]
print("own matrices and one big matrix:  apart by less than 1e-12 on",
      sum(apart(own, big) < 1e-12 for own, big, _ in random_ways), "seeds of 10")
print("cut first and one big matrix:     apart by more than 0.5 on  ",
      sum(apart(first, big) > 0.5 for _, big, first in random_ways), "seeds of 10")

trained = torch.block_diag(*[torch.ones(4, 4)] * 3)
print("numbers that are trained in W_Q:", trained.numel(), "against", int(trained.sum()))

# %% [markdown]
# ## Break it: cut x first
#
# Does the difference matter? The third way is cheaper, and perhaps training finds a way to cope. We test it
# on *recall* from chapter 5, with six cards. Each vector has 16 numbers: the first eight are the person, and
# the last eight are the colour. The question is a person. One layer has two heads of the usual kind. In the
# other layer x is cut in two: one head sees all the persons and no colour, and the other sees all the colours
# and no person.

# %%
blind = predict(
    "08-cut-first",
    "The usual layer answers almost every question correctly. How many does the layer that cuts x first "
    "answer correctly?",
    ["Almost every question, too", "About half", "About one in three", "One in eight: it can only guess"],
)
blind

# %%
from qkvlib.models import MultiHead, SplitFirst
from qkvlib.tasks import Halves
from qkvlib.training import adam, measure, train_together

games = [Halves(seed=seed) for seed in range(10)]
colours, d_model = games[0].n_answers, games[0].d_model


def answers_right(layers):
    """The accuracy of ten layers with two heads, after training."""
    train_together(layers, games, 250, adam(0.01))
    return [measure(layer, game.test()).accuracy for layer, game in zip(layers, games)]


whole = answers_right([MultiHead(None, colours, d_model, n_heads=2, seed=seed) for seed in range(10)])
cut = answers_right([SplitFirst(colours, d_model, n_heads=2, seed=seed) for seed in range(10)])

seeds({"every head sees the whole x": whole, "x is cut first": cut}, "accuracy", chance=1 / 8)

# %%
blind.reveal(
    2 if max(cut) < 0.45 else 1,
    "That layer seems to name the colour that most of the cards show.",
)

# %% [markdown]
# There are six cards and eight colours. Someone who ignores the names and always says the commonest colour is
# right this often.

# %%
dealt = torch.nn.functional.one_hot(torch.randint(8, (10_000, 6), generator=torch.Generator().manual_seed(0)), 8)
commonest = float(dealt.sum(1).amax(-1).float().mean() / 6)
print(f"the commonest colour is right in {commonest:.0%} of the games")

# %% [markdown]
# One head sees the colours, but not which person is asked for. The other sees the person, but no colour.
# Neither head can tell the other what it sees: both look at the same time, and W_O comes too late. (This
# depends on x. The vectors of this task are fixed, with the person in one half. Rotate them first, or let
# them learn, and the layer that cuts x answers almost every question, too. We have tried both.)
#
# ## Splitting heads: view, then transpose
#
# Most libraries use the second way, because one large product is faster than many small ones. With h heads
# (`n_heads` in code) the big product has the shape [n, h·d_k]. Attention needs [h, n, d_k]: for each head a
# matrix with all words.
#
# A tensor's numbers are stored as one long row. `view` moves none of these numbers. It only changes how the
# row is read. Take three words of four numbers, for two heads.

# %%
counted = torch.arange(12).reshape(3, 4)   # three words: 0 to 3, 4 to 7, 8 to 11
counted

# %%
straight = predict(
    "08-view-alone",
    "counted.view(2, 3, 2) has the shape that we need: 2 heads, 3 words, 2 numbers each. Which numbers are "
    "in the first head?",
    [
        "The first two numbers of every word",
        "Every other number of every word",
        "The first word whole, and half of the second",
    ],
)
straight

# %%
print("the first head by view alone:              ", counted.view(2, 3, 2)[0].tolist())
print("the first two numbers of every word:       ", counted[:, :2].tolist())
print("view(3, 2, 2), then transpose(0, 1):       ", counted.view(3, 2, 2).transpose(0, 1)[0].tolist())

# %%
straight.reveal(
    2 if counted.view(2, 3, 2)[0].flatten().tolist() == list(range(6)) else 0,
    "view reads the row from the start, and the first head gets the first six numbers. The shape is right and "
    "there is no error, but the words are mixed up.",
)

# %% [markdown]
# So you need two steps. `view(n, h, d_k)` cuts each word's numbers into h pieces, and every number stays with
# its word. Then `transpose` brings the heads to the front.
#
# Here is the split with four words of six numbers. Each number has the symbol of the word that it came from.
# Point at a number to follow it, and compare *split* with *split, view alone*. (The widget counts heads from
# 0, as Python does.)
#
# **The goal:** choose *split, view alone*, and mark every number in head 0 that belongs to a different head.
# To mark a number, click on it, or go to it with the arrow keys and press Enter.

# %%
from qkvlib.widgets import Strays

Shapes(
    goal=Strays(
        "08-strays",
        "Choose *split, view alone*. In head 0 of the result, mark every number that belongs to head 1.",
    )
)

# %% [markdown]
# <details><summary>What to look for</summary>
#
# Head 0 should have the features 0, 1 and 2 of all four words. Mark all other numbers.
#
# </details>
#
# ### Exercise: `split_heads`
#
# From here on `x` is a batch of sentences, [b, n, d], so the heads become [b, h, n, d_k]. `reshape` works
# like `view`, but copies the numbers when their order in memory does not allow a view.


# %%
def split_heads(x, n_heads):
    """Split the numbers of every word among the heads: each head gets d_k neighbours.

    x [b, n, d] -> [b, h, n, d_k], with d = h * d_k
    """
    ### BEGIN SOLUTION
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads).transpose(1, 2)
    ### END SOLUTION


# %%
split_heads = check(split_heads)

# %% [markdown]
# ### Exercise: `merge_heads`
#
# After attention, do the reverse: put the heads' numbers side by side, so that each word is one row again.


# %%
def merge_heads(heads):
    """Put the heads' numbers side by side again.

    heads [b, h, n, d_v] -> [b, n, h * d_v]
    """
    ### BEGIN SOLUTION
    b, h, n, d_v = heads.shape
    return heads.transpose(1, 2).reshape(b, n, h * d_v)
    ### END SOLUTION


# %%
merge_heads = check(merge_heads)

# %%
some = torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(0))
assert torch.equal(merge_heads(split_heads(some, 3)), some)
assert torch.equal(split_heads(w_q[None], 2)[0, 1], w_q_2)   # the columns of W_Q are split in the same way

# %% [markdown]
# {notebook: Here is where your own function sends the numbers. (If a check says that your function is wrong,
# the widget shows the course's. To see yours, run the cell with `def split_heads`, then the next cell.)|page:
# Here is where the course's own function sends the numbers.}

# %%
Shapes(split=split_heads)

# %% [markdown]
# ## A test for any implementation: shuffle the words
#
# In your own work nobody will check your reshape, and a wrong reshape raises no error. But chapter 7 gives
# you a test: without positions and masks, shuffling the words of the input shuffles the rows of the output in
# the same way. A split that mixes words fails this test, as long as the merge is right. A split that gives a
# head the wrong numbers of the right words passes it. So here is a second test: compare with a loop over the
# heads, each with its own columns.


# %%
def view_alone(x, n_heads):
    """The wrong way to split."""
    b, n, d = x.shape
    return x.reshape(b, n_heads, n, d // n_heads)


def every_third(x, n_heads):
    """Another wrong way to split: each head gets every third number of a word, not neighbours."""
    b, n, d = x.shape
    return x.reshape(b, n, d // n_heads, n_heads).permute(0, 3, 1, 2)


def reshape_alone(heads):
    """The wrong way to merge."""
    b, h, n, d_v = heads.shape
    return heads.reshape(b, n, h * d_v)


def passes(split, merge, seed):
    """Do the outputs follow a shuffle, and do they equal a loop over the heads?"""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(1, 5, 12, generator=generator, dtype=torch.float64)
    matrices = torch.randn(3, 12, 12, generator=generator, dtype=torch.float64) / 12**0.5
    order = torch.tensor([3, 1, 4, 0, 2])

    def layer(x):
        heads, _ = scaled_dot_product_attention(*(split(x @ w, 3) for w in matrices))
        return merge(heads)

    own = zip(*(w.chunk(3, dim=1) for w in matrices))
    loop = [scaled_dot_product_attention(*(x @ w for w in head))[0] for head in own]
    shuffle = torch.allclose(layer(x[:, order]), layer(x)[:, order])
    return shuffle, torch.allclose(layer(x), torch.cat(loop, dim=-1))


print("seeds of 10 on which the test is passed:   shuffle   loop over heads")
for name, ways in {
    "your split_heads and merge_heads": (split_heads, merge_heads),
    "split by view alone": (view_alone, merge_heads),
    "merge by reshape alone": (split_heads, reshape_alone),
    "split by every third number": (every_third, merge_heads),
}.items():
    shuffle, loop = map(sum, zip(*(passes(*ways, seed) for seed in range(10))))
    print(f"{name:42} {shuffle:7}   {loop:15}")

# %% [markdown]
# The shuffle test needs no answer key, so you can use it on any layer without positions and masks. The loop
# test catches more mistakes.
#
# ## The lines in order
#
# Between split and merge there is nothing new: scores, softmax, the weighted sum. You don't need a loop over
# the heads. `@` multiplies the last two dimensions and keeps the dimensions before them, so with [b, h, n,
# d_k] every head of every sentence is computed at once.
#
# Here are the lines of multi-head attention, in random order. `b`, `n` and `h` count sentences, words and
# heads, and `d_k` counts the numbers in a head. Eight lines are needed, and three are bugs. Drag the lines
# that you need into your program, and put them in order there. Each line is shown with the shape of its
# result, but the three bugs have the right shapes, too.

# %%
puzzle("order_the_heads", "E")

# %% [markdown]
# ### Exercise: `order_the_heads`
#
# Return the letters of the eight lines, in the order in which they run. The letters are below your program.


# %%
def order_the_heads():
    """Multi-head attention, as the letters of eight lines in order: "E..." """
    ### BEGIN SOLUTION
    return "EJBHAIFC"
    ### END SOLUTION


# %%
order_the_heads = check(order_the_heads)

# %% [markdown]
# One of the bugs is about the square root. Each head divides by its *own* $\sqrt{d_k}$, because its dot
# product is a sum of $d_k$ products. A layer with 512 numbers in 8 heads divides by the root of 64.
#
# ### Exercise: `multi_head_attention`
#
# `scaled_dot_product_attention(q, k, v, mask)` works on a batch of heads. The last matrix, $W_O$, has a row
# for each number in the results of all heads together. A mask [n, n] works as it is, but [b, n, n] needs one
# more dimension for the heads, between sentences and words. `mask[:, None]` is [b, 1, n, n].


# %%
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """Several attentions at once, side by side and joined by w_o.

    x [b, n, d], w_q and w_k [d, h * d_k], w_v [d, h * d_v], w_o [h * d_v, d_out],
    mask [n, n], [b, n, n] or None -> output [b, n, d_out], weights [b, h, n, n]
    """
    ### BEGIN SOLUTION
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    if mask is not None and mask.ndim == 3:
        mask = mask[:, None]
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
    ### END SOLUTION


# %%
multi_head_attention = check(multi_head_attention)

# %% [markdown]
# Does the whole layer agree with the first way and with torch? We give your heads to torch's attention
# function, and your matrices to torch's layer.

# %%
from qkvlib.multi_head import to_torch


def head_after_head(x, w_q, w_k, w_v, w_o, n_heads):
    """The first way: a loop over the heads, each with its own columns of the matrices."""
    outputs = []
    for own_q, own_k, own_v in zip(*(w.chunk(n_heads, dim=1) for w in (w_q, w_k, w_v))):
        outputs.append(scaled_dot_product_attention(x @ own_q, x @ own_k, x @ own_v)[0])
    return torch.cat(outputs, dim=-1) @ w_o


def largest_differences(seed):
    """From your function to the loop, to torch's function and to torch's layer."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(2, 5, 12, generator=generator, dtype=torch.float64)
    matrices = torch.randn(4, 12, 12, generator=generator, dtype=torch.float64) / 12**0.5
    ours, _ = multi_head_attention(x, *matrices, 3)
    q, k, v = (split_heads(x @ w, 3) for w in matrices[:3])
    theirs = merge_heads(torch.nn.functional.scaled_dot_product_attention(q, k, v)) @ matrices[3]
    layer, _ = to_torch(*matrices, 3)(x, x, x)
    others = head_after_head(x, *matrices, 3), theirs, layer.detach()
    return [float((ours - other).abs().max()) for other in others]


found = zip(*(largest_differences(seed) for seed in range(10)))
for name, differences in zip(["a loop over the heads", "torch's function", "torch's layer"], found):
    print(f"{name:22} differs by less than 1e-12 on", sum(d < 1e-12 for d in differences), "seeds of 10")

# %% [markdown]
# ## What W_O does
#
# After merging, a word's row has the numbers of head 1, then the numbers of head 2. W_O mixes them. The
# numbers of head 1 meet only the first rows of W_O, and the numbers of head 2 only the next rows. So you can
# multiply the whole row by W_O, or multiply each head by its own rows of W_O and add the results:
#
# $$[\, H_1 \;|\; H_2 \,] \begin{bmatrix} O_1 \\ O_2 \end{bmatrix} \;=\; H_1 O_1 + H_2 O_2$$
#
# So a layer's output is a sum, with a term for each head, the head's **contribution**. Some texts say that
# the heads are concatenated, others that they are added up. Both statements are true. W_O does two things. It
# combines the heads, by deciding which numbers of the output each head writes to. And it sets the width of
# the output, one number for each column.
#
# ### Exercise: `head_contributions`
#
# Return the terms of this sum, one for each head. `torch.stack(list, dim=1)` stacks tensors along a new
# dimension 1.


# %%
def head_contributions(heads, w_o):
    """What each head adds to the output, through its own rows of w_o.

    heads [b, h, n, d_v], w_o [h * d_v, d_out] -> [b, h, n, d_out]
    """
    ### BEGIN SOLUTION
    d_v = heads.shape[-1]
    parts = [heads[:, i] @ w_o[i * d_v : (i + 1) * d_v] for i in range(heads.shape[1])]
    return torch.stack(parts, dim=1)
    ### END SOLUTION


# %%
head_contributions = check(head_contributions)

# %% [markdown]
# Here are our two heads, with a W_O that copies head 1 to the first two numbers of the output and lets head 2
# add to all of them. What does each head contribute to the output of *its*?

# %%
w_k, w_v = torch.cat([w_k_1, w_k_2], dim=1), torch.cat([w_v_1, w_v_2], dim=1)
w_o = torch.tensor([
    [1.0, 0.0, 0.0],    # head 1, first number
    [0.0, 1.0, 0.0],    # head 1, second number
    [1.0, 1.0, 4.0],    # head 2, first number
    [0.0, 0.0, -1.0],   # head 2, second number
])

output, weights = multi_head_attention(x[None], w_q, w_k, w_v, w_o, n_heads=2)
assert torch.allclose(weights[0], torch.stack([weights_1, weights_2]))

heads = weights @ split_heads(x[None] @ w_v, 2)
parts = head_contributions(heads, w_o)[0, :, 2]
assert torch.allclose(parts.sum(0), output[0, 2], atol=1e-6)

rows = torch.cat([parts, parts.sum(0, keepdim=True)])
matrix(rows, ["from head 1", "from head 2", "output of its"], ["1st", "2nd", "3rd"])

# %% [markdown]
# ## What many heads cost
#
# The layer of *Attention Is All You Need* has a d_model of 512 and eight heads. Each head is 64 wide, so all
# eight together are 512 wide again. How many numbers are in W_Q, W_K, W_V and W_O, for all heads together?
#
# ### Exercise: `predict_head_weights`
#
# Leave out the biases, and return the number. Python may do the multiplying.


# %%
def predict_head_weights():
    """How many numbers are stored: d_model 512, 8 heads of width 64, no biases."""
    ### BEGIN SOLUTION
    return 4 * 512 * 8 * 64
    ### END SOLUTION


# %%
predict_head_weights = check(predict_head_weights)


# %%
def stored(n_heads):
    """How many numbers torch's layer of width 512 stores."""
    layer = torch.nn.MultiheadAttention(512, n_heads, bias=False)
    return sum(parameter.numel() for parameter in layer.parameters())


assert predict_head_weights() == stored(8)
print(f"numbers in W_Q, W_K, W_V and W_O: {stored(8):,}")
print("one head of 512 stores as many as eight of 64:", stored(1) == stored(8))

# %% [markdown]
# Eight heads store no more numbers than one head, and need no more multiplications: the matrices are the
# same, cut differently. Only the number of attention patterns grows, because each head has its own pattern.
# The 64 numbers of a head are not a piece of x: each head reads all 512 numbers of x, because its W_Q has 512
# rows and 64 columns. The price is width: each head compares words by 64 numbers instead of 512.
#
# ## Your own heads learn
#
# So far the matrices were random, or chosen by us. Now you train your own function, on a task with two things
# to find. The task is *recall* from chapter 5 with one change: a single question card asks for two people, in
# order, and the model has to give both colours.

# %%
from qkvlib.tasks import TwoQuestions

task = TwoQuestions()
example = task.test(1)
question, cards = example.inputs

print("question:", task.words(question[0])[0])
print("cards:   ", ", ".join(task.words(cards[0])))
print("answers: ", ", ".join(task.answers[answer] for answer in example.answers[0]))

# %% [markdown]
# As in chapter 5, the six cards and the question are the words of one sentence, and the question comes last.
# This time the question may look only at the cards, not at itself. So the mask hides the last word from every
# word.

# %%
mask = torch.ones(7, 7, dtype=torch.bool)
mask[:, 6] = False

# %% [markdown]
# And as in chapter 5, W_O gives the scores: eight columns for the colours as the first answer, then eight for
# the colours as the second.
#
# ### Exercise: `train_two_heads`
#
# Write the loop. `batches` gives you one batch after another: `x` [b, n, d], and `targets` [b, 2] with the
# right answers to both questions. For each batch compute `multi_head_attention` with two heads and the mask.
# Take the output of the last word, compute the loss from it, go backwards, and take a step with
# `sgd_step(params, lr)`, which you wrote in chapter 4. Return a list with the loss of each step, as a number:
# `float(loss.detach())`.
#
# The last word's output is [b, 2·answers]. `.reshape(targets.numel(), -1)` puts each question's scores in a
# row, in the same order as `targets.flatten()`. `F.cross_entropy(scores, answers)` takes the mean over all
# rows.

# %%
from torch.nn import functional as F

from qkvlib.training import sgd_step


# %%
def train_two_heads(params, batches, mask, lr):
    """Train two heads, one step for each batch: forward, loss, backward, downhill.

    params: [w_q, w_k, w_v, w_o]; batches: x [b, n, d] and targets [b, 2], again and again;
    mask [n, n] -> the losses, one for each batch
    """
    ### BEGIN SOLUTION
    w_q, w_k, w_v, w_o = params
    losses = []
    for x, targets in batches:
        output, _ = multi_head_attention(x, w_q, w_k, w_v, w_o, 2, mask)
        scores = output[:, -1].reshape(targets.numel(), -1)
        loss = F.cross_entropy(scores, targets.flatten())
        loss.backward()
        sgd_step(params, lr)
        losses.append(float(loss.detach()))
    return losses
    ### END SOLUTION


# %%
train_two_heads = check(train_two_heads)

# %% [markdown]
# Now run your loop. `OwnHeads` has the four matrices, and a fixed random vector for each person and colour.
# It contains no attention: to answer, it calls your `multi_head_attention`. `Watched` gives your loop its
# batches, and records the matrices with each batch, so that you can look at the run afterwards.

# %%
who_looks = predict(
    "08-who-looks",
    "Two heads, two questions, and nobody says which head should do what. Where does each head look, after "
    "training?",
    [
        "Each head at both cards, half and half",
        "One head at both cards, the other at nothing special",
        "One head at the card of the first question, the other at the card of the second",
    ],
)
who_looks

# %%
from qkvlib import Heads, Replay
from qkvlib.checking import lend
from qkvlib.models import OwnHeads
from qkvlib.training import Watched, mass_on

loop = lend(train_two_heads, heads=multi_head_attention)    # yours, or the course's until yours is right


def own_heads(seed):
    """Two heads that your loop has trained, the losses, and the recording of the run."""
    layer = OwnHeads(multi_head_attention, mask, task.n_tokens, task.n_answers, seed=seed)
    batches = Watched(layer, task, steps=200, seed=seed)
    losses = loop([layer.w_q, layer.w_k, layer.w_v, layer.w_o], batches, mask, lr=1.0)
    return layer, losses, batches.recording()


layer, losses, run = own_heads(0)
for step in (0, 25, 50, 100, 199):
    print(f"step {step:3}   loss {losses[step]:.1f}")
print("both answers right on new cards: at least 99%:", measure(layer, task.test()).all_right >= 0.99)

# %% [markdown]
# Here are your heads at work. Choose a head to see which card that head looks at. Each head's job is below
# its name. Then silence a head with its button: which answer is lost?

# %%
Heads.of(layer, task)

# %% [markdown]
# And here is how it happened. Press play, and watch the two rows under "Where ... looks": one for each head,
# with a cell for each of the six cards.

# %%
Replay(run, tokens=task.tokens)


# %%
@torch.no_grad()
def looks(layer):
    """The weight that each head puts on the card of each question, on average: [head, question]."""
    batch = task.test()
    maps = layer(*batch.inputs).attention["heads"]
    return torch.tensor([
        [mass_on(maps[:, head], batch.looks_at[:, [question]]) for question in (0, 1)] for head in (0, 1)
    ])


asked = ["first question", "second question"]
watched = [0, 10, 20, 30, 40, 50, 60, 200]
moments = [looks(layer.with_weights(run.weights_at(step))) for step in watched]
side_by_side(*(
    matrix(torch.stack([moment[head] for moment in moments]), [f"step {step}" for step in watched],
           [f"the {one}" for one in asked], f"head {head + 1}: weight on the card of", weights=True, digits=2)
    for head in (0, 1)
))

# %% [markdown]
# Read the two tables from top to bottom. Which head settles first? Where does the other head look meanwhile,
# and when does it turn to its own card? At first both cards pull at both heads. The better a question is
# answered, the smaller its share of the loss and of the gradients. Then only the other question is left to
# learn. (Ask only the first question, and both heads turn towards its card. We have tried it.)

# %%
for head in (0, 1):
    print(f"head {head + 1} took the", asked[int(moments[-1][head].argmax())])

others = [looks(own_heads(seed)[0]) for seed in range(1, 5)]
own = [sorted(scores.argmax(dim=1).tolist()) == [0, 1] for scores in (moments[-1], *others)]
print("each head has its own question on", sum(own), "seeds of 5")

# %%
who_looks.reveal(
    2 if all(own) else 0,
    "Each head has one attention pattern. With weight on both cards its output would be a blend of two "
    "colours, and W_O would have to read both out of it.",
)

# %% [markdown]
# The whole course has led up to this. You wrote the function that computes queries, keys and values for two
# heads. You wrote the training loop and the step. Nobody told your heads where to look, or which of them
# should do what. Everything that they learned about where to look is in W_Q and W_K. Both matrices were
# trained by the gradient of a loss that only ever saw colours.
#
# ## What you have seen
#
# A matrix for each head, and one big matrix whose result is cut, are the same function. Cutting x first is a
# different function: the big matrix is zero outside its blocks, so every head is blind to a part of x. To cut
# the result, use `view`, which leaves each number in its word, and then `transpose`. A view alone mixes the
# words. A shuffle exposes that mistake, but other mistakes come to light only in a comparison with a loop
# over the heads. Through W_O, each head adds its own term to the output. And your own function, trained by
# your own loop, has learned to share two questions between two heads.

# %%
terms(
    "multi-head attention", "n_heads", "block-diagonal", "view", "transpose", "contribution",
)

# %% [markdown]
# ## Say it in your own words
#
# Of the three ways to compute heads, which two are the same, and why is the third a different function?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: two-of-three, 3 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("08")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "08-close-frozen",
    "Chapter 5. W_Q is frozen at random numbers, everything else learns. The head still learns recall. Why?",
    [
        "W_Q is not needed",
        "Only the product of W_Q and W_K counts, and W_K can make up for W_Q",
        "Random numbers are almost the identity",
    ],
    answer=1,
    because="Freeze W_Q and W_K together, and the head does not learn recall: then neither can make up for the "
    "other.",
)

# %%
ask(
    "08-close-mask",
    "Chapter 7. A forbidden key has to get the weight 0. Where is it removed?",
    [
        "Before softmax: its score becomes minus infinity",
        "After softmax: its weight becomes 0",
        "Before the projection: its x becomes 0",
    ],
    answer=0,
    because="After softmax the remaining weights would no longer sum to one. And an x of zero has a score of "
    "zero, which is not at all the same as being forbidden.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017, section 3.2.2: half a page on many heads.
#   Which of the three ways do its formulas use?
# - Alexander Rush, *The Annotated Transformer*, 2018: the same paper as code, with `view` and `transpose`.
# - Nelson Elhage and others, *A Mathematical Framework for Transformer Circuits*, 2021: what follows when you
#   take seriously that heads add up.
#
# **Next:** [chapter 9](09_heads_differ.ipynb). All heads are built alike. Why don't they all learn the same
# thing?
