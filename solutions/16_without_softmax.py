# ---
# title: Linear attention and sampling
# question: What does a fixed-size memory forget, and how is the next token chosen?
# settles: Without softmax all keys and values are added up in one matrix, and with more keys than dimensions they get
#   mixed up. Then greedy decoding, sampling and top-p, and the other parts of today's models.
# goal: say why softmax makes a memory grow and what it buys, write attention over a memory of fixed size,
#   choose how the next token is sampled, and find your way in the description of one of today's models
# minutes: 100
# builds on: chapters 2, 5, 7, 10 and 11
# here: a memory of fixed size
# ---

# %% [markdown]
# # {number}. {title}: a memory that does not grow
#
# {here}
#
# A model that writes keeps the key and the value of every token so far (chapter 10). The longer the text, the
# more there is to keep, and to search through for each new word. Softmax needs every key. So some models
# leave softmax out of most of their layers.
#
# **The questions of this chapter: why does softmax need all keys? What does a memory of fixed size forget?
# And in the rest of the model, how is the next token chosen, and what do the other terms in a model's
# description mean?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: softmax, training one head, masks, a
# decoder, the transformer block.
#
# This chapter is optional. The quiz doesn't ask about it.

# %%
import torch

from qkvlib import NextToken, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side
from qkvlib.models import FixedMemory, Pronouncer
from qkvlib.tasks import Cloakroom
from qkvlib.training import adam, measure, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Linear attention: move the brackets
#
# In a product of three matrices you can move the brackets, as in $(2 \cdot 3) \cdot 4 = 2 \cdot (3 \cdot 4)$.
# Attention is almost such a product:
#
# $$\operatorname{softmax}(q\,K^{\mathsf T})\,V \qquad\text{and without softmax}\qquad (q\,K^{\mathsf T})\,V = q\,(K^{\mathsf T} V)$$
#
# On the left, softmax sits between K and V. It is applied to the scores, and there are no scores until q
# arrives. On the right, K and V are multiplied before there is any query. What is $K^{\mathsf T} V$? Each
# card contributes a matrix: its key runs down, its value across, and each number of the key is multiplied by
# each number of the value. These matrices are added up. Here are two cards:

# %%
k = torch.tensor([[1.0, 0.0], [0.0, 1.0]])               # two cards, two numbers for a key
v = torch.tensor([[5.0, 0.0, 1.0], [0.0, 3.0, 2.0]])     # three numbers for a value
q = torch.tensor([2.0, 1.0])                             # asks for the first card, and a little for the second

by_hand = 2.0 * 5.0 + 1.0 * 0.0      # the first number that comes back: score times value, card by card

memory = torch.zeros(2, 3)
for card in range(2):
    for down in range(2):
        for across in range(3):
            memory[down, across] += k[card, down] * v[card, across]

assert torch.equal(memory, k.T @ v)
assert torch.equal(q @ memory, (q @ k.T) @ v)
assert by_hand == (q @ memory)[0]

side_by_side(
    matrix(memory, ["key's 1st", "key's 2nd"], ["a", "b", "c"], "the memory", digits=0),
    matrix((q @ memory)[None], ["q"], ["a", "b", "c"], "what q reads from it", digits=0),
)

# %% [markdown]
# A third card would add its matrix to the same six numbers. Nothing is appended. This is called **linear
# attention** (Angelos Katharopoulos and others, *Transformers are RNNs*, 2020), because its work grows with
# the length of the text, not with the square of the length. The six numbers are a **state**: all that is kept
# of the text so far. We call it a memory. (The paper also makes queries and keys positive, and divides the
# result by the sum of the weights. We leave out both steps.)

# %%
how_much = predict(
    "16-how-much",
    "There are a thousand tokens, and each key and each value has 8 numbers. How many numbers must you keep to "
    "answer any later query exactly? (With softmax, and without.)",
    [
        "Sixteen thousand with softmax, eight thousand without",
        "Sixteen thousand with softmax, 64 without",
        "Sixteen thousand in both cases: nothing may be lost",
    ],
)
how_much

