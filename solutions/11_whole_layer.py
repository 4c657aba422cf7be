# ---
# title: The transformer block
# question: What does one layer pass on to the next?
# settles: The output of one layer is the x of the next. And the block you build computes exactly what torch's does.
# goal: build a whole transformer block, say what each of its parts is for, train a small
#   language model of such blocks, exchange weights with torch in both directions, and count what a layer costs
# minutes: 130
# builds on: chapters 5, 7, 8 and 10
# here: one block
# heart: 40 minutes: What the second layer gets; Residual connections, layer norm, feed-forward; A language model
# ---

# %% [markdown]
# # {number}. {title}: what surrounds attention
#
# {here}
#
# Attention is the famous part of a transformer, but it has company: two norms, two additions, and a
# feed-forward part. All of this is repeated many times, layer on top of layer.
#
# **The questions of this chapter: what do stacked layers pass on to each other? Does each layer have its own
# W_Q, W_K and W_V? What surrounds attention, and what goes wrong without it? And is your own block the same
# as torch's?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}.

# %%
import torch

from qkvlib import AttentionLab, Heads, Replay, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## What the second layer gets
#
# Chapter 5 left something open. Take "The cow did not cross the street because it was tired", or the same
# sentence with *icy*. To find its noun, *it* first has to know the last word. In a single layer, *it* asks
# only with its own vector. We said that with a second layer *it* would know the last word.

# %%
second_x = predict(
    "11-second-x",
    "Two layers, one on top of the other. What does the second one get as its x?",
    [
        "The embedding, like the first",
        "The first layer's q, k and v",
        "The first layer's output, which is x with something added",
        "The first layer's attention weights",
    ],
)
second_x

# %%
from qkvlib.models import Stack
from qkvlib.multi_head import multi_head_attention

model = Stack(n_tokens=10, n_answers=3, d_model=8, n_layers=2, positions="sinusoidal")
tokens = torch.tensor([[3, 1, 4, 1, 5]])
w = model.weights

embedded = model.embed(tokens)
first = embedded + multi_head_attention(
    embedded, w["layer_1.w_q"], w["layer_1.w_k"], w["layer_1.w_v"], w["layer_1.w_o"], n_heads=1
)[0]
second = first + multi_head_attention(
    first, w["layer_2.w_q"], w["layer_2.w_k"], w["layer_2.w_v"], w["layer_2.w_o"], n_heads=1
)[0]

assert torch.allclose(second, model.contextual(tokens)[0], atol=1e-6)
print("stored:", ", ".join(w))

# %%
second_x.reveal(
    2 if torch.allclose(second, model.contextual(tokens)[0], atol=1e-6) else 0,
    "The output of one layer is the x of the next. It has the same shape as x, so you can stack as many "
    "layers as you like. And each layer has its own weight matrices: two W_Q, two W_K, two W_V.",
)

# %% [markdown]
# Follow this with whole numbers. There are five features. Five words matter, and each sentence has four of
# them:

# %%
says = ["alive", "ground", "points back", "of the living", "of the ground"]
x_of = {
    "cow":    torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0]),
    "street": torch.tensor([0.0, 1.0, 0.0, 0.0, 0.0]),
    "it":     torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0]),
    "tired":  torch.tensor([0.0, 0.0, 0.0, 1.0, 0.0]),    # said of the living
    "icy":    torch.tensor([0.0, 0.0, 0.0, 0.0, 1.0]),    # said of the ground
}

# The first layer: a word that points back looks for an adjective, and takes in what it says.
w_q_1 = torch.tensor([[0.0], [0.0], [9.0], [0.0], [0.0]])
w_k_1 = torch.tensor([[0.0], [0.0], [0.0], [1.0], [1.0]])
w_v_1 = torch.diag(torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0]))


def first_layer(words):
    """The output of the first layer: x plus what attention found."""
    x = torch.stack([x_of[word] for word in words])
    weights = torch.softmax(x @ w_q_1 @ (x @ w_k_1).T, dim=-1)    # d_k is 1, and so is its square root
    return x + weights @ x @ w_v_1


tired = ["cow", "street", "it", "tired"]
icy = ["cow", "street", "it", "icy"]
side_by_side(
    matrix(torch.stack([x_of[word] for word in tired]), tired, says, "x of the first layer"),
    matrix(first_layer(tired), tired, says, "x of the second layer"),
)

