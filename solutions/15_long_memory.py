# ---
# title: The KV cache
# question: What must a model remember of the text so far?
# settles: Keys and values, but no queries: behind a causal mask a key and a value never change. Heads can share
#   them if their queries differ, and softmax needs only a block of scores at a time.
# goal: write attention with a KV cache, let heads share keys and values, compute softmax
#   block by block, and count what a real model keeps of a text
# minutes: 110
# builds on: chapters 7, 8, 10 and 11
# here: what is kept
# ---

# %% [markdown]
# # {number}. {title}: the price of a long memory
#
# {here}
#
# In chapter 10 your decoder wrote token by token. Each round started from scratch: all tokens so far became
# x, x became Q, K and V, and only the last row of the result was used. Real models keep their keys and
# values, which fill the memory in a long conversation.
#
# **The questions of this chapter: what must a model keep of the text so far, and why is it safe to keep it?
# What does this memory cost? And what can be saved?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: masks, heads, writing token by token, and
# the block.
#
# This chapter is optional. The quiz doesn't ask about it.

# %%
import torch

from qkvlib import ask, check, hint, predict, replay_predictions, terms
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.figures import matrix, seeds
from qkvlib.masks import causal_mask
from qkvlib.models import Pronouncer, SharingHeads
from qkvlib.multi_head import merge_heads, split_heads
from qkvlib.tasks import TwoQuestions
from qkvlib.training import adam, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Why recompute everything for every token?

# %%
rows_anew = predict(
    "15-rows-anew",
    "A loop like yours in chapter 10 writes a text of 1,000 tokens, one in each round. How many rows of K does one "
    "head compute in all?",
    ["1,000", "About 2,000", "About half a million", "A million"],
)
rows_anew

# %%
recomputed = sum(n for n in range(1, 1001))    # in round 7 there are 7 tokens, and each gets a row of K
print(f"rows of K, recomputed in each round: {recomputed:,}")
print(f"tokens:                                {1000:,}")

# %%
rows_anew.reveal(
    2 if 400_000 < recomputed < 600_000 else 1,
    "The first token's key is computed a thousand times, the second's 999 times, and so on.",
)

# %% [markdown]
# All but a thousand of these rows are recomputed. Do they hold the same numbers each time? A key is $x W_K$,
# and $W_K$ stays the same. Does the row of $x$ stay the same, too, when a token comes after it?
#
# Take eight words with random vectors, and two layers of attention, each of which *adds* its result to x
# (chapter 11). Compute the keys of both layers. Then add a ninth word, and compute them again. Do this
# without a mask, and then with a causal mask.

# %%
old_keys = predict(
    "15-old-keys",
    "A ninth word comes. Where do the keys of the first eight change?",
    [
        "Nowhere: a key is made from one word's vector",
        "In both layers, unless there is a causal mask",
        "Only in the second layer, unless there is a causal mask",
        "Only in the second layer, with and without a mask",
    ],
)
old_keys

# %%
generator = torch.Generator().manual_seed(0)
nine_words = torch.randn(9, 16, generator=generator, dtype=torch.float64)
two_layers = torch.randn(2, 3, 16, 16, generator=generator, dtype=torch.float64) / 4


def keys_of(x, causal):
    """The keys in both layers."""
    keys = []
    for w_q, w_k, w_v in two_layers:
        keys.append(x @ w_k)
        mask = causal_mask(len(x)) if causal else None
        x = x + scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, mask)[0]
    return keys


moved = torch.tensor([
    [float((after[:8] - before).abs().max())
     for before, after in zip(keys_of(nine_words[:8], causal), keys_of(nine_words, causal))]
    for causal in (False, True)
])
matrix(moved, ["no mask", "causal mask"], ["layer 1", "layer 2"], "how far old keys move, at most")

# %%
old_keys.reveal(
    2 if moved[0, 1] > 0.01 and moved[1].max() < 1e-9 and moved[0, 0] < 1e-9 else 1,
    "The first layer makes a key from the word's own vector. The second layer makes it from the first layer's "
    "output. Without a mask, that output changes with every new word.",
)

