# ---
# title: Positions and masks
# question: How does a transformer know the order of words, and why must it not see the future?
# settles: Attention by itself knows nothing about order. Where order comes from, what a decoder hides, and why.
# goal: show what attention notices about the order of the words, write positions into vectors, write both
#   kinds of mask and attention that uses them, and say what True means in which library
# minutes: 135
# builds on: chapters 3 to 6
# here: places and masks
# heart: 45 minutes: Shuffle the words; A model that writes; Break it: train without a mask; Hide the future
# ---

# %% [markdown]
# # {number}. {title}: who came first, and who may look at whom
#
# {here}
#
# The dog bites the man. The man bites the dog. Both sentences have the same words, but only one gets into the
# newspaper. Can the attention that you built tell them apart?
#
# **The questions of this chapter: where does the order of the words come in? Why must a model that writes not
# see what comes next? And what happens to a word that has nothing to attend to?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}.

# %%
import torch

from qkvlib import AttentionLab, ask, check, glossary, hint, predict, replay_predictions, terms
from qkvlib.attention import project_qkv
from qkvlib.figures import matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Shuffle the words
#
# Here are the five words and the three matrices of chapter 3.

# %%
words = ["law", "old", "its", "spirit", "young"]

x = torch.tensor([
    [1.0, 0.0, 0.0, 0.0],    # law
    [0.0, 1.0, 0.0, 0.0],    # old
    [0.0, 0.0, 1.0, 0.0],    # its
    [1.0, 0.0, 0.0, 1.0],    # spirit
    [0.0, -1.0, 0.0, 0.0],   # young
])
w_q = torch.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.5]])
w_k = torch.tensor([[2.0, 0.5], [-1.0, 2.0], [0.0, 0.0], [-1.5, 1.5]])
w_v = torch.tensor([[8.0, 0.0], [2.0, 2.0], [0.0, 0.0], [-8.0, 8.0]])


def attention(q, k, v, mask=None):
    """Attention as you wrote it in chapter 4: the output and the weights."""
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


def attend(x, mask=None):
    """The output and the weights of our five-word layer."""
    return attention(*project_qkv(x, w_q, w_k, w_v), mask)


# %%
shuffled = predict(
    "07-shuffled",
    "We put the five words in a different order and run attention again. What happens to the output of its?",
    [
        "It changes: its neighbours are different now",
        "It stays exactly the same, in a different row",
        "It changes a little, depending on how far the words have moved",
    ],
)
shuffled

# %%
order = [3, 0, 4, 2, 1]
output, _ = attend(x)
output_shuffled, _ = attend(x[order])
only_moved = torch.allclose(output_shuffled, output[order], atol=1e-6)

side_by_side(
    matrix(output, words, ["rule", "mood"], "output"),
    matrix(output_shuffled, [words[i] for i in order], ["rule", "mood"], "output, words shuffled first"),
)

# %%
shuffled.reveal(
    1 if only_moved else 0,
    "A query is compared with each key, and the values are added up. Neither step uses the position of a word, "
    "and a sum does not depend on the order of its terms.",
)

# %% [markdown]
# Shuffle and then attend, or attend and then shuffle: the result is the same. Mathematicians say that
# attention is **permutation equivariant**. For a sentence this means that attention reads a bag of words. If
# the word before *bites* matters, we have to give the model the order.
#
# ## A task that needs order
#
# The model gets six different words, and at the end a question: which came first?

# %%
from qkvlib.tasks import FirstWord

first = FirstWord()
example = first.test(1)
print(" ".join(first.words(example.inputs[0][0])))
print("answer:", first.answers[example.answers[0, -1]])

# %%
without_places = predict(
    "07-without-places",
    "A model with one layer of attention trains on this task, with only the words' vectors. How often is it "
    "right afterwards?",
    ["Almost always", "About half of the time", "About 1 time in 6, by guessing among the six words"],
)
without_places

# %%
from qkvlib.models import Stack
from qkvlib.training import adam, measure, train_together