# %%
k, v = torch.randn(1000, 8), torch.randn(1000, 8)
with_softmax, without = k.numel() + v.numel(), (k.T @ v).numel()
print(f"with softmax:    {with_softmax:,} numbers")
print(f"without softmax: {without:,} numbers")

# %%
how_much.reveal(
    1 if (with_softmax, without) == (16000, 64) else 2,
    "The memory is a matrix of 8 by 8, after a thousand tokens and after a million. With softmax the brackets cannot "
    "move: e to the power of q · k does not split into a part computed from q times a part computed from k. A "
    "finite sum of such products only comes close.",
)

# %% [markdown]
# ### Exercise: `linear_attention`
#
# A model that writes sees no later token (chapter 7). So token $i$ first adds its own matrix to the memory
# and then reads what is there:
#
# $$S_i = S_{i-1} + k_i^{\mathsf T} v_i \qquad\qquad \text{output}_i = q_i\,S_i$$
#
# $S_0$ is all zeros. There is no softmax, and so no square root either. You can update the memory in a loop,
# or find one product with a mask that gives the same result. Which number hides a score when no softmax
# follows?

# %%
def linear_attention(q, k, v):
    """Causal attention without softmax: each token writes to a memory, then reads from it.

    q [n, d_k], k [n, d_k], v [n, d_v] -> output [n, d_v]
    """
    ### BEGIN SOLUTION
    memory = torch.zeros(k.shape[-1], v.shape[-1], dtype=k.dtype)
    rows = []
    for i in range(len(q)):
        memory = memory + k[i][:, None] * v[i]
        rows.append(q[i] @ memory)
    return torch.stack(rows)
    ### END SOLUTION


# %%
linear_attention = check(linear_attention)

# %% [markdown]
# With the loop, a new token costs no more work after a million tokens than after ten. Training can still use
# the product, for all tokens at once. The loop and the product give the same result:

# %%
generator = torch.Generator().manual_seed(0)
q, k, v = (torch.randn(50, 8, generator=generator) for _ in range(3))
assert torch.allclose(linear_attention(q, k, v), (q @ k.T).tril() @ v, atol=1e-4)

# %% [markdown]
# ## What it forgets
#
# Can 64 numbers hold a thousand values?
#
# A **cloakroom** shows what is lost. Coats are handed in, each with a ticket. There are 64 tickets and eight
# colours. The question is a ticket, and the answer is the colour of its coat. This is chapter 5's recall task
# with more cards. W_K makes keys from tickets, W_V makes values from colours, and W_Q makes the query from
# the ticket in the question. Each of these vectors has eight numbers, so the memory is 8 by 8. Nothing else
# leads from the coats to the answer.

# %%
room = Cloakroom(4)
example = room.probe()
print("coats:", ", ".join(room.words(example.inputs[1][0])))
print("asked:", room.words(example.inputs[0][0])[0], "->", room.answers[example.answers[0, 0]])

# %%
full_room = predict(
    "16-full-room",
    "Ten heads without softmax learn this with 4, 8, 16 or 32 coats in the room. How often are they right with "
    "32? (Guessing gives one in eight.)",
    [
        "Almost always: training arranges the keys so that they do not get in each other's way",
        "About half of the time",
        "Hardly more often than by guessing: a memory that is too full is useless",
    ],
)
full_room


# %%
def trained(coats, **kind):
    """Ten heads trained with this many coats in the room, one for each seed."""
    task = Cloakroom(coats)
    heads = [FixedMemory(task.n_tokens, task.n_answers, seed=seed, **kind) for seed in range(10)]
    train_together(heads, task, 300, adam(0.02))
    return heads


def right(heads, coats):
    """The accuracy of each head."""
    return [measure(head, Cloakroom(coats).test()).accuracy for head in heads]


linear = {coats: trained(coats) for coats in (4, 8, 16, 32)}
with_softmax = trained(32, softmax=True)
shares = {f"no softmax, {coats} coats": right(heads, coats) for coats, heads in linear.items()}
seeds({**shares, "softmax, 32 coats": right(with_softmax, 32)}, "accuracy", chance=1 / 8)