# %% [markdown]
# With a causal mask a row of x is finished once its token has been read, in every layer. So its key and value
# can be computed once and kept. Its query would not change either, but is never used again: a query is only
# needed for the output of its own token, which is already computed. Later tokens compare their own queries
# with the *keys* of the earlier tokens, and blend the earlier *values*.
#
# So a model that writes keeps K and V. This is the **KV cache**. Each round brings one new token, so one new
# row of x:
#
# $$K \leftarrow \begin{bmatrix} K \\ x W_K \end{bmatrix} \qquad V \leftarrow \begin{bmatrix} V \\ x W_V \end{bmatrix}
# \qquad \text{output} = \operatorname{softmax}\!\Big(\frac{(x W_Q)\, K^{\mathsf T}}{\sqrt{d_k}}\Big) V$$
#
# ### Exercise: `attend_with_cache`
#
# Write one round for one head. x is the new token's row, and k and v are the rows of the earlier tokens. At
# the start k and v have no rows at all. `torch.cat([k, row])` puts a row below the others. You may use
# `scaled_dot_product_attention`.

# %%
def attend_with_cache(x, w_q, w_k, w_v, k, v):
    """The newest token attends to all before it, and to itself.

    x [1, d_model], w_q and w_k [d_model, d_k], w_v [d_model, d_v], k [m, d_k], v [m, d_v]
    -> output [1, d_v], k [m + 1, d_k], v [m + 1, d_v]
    """
    ### BEGIN SOLUTION
    k = torch.cat([k, x @ w_k])
    v = torch.cat([v, x @ w_v])
    output, _ = scaled_dot_product_attention(x @ w_q, k, v)
    return output, k, v
    ### END SOLUTION


# %%
attend_with_cache = check(attend_with_cache)

# %% [markdown]
# Your function needs no mask, because the tokens that must stay hidden do not exist yet. Is it the same
# function as attention with a causal mask, which computes all rows at once? Try it on 64 random rows, in
# float64:

# %%
x = torch.randn(64, 16, generator=generator, dtype=torch.float64)
w_q, w_k, w_v = torch.randn(3, 16, 16, generator=generator, dtype=torch.float64) / 4

k, v = x.new_empty(0, 16), x.new_empty(0, 16)
one_by_one = []
for row in x.split(1):
    output, k, v = attend_with_cache(row, w_q, w_k, w_v, k, v)
    one_by_one.append(output)

at_once, _ = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, causal_mask(64))
apart = (torch.cat(one_by_one) - at_once).abs().max()
print(f"64 rows, one by one and at once: differ by less than 1e-12: {bool(apart < 1e-12)}")

# %% [markdown]
# Both ways give the same numbers, so you can train a model on a whole text at once, and still let it write
# word by word.
#
# ## Break it: every token at position 0
#
# Now take the trained model of chapter 10 that reads words aloud. Its decoder has one layer with four heads,
# so it keeps a K and a V for each head. The next cell runs this decoder with your function instead of the
# masked pass. In each round `x` now has a single row. (The rest is the block of chapter 11. Cross-attention
# looks at the letters. Their keys and values never change and could be kept, too, but here they are
# recomputed in each round.)

# %%
from qkvlib.models.blocks import attend, feed_forward, layer_norm, part_of
from qkvlib.tasks.pronunciation import END, SOUNDS, START, letters, words_of

model = Pronouncer.pretrained()
own, cross, last = (part_of(model.weights, name) for name in ("decoder", "cross", "spoken"))
heads_w = [split_heads(own[name], model.n_heads) for name in ("w_q", "w_k", "w_v")]


