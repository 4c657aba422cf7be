# ---
# title: The dot product
# question: Why does attention compare vectors with a dot product?
# settles: A dot product says how well two vectors belong together, and it can mislead: length counts, too.
# goal: say what a dot product measures, compute it and the cosine in code, find the best match in a small
#   library of vectors, and name the case in which a dot product misleads
# minutes: 75
# builds on: Python and school mathematics
# here: comparing
# heart: 40 minutes: One number by hand; Predict; What a dot product measures: length and angle
# ---

# %% [markdown]
# # {number}. {title}: how attention compares
#
# {here}
#
# Attention compares vectors, thousands of times in every sentence. Each time two vectors go in and one number
# comes out: their dot product. This number is meant to say how well the two vectors belong together.
#
# **The questions of this chapter: why should multiplying and adding tell you what belongs together, and when
# does the number mislead?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: a list of numbers, an
# arrow in the plane, a loop.
#
# [Start here](00_start_here.ipynb) shows how a notebook, predictions, widgets and exercises work.
# {notebook: Run every cell, from the top to the bottom.|page:}

# %%
import torch

from qkvlib import Vectors, ask, check, glossary, hint, predict, replay_predictions, terms

# %% [markdown]
# ## One number by hand
#
# Read this sentence: *The law is old, but its spirit is young.* The word *its* stands for something.
# For what? You looked back and found *law*.
#
# Imagine that each word has an arrow. The arrow of *its* says what the word is looking for. Call it a
# **query**, and draw it blue. The arrows of the other words say what they have to offer. Call them **keys**,
# and draw them orange. Here are one query and three keys, with two numbers each so that we can draw them. We
# made the numbers up. Chapter 3 shows where a real model gets them from.

# %%
its = torch.tensor([2.0, 1.0])

words = ["law", "old", "spirit"]
keys = torch.tensor([
    [2.0, 0.5],    # law
    [-1.0, 2.0],   # old
    [0.5, 2.0],    # spirit
])

# %% [markdown]
# The **dot product** of *its* and *law* takes three small steps. Multiply the first numbers. Multiply the
# second numbers. Add the two products.

# %%
2.0 * 2.0 + 1.0 * 0.5

# %% [markdown]
# That is all: $\;q \cdot k = q_1 k_1 + q_2 k_2 + \dots$, one product for each position, all added up.
#
# ### Exercise: `dot`
#
# Write this as a function, with a loop. It must work for any number of entries. `a` always has as many as
# `b`. {notebook: The next cell checks it. If you are stuck, open a hint under the verdict.|page: *Check*
# tests it. If you are stuck, open a hint.}


# %%
def dot(a, b):
    """The dot product of two vectors: multiply pair by pair, then add up.

    a [d], b [d] -> one number
    """
    ### BEGIN SOLUTION
    total = 0
    for i in range(len(a)):
        total = total + a[i] * b[i]
    return total
    ### END SOLUTION


# %%
dot = check(dot)

# %% [markdown]
# Here are three ways to the same number: by hand, with your loop, and with torch's `@`.

# %%
by_hand = 2.0 * 2.0 + 1.0 * 0.5
assert by_hand == dot(its, keys[0]) == its @ keys[0]

for word, key in zip(words, keys):
    print(f"its · {word:7} = {float(dot(its, key)):5.2f}")

# %% [markdown]
# *law* wins: the arrows of *law* and *its* point almost the same way. *old* is at a right angle to *its* and
# gets exactly zero. So far the dot product does what it should.
#
# ## Predict
#
# Commit to an answer before you go on.

# %%
long_vector = predict(
    "01-long-vector",
    "The query is (3, 0). Key A is (1, 0): the same direction exactly. Key B is (4, 4): it is "
    "long, and points 45 degrees away. Which key has the larger dot product with the query?",
    ["A, because it points the same way", "B, because it is long", "They are equal"],
)
long_vector

# %% [markdown]
# ## What a dot product measures: length and angle
#
# Check your prediction with your function.