# %%
crowded = right(linear[32], 32)
full_room.reveal(
    0 if min(crowded) > 0.9 else 2 if max(crowded) < 0.2 else 1,
    "The more coats, the more wrong answers. With softmax the same widths are enough for 32 coats.",
)

# %% [markdown]
# Why? Ask for a coat by its own key, and the other coats answer, too. Among keys of equal length, the closer
# a key's direction is to yours, the louder its coat's answer:
#
# $$q\,(k_1^{\mathsf T} v_1 + k_2^{\mathsf T} v_2 + \dots) = (q \cdot k_1)\,v_1 + (q \cdot k_2)\,v_2 + \dots$$
#
# Only keys at a right angle to yours stay silent. A plane has room for two keys at right angles, and eight
# dimensions have room for eight. But any of the 64 tickets may be in use together. Their keys cannot all be
# at right angles, so even four coats get a little mixed up. See what happens to a third key in the plane:

# %%
two = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
three = torch.cat([two, torch.tensor([[0.7, 0.7]])])
names = ["1st", "2nd", "3rd"]
side_by_side(
    matrix(two @ two.T, [f"ask for {name}" for name in names[:2]], names[:2], "two keys", digits=1),
    matrix(three @ three.T, [f"ask for {name}" for name in names], names, "three keys", digits=1),
)

# %% [markdown]
# Softmax copes with keys that are not at right angles. The key that fits best gets almost all of the weight,
# because $e^{s}$ turns a lead in score into a much larger lead in weight. That works because every key is
# still there, separate from the others: this is what a growing memory buys you.
#
# A larger memory helps, at a price: at twice the width it has four times as many numbers.

# %%
wider = trained(32, d_model=16)
wide_right = right(wider, 32)
seeds({"16 by 16, 32 coats": wide_right, "8 by 8, 32 coats": crowded}, "accuracy", chance=1 / 8)

# %% [markdown]
# ## Which coats does it forget?
#
# Sixteen coats are handed in one after the other, and the memory forgets some.

# %%
which_coats = predict(
    "16-which-coats",
    "Which coats do the heads get wrong most often?",
    ["The first ones: they are the oldest", "The last ones: there was no room left", "All equally"],
)
which_coats


# %%
@torch.no_grad()
def by_position(heads, coats):
    """The accuracy of each head on the coat at each position: [heads, coats]."""
    inputs, answers, position = Cloakroom(coats).test(8000)
    rows = []
    for head in heads:
        ok = (head(*inputs).logits[:, 0].argmax(-1) == answers[:, 0]).float()
        rows.append(torch.stack([ok[position[:, 0] == i].mean() for i in range(coats)]))
    return torch.stack(rows)


accuracy = by_position(linear[16], 16)
first, last = accuracy[:, :4].mean(1), accuracy[:, -4:].mean(1)
seeds({"the first four coats": first.tolist(), "the last four": last.tolist()}, "accuracy", chance=1 / 8)

# %%
gap = float((first - last).abs().max())
which_coats.reveal(
    2 if gap < 0.06 else 0 if float(first.mean()) < float(last.mean()) else 1,
    "It could not be otherwise: a sum has no order. Nothing is pushed out. Every coat blurs every other coat a "
    "little.",
)

# %% [markdown]
# ## Break it: the same ticket twice
#
# Coats are collected, and tickets are used again. So hand in a coat with a ticket that is already in use. The
# question asks which colour hangs there *now*. We take the heads that were trained with eight coats, and add
# a ninth coat, which has the question's ticket and a different colour.

# %%
same_ticket = predict(
    "16-same-ticket",
    "A second coat has the same ticket. Which colour do the heads answer?",
    [
        "The new one: it was written last",
        "The old one: it was there first",
        "Each of the two, about equally often",
    ],
)
same_ticket


# %%
@torch.no_grad()
def twice(head):
    """How often a head answers with the new coat's colour, and how often with the old one's."""
    (ticket, coats), old, _ = Cloakroom(8).test()
    new = (old + 1 + torch.randint(7, old.shape, generator=torch.Generator().manual_seed(0))) % 8
    again = torch.stack([ticket[..., 0], 64 + new], dim=-1)
    answer = head(ticket, torch.cat([coats, again], dim=1)).logits[:, 0].argmax(-1)
    return [float((answer == colour[:, 0]).float().mean()) for colour in (new, old)]