def accuracy_after(steps, **kind):
    """The accuracy of ten models after training; `kind` says what kind of model."""
    models = [
        Stack(first.n_tokens, first.n_answers, n_places=first.n_words + 1, seed=seed, **kind)
        for seed in range(10)
    ]
    train_together(models, first, steps, adam(0.01))
    return [measure(model, first.test(1000)).accuracy for model in models]


none = accuracy_after(150)
seeds({"no positions": none}, "accuracy", chance=1 / 6)

# %%
without_places.reveal(
    2 if max(none) <= 0.22 else 0,
    "The model can find out which six words are there. But nothing that it computes depends on their order, so "
    "training longer does not help.",
)

# %% [markdown]
# ## Positional encoding: write the position into the vector
#
# We can add something to each word's vector that says where it is in the sentence: $x + p$, with a row of $p$
# for each **position**. This is called a **positional encoding**. Then *dog* in the first position and *dog*
# in the last come in as different vectors.
#
# Where do we get $p$? One way is to train it: a matrix with a row for each position, just like the embedding.
# The other way is to compute it, like a clock. The second hand is fast and tells near moments apart. The hour
# hand is slow and tells morning from evening. Here every pair of columns is such a hand. The first hand turns
# by one radian from each position to the next, and each further hand is slower:
#
# $$p_{t,\,2i} = \sin\!\left(\frac{t}{10000^{2i/d}}\right) \qquad p_{t,\,2i+1} = \cos\!\left(\frac{t}{10000^{2i/d}}\right)$$
#
# By hand, for position 1 and four columns: the first pair has $i = 0$ and the angle $1 / 1$. The second pair
# has $i = 1$ and the angle $1 / 10000^{2/4} = 1/100$.

# %%
from math import cos, sin

position_1 = [sin(1), cos(1), sin(1 / 100), cos(1 / 100)]
[round(number, 2) for number in position_1]

# %% [markdown]
# ### Exercise: `positional_encoding`
#
# Return a row for each of the positions 0 to n − 1. Put the sines in the even columns, `table[:, 0::2]`, and
# the cosines in the odd columns, `table[:, 1::2]`. d is even.


# %%
def positional_encoding(n, d):
    """The sinusoidal encoding of the positions 0 to n - 1.

    n and d whole numbers -> [n, d]
    """
    ### BEGIN SOLUTION
    positions = torch.arange(n)[:, None]
    angles = positions / 10000 ** (torch.arange(0, d, 2) / d)
    table = torch.zeros(n, d)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table
    ### END SOLUTION


# %%
positional_encoding = check(positional_encoding)

# %%
assert torch.allclose(positional_encoding(2, 4)[1], torch.tensor(position_1))

p = positional_encoding(8, 8)
hands = [f"{kind} {hand}" for hand in range(1, 5) for kind in ("sin", "cos")]
side_by_side(
    matrix(p, [str(t) for t in range(8)], hands, "four hands of a clock: a row for each position", digits=1),
    matrix(p @ p.T, [str(t) for t in range(8)], [str(t) for t in range(8)], "p @ p.T", digits=1),
)

# %% [markdown]
# Read the left table downwards: the first two columns go round, and the last ones hardly move. The right
# table has the dot product of each pair of positions. All numbers on a diagonal are equal: the product
# depends only on how *far apart* two positions are. The product is largest for a position with itself, and
# falls until the distance is three, where the fastest hand points the other way. Then the product grows
# again, as this hand comes round. So a score can be made to say "near me". A trained matrix of positions
# looks different. Do both kinds work?

# %%
added = {positions: accuracy_after(150, positions=positions) for positions in ("sinusoidal", "learned")}
seeds({**added, "no positions": none}, "which came first? accuracy", chance=1 / 6)

# %% [markdown]
# Does adding spoil the word's own vector? Sixteen numbers have room for word and position, and each weight
# matrix can learn to read either. The accuracy shows that the matrices do: to be right, the model has to look
# for the first *position* and pass on the *word* there.
#
# Many language models, LLaMA (2023) among them, add nothing to x. They rotate each query and each key by an
# angle that grows with its position. This is called **rotary position embedding**, RoPE. You know from
# chapter 3 that a score stays the same when query and key are rotated by the same angle. So the score depends
# only on the difference of the two angles: how far apart the positions are, and which comes first. Here are
# one query and one key, at each of eight positions:

