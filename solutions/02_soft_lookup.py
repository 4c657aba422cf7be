# ---
# title: Softmax and soft lookup
# question: Why softmax, and why divide by √d_k?
# settles: The sum and the matrix form are the same. Why softmax: a hard choice gives training nothing to
#   follow. Why the square root: without it, queries and keys with many numbers give large scores, and softmax
#   becomes almost a hard choice. Attention itself has no parameters.
# goal: turn scores into weights, look a query up softly with a loop and with matrices, say what attention
#   has to train (a surprise), and say what goes wrong without $\sqrt{d_k}$
# minutes: 105
# builds on: chapter 1
# here: comparing and blending
# heart: 75 minutes: Values: what comes back; From scores to weights: softmax; Soft lookup: a weighted sum;
#   All queries at once; What is there to train?; Why a square root?
# ---

# %% [markdown]
# # {number}. {title}: from one best match to a weighted sum
#
# {here}
#
# In chapter 1 the query of *its* found its best match, the key of *law*. Now something has to come back.
# Attention does not fetch only the best match. It takes a little of everything, and more of the better
# matches: *its* **attends to** every word, and most to *law*.
#
# **The questions of this chapter: why does attention take a weighted sum (a blend), and why with a softmax?
# Books write attention as a sum, and also as a product of matrices: are the two the same? And why is there a
# square root?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: dot products, queries and keys.

# %%
import torch

from qkvlib import SoftLookup, ask, check, glossary, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Values: what comes back
#
# Here are *its* and its three keys again. The **values**, drawn green, are new. A key says how a word is
# found, and a value is what the word then passes on. Key and value need not look alike. Our values have two
# numbers: how much rule there is in the word, and how much mood. Again we made the numbers up.

# %%
words = ["law", "old", "spirit"]

its = torch.tensor([2.0, 1.0])
keys = torch.tensor([
    [2.0, 0.5],    # law
    [-1.0, 2.0],   # old
    [0.5, 2.0],    # spirit
])
values = torch.tensor([
    [8.0, 0.0],    # law: all rule
    [2.0, 2.0],    # old
    [0.0, 8.0],    # spirit: all mood
])

scores = keys @ its
scores

# %% [markdown]
# These are the dot products from chapter 1, one for each word. A dot product that is used to choose is called
# a **score**. The simplest choice is the **hard lookup**: take the value of the word with the largest score
# and ignore the rest.

# %%
values[scores.argmax()]

# %% [markdown]
# The hard lookup works like a Python dictionary, except that a key need not match exactly. It has one fault.
# To see it, change the query a little and watch what comes back.

# %%
print("  query        hard lookup")
for nudge in (0.0, 0.1, 0.2, 0.3):
    query = its + torch.tensor([0.0, nudge])
    print(f"({query[0]:.1f}, {query[1]:.1f})     {values[(keys @ query).argmax()].tolist()}")

# %% [markdown]
# The result does not move. To train a model, you change its numbers a little, again and again, and ask each
# time: was that better or worse? When the numbers change, so does the query. But the result of the hard
# lookup stays the same, so there is no answer. At some point the result jumps to another word. Training needs
# a result that moves a little whenever the query moves a little. We get such a result if every word takes
# part.
#
# ## From scores to weights: softmax
#
# Let each word take part in proportion to its score: divide each score by the sum of all scores.

# %%
scores / scores.sum()

# %% [markdown]
# The shares sum to one, and *law* has the largest share. Now turn the arrow of *its* around, so that it
# points away from everything it looked for.

# %%
turned_around = predict(
    "02-turned-around",
    "The query is now (−2, −1), so the scores are −4.5, 0 and −3. Each is divided by the sum of "
    "all three. Which word gets the largest share?",
    ["old, whose score is now the largest", "law, as before", "There are no shares: they are negative"],
)
turned_around

# %%
opposite = keys @ -its
shares = opposite / opposite.sum()
print("scores", opposite.tolist())
print("shares", [round(share, 2) + 0.0 for share in shares.tolist()])  # + 0.0: no "-0.0"

# %%
turned_around.reveal(
    1 if torch.allclose(shares, scores / scores.sum()) else 0,
    "The signs cancel, so the opposite question gets exactly the same answer. And with the scores "
    "1, −1 and 0 the sum is zero, so there are no shares at all.",
)