answers = [twice(head) for head in linear[8]]
seeds({"the new coat": [new for new, _ in answers], "the old coat": [old for _, old in answers]},
      "answers", chance=1 / 8)

# %%
balance = max(abs(new - old) for new, old in answers)
same_ticket.reveal(
    2 if balance < 0.15 else 0,
    "Both coats are in the sum, under the same key. If you only add, nothing ever goes away.",
)

# %% [markdown]
# (Softmax does not help here. Two cards with the same key have the same score, and so the same weight. But
# both are kept, and a model with positions can learn to prefer the later one.)
#
# So before you write a value, check what its key already reads from the memory, and write only what is
# missing. This is the **delta rule**:
#
# $$S \leftarrow S + k^{\mathsf T}(v - k\,S)$$
#
# If the key has length one, you read back exactly what was written last:

# %%
key = torch.tensor([[0.6, 0.8]])
red, blue = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])

added = key.T @ red + key.T @ blue
corrected = torch.zeros(2, 2)
for value in (red, blue):
    corrected = corrected + key.T @ (value - key @ corrected)

matrix(torch.cat([key @ added, key @ corrected]), ["added up", "delta rule"], ["red", "blue"], "red, then blue")

# %% [markdown]
# Today's models that avoid softmax in most of their layers start from this memory. Some let it fade: before
# each token writes, $S$ is multiplied by a number below one, computed from the token (Albert Gu and Tri Dao,
# *Mamba*, 2023, and its relatives). Some use the delta rule (Imanol Schlag and others, *Linear Transformers
# Are Secretly Fast Weight Programmers*, 2021). And most large ones keep softmax somewhere: in MiniMax-01
# (2025) one layer in eight has it, in Kimi Linear (2025) one in four. Simran Arora and others (*Zoology*,
# 2023) found that recall, as in our cloakroom, accounts for most of the gap in quality between some language
# models without softmax and a model with it.
#
# ## Sampling: how the next token is chosen
#
# One softmax is left in all of these models: the last one, which turns the scores for the next token (the
# **logits**) into probabilities. How do the probabilities become a token? Chapter 10 took the likeliest token
# each time (**greedy decoding**). Chapter 11 drew one at random (**sampling**). The dictionary has two ways
# to say *read*. Here are the probabilities of chapter 10's pronouncer after its first sound, R.

# %%
from collections import Counter

from qkvlib.tasks.pronunciation import END, SOUNDS, START, dictionary, letters, words_of

pronouncer = Pronouncer.pretrained()


@torch.no_grad()
def next_scores(word, said=()):
    """The scores of every sound that could come next."""
    heard = torch.tensor([[START, *(SOUNDS.index(sound) for sound in said)]])
    memory, _ = pronouncer.encode(letters([word]))
    return pronouncer.decode(heard, memory)[0][0, -1]


thought = torch.softmax(next_scores("read", ["R"]), dim=-1)
best = thought.argsort(descending=True)[:5]
print("the dictionary:", "  or  ".join(" ".join(said) for said in dictionary()["read"]))
matrix(thought[best][None], ["after R"], [SOUNDS[i] for i in best], "probability of the next sound", weights=True)

# %% [markdown]
# The likeliest next sound is IY (as in *see*). EH is the sound in *red*. So greedy decoding never says *read*
# as in *I have read it*. Now sample instead.

# %%
drawn_read = predict(
    "16-drawn-read",
    'Sample each sound of "read" by these probabilities, 200 times over. What does the model say?',
    [
        "R IY D and R EH D, and hardly ever anything else",
        "R IY D and R EH D, and about one time in ten something that nobody says",
        "R IY D, almost always",
    ],
)
drawn_read