# %%
query = torch.tensor([3.0, 0.0])
a, b = torch.tensor([1.0, 0.0]), torch.tensor([4.0, 4.0])
products = [float(dot(query, a)), float(dot(query, b))]
products

# %%
long_vector.reveal(
    products.index(max(products)),
    f"The product with A is {products[0]:g}, with B {products[1]:g}. "
    "The dot product counts direction and length, and here the length wins.",
)

# %% [markdown]
# A dot product depends on the lengths of the arrows and the angle $\theta$ between them:
#
# $$q \cdot k \;=\; |q| \; |k| \; \cos\theta$$
#
# The **length** $|q|$ is the square root of the sum of squares (Pythagoras). The cosine depends only on the
# angle. It is 1 for arrows that point the same way, 0 at a right angle, and −1 for arrows that point in
# opposite directions. Don't take the formula on trust. Here it is in code, for an arrow that starts along the
# query and turns by 45 degrees at each step.

# %%
from math import cos, radians, sin

q = torch.tensor([2.0, 0.0])
print("angle        q·k   |q| |k| cos(angle)")
for angle in range(0, 361, 45):
    k = 1.5 * torch.tensor([cos(radians(angle)), sin(radians(angle))])
    formula = q.norm() * k.norm() * cos(radians(angle))
    assert torch.isclose(q @ k, formula, atol=1e-6)
    print(f"{angle:4}° {q @ k:10.2f} {formula:20.2f}".replace("-0.00", " 0.00"))

# %% [markdown]
# Drag the tip of the blue arrow. {notebook: By keyboard: select the cell below, press Esc, then press Tab
# until|page: By keyboard: press Tab until} the tip has the focus. Turn it with [ and ] (Shift: ten times as
# far). Watch the products, the cosines and the weights change together. The weights are computed from the dot
# products, as chapter 2 shows.
#
# The picture also shows a **shadow**: the projection of a key on the query, as if light fell straight down on
# the blue arrow. The dot product is the length of this shadow times the length of the query. The dotted line
# is at a right angle to the query. Beyond this line, where the picture is tinted violet, the shadow falls
# backwards, and the product is negative.
#
# **The goal:** turn *its* until *spirit*, the third key, has the largest weight. The length of *its* is
# locked, and so are the orange arrows until you have met the goal. See what happens to the product with *old*
# as soon as the arrow moves.

# %%
from qkvlib.widgets import Goal, Prefers

Vectors(
    its,
    keys,
    names=words,
    regions=True,
    goal=Goal(
        "01-third-key",
        "Turn the blue arrow q (the word 'its') until spirit has the largest weight.",
        conditions=[Prefers(column=2)],
        touch=["query"],
        keep_lengths=True,
    ),
)

# %% [markdown]
# ## Tensors in ten minutes
#
# From here on we handle several words at once. Their vectors become the rows of a **matrix**, and in code a
# matrix is a **tensor**. If you already know `shape`, `@`, `.T`, `dim` and broadcasting, do the exercise
# below and move on. The **shape** of a tensor says how many numbers there are along each dimension: [3, 2] is
# three rows of two numbers. A vector has one dimension, [2]. A stack of matrices has three.

# %%
print("its:  ", list(its.shape), "   a vector")
print("keys: ", list(keys.shape), "a matrix, with a row for each word")
print("keys[0]:   ", keys[0].tolist(), "       row 0")
print("keys[:, 1]:", keys[:, 1].tolist(), "  column 1: the second number of every row")

# %% [markdown]
# **`dim`** names the dimension that *disappears*. `dim=0` runs down the rows, so the result has one number
# per column. `dim=1` runs along a row, so the result has one number per row. With **`keepdim=True`** the
# dimension stays, with size 1.

# %%
print("keys.sum(dim=0)              ", list(keys.sum(dim=0).shape), keys.sum(dim=0).tolist())
print("keys.sum(dim=1)              ", list(keys.sum(dim=1).shape), keys.sum(dim=1).tolist())
column = keys.sum(dim=1, keepdim=True)
print("keys.sum(dim=1, keepdim=True)", list(column.shape), column.tolist())