@torch.no_grad()
def read_with_cache(word, position_of=lambda step: step):
    """The sounds of a word. In each round one row goes through the decoder, at the position that position_of says."""
    memory, _ = model.encode(letters([word]))
    cache = [(torch.empty(0, 16), torch.empty(0, 16)) for _ in range(model.n_heads)]    # 16 numbers a head
    said = [START]
    while said[-1] != END and len(said) < model.LONGEST:
        position = position_of(len(said) - 1)
        x = model.weights["sounds.embedding"][said[-1:]] + model.weights["sounds.places"][position]
        y = layer_norm(x, own["norm_gain"], own["norm_shift"])
        found = []
        for i, (w_q, w_k, w_v) in enumerate(zip(*heads_w)):
            k, v = cache[i]
            output, k, v = attend_with_cache(y, w_q, w_k, w_v, k, v)
            cache[i] = k, v
            found.append(output)
        x = x + torch.cat(found, dim=-1) @ own["w_o"]
        y = layer_norm(x, cross["norm_gain"], cross["norm_shift"])
        x = x + attend(y[None], memory, cross, n_heads=1)[0][0]
        x = x + feed_forward(x, own)
        said.append(int((layer_norm(x, last["norm_gain"], last["norm_shift"]) @ model.read_out).argmax()))
    return " ".join(SOUNDS[sound] for sound in said[1:] if sound < START)


def read_from_scratch(word):
    """The same, as in chapter 10: all rows again in each round."""
    return " ".join(model.pronounce([word])[0])


hundred = words_of("test")[::60][:100]
with_cache = sum(read_with_cache(word) == read_from_scratch(word) for word in hundred) / len(hundred)
print(f"words read as before, with a cache: {with_cache:.0%}")

# %% [markdown]
# One line of this code is easy to get wrong: `position_of(len(said) - 1)`, the position of the new sound. The
# decoder of chapter 10 numbers the rows that it gets, from 0. If the decoder gets one row in each round, that
# row always has the number 0, and no error is raised.

# %%
all_first = predict(
    "15-all-first",
    "The same trained model, with a cache, and each new sound gets position 0. How many of the hundred words does "
    "it still read as before?",
    [
        "About nine in ten: what it needs to know is in the cache",
        "About half",
        "Fewer than one in four",
    ],
)
all_first

# %%
stuck = sum(read_with_cache(word, lambda step: 0) == read_from_scratch(word) for word in hundred) / len(hundred)
print(f"words read as before, each sound at position 0: {stuck:.0%}")
print()
for word in ("law", "perfect", "never", "application"):
    print(f"{word:12} {read_with_cache(word)}")
    print(f"{'':12} {read_with_cache(word, lambda step: 0)}")

# %%
all_first.reveal(
    2 if stuck < 0.25 else 1 if stuck < 0.75 else 0,
    "Every row gets the position of the first row. The model repeats sounds, starts again in the middle of a word, and "
    "stops too early, or does not stop until the loop ends.",
)

# %% [markdown]
# There was no error, because all shapes were right. To find such a mistake, read the same words with the
# cache and without it. Remember this when a good model becomes odd after someone has made it faster.
#
# ## What can heads share? (MQA and GQA)
#
# The cache saves work, and costs memory: two rows for each token, in each head of each layer. Could heads
# share some of these rows? Take two heads and test what they can have in common. You know the task of chapter
# 8: six cards, and a note that asks about two people at once, *Ada first, Eva second*. The answer is both
# colours, so one note has to look at two cards.
#
# The heads share matrices: if both have the same $W_K$, they have the same keys, and you need to keep the
# keys only once.

# %%
to_share = predict(
    "15-to-share",
    "We train four kinds of two heads: with nothing in common, with one W_K and one W_V for both, with one W_Q "
    "for both, and with one W_Q and one W_K for both. Which kind fails?",
    [
        "One W_K and one W_V: then both heads find the same thing",
        "One W_Q: then both heads ask the same thing",
        "One W_Q and one W_K: then both heads look at the same card",
        "All three that share",
    ],
)
to_share


# %%
task = TwoQuestions()