# %%
@torch.no_grad()
def speak(words, generator, choose=lambda probabilities: probabilities, temperature=1.0):
    """Say some words of equal length, sampling each sound from what `choose` leaves of the probabilities."""
    memory, _ = pronouncer.encode(letters(words))
    said = torch.full((len(words), 1), START)
    while said.shape[1] < pronouncer.LONGEST and not (said == END).any(1).all():
        scores = pronouncer.decode(said, memory)[0][:, -1]
        left = torch.stack([choose(row) for row in torch.softmax(scores / temperature, dim=-1)])
        said = torch.cat([said, torch.multinomial(left, 1, generator=generator)], dim=1)
    rows = [row[: row.index(END)] if END in row else row for row in said[:, 1:].tolist()]
    return [tuple(SOUNDS[sound] for sound in row) for row in rows]


def listed(words, spoken):
    """The share of words that are said as the dictionary has them."""
    return sum(said in dictionary()[word] for word, said in zip(words, spoken)) / len(words)


def seeded(seed):
    return torch.Generator().manual_seed(seed)


two_hundred = ["read"] * 200
drawn = [speak(two_hundred, seeded(seed)) for seed in range(10)]
for said, times in Counter(said for run in drawn for said in run).most_common(3):
    print(f"{' '.join(said):8} {times / len(drawn):5.0f} times in 200, on average")

nobody = [1 - listed(two_hundred, run) for run in drawn]
seeds({"said as nobody says it": nobody}, "of 200 draws")

# %%
drawn_read.reveal(
    1 if 0.05 < sum(nobody) / len(nobody) < 0.15 else 0 if max(nobody) < 0.03 else 2,
    "Most of the wrong draws have the sound EY, which is rare after R. R EY D is a different word, raid. Sampling "
    "picks a rare sound only now and then, but a text has many words.",
)

# %% [markdown]
# A lower temperature (chapter 2) makes unlikely sounds rarer, but it also makes the second of two good sounds
# rarer. Two other settings remove unlikely sounds before sampling:
#
# - **top-k** keeps only the k likeliest sounds;
# - **top-p** keeps the fewest sounds, likeliest first, that together have at least the probability p. (It is
#   also called nucleus sampling.)
#
# The probabilities that are kept are divided by their sum, so that they sum to one again.

# %%
one_setting = predict(
    "16-one-setting",
    'At the first sound of "knight" the model is almost sure: N. After the R of "read" it wavers between two. Which of '
    "the three, by itself, can keep exactly one sound at knight and exactly two at read, with the same setting for both?",
    ["The temperature", "top-k", "top-p", "None of them"],
)
one_setting

# %% [markdown]
# Try it. The bars show the probabilities with your setting. The mark in a bar shows the probability without
# it.
#
# **The goal:** find one setting for both moments that keeps exactly one sound at *knight* and exactly two at
# *read*.

# %%
from qkvlib.widgets import Leaves

moments = {"knight": next_scores("knight"), "read, after R": next_scores("read", ["R"])}
NextToken(
    moments,
    SOUNDS,
    goal=Leaves(
        "16-one-and-two",
        "Keep one sound at knight and two at read, after R.",
        counts=(1, 2),
    ),
)

# %% [markdown]
# ### Exercise: `top_p`
#
# The input is one row of probabilities. Every number that you keep must stay at its own position.

# %%
def top_p(probabilities, p):
    """Keep the fewest tokens, likeliest first, that together have at least p; the others get 0.

    probabilities [n], p: a number up to 1 -> [n], with a sum of 1 again
    """
    ### BEGIN SOLUTION
    ordered, order = probabilities.sort(descending=True)
    stays = ordered.cumsum(0) - ordered < p    # the ones before it do not have enough yet
    left = torch.zeros_like(probabilities)
    left[order] = ordered * stays
    return left / left.sum()
    ### END SOLUTION


# %%
top_p = check(top_p)

# %%
from qkvlib.sampling import top_k

sure, torn = (torch.softmax(scores, dim=-1) for scores in moments.values())
by_k = [[int((top_k(row, k) > 0).sum()) for row in (sure, torn)] for k in range(1, len(SOUNDS) + 1)]
by_p = [[int((top_p(row, p / 100) > 0).sum()) for row in (sure, torn)] for p in range(5, 100, 5)]
print("one and two, by top-k:", [1, 2] in by_k)
print("one and two, by top-p:", [1, 2] in by_p)