# %% [markdown]
# Look at the row of *it*. It still points back, and now it also says "of the living": *it* has become an *it
# that was tired*. With *icy* in the sentence it would say "of the ground". (The other words ask for nothing,
# so they attend equally to all four words.)
#
# If attention's result had replaced $x$, "points back" would be gone: *it* would be just a second *tired*.
# *Adding* the result is called a **residual connection**.
#
# Now the second layer is yours. Its $x$ comes from the first layer: *cow*, *street*, the *it* that was tired,
# and the *it* that was icy. Its W_Q has one row for each feature, from top to bottom: alive, ground, points
# back, of the living, of the ground. At present both kinds of *it* look at *cow*.
#
# **The goal:** let *it (tired)* give at least 0.6 to *cow*, and *it (icy)* at least 0.6 to *street*. Change
# only W_Q.

# %%
from qkvlib.widgets import AtLeast, Goal

cow, street, it_tired, _ = first_layer(tired)
_, _, it_icy, _ = first_layer(icy)

AttentionLab(
    torch.stack([cow, street, it_tired, it_icy]).round(decimals=2),
    w_q=torch.tensor([[0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    w_k=torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    w_v=torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    tokens=["cow", "street", "it (tired)", "it (icy)"],
    features=says,
    goal=Goal(
        "11-two-its",
        "Make it (tired) give cow at least 0.60, and it (icy) give street at least 0.60.",
        conditions=[AtLeast("cow", 0.6, row="it (tired)"), AtLeast("street", 0.6, row="it (icy)")],
        touch=["w_q"],
    ),
)

# %% [markdown]
# <details><summary>One way to reach it</summary>
#
# The row "points back" moves both kinds of *it*. They differ only in what the first layer added. The keys say
# "alive" in their first number and "ground" in their second, so let the row "of the ground" ask for the
# second number: set this row to −3 and 4. (For *it (tired)* the row "points back" is then enough.)
#
# </details>
#
# Before the first layer, no row of W_Q could have told the two kinds of *it* apart. This is what depth is
# for: a layer asks with what the layers below have found.
#
# ## Residual connections, layer norm, feed-forward
#
# A transformer's layer is called a **block**, and it has three things besides attention.
#
# {drawing: block}
#
# **Residual connection.** Each part reads $x$ and adds its result to $x$. What is already there stays, unless
# a part adds its opposite.
#
# **Layer norm.** Before a part reads $x$, each vector is brought to a standard size: its numbers get mean 0
# and variance 1. Then each feature is multiplied by its own gain, and its own shift is added. Gain and shift
# are trained. Here is layer norm by hand, with a loop, with tensors, and with torch's function:

# %%
from torch.nn import functional as F

vector = torch.tensor([1.0, 3.0, 5.0, 7.0])

mean = (1.0 + 3.0 + 5.0 + 7.0) / 4
variance = ((1.0 - mean) ** 2 + (3.0 - mean) ** 2 + (5.0 - mean) ** 2 + (7.0 - mean) ** 2) / 4
by_hand = (7.0 - mean) / variance**0.5

looped = torch.zeros(4)
for feature in range(4):
    looped[feature] = (vector[feature] - mean) / variance**0.5

centred = vector - vector.mean()
at_once = centred / (centred**2).mean().sqrt()

assert torch.isclose(looped[3], torch.tensor(by_hand))
assert torch.allclose(looped, at_once)
assert torch.allclose(F.layer_norm(vector, (4,)), at_once, atol=1e-4)
print(f"mean {mean}, variance {variance}, the last number {by_hand:.2f}")

# %% [markdown]
# **Feed-forward.** After a word has looked at the others, it thinks alone. Its vector goes through two
# matrices, $W_1$ and $W_2$, with an **activation function** (a bend) between them: `relu` turns negative
# numbers into zero.
#
# $$\mathrm{feed\ forward}(y) \;=\; \mathrm{relu}(y\,W_1 + b_1)\,W_2$$
#
# $b_1$ says for each number where the bend is.
#
# Why the activation function? Without it, the two matrices could do no more than a single matrix. Here is
# something that no single matrix can do: say whether *exactly one* of two features is on.

# %%
w_1 = torch.tensor([[1.0, -1.0], [-1.0, 1.0]])
w_2 = torch.tensor([[1.0], [1.0]])
both = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])

names = ["neither", "the first", "the second", "both"]
side_by_side(
    matrix(torch.relu(both @ w_1) @ w_2, names, ["one of two"], "with relu", digits=0),
    matrix(both @ w_1 @ w_2, names, ["one of two"], "without", digits=0),
)

# %% [markdown]
# ### Exercise: `encoder_block`
#
# Put the parts together. The weights come in a dictionary, `w["w_q"]` and so on, with the names of the
# formulas:
#
# $$x' = x + \mathrm{attention}(\mathrm{norm}(x)) \qquad\quad \mathrm{out} = x' + \mathrm{feed\ forward}(\mathrm{norm}(x'))$$
#
# The first norm has `norm_gain` and `norm_shift`, the second `ff_gain` and `ff_shift`. You may use
# `multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask)` from chapter 8, and
# `layer_norm(x, gain, shift)`. Return the output and the attention weights.

# %%
from qkvlib.models.blocks import layer_norm


# %%
def encoder_block(x, w, n_heads, mask=None):
    """Look at the others, then think alone; each part adds its result to x.

    x [b, n, d_model], w: w_q, w_k, w_v, w_o, w_1, b_1, w_2, norm_gain, norm_shift, ff_gain, ff_shift
    mask [n, n] or None -> output [b, n, d_model], weights [b, n_heads, n, n]
    """
    ### BEGIN SOLUTION
    y = layer_norm(x, w["norm_gain"], w["norm_shift"])
    found, weights = multi_head_attention(y, w["w_q"], w["w_k"], w["w_v"], w["w_o"], n_heads, mask)
    x = x + found
    y = layer_norm(x, w["ff_gain"], w["ff_shift"])
    return x + torch.relu(y @ w["w_1"] + w["b_1"]) @ w["w_2"], weights
    ### END SOLUTION


# %%
encoder_block = check(encoder_block)

# %% [markdown]
# Does a word really think alone? Change the last of five words, and see which rows of the output change. Then
# do it again with a mask that lets each word look only at itself.

# %%
from qkvlib.models.base import Draw
from qkvlib.models.blocks import attention_weights_of, feed_forward_weights_of


def block_weights(draw, d_model=32):
    """The initial weights of a block, at random."""
    return attention_weights_of(draw, d_model) | feed_forward_weights_of(draw, d_model, 4 * d_model)


draw = Draw(0)
weights_of_a_block, x = block_weights(draw), draw(5, 32, spread=1.0)[None]
changed = x.clone()
changed[0, 4] = draw(1, 32, spread=1.0)[0]    # a different last word

for name, mask in {"all may look at all": None, "each at itself only": torch.eye(5).bool()}.items():
    one, other = (encoder_block(given, weights_of_a_block, 4, mask)[0] for given in (x, changed))
    moved = [word for word in range(5) if not torch.allclose(one[0, word], other[0, word])]
    print(f"{name}: rows {moved} change")

# %% [markdown]
# So attention is the only part of a transformer where words meet. Everything else happens to each word by
# itself.
#
# You have built the block of an encoder. With a causal mask it is the block of a model that only writes. In
# an encoder-decoder (chapter 10), each block of the decoder has a third part between attention and
# feed-forward: cross-attention to the encoder's output, with its own norm and residual connection.
#
# ## Break it: leave out the residual connections
#
# What do the residual connections and the norms do? Take twelve blocks with random weights, as before
# training, and send eight random words through them. Do the same without the residual connections, and then
# without the norms.

# %%
without_adding = predict(
    "11-without-adding",
    "Twelve untrained blocks without residual connections: each part's result replaces x. Eight different "
    "words go in. What comes out?",
    [
        "Eight different words: random weights cannot make them alike",
        "The same vector eight times, or almost",
        "Zeros",
    ],
)
without_adding

# %%
def loose_block(x, w, adds=True, norms=True):
    """An encoder block whose residual connections or norms can be left out."""
    norm = layer_norm if norms else lambda x, gain, shift: x
    y = norm(x, w["norm_gain"], w["norm_shift"])
    found, _ = multi_head_attention(y, w["w_q"], w["w_k"], w["w_v"], w["w_o"], n_heads=4)
    x = x + found if adds else found
    y = norm(x, w["ff_gain"], w["ff_shift"])
    thought = torch.relu(y @ w["w_1"] + w["b_1"]) @ w["w_2"]
    return x + thought if adds else thought


def through_twelve(seed, **how):
    """How similar eight words are after twelve blocks, and how many times as long as before."""
    draw = Draw(seed)
    x = draw(8, 32, spread=1.0)[None]
    length = x.norm(dim=-1).mean()
    for _ in range(12):
        x = loose_block(x, block_weights(draw), **how)
    directions = F.normalize(x[0], dim=-1)
    cosines = (directions @ directions.T)[~torch.eye(8).bool()]
    return float(cosines.mean()), float(x.norm(dim=-1).mean() / length)


print("ten seeds              mean cosine of two words   times as long as before")
found = {}
for name, how in {
    "the whole block": {},
    "without residuals": {"adds": False},
    "without the norms": {"norms": False},
}.items():
    found[name] = [through_twelve(seed, **how) for seed in range(10)]
    alike, longer = zip(*found[name])
    print(
        f"{name:22} {min(alike):.2f} to {max(alike):.2f}"
        f"               {min(longer):.1f} to {max(longer):.1f}"
    )

# %%
without_adding.reveal(
    1 if min(alike for alike, _ in found["without residuals"]) > 0.99 else 0,
    "Before training, attention looks at all words about equally, so each word gets the average of all. After "
    "twelve blocks only one average is left. With residual connections the words grow more similar, too, as "
    "the first line shows, but far more slowly: each word's own vector stays in the sum.",
)

# %% [markdown]
# Once all words have the same vector, no later layer can tell them apart. Residual connections keep a direct
# path open from the input to the last layer, and on the way back they carry the gradients down to the first
# layer. Without the norms, the numbers grow from layer to layer: see the third line. Large scores make
# softmax almost a hard choice, and its gradient almost zero (chapter 2). The words become similar without the
# norms, too.
#
# ## A language model
#
# Two such blocks, a causal mask, an embedding with positions, and one matrix that reads out the next word
# make a **language model**. Ours learns an old nursery rhyme, "The House that Jack Built".

# %%
from textwrap import fill

from qkvlib.tasks import Rhyme
from qkvlib.tasks.rhyme import rhyme

task = Rhyme()
last_verse = max(place for place, word in enumerate(rhyme()) if word == "this")
print(len(rhyme()), "words in all,", task.n_tokens, "different ones. The last verse:")
print(fill(" ".join(rhyme()[last_verse:]), 90))

# %% [markdown]
# In the rhyme, many different words follow *that*, and the words before *that* decide which. So a control
# that sees only the last word is often wrong there.
#
# The blocks are yours. `LanguageModel` calls your `encoder_block`, as `OwnHeads` in chapter 8 called your
# attention: once for each of its two blocks, in every step of training. This time the course provides the
# training loop, which uses Adam instead of plain steps.

# %%
from qkvlib.checking import lend
from qkvlib.models import LanguageModel
from qkvlib.training import adam, measure, train, train_together

block = lend(encoder_block)    # yours, or the course's until yours is right


def trained(model, steps, rate, seed):
    """Train a model on the rhyme, and return the recording of the run."""
    return train(model, task, steps, adam(rate), seed=seed)


def next_words(model):
    """Its accuracy on the next word."""
    return measure(model, task.test()).accuracy


models = [LanguageModel(task.n_tokens, block=block, seed=seed) for seed in range(3)]
runs = [trained(model, 100, 0.005, seed) for seed, model in enumerate(models)]
last_word = [Stack(task.n_tokens, task.n_tokens, 32, n_layers=0, seed=seed) for seed in range(3)]
train_together(last_word, task, 200, adam(0.02))

with_blocks, without = [*map(next_words, models)], [*map(next_words, last_word)]
seeds({"two blocks": with_blocks, "from the last word only": without}, "accuracy on the next word")

# %% [markdown]
# Here are the heads of your two blocks, each with its job, where that is clear. Below them is the run: press
# play, and watch the maps of each block change.

# %%
Heads.of(models[0], task)

# %%
Replay(runs[0], tokens=task.tokens)

# %% [markdown]
# Let the model continue from a few words. Chapter 10 always took the best next token. Here each next word is
# **sampled**: drawn at random by its probability (with a low temperature, chapter 2). So now and then the
# model takes a different turn in the rhyme.

# %% tags=["nbval-ignore-output"]
opening = torch.tensor([task.tokens.index(word) for word in ["this", "is", "the", "cat"]])
written = models[0].write(opening, 36, torch.Generator().manual_seed(1), temperature=0.5)
print(fill(" ".join(task.tokens[token] for token in written), 90))

# %% [markdown]
# Don't be too impressed: this model knows one rhyme by heart. But a model that writes essays has much the
# same parts, only many more of them, and has read much more text. Here is `LanguageModel`, written out, with
# your block in the middle:

# %%
from qkvlib.masks import causal_mask
from qkvlib.models.blocks import part_of


def scores_of_next(model, tokens):
    """The language model, written out: one block feeds the next."""
    x = model.embedding[tokens] + model.places[: tokens.shape[1]]
    for name in ("block_1", "block_2"):
        x, _ = encoder_block(x, part_of(model.weights, name), 4, causal_mask(tokens.shape[1]))
    return layer_norm(x, model.norm_gain, model.norm_shift) @ model.read_out


lines = task.test(3).inputs[0]
assert torch.allclose(scores_of_next(models[0], lines), models[0](lines).logits, atol=1e-4)

one, two = models[0].weights["block_1.w_q"], models[0].weights["block_2.w_q"]
print("the two blocks have the same W_Q:", torch.equal(one, two))

# %% [markdown]
# ## The same as torch's?
#
# torch has this block, too: `nn.MultiheadAttention` is the attention part with its four matrices, and
# `nn.TransformerEncoderLayer` is the whole block. To compare it with yours, give both the same weights. But
# torch stores its weights differently: each matrix is transposed (chapter 3), and the first three are stacked
# on top of each other.
#
# ### Exercise: `weights_to_torch`
#
# Turn our four matrices, each [d, d], into torch's two: `in_proj_weight` [3 d, d], with the matrices for
# queries, keys and values from top to bottom, and `out_proj_weight` [d, d].

# %%
def weights_to_torch(w_q, w_k, w_v, w_o):
    """Our four weights as nn.MultiheadAttention stores them.

    w_q, w_k, w_v and w_o [d, d] -> in_proj_weight [3 d, d], out_proj_weight [d, d]
    """
    ### BEGIN SOLUTION
    return torch.cat([w_q.T, w_k.T, w_v.T]), w_o.T
    ### END SOLUTION


# %%
weights_to_torch = check(weights_to_torch)

# %% [markdown]
# ### Exercise: `weights_from_torch`
#
# Now write the reverse.


# %%
def weights_from_torch(in_proj_weight, out_proj_weight):
    """torch's weights as ours. in_proj_weight [3 d, d], out_proj_weight [d, d] -> w_q, w_k, w_v, w_o"""
    ### BEGIN SOLUTION
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T, out_proj_weight.T
    ### END SOLUTION


# %%
weights_from_torch = check(weights_from_torch)

# %%
how_far = predict(
    "11-how-far",
    "We load the weights of one of our blocks into torch's nn.TransformerEncoderLayer, and send the same "
    "sentence through both. How far apart are the outputs?",
    [
        "Far apart: torch's layer does more than ours",
        "A little: torch uses an approximation to be fast",
        "Not at all, except for rounding in the last digits",
    ],
)
how_far

# %% [markdown]
# {notebook: We compare three things, each in its own cell.|page: We compare three things, one after the other.}
# First comes the attention function itself, which has no weight matrices.

# %%
from torch import nn

from qkvlib.attention import scaled_dot_product_attention

mask = causal_mask(6)
q, k, v = (Draw(seed)(6, 8, spread=1.0).double() for seed in (1, 2, 3))
mine, _ = scaled_dot_product_attention(q, k, v, mask)
theirs = F.scaled_dot_product_attention(q, k, v, mask)
the_function = float((mine - theirs).abs().max())

# %% [markdown]
# Then comes the attention layer. torch draws weights for a new layer, and your `weights_from_torch` reads
# them out.

# %%
d_model, n_heads, d_hidden = 32, 4, 128
sentence = Draw(9)(6, d_model, spread=1.0)[None].double()

torch.manual_seed(0)
attention = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True).double()
matrices = weights_from_torch(attention.in_proj_weight.detach(), attention.out_proj.weight.detach())
mine, _ = multi_head_attention(sentence, *matrices, n_heads)
theirs, _ = attention(sentence, sentence, sentence)
attention_alone = float((mine - theirs).detach().abs().max())