# %%
q_in_plane, k_in_plane = torch.tensor([2.0, 1.0]), torch.tensor([2.0, 0.5])    # 'its' and 'law', chapter 1


def rotated(vector, angle):
    """A vector of two numbers, rotated by an angle."""
    a, b = vector.tolist()
    return torch.tensor([a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle)])


asked = torch.stack([rotated(q_in_plane, 0.3 * position) for position in range(8)])
found = torch.stack([rotated(k_in_plane, 0.3 * position) for position in range(8)])
at = [str(position) for position in range(8)]
matrix(asked @ found.T, at, at, "the same query and key, at each position", digits=1)

# %% [markdown]
# Again all numbers on a diagonal are equal. And nothing is added to x.
#
# ## A model that writes
#
# From here on our models write: given some words, they say the next one. (Such a model is called an
# **autoregressive** language model.) Training uses a trick. Take a whole line and ask at *all* positions at
# once: what comes next? One line of twelve words gives eleven questions.
#
# The language is simple: it has eight words, *a* to *h*. Usually the next letter of the alphabet follows, and
# *a* follows *h*. But three times in ten the next word is random. So even someone who knows the language
# cannot always be right:

# %%
from qkvlib.tasks import NextWord

language = NextWord()
line = language.test(1)
print(" ".join(language.words(line.inputs[0][0])))
print(f"nobody can be right at more than {language.ceiling:.0%} of the positions")

# %% [markdown]
# ## Break it: train without a mask
#
# We train a model with one layer of attention, in which every word may look at every word. We measure it
# twice: on whole lines, as in training, and in use (at **inference** time), when the next words are not there
# yet.

# %%
peeking = predict(
    "07-peeking",
    "In training this model is right at almost every position, far more often than anybody could be. How "
    "often is it right in use?",
    [
        "Just as often: it has learned the language best",
        "About as often as anybody could be",
        "Rarely: about as often as by guessing among eight",
    ],
)
peeking


# %%
def writers(causal):
    """Ten models trained to say the next word."""
    models = [
        Stack(
            language.n_tokens, language.n_answers, causal=causal, positions="learned",
            n_places=language.n_words, spread=0.5, seed=seed,
        )
        for seed in range(10)
    ]
    train_together(models, language, 200, adam(0.01))
    return models


@torch.no_grad()
def scores(model):
    """The share of right next words, on whole lines and with only the words so far."""
    (lines,), answers, _ = language.test(500)
    whole = model(lines).logits.argmax(-1)[:, :-1]
    so_far = [model(lines[:, :n]).logits[:, -1].argmax(-1) for n in range(1, language.n_words)]
    in_training = (whole == answers[:, :-1]).float().mean()
    in_use = (torch.stack(so_far, dim=1) == answers[:, :-1]).float().mean()
    return float(in_training), float(in_use)


peekers = [scores(model) for model in writers(causal=False)]
seeds(
    {"in training": [trained for trained, _ in peekers], "in use": [used for _, used in peekers]},
    "right next words", chance=1 / 8,
)

# %%
peeking.reveal(
    2 if max(use for _, use in peekers) <= 0.25 else 1,
    "The answer was one position to the right, and the model has learned to look there. In use there is "
    "nothing there to see. The model has hardly learned the language.",
)

# %% [markdown]
# When an accuracy is higher than anyone could reach, some answer has leaked. So we have to hide the future:
# no word may look at a word that comes after it. Later keys get a score of $-\infty$ before softmax, and so
# the weight 0. A mask that hides all later words is called a **causal mask**. The part of a model that writes
# with such a mask is called a **decoder**.
#
# ## Hide the future
#
# Here are four words of a sentence. The matrices are chosen so that this layer cheats just like the model
# above: each word looks at the next. Each value is the word itself, so the output shows which words were
# heard. In this picture you can change only the mask: click on a score to hide it, and click again to show
# it. (By keyboard: Tab to the scores, move with the arrow keys, press Space.)
#
# **The goal:** no word sees a later word, and every word still sees itself and all words before it. Watch
# where the weight goes when you hide a word.