def trained(shared):
    """Ten pairs of heads, one for each seed, that have these matrices in common."""
    pairs = [SharingHeads(task.n_tokens, task.n_answers, shared=shared, seed=seed) for seed in range(10)]
    train_together(pairs, task, 400, adam(0.01))
    return pairs


@torch.no_grad()
def both_right(pair):
    """How often both answers are right."""
    batch = task.test()
    logits = pair(*batch.inputs).logits.view(len(batch.answers), 2, -1)
    return float((logits.argmax(-1) == batch.answers).all(-1).float().mean())


pairs = {shared: trained(shared) for shared in ("", "w_k w_v", "w_q", "w_q w_k")}
rights = {
    f"one {shared.upper().replace(' ', ', one ')} for both" if shared else "nothing in common":
        [both_right(pair) for pair in these]
    for shared, these in pairs.items()
}
seeds(rights, "both answers right", chance=1 / 64)

# %%
nothing, keys_and_values, queries, queries_and_keys = rights.values()
to_share.reveal(
    2 if min(*nothing, *keys_and_values, *queries) > 0.9 and max(queries_and_keys) < 0.5 else 3,
    "q and k together decide what a head looks at. If one of them differs, the two heads can look at different "
    "cards.",
)

# %% [markdown]
# With both $W_Q$ and $W_K$ in common the two heads have the same scores, and so the same weights: two heads,
# and one attention pattern. One $W_Q$ for both heads works if the keys differ. But queries are not kept, so a
# shared $W_Q$ would save nothing in the cache. One $W_K$ and one $W_V$ for both heads work as well, and
# *halve the cache*.
#
# (We also tried sharing only $W_K$, only $W_V$, or $W_Q$ with $W_V$. These pairs learn the task, too. Every
# pair that learns the task is almost always right, so a small loss of quality cannot show here.)
#
# Large models do share keys and values. When *all* heads of a layer share one K and one V, it is called
# **multi-query attention**, MQA (Noam Shazeer, 2019). When heads share them in groups, say every four heads,
# it is **grouped-query attention**, GQA (Joshua Ainslie and others, 2023). Multi-head attention as in chapter
# 8, with a K and a V for each head, is called MHA for short.
#
# ### Exercise: `grouped_query_attention`
#
# q has h heads, k and v have g heads, and h is a multiple of g. *Neighbours* share: with h = 6 and g = 2,
# heads 0, 1 and 2 use the first keys and values, and heads 3, 4 and 5 use the second. You may use
# `scaled_dot_product_attention`, which treats heads like a batch.

# %%
def grouped_query_attention(q, k, v):
    """Heads that share keys and values with their neighbours.

    q [..., h, n, d_k], k [..., g, m, d_k], v [..., g, m, d_v] -> output [..., h, n, d_v]
    """
    ### BEGIN SOLUTION
    times = q.shape[-3] // k.shape[-3]
    k = k.repeat_interleave(times, dim=-3)
    v = v.repeat_interleave(times, dim=-3)
    output, _ = scaled_dot_product_attention(q, k, v)
    return output
    ### END SOLUTION


# %%
grouped_query_attention = check(grouped_query_attention)

# %% [markdown]
# Does your function compute what the trained pair with one W_K and one W_V computes? The pair has two heads
# of queries, and one head of keys and values:

# %%
pair, inputs = pairs["w_k w_v"][0], task.test(100).inputs
q, k, v = pair.project(*inputs)
found = grouped_query_attention(q, k, v)
same = torch.allclose(merge_heads(found) @ pair.w_o, pair(*inputs).logits, atol=1e-4)
print(f"the same answers as the trained pair, number by number: {same}")

for name, heads in {"q": q, "k": k, "v": v, "found": found}.items():
    print(f"{name:6} {list(heads.shape)}   notes, heads, rows, features")

# %% [markdown]
# k and v have one head where q has two, so half of the cache is saved.
#
# ## Make it fit
#
# Eight words arrive, one after the other, at a layer of four heads. Each row of Q, K or V has eight numbers.
# Filled rows are kept in memory, and framed rows are computed in this round. Choose what is kept from round
# to round, and how many heads of keys and values there are. The totals below the picture show what all rounds
# so far would have cost with your setting.
#
# **The goal:** let all eight words arrive, with at most 300 numbers in memory, and at most 40 rows of K and V
# computed in all rounds together.