# %% [markdown]
# Last comes the whole block, the other way round: our weights go into one of torch's layers. Torch's layer
# has a few more biases, which we set to zero. Its `norm1` is our `norm`, `norm2` our `ff` norm, `linear1` our
# $W_1$ and $b_1$.

# %%
ours = {name: weight.double() for name, weight in block_weights(Draw(7)).items()}
for name in ("norm_gain", "norm_shift", "ff_gain", "ff_shift", "b_1"):
    ours[name] += Draw(8)(1, len(ours[name]), spread=0.5)[0]    # as training would leave them

layer = nn.TransformerEncoderLayer(
    d_model, n_heads, d_hidden, dropout=0.0, batch_first=True, norm_first=True
).double()
in_proj, out_proj = weights_to_torch(ours["w_q"], ours["w_k"], ours["w_v"], ours["w_o"])
layer.load_state_dict({
    **{name: torch.zeros_like(weight) for name, weight in layer.state_dict().items()},
    "self_attn.in_proj_weight": in_proj, "self_attn.out_proj.weight": out_proj,
    "norm1.weight": ours["norm_gain"], "norm1.bias": ours["norm_shift"],
    "norm2.weight": ours["ff_gain"], "norm2.bias": ours["ff_shift"],
    "linear1.weight": ours["w_1"].T, "linear1.bias": ours["b_1"], "linear2.weight": ours["w_2"].T,
})

