# ---
# title: Quiz
# question: How much do you remember?
# settles: Twenty-five questions on the whole course, with pointers to what to read again.
# goal: say which of the course's answers you can give without looking, and where to read
#   again
# minutes: 50
# builds on: chapters 1 to 12
# here: all of it
# ---

# %% [markdown]
# # {number}. {title}: twenty-five questions
#
# {here}
#
# Almost everyone who meets queries, keys and values stumbles over the same questions. Here they are again,
# mixed. In twenty of them you choose an answer. In five you write a function that returns a number or two.
#
# **The question of this chapter: how much do you remember?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}.
#
# Don't look back, and commit to an answer before you read on. If an answer is wrong, the quiz tells you what
# is wrong with *that* answer, and where to read again. Come back in a week and try again.

# %%
import torch

from qkvlib import ask, check, course_map, hint, quiz_result

torch.set_num_threads(1)

# %% [markdown]
# ## Similarity and lookup

# %%
ask(
    "17-01-length",
    "1. You compare a query with two keys by dot product. One key points exactly in its direction. The other points "
    "45 degrees away, and wins. How can that be?",
    [
        "It cannot: the same direction always gives the largest product",
        "The other key is longer",
        "The other key has more positive numbers",
    ],
    answer=1,
    because="A dot product is length times length times cosine. Among keys of equal length the closest "
    "direction wins. A long key can win from the side.",
    unless={
        0: "That is true of the cosine, not of the dot product. Reread chapter 1, “What a dot product measures: length and angle”.",
        2: "Signs matter only together with the signs of the query. Reread chapter 1, “What a dot product measures: length and angle”.",
    },
)

# %%
ask(
    "17-02-sum",
    "2. One book writes attention as a sum over words, another as softmax(Q Kᵀ) V. What is the difference?",
    [
        "The product of matrices does the same for all queries at once",
        "The sum is exact, and the matrix form is an approximation for speed",
        "In the matrix form the words no longer wait for each other, so the result differs",
    ],
    answer=0,
    because="The sum is for one query, and each row of the product is one such sum. The numbers are the same.",
    unless={
        1: "Both compute the same numbers. An assert in chapter 2 checks that. Reread chapter 2, “All queries at "
        "once”.",
        2: "No word waits for another in either form. Reread chapter 2, “All queries at once”.",
    },
)

# %%
ask(
    "17-03-parameters",
    "3. You have q, k and v. How many trainable numbers are there in softmax(q kᵀ / √d_k) v?",
    ["One for each pair of words", "As many as in W_Q, W_K and W_V", "None"],
    answer=2,
    because="The operation only compares, shares out and adds. Everything that is trained comes before it or after it.",
    unless={
        0: "The weights between words are computed for every sentence, and not stored. Reread "
        "chapter 2, “What is there to train?”.",
        1: "W_Q, W_K and W_V have done their work once q, k and v are there. Reread chapter 2, “What is "
        "there to train?”.",
    },
)

# %%
ask(
    "17-04-scores",
    "4. Scores and weights: what does softmax change?",
    [
        "It makes similar words more similar",
        "It turns each row of scores into shares",
        "It learns which scores to trust, and raises those",
    ],
    answer=1,
    because="No share is negative, and the shares sum to one. The order within a row stays the same, and the "
    "differences decide how sharp the row gets. Softmax has nothing to learn.",
    unless={
        0: "Softmax does not touch the words' vectors. Reread chapter 2, “From scores to weights: softmax”.",
        2: "Softmax has no parameters. W_Q and W_K make the scores, and they learn. Reread chapter 2, “What is "
        "there to train?”.",
    },
)

# %% [markdown]
# ### Exercise: `quiz_divisor`
#
# 5\. A layer has d_model = 64 and 4 heads. By what number does each head divide its scores?


# %%
def quiz_divisor():
    """The number by which each head divides its scores."""
    ### BEGIN SOLUTION
    d_k = 64 / 4
    return d_k**0.5
    ### END SOLUTION


# %%
quiz_divisor = check(quiz_divisor)

# %% [markdown]
# ## Projections

# %%
ask(
    "17-06-trained",
    "6. You have the file of a trained model on your disk. Which of these will you find in it?",
    ["Q", "W_Q", "Both", "The attention weights"],
    answer=1,
    because="Q is computed from x and W_Q when a sentence arrives, and forgotten afterwards. Training changes W_Q, and "
    "the file stores it.",
    unless={
        0: "Q belongs to one sentence. Every sentence has a different Q. Reread chapter 3, “What is trained?”.",
        2: "There is no sentence in the file, so there is no Q. Reread chapter 3, “What is trained?”.",
        3: "They, too, are computed for every sentence. Reread chapter 3, “What is trained?”.",
    },
)