# %% [markdown]
# Plain shares fail. We want weights that are never negative, sum to one, grow when the score grows, and move
# smoothly. So before we divide, we need a function that makes every number positive and keeps the order. The
# **exponential** $e^s$ does that: $e^{-3}$ is small, $e^0$ is 1, $e^{4.5}$ is large, and none is negative.
#
# Exponentials, divided by their sum, are called the **softmax**:
#
# $$\operatorname{softmax}(s)_j \;=\; \frac{e^{s_j}}{e^{s_1} + e^{s_2} + \dots + e^{s_n}}$$
#
# By hand, for the scores of *its*:

# %%
from math import exp

exponentials = [exp(4.5), exp(0.0), exp(3.0)]
by_hand = [e / sum(exponentials) for e in exponentials]

for word, e, weight in zip(words, exponentials, by_hand):
    print(f"{word:7} e^score = {e:6.2f}     weight = {weight:.3f}")

# %% [markdown]
# Squares would be positive, too, but they do not keep the order: the square of −4.5 is larger than the square
# of 3. Powers of any other base above 1 would work just as well. Whatever the base, softmax has a useful
# property. If you add the same number to all scores, no weight changes, because every exponential, and their
# sum, is multiplied by the same factor. Only the *differences* between scores count. This property helps
# where a computer cannot do what the formula says:

# %%
large = torch.tensor([1000.0, 999.0])
large.exp() / large.exp().sum()

# %% [markdown]
# `nan` means *not a number*. $e^{1000}$ is too large to be stored, so the computer stores infinity, and
# infinity divided by infinity has no value. Which number could you subtract from both scores, so that the
# weights stay the same and no exponential is too large?
#
# ### Exercise: `softmax`
#
# `scores` is a vector, or a matrix in which each row is a separate choice. Work along the last dimension:
# `x.sum(dim=-1, keepdim=True)` sums each row and keeps a column for the result, and
# `x.amax(dim=-1, keepdim=True)` finds the largest number of each row in the same way.


# %%
def softmax(scores):
    """Weights from scores: all positive, and each row sums to one.

    scores [..., n] -> the same shape
    """
    ### BEGIN SOLUTION
    exponentials = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)
    ### END SOLUTION


# %%
softmax = check(softmax)

# %% [markdown]
# As in chapter 1, three ways lead to the same weights: by hand, with your function, and with torch's.

# %%
weights = softmax(scores)

assert torch.allclose(weights, torch.tensor(by_hand))
assert torch.allclose(weights, torch.softmax(scores, dim=-1))
print("weights:            ", [round(w, 3) for w in weights.tolist()])
print("of large scores:    ", [round(w, 3) for w in softmax(large).tolist()])
print("of the opposite:    ", [round(w, 3) for w in softmax(opposite).tolist()])

# %% [markdown]
# The large scores now get proper weights, and the opposite question gets a different answer, *old*.
#
# ## Soft lookup: a weighted sum
#
# Now the **soft lookup** itself. Multiply each value by its weight and add them up:
#
# $$o \;=\; \sum_j \operatorname{softmax}(s)_j \; v_j \qquad\text{with}\qquad s_j = q \cdot k_j$$
#
# The sign $\sum_j$ means: go through all words $j$ and add up the terms. In code, that is a loop.

# %%
output = torch.zeros(2)
for weight, value in zip(weights, values):
    output = output + weight * value
output

# %% [markdown]
# The result is mostly rule, from *law*, with some mood from *spirit*. *old* contributes almost nothing.
#
# ### Exercise: `soft_lookup`
#
# Write the soft lookup without a loop, as two matrix products. Earlier, `keys @ its` gave all scores in one
# go. Which product gives the weighted sum? Look at the shapes. The weights are [n], one for each key. The
# values are [n, d_v], each with $d_v$ numbers. The result should be [d_v].


# %%
def soft_lookup(query, keys, values):
    """The weighted sum of all values, where better matching keys have larger weights.

    query [d], keys [n, d], values [n, d_v] -> [d_v]
    """
    ### BEGIN SOLUTION
    weights = softmax(keys @ query)
    return weights @ values
    ### END SOLUTION


# %%
soft_lookup = check(soft_lookup)