# %% [markdown]
# **`@`** multiplies matrices: it takes the dot product of each row of the first matrix with each column of
# the second. So the two inner sizes must be equal: [3, 2] @ [2, 4] is [3, 4]. **`.T`** transposes a matrix:
# rows become columns.

# %%
print("keys @ its     ", list(keys.shape), "@", list(its.shape), "->", list((keys @ its).shape))
print("keys @ keys.T  ", list(keys.shape), "@", list(keys.T.shape), "->", list((keys @ keys.T).shape))
try:
    keys @ keys
except RuntimeError as error:
    print("keys @ keys     torch says:", error)

# %% [markdown]
# Torch calls the two matrices "mat1 and mat2", and writes 3x2 for [3, 2]. The inner sizes, 2 and 3, are not
# equal.
#
# **Broadcasting** is what torch does when you add, subtract, multiply or divide tensors of different shapes.
# It lines the two shapes up *from the right*. Where one tensor has size 1, or lacks the dimension, its values
# are repeated. So [3, 2] minus [2] subtracts the same row from all three rows, and [3, 2] minus [3, 1]
# subtracts a different number from each row. [3, 2] minus [3] does not work, because the last sizes, 2 and 3,
# differ.

# %%
from qkvlib.figures import matrix, side_by_side

row, column = torch.tensor([10.0, 20.0]), torch.tensor([[1.0], [2.0], [3.0]])
side_by_side(
    matrix(keys, words, ["0", "1"], "keys [3, 2]"),
    matrix(keys + row, words, ["0", "1"], "+ 10, 20: a row [2]"),
    matrix(keys + column, words, ["0", "1"], "+ 1, 2, 3: a column [3, 1]"),
)

# %%
try:
    keys + torch.tensor([1.0, 2.0, 3.0])
except RuntimeError as error:
    print("keys [3, 2] + [3]   torch says:", error)

# %% [markdown]
# In this message, "dimension 1" means `dim=1`. If `keys` had as many rows as columns, there would be no
# error, and torch would add along the wrong dimension. Such mistakes are the most expensive, because nothing
# warns you.
#
# `None` adds a dimension where you need one: `its[None]` is [1, 2], a matrix with one row, and `its[:, None]`
# is [2, 1], a column.
#
# ### Exercise: `centre`
#
# Subtract from each row its own mean, so that afterwards the mean of each row is zero. `x.mean` takes `dim`
# and `keepdim`, like `x.sum`. Your function must work for any number of rows and columns.


# %%
def centre(x):
    """Each row minus its mean.

    x [n, d] -> [n, d]
    """
    ### BEGIN SOLUTION
    return x - x.mean(dim=1, keepdim=True)
    ### END SOLUTION


# %%
centre = check(centre)

# %% [markdown]
# ## Cosine similarity: direction only
#
# When only the direction should count, divide by both lengths. The result is the **cosine**:
#
# $$\cos\theta \;=\; \frac{q \cdot k}{|q| \, |k|}$$
#
# The keys of a sentence form a matrix with one row for each word, and so do its queries. We want a **matrix
# of dot products**, with one row for each query and one column for each key. Here it is with a loop.

# %%
queries = torch.tensor([[2.0, 1.0], [-3.0, 0.5]])

products = torch.zeros(len(queries), len(keys))
for i in range(len(queries)):
    for j in range(len(keys)):
        products[i, j] = dot(queries[i], keys[j])
products

# %% [markdown]
# Look at the shapes: `queries` is [2, 2], `keys` is [3, 2], and the result is [2, 3]. A matrix product gives
# the same result if we first transpose `keys`. In mathematics this product is $Q K^{\mathsf T}$, in code
# `queries @ keys.T`. It computes the dot product of every query with every key in one go, and it is the first
# half of attention.