# %%
one_setting.reveal(
    2 if [1, 2] in by_p and [1, 2] not in by_k else 1,
    "k is a number of tokens, the same at every moment. With top-p the number of tokens depends on how sure "
    "the model is. (A temperature removes nothing.)",
)

# %% [markdown]
# Now sample *read* again, with your `top_p`. Then let the model say 300 words of seven letters that it has
# never seen. How many words does it say as the dictionary does?

# %%
careful = [1 - listed(two_hundred, speak(two_hundred, seeded(seed), lambda row: top_p(row, 0.9)))
           for seed in range(10)]
seeds({"sampled": nobody, "sampled, top-p 0.9": careful}, '"read", said as nobody says it')

# %%
unseen = [word for word in words_of("test") if len(word) == 7][:300]


def said_well(choose=lambda row: row, temperature=1.0):
    """The accuracy on unseen words, for ten seeds of the sampling."""
    return [listed(unseen, speak(unseen, seeded(seed), choose, temperature)) for seed in range(10)]


greedy = listed(unseen, speak(unseen, seeded(0), lambda row: top_k(row, 1)))
ways = {
    "greedy": [greedy],
    "sampled, top-p 0.9": said_well(lambda row: top_p(row, 0.9)),
    "sampled": said_well(),
    "sampled at temperature 2": said_well(temperature=2.0),
}
seeds(ways, "accuracy on unseen words")

# %% [markdown]
# When only one answer is right, as for most words here, greedy decoding is best, and sampling costs accuracy.
# When several answers are right, as with *read*, only sampling ever produces the second answer. top-p reduces
# the cost, and a higher temperature increases it. The paper that introduced top-p (Ari Holtzman and others,
# *The Curious Case of Neural Text Degeneration*, 2019) also shows what greedy decoding does to long texts:
# they begin to repeat themselves.
#
# ## The other parts of today's models
#
# (You may skip this section.)
#
# Chapters 14 and 15 cover rotary positions, heads that share keys and values, and softmax in blocks. Here are
# other parts. We have not measured what they gain or cost.
#
# **Sliding window.** A token sees only the last thousand tokens, or a few thousand. So the cache of such a
# layer stops growing, and information from further back needs several layers to arrive. Mistral 7B (2023) had
# a window in every layer. In Gemma 3 (2025) five of six layers have a window, and the sixth sees everything.
# The window is a mask, as in chapter 7.
#
# **Latent attention** (MLA). The keys and values of all heads are computed from one short vector per token.
# Only that vector is kept, with one small key for the position, which all heads share. DeepSeek-V2 (2024)
# introduced it, and its authors report a smaller cache with no loss in quality.
#
# **RMSNorm.** A vector is divided by the root of the mean of its squares, and its mean is not subtracted
# (Biao Zhang and Rico Sennrich, 2019). The authors found that it trains as well as layer norm. Llama (2023)
# uses it, and so do many open models since.
#
# **SwiGLU.** In the feed-forward part, one product goes through an activation function and then multiplies
# another product, element by element. The first product is a gate (chapter 13), but it may be larger than one.
# Noam Shazeer tried it among several variants (*GLU Variants Improve Transformer*, 2020). He found that it
# works better, and offers no explanation. Llama uses it.
#
# **QK-norm.** Queries and keys are brought to a standard length before they are multiplied, so that no score
# can grow with their lengths. Alex Henry and others proposed it (2020). Mostafa Dehghani and others (2023)
# needed it to train a large image model without the loss diverging. Qwen3 (2025) uses it.
#
# **Mixture of experts.** A layer has many feed-forward parts, and for each token a small matrix chooses the
# few that compute. The model stores many parameters, but uses only a few at a time. Noam Shazeer and others
# built it into language models in 2017. Mixtral (2024) has eight such parts in each layer, and two of them
# compute.
#
# Three of these parts take one line each. Two of them are in torch: RMSNorm, and SwiGLU's activation
# function.

# %%
from torch.nn import functional as F

generator = torch.Generator().manual_seed(0)
x = torch.randn(6, 8, generator=generator)
w_1, w_3, w_2 = (torch.randn(*size, generator=generator) for size in ((8, 16), (8, 16), (16, 8)))