mine, _ = encoder_block(sentence, ours, n_heads, mask)
theirs = layer(sentence, src_mask=~mask)          # torch: True means may NOT attend
whole_block = float((mine - theirs).detach().abs().max())

# %%
for name, difference in {
    "chapter 4        and F.scaled_dot_product_attention": the_function,
    "multi-head       and nn.MultiheadAttention": attention_alone,
    "your block       and nn.TransformerEncoderLayer": whole_block,
}.items():
    print(f"{name:52} differ by less than 1e-12: {difference < 1e-12}")

# %%
how_far.reveal(
    2 if max(whole_block, attention_alone, the_function) < 1e-12 else 1,
    "It is the same mathematics. torch computes it in a different order, which changes the last digits.",
)

# %% [markdown]
# You have now built everything that torch's layer does, except for a few extras: a bias for each product,
# dropout (in training, some numbers are set to zero at random), and the choice of where the norm goes.
# `norm_first=True` puts the norm where ours is. The 2017 paper put the norm after the addition. Mind the
# mask: True means *hidden* in torch's layers, but *visible* in its attention function.
#
# Then why use torch's version? Measure time and memory now, on your computer, for 8 sentences of 512 words
# and one head of width 64. The head gets its own dimension: the shape is [8, 1, 512, 64]. Without that
# dimension torch computes in the plain way, as we do.