# %%
assert torch.equal(products, queries @ keys.T)

# %% [markdown]
# ### Exercise: `cosine_similarity`
#
# Return the matrix of cosines, however many rows a and b have. `x.norm(dim=1, keepdim=True)` gives the
# length of each row of x, as a column.


# %%
def cosine_similarity(a, b):
    """The cosine of the angle between each row of a and each row of b.

    a [n, d], b [m, d] -> [n, m]
    """
    ### BEGIN SOLUTION
    a = a / a.norm(dim=1, keepdim=True)
    b = b / b.norm(dim=1, keepdim=True)
    return a @ b.T
    ### END SOLUTION


# %%
cosine_similarity = check(cosine_similarity)

# %% [markdown]
# Again three ways lead to the same numbers: by hand, with your function, and with torch's.

# %%
cosines = cosine_similarity(queries, keys)

# queries[:, None] is [2, 1, 2]. Broadcast with keys, [3, 2], each query meets each key, as in our two loops.
one_by_hand = 4.5 / (5**0.5 * 4.25**0.5)  # 'its' and 'law': 4.5 over the two lengths
assert torch.isclose(cosines[0, 0], torch.tensor(one_by_hand))
assert torch.allclose(
    cosines, torch.nn.functional.cosine_similarity(queries[:, None], keys, dim=-1)
)
cosines

# %% [markdown]
# ## A small library
#
# A library has vectors, each with a name. For a query, we return the entry that points in the most similar
# direction.
#
# ### Exercise: `nearest`
#
# Return the position of the key with the largest cosine. Your `cosine_similarity` does most of the work, but
# it takes matrices: `query[None]` is a matrix with the query as its only row.


# %%
def nearest(query, keys):
    """The position of the key whose direction is most similar to the query's.

    query [d], keys [n, d] -> a whole number
    """
    ### BEGIN SOLUTION
    return cosine_similarity(query[None], keys)[0].argmax()
    ### END SOLUTION


# %%
nearest = check(nearest)

# %% [markdown]
# Here are six animals, each described by three numbers between −1 and 1: how large it is, how tame, how good
# at swimming. The numbers are our own guesses.

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

wishes = {
    "large and tame": [1.0, 1.0, 0.0],
    "large, and it swims": [1.0, 0.0, 1.0],
    "small, and hates water": [-1.0, 0.0, -1.0],
    "small, and it swims": [-1.0, 0.0, 1.0],
}
for wish, numbers in wishes.items():
    print(f"{wish:24} {animals[int(nearest(torch.tensor(numbers), library))]}")

# %% [markdown]
# ## Break it: a key that shouts
#
# Now spoil the library. One entry shouts: its vector becomes ten times as long. Its direction, and so its
# meaning, stays the same.

# %%
shouting_key = predict(
    "01-shouting-key",
    "The dog's vector becomes ten times as long. A thousand random queries come in, and each takes "
    "the key with the largest dot product. What share of them will now get the dog?",
    ["0 to 20%", "20 to 40%", "40 to 60%", "60 to 80%", "80 to 100%"],
)
shouting_key

# %%
shouting = library.clone()
shouting[animals.index("dog")] *= 10


def share_of_the_dog(products):
    """The share of queries that pick the dog; products has a row for each query."""
    return float((products.argmax(dim=1) == animals.index("dog")).float().mean())


print("       by dot product     by cosine")
print("seed   before   after     before   after")
for seed in range(10):
    random_queries = torch.randn(1000, 3, generator=torch.Generator().manual_seed(seed))
    print(
        f"{seed:4}"
        f"{share_of_the_dog(random_queries @ library.T):9.0%}"
        f"{share_of_the_dog(random_queries @ shouting.T):8.0%}"
        f"{share_of_the_dog(cosine_similarity(random_queries, library)):11.0%}"
        f"{share_of_the_dog(cosine_similarity(random_queries, shouting)):8.0%}"
    )