# %%
from qkvlib.widgets import AtLeast, AtMost, Goal

line_words = ["the", "cow", "was", "tired"]
looks_at_next = 6 * torch.eye(4).roll(1, dims=1)
looks_at_next[3] = 0  # nothing follows the last word

pairs = [(row, column) for row in range(4) for column in range(4)]
AttentionLab(
    torch.eye(4),
    w_q=looks_at_next,
    w_k=torch.eye(4),
    w_v=torch.eye(4),
    tokens=line_words,
    features=line_words,
    goal=Goal(
        "07-causal",
        "Hide every later word from every word, and nothing else.",
        conditions=[AtMost(c, 0.0, row=r) if c > r else AtLeast(c, 0.01, row=r) for r, c in pairs],
        touch=["mask"],
    ),
)

# %% [markdown]
# What is left is a triangle. The first word sees only itself, so it gives itself all the weight. After
# softmax each row still sums to one: the weight of a hidden word goes to the remaining words, in proportion.
#
# ### Exercise: `causal_mask`
#
# Return this triangle for any n. True means *may attend*. Row i is the word that looks, and column j is the
# word that it looks at.


# %%
def causal_mask(n):
    """The mask of a decoder: each word may see itself and the words before it.

    n, a whole number -> [n, n] of True and False
    """
    ### BEGIN SOLUTION
    return torch.ones(n, n).tril().bool()
    ### END SOLUTION


# %%
causal_mask = check(causal_mask)

# %% [markdown]
# Here is a test for any model that writes. Change the last word: do any outputs before it change? With a
# correct mask none changes, not even by a rounding error. (To be thorough, repeat the test with every other
# word.)


# %%
def leak(mask):
    """How far the outputs of the first four words move when the last word changes."""
    changed = x.clone()
    changed[-1] += 10
    return float((attend(changed, mask)[0] - attend(x, mask)[0])[:-1].abs().max())


print("without a mask, the earlier outputs move:", leak(None) > 0.1)
print("with the causal mask, they move by:      ", leak(causal_mask(5)))

# %% [markdown]
# Now train the model with the mask:

# %%
masked = [scores(model) for model in writers(causal=True)]
seeds(
    {
        "with the mask, in training": [trained for trained, _ in masked],
        "with the mask, in use": [used for _, used in masked],
        "without it, in training": [trained for trained, _ in peekers],
        "without it, in use": [used for _, used in peekers],
    },
    "right next words", chance=1 / 8,
)

# %% [markdown]
# The model with the mask does worse in training than the other model, but far better in use, and its two
# accuracies agree. It has learned the language about as well as possible.
#
# ## Padding: sentences of different length
#
# The second mask has a humbler reason. A batch is one array of numbers, so all its sentences must be equally
# long. Shorter sentences are filled up at the end with **padding**, which may be any vectors. No word should
# attend to the padding, so we hide it as keys. We do not hide it as queries, because the outputs in its rows
# are left out of the loss.
#
# ### Exercise: `padding_mask`
#
# `lengths` says how many words each sentence has, and n is the number of positions. The result has the shape
# [b, 1, n], with a 1 in the middle, because the same keys are hidden from every query. `torch.arange(n)`
# gives the positions.


# %%
def padding_mask(lengths, n):
    """The mask that hides the padding, as keys.

    lengths [b], whole numbers; n -> [b, 1, n] of True and False
    """
    ### BEGIN SOLUTION
    return (torch.arange(n) < lengths[:, None])[:, None, :]
    ### END SOLUTION


# %%
padding_mask = check(padding_mask)

# %%
alone, _ = attend(x[:3])                                    # three words by themselves
batch = torch.stack([x, torch.cat([x[:3], 9 * torch.ones(2, 4)])])   # and padded to five, in a batch
masked, _ = attend(batch, padding_mask(torch.tensor([5, 3]), 5))
unmasked, _ = attend(batch)

print("with the padding mask, the three words come out as if alone:", torch.allclose(masked[1, :3], alone))
print("without it:                                                 ", torch.allclose(unmasked[1, :3], alone))