# %% tags=["nbval-ignore-output"]
from time import perf_counter


def milliseconds(function, *given):
    """The shortest of five runs."""
    times = []
    for _ in range(5):
        start = perf_counter()
        function(*given)
        times.append(perf_counter() - start)
    return 1000 * min(times)


q, k, v = (
    torch.randn(8, 1, 512, 64, generator=torch.Generator().manual_seed(i)) for i in range(3)
)
assert torch.allclose(
    scaled_dot_product_attention(q, k, v)[0], F.scaled_dot_product_attention(q, k, v), atol=1e-5
)
slow = milliseconds(scaled_dot_product_attention, q, k, v)
fast = milliseconds(F.scaled_dot_product_attention, q, k, v)
weights = scaled_dot_product_attention(q, k, v)[1]
print(f"ours {slow:.1f} ms, torch's {fast:.1f} ms: {slow / fast:.1f} times as fast, on this computer")
print(f"the weights, which only ours stores: {weights.numel() * 4 / 2**20:.0f} MB")

# %% [markdown]
# Both versions compute the same products. But torch's version goes through the weights block by block and
# never stores the whole matrix: this is called **flash attention**. With twice as many words the matrix is
# four times as large, so a long text may fit into memory only if the matrix is never stored. The time that
# flash attention saves depends on the computer and on the length. Its price is that it cannot show you the
# weights.
#
# ## What it costs
#
# ### Exercise: `count_parameters`
#
# How many numbers does one block store? Count what your `encoder_block` reads from `w`: the four matrices of
# attention, `w_1` [d_model, d_ff], `b_1`, `w_2` [d_ff, d_model], and a gain and a shift for each of two
# norms.