# %%
shouting_key.reveal(
    int(5 * share_of_the_dog(random_queries @ shouting.T)),
    "Almost half, with every seed. Think of the plane through zero at a right angle to the dog's arrow. Half "
    "of all queries are on the dog's side of it. There the dog's product is positive and ten times as large as "
    "before, so the dog wins almost always. On the other side its product is negative, and it almost never "
    "wins.",
)

# %% [markdown]
# By cosine nothing has changed, because a cosine does not depend on the length. (A **seed** says which random
# numbers are drawn. We try several seeds, so that nobody can call the result luck.)
#
# How far does a loud key reach? Below, the key of *law* is three times as long as before. The plane is cut
# into tinted parts. In each part, one key wins for every query whose tip lies there. Drag the tip of *law*
# towards zero along its own line, and its part of the plane shrinks.

# %%
loud = torch.tensor([
    [6.0, 1.5],    # law, three times as long
    [-1.0, 2.0],   # old
    [0.5, 2.0],    # spirit
])

Vectors(its, loud, names=words, limit=8, regions=True)

# %% [markdown]
# So is the dot product a bad measure? It can do one thing that the cosine cannot: it lets a key be loud. A
# key that many queries should find can be long, and a key that should stay in the background can be short. So
# attention keeps the dot product, and training decides how long each vector becomes.
#
# ## How many unrelated directions are there?
#
# Two directions are unrelated when they are close to a right angle. With two numbers in each vector, such
# pairs are rare. In a real model queries and keys often have 64 numbers. Take random pairs of vectors and
# measure how far from zero their cosines are on average.

# %%
print("numbers in a vector   average distance of the cosine from 0")
for d in (2, 8, 64, 512):
    pairs = torch.randn(2, 4000, d, generator=torch.Generator().manual_seed(0))
    one, other = pairs / pairs.norm(dim=-1, keepdim=True)
    print(f"{d:10} {float((one * other).sum(-1).abs().mean()):30.3f}")

# %% [markdown]
# The more numbers the vectors have, the closer random pairs come to a right angle. So in a trained model a
# large cosine of query and key is rarely an accident: training put it there.
#
# ## What you have seen
#
# A dot product multiplies two vectors element by element and adds up the products. It equals the two lengths
# times the cosine of the angle, so for vectors of equal length the dot product grows as their directions come
# closer. A long key can win even if it points in a different direction. The cosine divides by the lengths,
# but attention does not.

# %%
terms("query", "key", "dot product", "length", "cosine", "matrix of dot products")

# %% [markdown]
# ## Say it in your own words
#
# A search engine compares a question with pages by dot product. One page wins nearly every search. What
# may be wrong, and what would you change?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: long-vectors, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("01")

# %% [markdown]
# ## Two questions to close
#
# Answer them without looking back.

# %%
ask(
    "01-close-negative",
    "The dot product of two vectors is −4. What do you know for certain?",
    [
        "One of the two vectors is shorter than the other",
        "The angle between them is more than 90 degrees",
        "All numbers in one of the vectors are negative",
    ],
    answer=1,
    because="Lengths are never negative, so the sign comes from the cosine, and the cosine is "
    "negative beyond 90 degrees. (1, 2) and (2, −3) give −4 with no vector all negative.",
)

# %%
ask(
    "01-close-lengths",
    "All keys have the same length. A query picks the key with the largest dot product, and then the "
    "key with the largest cosine. Can the two choices differ?",
    ["Yes, if the query is long", "Yes, if the keys are long", "No"],
    answer=2,
    because="For one query the products are its cosines, all multiplied by the same two lengths. "
    "Multiplying every number by the same positive number changes no order.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017: section 3.2.1 compares the dot product with
#   another measure and says why it uses the dot product.
# - Gilbert Strang, *Introduction to Linear Algebra*: its first chapter has lengths, dot products and
#   angles, with many pictures.
#
# **Next:** [chapter 2](02_soft_lookup.ipynb) turns products into weights, and asks why that takes a softmax.