# %% [markdown]
# So the sum and the matrix form are the same thing in two notations. `weights @ values` *is* the sum over all
# words: a matrix product multiplies pair by pair and adds up, and here the pairs are weights and values.

# %%
assert torch.allclose(soft_lookup(its, keys, values), output)

print("  query        hard lookup     soft lookup")
for nudge in (0.0, 0.1, 0.2, 0.3):
    query = its + torch.tensor([0.0, nudge])
    hard, soft = values[(keys @ query).argmax()], soft_lookup(query, keys, values)
    print(
        f"({query[0]:.1f}, {query[1]:.1f})     {hard.tolist()}      "
        f"[{soft[0]:.2f}, {soft[1]:.2f}]"
    )

# %% [markdown]
# The soft lookup moves with every nudge: a little less of *rule*, a little more of *mood*. Now training has
# something to follow.
#
# Move the query yourself. You see the query and the keys on the left, as in chapter 1, and the values on the
# right, with the blend among them. The bars are the weights. Then switch to *hard*, and move the query again:
# the result jumps from value to value, and does not move in between.

# %%
SoftLookup(its, keys, values, names=words, axes=("rule", "mood"), touch=["query", "hard"])

# %% [markdown]
# ## How sharp?
#
# The weights for *its* are uneven but not extreme. What would make them sharper? Move only the query.
#
# **The goal:** give *law* at least 0.95 of the weight. There are two quite different ways to get there, and
# the goal counts them. When you have found one way, press Reset and find the other.

# %%
from qkvlib.widgets import AtLeast, Goal, Way

SoftLookup(
    its,
    keys,
    values,
    names=words,
    axes=("rule", "mood"),
    limit=5,
    touch=["query"],
    goal=Goal(
        "02-sharper",
        "Move the blue arrow q until law has at least 0.95 of the weight. There are two ways.",
        conditions=[AtLeast("law", 0.95)],
        touch=["query"],
        ways=[Way("by turning q", keeps="lengths"), Way("by making q longer", keeps="directions")],
    ),
)

# %% [markdown]
# You can *turn* the query towards *law* and away from *spirit*. Or you can keep its direction and make it
# *longer*. Then all scores grow by the same factor, so their differences grow, and only differences count for
# softmax. Direction says who is chosen. Length says how firmly.
#
# Dividing all scores by a number $T$ above 1 has the opposite effect. A $T$ below 1 sharpens the weights.
# This number is called the **temperature**, because physics has the same formula.

# %%
temperatures = [0.1, 0.5, 1.0, 2.0, 10.0, 1000.0]
by_temperature = softmax(torch.stack([scores / t for t in temperatures]))

matrix(by_temperature, [f"T = {t:g}" for t in temperatures], words, weights=True)

# %% [markdown]
# At a low temperature all weight goes to the best match, as in the hard lookup. At a high temperature every
# word gets the same weight, and the lookup is a plain average. The soft lookup is between these extremes.
#
# **The goal:** don't touch the arrows, and find a temperature at which *spirit* gets at least 0.30 of the
# weight.

# %%
SoftLookup(
    its,
    keys,
    values,
    names=words,
    axes=("rule", "mood"),
    touch=["temperature"],
    goal=Goal(
        "02-softer",
        "Change the temperature until spirit has at least 0.30 of the weight.",
        conditions=[AtLeast("spirit", 0.3)],
        touch=["temperature"],
    ),
)

# %% [markdown]
# ## A soft library
#
# Remember the six animals of chapter 1, each described by how large, how tame and how good at
# swimming it is. Give each a value: the number of its legs. A soft lookup can then guess the legs of
# an animal that is not in the library.

# %%
animals = ["cow", "cat", "dog", "whale", "trout", "duck"]
library = torch.tensor([
    [0.7, 0.8, -0.5],    # cow
    [-0.6, 0.6, -0.9],   # cat
    [-0.3, 1.0, 0.1],    # dog
    [1.0, -0.7, 1.0],    # whale
    [-0.8, -0.8, 1.0],   # trout
    [-0.6, 0.3, 0.8],    # duck
])
legs = torch.tensor([[4.0], [4.0], [4.0], [0.0], [0.0], [2.0]])