# %%
ask(
    "17-07-xxx",
    "7. layer(x, x, x): query, key and value are the same tensor. So inside the layer ...",
    [
        "Q = K = V",
        "W_Q = W_K = W_V, because the inputs are equal",
        "Q, K and V differ: three matrices make them",
    ],
    answer=2,
    because="In that call the three names say where queries, keys and values come from. W_Q, W_K and W_V decide "
    "what they become.",
    unless={
        0: "That would be true if all three matrices were the same. Reread chapter 3, “Three meanings of one "
        "word”.",
        1: "The matrices start with different random numbers and each gets its own gradient. Reread chapter 3, "
        "“Three meanings of one word”.",
    },
)

# %%
ask(
    "17-08-spare",
    "8. Rock, paper, scissors: each word looks for the one that beats it. To save memory, one matrix replaces two. "
    "For which two can the game then no longer be learned?",
    ["W_K and W_V", "W_Q and W_V", "W_Q and W_K", "For any two"],
    answer=2,
    because="With one matrix for queries and keys the score of A for B equals the score of B for A. Around a circle of "
    "three, a number would have to be larger than itself. W_Q must differ from W_K; a third matrix is not needed here.",
    unless={
        0: "In chapter 3 heads learned the game with these two shared. Reread chapter 3, “Does a head need all three matrices?”.",
        1: "In chapter 3 heads learned the game with these two shared. Reread chapter 3, “Does a head need all three matrices?”.",
        3: "Two of the three pairs can be shared. Reread chapter 3, “Does a head need all three matrices?”.",
    },
)

# %% [markdown]
# ### Exercise: `quiz_score`
#
# 9\. There are two words, *its* = (1, 0) and *law* = (0, 1), and two weight matrices:
#
# $$W_Q = \begin{pmatrix} 0 & 2 \\ 1 & 0 \end{pmatrix} \qquad W_K = \begin{pmatrix} 1 & 0 \\ 0 & 3 \end{pmatrix}$$
#
# What is the score of *its* for *law*, before any division? Do it on paper.

# %%
def quiz_score():
    """The score of its for law."""
    ### BEGIN SOLUTION
    q = torch.tensor([1.0, 0.0]) @ torch.tensor([[0.0, 2.0], [1.0, 0.0]])  # (0, 2)
    k = torch.tensor([0.0, 1.0]) @ torch.tensor([[1.0, 0.0], [0.0, 3.0]])  # (0, 3)
    return float(q @ k)
    ### END SOLUTION


# %%
quiz_score = check(quiz_score)

# %%
ask(
    "17-10-embedding",
    "10. Is W_Q the embedding of the queries?",
    [
        "Yes: it holds one vector for each word, used when the word asks",
        "No: W_Q has a row for each number of x, whatever the word",
        "Yes in the first layer, but not in the others",
    ],
    answer=1,
    because="The embedding has a row for each word, and turns words into x, once. W_Q works on any x, even on one that "
    "it has never seen.",
    unless={
        0: "A head learned its task with no words and no embedding at all. Reread chapter 3, “W_Q is not the "
        "embedding”.",
        2: "In the first layer x comes from the embedding, and then goes through W_Q: two matrices, one after the "
        "other. Reread chapter 3, “W_Q is not the embedding”.",
    },
)

# %% [markdown]
# ## Learning

# %%
ask(
    "17-11-separate",
    "11. What does it take to train W_Q, W_K and W_V together with the rest of a model?",
    [
        "A small separate network, trained before the rest",
        "Taking turns: one matrix moves while the others rest, so that they do not interfere",
        "One loss and one backward pass, in which every matrix gets its own gradient",
    ],
    answer=2,
    because="The chain rule goes from the loss through output, weights, scores, queries and keys to each matrix. "
    "All move in the same step.",
    unless={
        0: "They are matrices in the one network there is. Reread chapter 4, “A separate network?”.",
        1: "All matrices move in the same step, and that works. Reread chapter 4, “A "
        "separate network?”.",
    },
)

# %%
ask(
    "17-12-labels",
    "12. The training data never say which word to look at. How does attention find the right one?",
    [
        "Weight on that word makes the answer better",
        "Softmax prefers the most similar word from the start",
        "The embeddings of related words are equal",
    ],
    answer=0,
    because="Where a value helps more than the average of the row, the gradient of the loss raises its score. "
    "The other scores go down.",
    unless={
        1: "At the start the weights are about equal, and related words need not be similar. Reread chapter 5, "
        "“Where does it look?”.",
        2: "They become equal only if the task rewards it. Reread chapter 6, “What makes two words "
        "similar”.",
    },
)