# %%
from qkvlib import Cache
from qkvlib.widgets import Fits

Cache(
    ["The", "law", "will", "never", "be", "perfect", "but", "its"],
    n_heads=4,
    d_k=8,
    goal=Fits(
        "15-make-it-fit",
        "Let all eight words arrive, with at most 300 numbers held, and at most 40 rows of K and V computed.",
        most_held=300,
        most_computed=40,
    ),
)

# %% [markdown]
# If you keep nothing, there is far too much work. If you keep K and V for each of the four heads, memory and
# work are still over their limits. Sharing between heads reduces both. Keeping Q costs memory, and saves no
# row of K or V.
#
# ## How large is the cache of a real model?
#
# ### Exercise: `count_cache`
#
# How many numbers does a whole model keep of a text of `n_tokens` tokens? Each layer has `n_heads` heads of
# queries and `n_kv_heads` heads of keys and values. A query, a key or a value has `d_head` numbers.

# %%
def count_cache(n_layers, n_heads, n_kv_heads, d_head, n_tokens):
    """How many numbers are kept of a text: a whole number."""
    ### BEGIN SOLUTION
    return 2 * n_layers * n_kv_heads * d_head * n_tokens
    ### END SOLUTION


# %%
count_cache = check(count_cache)

# %% [markdown]
# The sizes of real models are published with them, in files called *config.json*. These four models are from
# 2023.

# %%
published = {
    # name: layers, heads of queries, heads of keys and values, numbers in each
    "Llama 2 7B": (32, 32, 32, 128),
    "Llama 2 70B": (80, 64, 8, 128),
    "Mistral 7B": (32, 32, 8, 128),
    "Falcon 7B": (32, 71, 1, 64),
}
print("                layers   heads of q   heads of k, v   numbers in each")
for name, (layers, heads, kv_heads, d_head) in published.items():
    print(f"{name:14}  {layers:6}  {heads:11}  {kv_heads:14}  {d_head:16}")

# %%
two_llamas = predict(
    "15-two-llamas",
    "Llama 2 70B has ten times as many parameters as Llama 2 7B. Both have read the same text. How much does the "
    "large one keep, compared with the small one?",
    ["About ten times as much", "Between as much and twice as much", "Less than two thirds of it"],
)
two_llamas

# %%
tokens = 4096    # the longest text that Llama 2 is made for; Falcon 7B was trained on texts half as long
print(f"kept of {tokens:,} tokens, two bytes for each number, 2**30 bytes in a GB:")
gigabytes = {}
for name, (layers, heads, kv_heads, d_head) in published.items():
    gigabytes[name] = 2 * count_cache(layers, heads, kv_heads, d_head, tokens) / 2**30
    alone = 2 * count_cache(layers, heads, heads, d_head, tokens) / 2**30
    print(f"{name:14} {gigabytes[name]:6.2f} GB   (with keys and values for each head: {alone:5.2f} GB)")

# %%
two_llamas.reveal(
    2 if gigabytes["Llama 2 70B"] < 2 / 3 * gigabytes["Llama 2 7B"] else 1,
    "The small model keeps keys and values of 32 layers with 32 heads each, which makes 1,024 heads. In the "
    "large model every eight heads share one key and one value: 80 layers with 8 each make 640.",
)