wishes = {
    "tame, hates water": torch.tensor([0.0, 1.0, -1.0]),
    "wild, and it swims": torch.tensor([0.0, -1.0, 1.0]),
    "small, and it swims": torch.tensor([-1.0, 0.0, 1.0]),
}
for wish, query in wishes.items():
    guess, firm = soft_lookup(query, library, legs), soft_lookup(6 * query, library, legs)
    print(f"{wish:20} {float(guess):.1f} legs, asked six times as firmly {float(firm):.1f}")

wishes_at_once = torch.stack([*wishes.values()])
matrix(softmax(wishes_at_once @ library.T), [*wishes], animals, "weights", weights=True)

# %% [markdown]
# Of course no animal walks on 1.3 legs. A blend is a mixture of answers. Ask six times as firmly, with a
# query six times as long, and the answer to *small, and it swims* is close to the value of *trout*, zero
# legs. The rest comes from *duck*.
#
# ## All queries at once
#
# In a sentence every word has a query. Put the queries in a matrix $Q$, one row each. Then $Q K^{\mathsf T}$
# has one row of scores for each query. Softmax works on each row, and multiplying by $V$ gives a weighted sum
# for each row. All lookups of a sentence become
#
# $$\operatorname{softmax}(Q K^{\mathsf T}) \, V$$
#
# which in code is `softmax(q @ k.T) @ v`. Here are five queries, seven keys and seven values, all random.

# %%
generator = torch.Generator().manual_seed(0)
q = torch.randn(5, 4, generator=generator)
k = torch.randn(7, 4, generator=generator)
v = torch.randn(7, 3, generator=generator)

one_by_one = torch.stack([soft_lookup(query, k, v) for query in q])
at_once = softmax(q @ k.T) @ v

assert torch.allclose(one_by_one, at_once, atol=1e-6)
print("one by one", [*one_by_one.shape], "= at once", [*at_once.shape])

# %% [markdown]
# Two matrices appear on the way, and their names are often mixed up. **Scores** go into softmax: any numbers,
# even negative ones. **Attention weights** come out: none is negative, and each row sums to one. Some texts
# call both "weights". To tell them apart, check whether the rows sum to one.

# %%
asking, found = [f"q{i}" for i in range(1, 6)], [f"k{j}" for j in range(1, 8)]

side_by_side(
    matrix(q @ k.T, asking, found, "scores: before softmax", digits=1),
    matrix(softmax(q @ k.T), asking, found, "weights: after softmax", weights=True),
)

# %% [markdown]
# ## What is there to train?
#
# You have now written attention, except for one square root.

# %%
nothing_to_train = predict(
    "02-nothing-to-train",
    "Training a network means changing its parameters: numbers that are stored and improved. How "
    "many parameters does softmax(Q Kᵀ) V have, for 7 keys of 4 numbers and values of 3?",
    ["None", "28: one for each number of K", "49: the keys' 28 and the values' 21", "7: one weight for each key"],
)
nothing_to_train

# %% [markdown]
# Torch offers attention twice: as a function, and as a layer, which is a function that stores numbers. We
# give the function our q, k and v, and look at what a layer for vectors of four numbers stores.

# %%
from torch import nn
from torch.nn import functional as F

as_function = F.scaled_dot_product_attention(q, k, v, scale=1.0)  # no square root yet
assert torch.allclose(as_function, at_once, atol=1e-6)

layer = nn.MultiheadAttention(embed_dim=4, num_heads=1, bias=False)
for name, parameter in layer.named_parameters():
    print(f"{name:16} {tuple(parameter.shape)}")

# %%
nothing_to_train.reveal(
    0,
    "Q, K and V go in, numbers come out, and nothing in between is stored. The weights are computed "
    "again from every input.",
)