# %%
ask(
    "17-13-king",
    "13. What brings 'king' close to 'queen' in an embedding?",
    [
        "They occur in the same texts, so every model puts them together",
        "The task, by what it asks about them",
        "W_Q and W_K, which bring related words together",
    ],
    answer=1,
    because="If the task asks “royal?”, the two come together. If it asks “female?”, they move apart.",
    unless={
        0: "That happens only if the task asks the same about both words. Reread chapter 6, "
        "“What makes two words similar”.",
        2: "W_Q and W_K let related words find each other. The words need not be similar. Reread chapter "
        "6, “What makes two words similar”.",
    },
)

# %% [markdown]
# ## Order and masks

# %%
ask(
    "17-14-order",
    "14. Attention has no positions and no mask. You shuffle the words of a sentence. What happens to the "
    "outputs?",
    [
        "Each word gets the same output as before, at its new position",
        "They all change: the sentence means something else now",
        "The first words keep theirs, the later ones change",
    ],
    answer=0,
    because="Nothing in a score depends on where a word is. So order has to be put into x, into q and k, or into a mask.",
    unless={
        1: "To you it means something else. To the layer it is the same bag of words. Reread chapter 7, “Shuffle "
        "the words”.",
        2: "That would need a causal mask. Reread chapter 7, “Hide the future”.",
    },
)

# %% [markdown]
# ### Exercise: `quiz_masked_weight`
#
# 15\. There are three words with a causal mask, and all scores are equal. How much weight does the second
# word give the first?

# %%
def quiz_masked_weight():
    """The weight that the second of three words gives the first."""
    ### BEGIN SOLUTION
    return 1 / 2  # it sees two words: the first, and itself
    ### END SOLUTION


# %%
quiz_masked_weight = check(quiz_masked_weight)

# %% [markdown]
# ## Many heads

# %%
ask(
    "17-16-three-ways",
    "16. (a) Each head has its own W_i, applied to the whole of X. (b) There is one big W, and its result is cut. "
    "(c) X is cut, and each head gets a piece. Which of these are the same?",
    ["All three", "(a) and (b)", "(b) and (c)", "None"],
    answer=1,
    because="The big W is all W_i side by side. Cutting X first means a big W that is zero outside its blocks: "
    "each head is blind to most of x.",
    unless={
        0: "With (c) a head cannot see the pieces of the others, and in some tasks that costs accuracy. Reread chapter 8, "
        "“Three ways to make the queries”.",
        2: "It matters whether you cut before or after the big W. Reread chapter 8, “Three ways to make the "
        "queries”.",
        3: "Put the W_i side by side and multiply: that is (b). Reread chapter 8, “Three ways to make the "
        "queries”.",
    },
)

# %% [markdown]
# ### Exercise: `quiz_stored`
#
# 17\. A layer of multi-head attention has d_model = 64, 4 heads and no biases. How many numbers does it
# store?

# %%
def quiz_stored():
    """How many numbers the layer stores."""
    ### BEGIN SOLUTION
    return 4 * 64 * 64  # W_Q, W_K, W_V and W_O; the number of heads makes no difference
    ### END SOLUTION


# %%
quiz_stored = check(quiz_stored)

# %%
ask(
    "17-18-differ",
    "18. All heads of a layer are built alike. Why do they learn different things?",
    [
        "A term in the loss keeps the heads of a layer apart",
        "They start from different random numbers",
        "Each head sees a different part of x",
    ],
    answer=1,
    because="Equal weights get equal gradients: exact copies stay copies. The smallest difference is enough, and the "
    "other heads need not do what one head already does.",
    unless={
        0: "There was no such term in any of our runs. Reread chapter 9, “Which head does what?”.",
        2: "Each head sees the whole of x, through its own matrices. Reread chapter 8, “Three ways to make the "
        "queries”.",
    },
)

# %% [markdown]
# ## Whole models
#
# ### Exercise: `quiz_cross_shape`
#
# 19\. A model reads a word of 7 letters aloud in 5 sounds. What is the shape of the cross-attention weights,
# as (rows, columns)? (Leave out the marks for *start* and *stop*.)

# %%
def quiz_cross_shape():
    """The shape of the cross-attention weights: (rows, columns)."""
    ### BEGIN SOLUTION
    sounds, letters = 5, 7
    return (sounds, letters)  # a row for each query, a column for each key
    ### END SOLUTION


# %%
quiz_cross_shape = check(quiz_cross_shape)