rms_norm = x / (x**2).mean(dim=-1, keepdim=True).sqrt()
assert torch.allclose(rms_norm, F.rms_norm(x, (8,), eps=0.0), atol=1e-5)

swiglu = (F.silu(x @ w_1) * (x @ w_3)) @ w_2    # silu(z) = z * sigmoid(z)
assert torch.allclose(F.silu(x), x * torch.sigmoid(x))

window = torch.ones(6, 6).tril().triu(-2) == 1    # itself and the two before it
matrix(window.float(), [f"q {i}" for i in range(1, 7)], [f"k {i}" for i in range(1, 7)], "a window of three", weights=True, digits=0)

# %% [markdown]
# ## How to go on
#
# **Read** one whole model. Andrej Karpathy's *nanoGPT* (since 2022) is a model that writes. Its code is about
# as long as one of these chapters, and you know the parts. Then read the configuration file of an open model:
# widths, layers, heads, heads for keys and values, the kind of norm. For most entries you can now say what
# they change.
#
# **Build** something that can fail. Train your own block of chapter 11 on a text that you like, and find out
# what the second layer gains. Give the language model of chapter 11 your `linear_attention`, and test whether
# it can recall a name. Take one claim of this course that you doubt, and write the control that could refute
# it, with ten seeds.
#
# **Look inside** a trained model, as in chapter 12. *ARENA* (since 2023) has exercises for this.
#
# ## What you have seen
#
# Softmax is applied to the scores, and there are no scores until the query arrives, so all keys have to be
# kept. Without softmax you can move the brackets, and add up keys and values in a memory of fixed size. From
# a memory of 8 by 8 our heads recalled almost all of 4 coats, but only about half of 32. With softmax the
# heads recalled almost all of 32. A sum does not forget the oldest coat first: adding blurs all coats, and
# never erases a coat. The next token comes from a softmax in any case. Greedy decoding takes the likeliest
# token, and sampling draws a token. Before sampling, top-p removes unlikely tokens, and removes more of them
# when the model is sure.

# %%
terms("linear attention", "delta rule", "top-k", "top-p", "sliding window", "latent attention", "RMSNorm", "SwiGLU",
      "QK-norm", "mixture of experts")

# %% [markdown]
# ## Say it in your own words
#
# A friend says: linear attention computes the same as attention, only cheaper, so softmax is a waste. What is
# right about that, and what is wrong?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: softmax-a-waste, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("16")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "16-close-temperature",
    "Chapter 2. You divide all scores by a temperature of 2, then apply softmax. What happens to the largest weight?",
    ["It grows", "It stays: the order of the scores is the same", "It shrinks, and the others get closer to it"],
    answer=2,
    because="The differences between the scores are halved, and softmax depends on differences. At a high temperature "
    "all weights get close to each other.",
)

# %%
ask(
    "16-close-cache",
    "Chapter 10. A model writes, and keeps the keys and values of all tokens so far. Why not their queries?",
    [
        "A query is used once, when its own token asks",
        "Queries are the same for all tokens, so one is enough",
        "They can be computed from the keys",
    ],
    answer=0,
    because="Later tokens ask with their own queries. From the earlier tokens they need only the keys, to find "
    "them, and the values, to blend them.",
)

# %% [markdown]
# ## What to read next
#
# - Angelos Katharopoulos, Apoorv Vyas, Nikolaos Pappas and François Fleuret, *Transformers are RNNs: Fast
#   Autoregressive Transformers with Linear Attention*, 2020: moving the brackets.
# - Imanol Schlag, Kazuki Irie and Jürgen Schmidhuber, *Linear Transformers Are Secretly Fast Weight
#   Programmers*, 2021: how much such a memory holds, and the delta rule.
# - Simran Arora and others, *Zoology: Measuring and Improving Recall in Efficient Language Models*, 2023: the
#   cloakroom, for large models.
# - Ari Holtzman, Jan Buys, Li Du, Maxwell Forbes and Yejin Choi, *The Curious Case of Neural Text
#   Degeneration*, 2019: top-p.
#
# **Next:** [twenty-five questions](17_quiz.ipynb). How much do you remember?