# %% [markdown]
# The function gives the same numbers as our line and stores nothing. The layer stores two matrices, and
# neither belongs to the lookup. The first matrix computes Q, K and V: it stacks three matrices of four rows
# each. The second is applied to the result. So people who say that "attention has parameters" mean the layer,
# with the matrices around the lookup. Chapter 3 is about these matrices.
#
# ## Why a square root?
#
# The real formula has one more part, the **scaling**. The scores are divided by $\sqrt{d_k}$, where $d_k$ is
# the number of entries in a query or a key:
#
# $$A \;=\; \operatorname{softmax}\!\left(\frac{Q K^{\mathsf T}}{\sqrt{d_k}}\right)$$
#
# Our arrows have two numbers. In real models a query often has 64 or more. What does this do to the scores?
# Say that all numbers in $q$ and $k$ are random and independent of each other, around zero, with a
# **variance** of one. (The variance is the average of the squares. It says how far the numbers spread.) You
# need two facts:
#
# - one product $q_1 k_1$ of two such numbers has variance 1 again;
# - if you add independent numbers, their variances add up.
#
# ### Exercise: `predict_variance`
#
# Return a number: the variance of $q \cdot k$, when both have 64 numbers. {notebook: A few cells further down
# we measure it|page: A little further down we measure it}.


# %%
def predict_variance():
    """The variance of q · k, if q and k have 64 independent numbers of variance 1."""
    ### BEGIN SOLUTION
    return 64
    ### END SOLUTION


# %%
predict_variance = check(predict_variance)

# %% [markdown]
# So vectors with many numbers give large scores, and large scores make softmax hard, just as a low
# temperature does. But the variance is an average of *squares*. The square root of the variance, the
# **standard deviation**, tells you how large a score typically is: with a variance of $d_k$ it is
# $\sqrt{d_k}$. So dividing by $\sqrt{d_k}$ brings the scores back to the size of a single product, whatever
# $d_k$ is. Dividing by $d_k$ itself would be too much: the wider the vectors, the smaller the scores, and
# with many numbers all weights would be almost equal. And dividing after softmax would be too late: the
# weights would be just as hard, and would add up to $1 / \sqrt{d_k}$. (If you measure only a few scores,
# their variance can be far from $d_k$.)
#
# ### Exercise: `attention_weights`
#
# Compute the weights for all queries at once, with the square root. `q.shape[-1]` is $d_k$. Write `k.mT` for
# the transposed keys. It is the same as `k.T` for a matrix, but also works for a **batch**, which is many
# matrices in one tensor. The check tries matrices and batches.


# %%
def attention_weights(q, k):
    """How each query shares its attention among the keys: softmax(Q K^T / sqrt(d_k)).

    q [..., n, d_k], k [..., m, d_k] -> [..., n, m]
    """
    ### BEGIN SOLUTION
    d_k = q.shape[-1]
    return softmax(q @ k.mT / d_k**0.5)
    ### END SOLUTION


# %%
attention_weights = check(attention_weights)

# %% [markdown]
# With these weights, **attention** takes one more line, and it equals torch's function.

# %%
assert torch.allclose(
    attention_weights(q, k) @ v, F.scaled_dot_product_attention(q, k, v), atol=1e-6
)

# %% [markdown]
# ## Break it: leave out the square root
#
# Each of many random queries looks at 16 random keys. A query that prefers no key gives each key a weight of
# 1/16.

# %%
without_root = predict(
    "02-without-root",
    "Queries and keys have 512 random numbers each, and the scores are not divided. Each query looks at 16 "
    "keys. How large is the largest of its 16 weights, on average?",
    ["about 0.1", "about 0.25", "about 0.5", "above 0.9"],
)
without_root