# %%
def count_parameters(d_model, n_heads, d_ff):
    """How many numbers one encoder block stores."""
    ### BEGIN SOLUTION
    attention = 4 * d_model * d_model
    feed_forward = d_model * d_ff + d_ff + d_ff * d_model
    return attention + feed_forward + 4 * d_model
    ### END SOLUTION


# %%
count_parameters = check(count_parameters)

# %%
assert count_parameters(32, 4, 128) == sum(weight.numel() for weight in ours.values())

# %% [markdown]
# ### Exercise: `count_multiply_adds`
#
# And how much does a block compute, for a sentence of n words? A product of [a, b] with [b, c] takes a·b·c
# **multiply-adds**, each a multiplication and an addition, counted as one. Count the matrix products of a
# block, including the scores and the blend of the values. The rest is small and does not matter.

# %%
def count_multiply_adds(n, d_model, d_ff):
    """How many multiply-adds the matrix products of one block take for n words."""
    ### BEGIN SOLUTION
    projections = 4 * n * d_model * d_model
    scores_and_blend = 2 * n * n * d_model
    feed_forward = 2 * n * d_model * d_ff
    return projections + scores_and_blend + feed_forward
    ### END SOLUTION


# %%
count_multiply_adds = check(count_multiply_adds)

# %%
most_numbers = predict(
    "11-most-numbers",
    "The paper's block: d_model 512, 8 heads, d_ff 2048. Where are most of its numbers?",
    ["In W_Q, W_K, W_V and W_O", "In the feed-forward part", "About half and half"],
)
most_numbers