# %% [markdown]
# The parameters are stored once for all texts, but each text in progress needs its own cache. With enough
# conversations the caches take more memory than the parameters. (Mistral 7B looks only at the last 4,096
# tokens, so it never needs to keep more than those.) The numbers of heads show how each of the four models
# shares: Llama 2 7B uses MHA, Falcon 7B uses MQA, and the other two models use GQA.
#
# What does sharing cost in quality? Our task cannot tell. A smaller cache also makes writing faster, because
# in each round all cached keys and values are read from memory, and that takes much of the time. Ainslie and
# others measured quality and speed on models of the T5 family. The heads of these models were put into groups
# after training: the W_K of a group were averaged, and so were its W_V. Then the models were trained a little
# further. The authors report nearly the quality of MHA, and nearly the speed of MQA.
#
# ## Softmax in blocks (FlashAttention)
#
# The scores take memory, too. When a whole text is read at once, each head has a score matrix of n by n.

# %%
print(f"scores of {tokens:,} tokens, in one head: {tokens**2:,} numbers")

# %% [markdown]
# You don't need the whole matrix, only the *output*, a row of d_v numbers for each query. So you could take
# the keys and values in blocks, and compute the scores of one block at a time. But softmax divides by a sum
# over *all* scores, and first subtracts the *largest of all*, so that nothing overflows.

# %%
seen_once = predict(
    "15-seen-once",
    "The scores come in blocks. You see each block once, and then throw it away. For each query you may carry d_v + 2 "
    "numbers along, however long the text is. Can you get softmax(scores) V?",
    [
        "No: without all scores there is no sum to divide by",
        "Almost: the weights of early blocks are a little wrong",
        "Yes, exactly",
    ],
)
seen_once

# %% [markdown]
# Try it by hand, with one query. The first block has the scores 1 and 3, and the second has 5 and 2. The
# largest score after the first block is 3, and the sum of the exponentials is $e^{1-3} + e^{3-3}$. Then 5 and
# 2 arrive. The sum should be $e^{1-5} + e^{3-5} + e^{5-5} + e^{2-5}$. Are the first two terms lost? No: each
# is a term that we have, times $e^{3-5}$:

# %%
from math import exp

before = exp(1 - 3) + exp(3 - 3)                      # after the first block, whose largest is 3
carried = before * exp(3 - 5) + exp(5 - 5) + exp(2 - 5)
whole = exp(1 - 5) + exp(3 - 5) + exp(5 - 5) + exp(2 - 5)
print(f"carried along: {carried:.6f}   all at once: {whole:.6f}")

# %% [markdown]
# So one factor, $e^{\text{old} - \text{new}}$, makes the old sum fit the new largest score, whatever is in
# the sum. The same factor corrects the blend, the sum of the values, each times its exponential. The new
# blend is the old blend times the factor, plus the sum of the block's values, each times its exponential. For
# each query you carry three things along: the largest score, the total, and the blend, which is not
# divided yet. At the end you divide the blend by the total, once, and have the output. This is **online softmax**.
#
# ### Exercise: `online_softmax`
#
# Write one step: include one more block. `largest` and `total` have one column, so that they fit beside the
# scores. At the start `largest` is minus infinity, and `total` and `blend` are 0. $e^{-\infty}$ is 0, in
# torch as well. Do not divide by the total: more blocks may come. `torch.maximum(a, b)` takes the larger of
# two numbers, element by element, and `scores.amax(-1, keepdim=True)` is the largest of each row. (With a
# mask a whole block may be hidden, and minus infinity minus minus infinity is not a number. The check does
# not try that. In that case `qkvlib.cached` subtracts 0.)

# %%
def online_softmax(scores, v, largest, total, blend):
    """Include one more block of scores and values in a softmax over blocks.

    scores [n, block], none of them minus infinity, v [block, d_v]
    largest [n, 1], total [n, 1], blend [n, d_v], of the blocks so far -> the three, with this block
    """
    ### BEGIN SOLUTION
    new_largest = torch.maximum(largest, scores.amax(-1, keepdim=True))
    shrink = (largest - new_largest).exp()
    exponentials = (scores - new_largest).exp()
    total = total * shrink + exponentials.sum(-1, keepdim=True)
    blend = blend * shrink + exponentials @ v
    return new_largest, total, blend
    ### END SOLUTION


# %%
online_softmax = check(online_softmax)