# %%
def random_scores(d_k, seed):
    """The scores of 1,024 random queries, each with 16 random keys. Not scaled."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 64, 16, d_k, generator=generator)
    return q @ k.mT


def ends(numbers):
    """The smallest and the largest of some numbers, in words."""
    return f"{min(numbers):.3g} to {max(numbers):.3g}"


print("         variance of the scores                   mean largest weight")
print(" d_k   as they are   / sqrt(d_k)        as they are      / sqrt(d_k)            / d_k")
for d_k in (2, 8, 32, 128, 512):
    raw = [random_scores(d_k, seed) for seed in range(10)]
    ways = [[scores / divisor for scores in raw] for divisor in (1, d_k**0.5, d_k)]
    variances = [ends([float(s.var()) for s in each]) for each in ways[:2]]
    # torch's softmax, the same as yours: for so many rows a loop would take minutes
    largest = [ends([float(torch.softmax(s, dim=-1).amax(-1).mean()) for s in each]) for each in ways]
    print(f"{d_k:4}" + "".join(f"{told:>14}" for told in variances) + "".join(f"{told:>18}" for told in largest))

# %%
largest = softmax(random_scores(512, seed=0)).amax(-1).mean()

# %%
without_root.reveal(
    3 if largest > 0.9 else 2,
    f"{largest:.2f} with seed 0, and the numbers above show how little the seed matters. Nothing is trained "
    "yet, and already a query listens almost only to one random key.",
)

# %% [markdown]
# The first column, the variance, agrees with what you worked out. With the root the weights hardly depend on
# $d_k$. With scores divided by $d_k$ itself, in the last column, the weights come closer and closer to 1/16,
# where no key is preferred.
#
# Why are hard weights bad? For the same reason as the hard lookup: nothing moves. Raise each of the 16 scores
# in turn by 0.1, and see how far the weights of its row move. We call a row stuck if no weight in it ever
# moves by more than a thousandth.


# %%
def stuck_rows(scores):
    """The share of queries whose weights hardly move, whichever of their scores is raised a little."""
    before = torch.softmax(scores, dim=-1)
    furthest = torch.zeros(scores.shape[:-1])
    for key in range(16):
        raised = scores.clone()
        raised[..., key] += 0.1
        moved = (torch.softmax(raised, dim=-1) - before).abs()
        furthest = torch.maximum(furthest, moved.amax(dim=-1))
    return float((furthest < 0.001).float().mean())


print("stuck rows, fewest and most of ten seeds")
print(" d_k     as they are    / sqrt(d_k)")
for d_k in (8, 32, 128, 512):
    raw = [stuck_rows(random_scores(d_k, seed)) for seed in range(10)]
    scaled = [stuck_rows(random_scores(d_k, seed) / d_k**0.5) for seed in range(10)]
    print(f"{d_k:4} {min(raw):9.0%} to {max(raw):3.0%} {min(scaled):10.0%} to {max(scaled):2.0%}")

# %% [markdown]
# One stuck row at the start is not a disaster, because other rows may still move. Does a model with many
# stuck rows still learn? Chapter 5 tests that.
#
# At the start of training the root keeps the scores at about the same size for any $d_k$, so that the same
# settings can work for a small model and a large one.
#
# ## What you have seen
#
# A soft lookup gives each key a weight by the softmax of its score, and returns the weighted sum of the
# values. Written with matrices, all lookups are one line, `softmax(q @ k.T) @ v`. Softmax gives every word
# some weight, so a small change in the query makes a small change in the result. Nothing in a soft lookup is
# stored or trained. Random scores grow with $\sqrt{d_k}$, so dividing by this root keeps the softmax soft at
# the start.

# %%
terms(
    "value", "scores", "softmax", "attention weights", "temperature", "hard lookup", "soft lookup",
    "parameter", "scaling", "attention",
)

# %% [markdown]
# For a word that others use differently, ask for all its meanings: `glossary("weights")`.

# %%
glossary("weights")

# %% [markdown]
# ## Say it in your own words
#
# Why does attention blend all values, and not simply take the best one?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: why-softmax, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("02")

# %% [markdown]
# ## Two questions on chapter 1
#
# Answer them without looking back.

# %%
ask(
    "02-close-cosine",
    "All keys are made twice as long. What happens to the cosines between the query and the keys?",
    ["They double", "They stay as they are", "They become four times as large"],
    answer=1,
    because="The cosine divides by both lengths. The dot products double, and so do the differences "
    "between scores: the softmax of the same query becomes sharper.",
)

# %%
ask(
    "02-close-right-angle",
    "A key is at a right angle to the query. What is its score?",
    ["As large as its length", "Negative", "Zero"],
    answer=2,
    because="The cosine of a right angle is zero, whatever the lengths. But its weight is not zero: "
    "e to the power 0 is 1, and it gets its share like any other.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017: section 3.2.1, and its footnote on why
#   dot products become large.
# - Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio, *Neural Machine Translation by Jointly Learning to
#   Align and Translate*, 2014: a translation model that blends what it has read instead of choosing.
# - Alex Graves, Greg Wayne and Ivo Danihelka, *Neural Turing Machines*, 2014: a memory that is read by
#   content, with a number that sharpens the weights as our temperature does.
#
# **Next:** [chapter 3](03_projections.ipynb). So far we made up the queries, keys and values. Where does a
# model get them?