# %% [markdown]
# ## Both masks, and rows with nothing to attend to
#
# A decoder that trains on batches needs both masks. A key may be seen only where *both* masks allow it, and
# `&` combines them: [n, n] and [b, 1, n] give [b, n, n].
#
# What if a word has nothing to attend to, as in a sentence of length 0? Its scores are all $-\infty$.

# %%
all_hidden = torch.tensor([-torch.inf, -torch.inf])
nothing = torch.softmax(all_hidden, dim=-1)
print("softmax of nothing:        ", nothing)
print("and times zero, in a loss: ", nothing * 0)

# %% [markdown]
# Zero divided by zero is not a number. A nan does not go away, even when you multiply it by zero. One nan in
# a sum makes the loss nan, then the gradients, and one step later the weights of the model. A word that has
# nothing to attend to should hear nothing: weights 0, output 0.
#
# ### Exercise: `masked_attention`
#
# Write attention with both masks, from the scores to the output. If you write it like `attention` at the top
# of this lesson, it returns nan for an empty row. What could you do about the weights after softmax?


# %%
def masked_attention(q, k, v, lengths):
    """Attention in a decoder: no word sees a later word, or the padding.

    q and k [b, n, d_k], v [b, n, d_v], lengths [b] -> output [b, n, d_v], weights [b, n, n]
    """
    ### BEGIN SOLUTION
    n = q.shape[-2]
    mask = causal_mask(n) & padding_mask(lengths, n)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)  # an empty row was nan
    return weights @ v, weights
    ### END SOLUTION


# %%
masked_attention = check(masked_attention)

# %% [markdown]
# ## What does True mean?
#
# In this course True means *may attend*. Now give the same mask to torch's layer.

# %%
polarity = predict(
    "07-polarity",
    "nn.MultiheadAttention gets our causal mask as attn_mask. What happens?",
    [
        "It works, of course: a mask is a mask",
        "It stops with an error that explains the mistake",
        "It runs without an error, and each word sees only later ones",
    ],
)
polarity

# %%
torch.manual_seed(0)
layer = torch.nn.MultiheadAttention(embed_dim=4, num_heads=1, bias=False)
mask = causal_mask(5)

_, as_it_is = layer(x, x, x, attn_mask=mask)
_, inverted = layer(x, x, x, attn_mask=~mask)

side_by_side(
    matrix((as_it_is > 0).float(), words, words, "what is seen, attn_mask=mask", weights=True, digits=0),
    matrix((inverted > 0).float(), words, words, "what is seen, attn_mask=~mask", weights=True, digits=0),
)

# %%
polarity.reveal(
    0 if torch.equal(as_it_is > 0, mask) else 2,
    "In this layer True means may NOT attend. There is no error. The last word has nothing to attend to, "
    "and its weights are nan.",
)

# %% [markdown]
# You don't always see that nan. Torch's function, `F.scaled_dot_product_attention`, gives zeros for a word
# with nothing to attend to, as your `masked_attention` does. So does torch's layer when it does not return
# its weights.

# %%
without_weights, _ = layer(x, x, x, attn_mask=mask, need_weights=False)
print("nan in the last word's weights:            ", bool(as_it_is[-1].isnan().any()))
print("its output, when no weights are returned:  ", without_weights[-1].tolist())

# %% [markdown]
# And in torch's function True means what it means in this course:

# %%
q, k, v = project_qkv(x, w_q, w_k, w_v)
theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
assert torch.allclose(theirs, attend(x, mask)[0], atol=1e-6)

glossary("mask")

# %% [markdown]
# So when you meet a mask, don't trust its name: change the last word, as in the section "Hide the future".
#
# ## Attention as a graph
#
# (You may skip this section, which is for readers who know graphs.) Words are nodes. An edge runs from each
# word to each word that looks at it, and carries the attention weight. Along every edge goes a message, the
# value times the weight, and every node adds up its messages. A mask removes edges.

# %%
output, weights = attend(x, mask)
received = torch.zeros_like(output)
for listener in range(5):
    for speaker in range(5):
        if mask[listener, speaker]:
            received[listener] += weights[listener, speaker] * v[speaker]