# %%
total = count_parameters(512, 8, 2048)
in_attention = 4 * 512 * 512
print(f"{total:,} numbers, {in_attention / total:.0%} of them in the four matrices of attention")

for n in (64, 512, 4096, 32768):
    words_meeting = 2 * n * n * 512
    share = words_meeting / count_multiply_adds(n, 512, 2048)
    print(f"{n:6} words: {share:4.0%} of the work is words meeting words")

# %%
most_numbers.reveal(
    1 if in_attention / total < 0.4 else 0,
    "Two thirds of a block's numbers are in feed-forward, where each word thinks alone. (The number of heads "
    "changes nothing: chapter 8.)",
)

# %% [markdown]
# In a short sentence hardly any work goes into the scores and the blend, which is where words meet. But the
# work on them grows with the *square* of the length, and the rest only with the length. In a long text,
# scores and blend are almost all of the work. This is one reason why long texts are expensive.
#
# You have built the block of the 2017 paper, except for where the norms go. Today's models have variants of
# the same parts. RoPE rotates queries and keys (chapter 7). RMSNorm does not subtract the mean. GELU is a
# relu with a rounded corner, and in SwiGLU one product scales another, element by element. In grouped-query
# attention several heads share one W_K and one W_V, so that there is less to keep in the KV cache (chapter
# 10). Each of these changes only a few lines, and chapters 14 to 16 show most of them.
#
# ## Does it need attention?
#
# (You may skip this section, which is more about controls than about layers.) Attention can look at images,
# too. Cut an image into patches, and let the patches be the words. Here is a handwritten digit, 8 by 8
# pixels, which we cut into sixteen patches of 2 by 2.

# %%
from qkvlib.tasks import Digits

one = Digits().test(1)
image = one.inputs[0].view(4, 4, 2, 2).transpose(1, 2).reshape(8, 8)    # its patches, put together again
rows = [str(row) for row in range(8)]
matrix(image, rows, rows, f"the digit {int(one.answers)}", weights=True, digits=1)