# %%
ask(
    "17-20-layers",
    "20. What does the second layer of a transformer take as its x?",
    [
        "The words' embeddings again, with different matrices",
        "The first layer's Q, K and V",
        "The first layer's output",
    ],
    answer=2,
    because="For each word one vector goes in and one comes out. The second layer reads what the first has added to x, "
    "through its own matrices.",
    unless={
        0: "Then it could not use what the first layer has found. Reread chapter 11, “What the second layer "
        "gets”.",
        1: "They stay inside the first layer. The second computes its own. Reread chapter 11, “What the "
        "second layer gets”.",
    },
)

# %% [markdown]
# ## Five more

# %%
ask(
    "17-21-root",
    "21. Why do we divide scores by √d_k, and not by d_k?",
    [
        "A sum of d_k products typically grows with the root",
        "The root is faster to compute",
        "With d_k the weights of a row would no longer sum to one",
        "It makes no difference: softmax depends only on which score is larger",
    ],
    answer=0,
    because="A score is such a sum. Its variance is d_k, its standard deviation √d_k. If you divide by d_k, wide queries "
    "hardly prefer one key to another.",
    unless={
        1: "The divisor is one number, computed once. Reread chapter 2, “Why a square root?”.",
        2: "Softmax makes any row sum to one. Reread chapter 2, “From scores to weights: softmax”.",
        3: "It depends on the differences, and these are divided, too: the divisor makes the weights soft or hard.  "
        "Reread chapter 2, “How sharp?”.",
    },
)

# %%
ask(
    "17-22-zero",
    "22. W_Q and W_K both start at zero, everything else at random. What happens to the two?",
    [
        "They learn as soon as W_V has learned",
        "They stay at zero forever",
        "They become equal",
    ],
    answer=1,
    because="The gradient of each contains the other as a factor, and the other is zero. If one of the two "
    "starts at random, both learn.",
    unless={
        0: "W_V makes no difference: d_q is d_scores times K, and K is zero. Reread chapter 4, “Break it: start from zero”.",
        2: "They are already equal, and no gradient ever moves them. Reread chapter 4, “Break it: start from zero”.",
    },
)

# %%
ask(
    "17-23-frozen",
    "23. A head learns recall, with its words' vectors fixed. Which two matrices can you freeze at random numbers, "
    "so that it still learns?",
    [
        "W_Q and W_K",
        "W_V and W_O",
        "W_Q and W_V",
        "No matrix at all",
    ],
    answer=2,
    because="Only the products W_Q W_Kᵀ and W_V W_O count. As long as one of each pair can learn, it makes up for the "
    "other.",
    unless={
        0: "Then training cannot change where the head looks. Reread chapter 5, “Break it: freeze a matrix”.",
        1: "Then training cannot change what the head passes on from the card it finds. Reread chapter 5, “Break it: freeze a matrix”.",
        3: "One of a pair can make up for the other. Reread chapter 5, “Break it: freeze a matrix”.",
    },
)

# %%
ask(
    "17-24-leak",
    "24. You get a model that writes, and a mask, but you don't know what True means in it. How do you find out "
    "whether the future is hidden?",
    [
        "Check whether torch raises an error",
        "Change the last word: no earlier output may change",
        "Check whether the loss is low",
    ],
    answer=1,
    because="True means different things in different functions, and the wrong mask raises no error.",
    unless={
        0: "The wrong mask runs like the right one. Reread chapter 7, “What does True mean?”.",
        2: "A model that sees the future has the lowest loss of all, and fails when it has to write. Reread chapter 7, “Break it: train without a mask”.",
    },
)

# %%
ask(
    "17-25-w-o",
    "25. “The heads are concatenated”, says one book. “The heads are added up”, says another. Which is right?",
    [
        "The first: they are side by side",
        "The second: an output is a sum",
        "Both: side by side times W_O is the sum of each head times its own rows of W_O",
    ],
    answer=2,
    because="That is why you can take a single head out, and see what is lost without it.",
    unless={
        0: "Then comes W_O, which multiplies each head by its own rows. Reread chapter 8, “What W_O does”.",
        1: "It is the sum of each head times its own rows of W_O, which is the same as side by side times "
        "W_O. Reread chapter 8, “What W_O does”.",
    },
)

# %% [markdown]
# ## Your score
#
# The score counts the questions with choices. {notebook: The check cells show the five others.|page: *Check*
# shows the five others.} If an answer was wrong, read only its section again.

# %%
quiz_result("17")

# %% [markdown]
# And here is the whole course, {notebook: as far as you have gone on this computer.|page: as far as you have
# gone in this browser.}

# %%
course_map()

# %% [markdown]
# If you got everything right: find someone who asks what Q, K and V are, and explain it.