assert torch.allclose(received, output, atol=1e-6)
print("edges:", int(mask.sum()), "of", mask.numel())

# %% [markdown]
# So self-attention is **message passing** on a graph in which every word is connected with every word, and
# the edges' weights are computed again for each sentence. Here is the graph, drawn in two ways: *lines* and
# *graph*. (The widget also looks for a head's job. This head has no clear job; chapter 9 shows heads that
# have one.)

# %%
from qkvlib import Heads

Heads(weights, words)

# %% [markdown]
# ## A surprise
#
# Back to "which came first?", without any positions. One layer could only guess. Now give the model two
# layers and a causal mask. There are two controls: one lacks the second layer, and the other lacks the mask.

# %%
mask_alone = predict(
    "07-mask-alone",
    "Two layers, a causal mask, no positions. How often does it know which word came first?",
    ["1 time in 6, as before: there is no order in x", "About half of the time", "Almost always"],
)
mask_alone

# %%
with_mask = accuracy_after(400, n_layers=2, causal=True)
one_layer = accuracy_after(400, causal=True)
no_mask = accuracy_after(400, n_layers=2)

seeds(
    {"two layers, causal mask": with_mask, "one layer, causal mask": one_layer, "two layers, no mask": no_mask},
    "accuracy", chance=1 / 6,
)

# %%
mask_alone.reveal(
    2 if min(with_mask) >= 0.9 else 1,
    "The mask treats positions differently. The first word is heard by all words after it, the second by one "
    "word fewer, and so on.",
)

# %% [markdown]
# Under a causal mask the first word is heard by every word. The last word is heard only by itself and the
# question. So after the first layer the first word has a part in every row, and the second layer only has to
# add up all rows. (Even with attention weights kept equal in both layers, the model still finds the first
# word: we have tried.) You need both the mask and the second layer. In a single layer the mask hides nothing
# from the question, which comes last. So the question sees a bag of words again. And without a mask a word's
# part in a row does not depend on where the word stands. A mask does more than hide words. It puts them in an
# order.
#
# ## What you have seen
#
# Attention by itself treats a sentence as a bag of words. Order comes in through position vectors that are
# added to x, through rotated queries and keys, or through a mask. A model that writes must not see the next
# word while it trains, because at inference time the next word is not there. So a decoder hides all later
# words from each word. A mask is applied before softmax, and a fully masked row should give zeros, not NaN.
# The meaning of True in a mask differs from one torch function to the next.

# %%
terms(
    "permutation equivariant", "position", "positional encoding", "rotary position embedding", "causal mask",
    "decoder", "padding", "message passing",
)

# %% [markdown]
# ## Say it in your own words
#
# A model that writes text is trained without a causal mask. It scores perfectly in training and fails in
# use. Why?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: why-a-mask, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("07")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "07-close-row",
    "Chapter 6. The word bank is in two sentences. Where do its vectors first differ?",
    ["In the embedding", "In its query, in the first layer", "In the output of the first layer"],
    answer=2,
    because="Without positions both come in as the same row, so x, q, k and v are equal. They differ "
    "only once attention has mixed in their neighbours.",
)

# %%
ask(
    "07-close-labelled",
    "Chapter 5. Nobody labels where a head should look. What pushes its weight to the right card?",
    [
        "The right card's value helps the answer more than the average of the row",
        "W_Q is set to find equal names",
        "The loss compares the attention with the right card",
    ],
    answer=0,
    because="The gradient of a weight says how its value would change the loss. The gradient of its score "
    "compares this with the row's average, and a step goes against it. The loss sees only the answer.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017: section 3.5 for the clock, and the end of
#   section 3.2.3 for the mask.
# - Adi Haviv and others, *Transformer Language Models without Positional Encodings Still Learn Positional
#   Information*, 2022: the surprise, in language models.
# - Petar Veličković and others, *Graph Attention Networks*, 2018: attention on graphs in which
#   each node looks only at its neighbours.
#
# **Next:** [chapter 8](08_many_heads.ipynb). A head is rarely alone. There are three ways to write many
# heads, and one of them is not like the others.