# %% [markdown]
# Now 64 queries meet 64 keys, eight keys at a time.

# %%
q, k, v = torch.randn(3, 64, 16, generator=generator, dtype=torch.float64)

largest = torch.full((64, 1), -torch.inf, dtype=torch.float64)
total = torch.zeros(64, 1, dtype=torch.float64)
blend = torch.zeros(64, 16, dtype=torch.float64)
most = 0
for keys, values in zip(k.split(8), v.split(8)):
    scores = q @ keys.T / 16**0.5
    most = max(most, scores.numel())
    largest, total, blend = online_softmax(scores, values, largest, total, blend)

at_once, weights = scaled_dot_product_attention(q, k, v)
apart = (blend / total - at_once).abs().max()
print(f"in blocks and at once: differ by less than 1e-12: {bool(apart < 1e-12)}")
print(f"scores in memory at the same time: {most} in blocks, {weights.numel()} at once")

# %%
seen_once.reveal(
    2 if apart < 1e-12 else 1,
    "A factor corrects the earlier sums, and the division waits until the end.",
)

# %% [markdown]
# Maxim Milakov and Natalia Gimelshein published the trick for softmax (2018). **FlashAttention** (Tri Dao and
# others, 2022) takes queries in blocks, too, and chooses blocks so small that the work on each block fits
# into the small, fast memory on a graphics card's chip. Like your function, it is exact. You used a function
# of this kind in chapter 11: `F.scaled_dot_product_attention` did not store the weights of the heads.
#
# ## What you have seen
#
# With a causal mask a row of x is finished once its token has been read, so the token's key and value are
# computed once and kept. The query is used in its own round and never again. One query at a time over cached
# rows gave the same numbers as the masked pass. The cache is right only if the new row is the row that the
# whole pass would have had: with each sound at position 0, a trained model got most words wrong, and there
# was no error. Two heads with different queries could share keys and values. Two heads with queries and keys
# in common had one attention pattern. The cache grows with the model's layers, its heads of keys and values,
# and the length of the text. And softmax can be computed block by block, exactly.

# %%
terms("multi-query attention", "grouped-query attention", "online softmax")

# %% [markdown]
# ## Say it in your own words
#
# A model that writes keeps the keys and values of all tokens so far, and no queries. Why keys and values?
# Why is it safe to keep them? And why can heads share them?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: what-is-kept, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("15")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "15-close-columns",
    "Chapter 8. A layer has d_model 12 and 4 heads. How many columns of its big W_K belong to one head?",
    ["3", "4", "12", "48"],
    answer=0,
    because="The big matrix has 12 columns, split between 4 heads, 3 each. It has 12 rows, and each head uses all of them: "
    "it reads every number of x.",
)

# %%
ask(
    "15-close-row",
    "Chapter 7. In a causal mask, which row belongs to the newest token, and how much of it is True?",
    ["The first, and all of it", "The last, and all of it", "The last, and only its last entry"],
    answer=1,
    because="The newest token may see all tokens before it, and itself. So while the model writes, it needs no mask.",
)

# %% [markdown]
# ## What to read next
#
# - Noam Shazeer, *Fast Transformer Decoding: One Write-Head is All You Need*, 2019: one set of keys and
#   values for all heads, and why memory decides how fast a model writes.
# - Joshua Ainslie and others, *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head
#   Checkpoints*, 2023: groups, and how a trained model gets them afterwards.
# - Maxim Milakov and Natalia Gimelshein, *Online normalizer calculation for softmax*, 2018: the factor.
# - Tri Dao and others, *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, 2022:
#   softmax in blocks, and what memory has to do with time.
# - Hugo Touvron and others, *Llama 2: Open Foundation and Fine-Tuned Chat Models*, 2023: two of the models
#   above, and which of them share keys and values.
#
# **Next:** [chapter 16](16_without_softmax.ipynb), also optional: what does a fixed-size memory forget, and
# how is the next token chosen? Or [twenty-five questions](17_quiz.ipynb): how much do you remember?