# %% [markdown]
# The first model is one layer of attention with four heads: a learned query looks at the sixteen patches. The
# control is the same model without attention: it averages the sixteen vectors. A third model has attention,
# but no positions.

# %%
digits_need = predict(
    "11-digits-need",
    "The model with attention names about nine in ten new digits correctly. How many does the model that "
    "averages the patches get right?",
    ["Hardly more than by chance, 10%", "Around 50%", "About as many as the one with attention"],
)
digits_need

# %%
from qkvlib.models import PatchReader


def named_digits(**how):
    """The accuracy of three trained models on new digits."""
    readers = [PatchReader(seed=seed, **how) for seed in range(3)]
    digits = [Digits(seed) for seed in range(3)]
    train_together(readers, digits, 600, adam(0.005))
    return [measure(reader, new.test()).accuracy for reader, new in zip(readers, digits)]


looking, averaging, placeless = named_digits(), named_digits(attends=False), named_digits(placed=False)

better = sum(a - b >= 0.05 for a, b in zip(looking, averaging))
print("attention better by 5 points or more on", better, "seeds of 3")
seeds(
    {"attention": looking, "averaging": averaging, "attention, no positions": placeless},
    "accuracy on new digits", chance=1 / 10,
)

# %%
digits_need.reveal(
    2 if min(averaging) >= 0.85 else 1,
    "It matters which stroke is where, and positions say that. Here a plain average of patches with positions "
    "is enough.",
)

# %% [markdown]
# This is called a **null result**: what we have studied for ten chapters made hardly any difference. If we
# had shown you only the first row, you would have called it a success of attention. A control (the same model
# without the part in question) costs one line of code. (Large image models with many layers do use attention.
# This experiment says nothing about them.)
#
# ## What you have seen
#
# A block lets words look at each other, then lets each word think alone, and adds both results to x. The
# block's output is the x of the next block, which has weight matrices of its own, so the next block can ask
# with what the first block has found. Residual connections keep words different for longer, and norms keep
# numbers in bounds. Your block computes what torch's block does, to the last digits. And attention, like any
# other part, is worth what a control shows it to be worth.

# %%
terms(
    "block", "residual connection", "layer norm", "feed-forward", "activation function", "language model",
    "flash attention", "multiply-add", "null result",
)

# %% [markdown]
# ## Say it in your own words
#
# What does the second layer get as its x, and does it use the same W_Q, W_K and W_V as the first?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: what-layers-feed, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("11")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "11-close-cut",
    "Chapter 8. Someone computes heads by cutting x into pieces first, and giving each head one piece. "
    "What is different?",
    [
        "Nothing, the numbers come in a different order",
        "Each head is blind to most of x: it is a different function",
        "It needs more numbers",
    ],
    answer=1,
    because="A head's W_Q reads all of x and returns a few numbers. Cutting comes after the product, not "
    "before it.",
)

# %%
ask(
    "11-close-memory",
    "Chapter 10. In cross-attention the decoder has 5 rows and the encoder 9. How many rows does the "
    "output have?",
    ["5", "9", "14", "45"],
    answer=0,
    because="One row for each query, and the queries come from the decoder.",
)

# %% [markdown]
# ## What to read next
#
# - Kaiming He and others, *Deep Residual Learning for Image Recognition*, 2015: where residual connections
#   come from.
# - Jimmy Lei Ba, Jamie Ryan Kiros and Geoffrey Hinton, *Layer Normalization*, 2016.
# - Yihe Dong, Jean-Baptiste Cordonnier and Andreas Loukas, *Attention is Not All You Need: Pure Attention
#   Loses Rank Doubly Exponentially with Depth*, 2021: blocks without residual connections, with a proof for
#   attention alone.
# - Andrej Karpathy, *Let's build GPT: from scratch, in code, spelled out*, 2023: two hours of video, in which
#   such a model grows line by line.
# - Aeree Cho and others, *Transformer Explainer*, 2024: a language model that runs in a web page.
# - Alexey Dosovitskiy and others, *An Image is Worth 16x16 Words: Transformers for Image Recognition at
#   Scale*, 2020: patches of large images, and many layers.
#
# **Next:** [chapter 12](12_in_the_wild.ipynb). Do real models, trained on more text than you could read in a
# lifetime, have heads like ours?
