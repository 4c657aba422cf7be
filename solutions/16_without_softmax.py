# ---
# title: Without softmax
# question: What does a memory of fixed size forget?
# settles: Without softmax all keys and values fit into one table, and where there are more keys than
#   directions, they get mixed up. And how the next token is drawn, and what else is in a model of today.
# goal: say why softmax makes a memory grow and what it buys, write attention over a memory of fixed size,
#   choose how the next token is drawn, and find your way in the description of a model of today
# minutes: 45
# builds on: chapters 2, 5, 7, 10 and 11
# here: a memory of fixed size
# ---

# %% [markdown]
# # {number}. {title}: a memory that does not grow
#
# {here}
#
# A model that writes keeps the key and the value of every token so far (chapter 10). The longer the text, the
# more there is to keep, and to look through for each new word. It is softmax that makes this necessary. So
# some models leave it out, in most of their layers.
#
# **The questions of this chapter: why does softmax need all keys? What does a memory forget that stays as
# small as it was? And how does one go on from here: how is the next word drawn, and what are all the other
# names in the description of a model?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: softmax, training one head, masks, a decoder,
# the whole layer.
#
# This chapter is optional. The quiz does not ask for it.

# %%
import torch

from qkvlib import NextToken, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side
from qkvlib.models import FixedMemory, Pronouncer
from qkvlib.tasks import Cloakroom
from qkvlib.training import adam, measure, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Move the brackets
#
# A product of three numbers does not care where its brackets are: $(2 \cdot 3) \cdot 4 = 2 \cdot (3 \cdot 4)$. Nor
# does a product of three matrices. Attention is nearly one:
#
# $$\operatorname{softmax}(q\,K^{\mathsf T})\,V \qquad\text{and without softmax}\qquad (q\,K^{\mathsf T})\,V = q\,(K^{\mathsf T} V)$$
#
# On the left softmax stands between K and V, and it bends each score: a score exists only when q has come.
# On the right K and V meet before anybody has asked. What is $K^{\mathsf T} V$? Each card writes a table: its key
# down, its value across, every
# number times every number. The tables are added up. Two cards, by hand, with a loop, and as a product:

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
# Another card adds its table to the same six numbers. Nothing is appended. Attention like that is called **linear
# attention** (Angelos Katharopoulos and others, *Transformers are RNNs*, 2020), because its work grows with the
# length of
# the text, and not with the square of it. (Theirs makes queries and keys positive first, and divides by the sum of the
# weights, for which one more vector is kept. We leave both out.)

# %%
how_much = predict(
    "16-how-much",
    "A thousand tokens; keys and values have 8 numbers each. How many numbers must be kept, to answer any query "
    "that may still come? (With softmax, and without.)",
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
    "A table of 8 by 8, after a thousand tokens and after a million. Softmax must have all keys: e to the power of "
    "q · k cannot be split into a part made of q and a part made of k, so nothing can be added up before q is there.",
)

# %% [markdown]
# ### Exercise: `linear_attention`
#
# A model that writes sees no later token (chapter 7). So token $i$ first writes its own table into the memory and
# then reads what is there by now:
#
# $$S_i = S_{i-1} + k_i^{\mathsf T} v_i \qquad\qquad \text{output}_i = q_i\,S_i$$
#
# $S_0$ is all zeros. No softmax, and nothing to keep soft: no square root either. You may carry the memory along in
# a loop, or find the product with a mask that gives the same. Which number hides a score, when there is no softmax
# behind it?


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
# Both ways give the same. But with the loop a new token costs as much work after a million tokens as after ten,
# and training can still use the product, all tokens at once.

# %%
generator = torch.Generator().manual_seed(0)
q, k, v = (torch.randn(50, 8, generator=generator) for _ in range(3))
assert torch.allclose(linear_attention(q, k, v), (q @ k.T).tril() @ v, atol=1e-4)

# %% [markdown]
# ## What it forgets
#
# That is too good to be true. A thousand values in 64 numbers?
#
# A **cloakroom** shows what is lost. Coats are handed in, each for a ticket. There are 64 tickets and eight
# colours. The question is a ticket, and the answer is the colour of its coat. It is chapter 5's recall with more
# cards. Keys are made from tickets, values from colours, by W_K and W_V, and the query by W_Q from the ticket that
# is asked for. All have eight numbers, so the memory is 8 by 8. Nothing else carries over from the coats to the answer.

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
        "Nearly always: training arranges the keys so that they do not get in each other's way",
        "About half of the time",
        "Hardly more often than by guessing: a memory that is too full is of no use",
    ],
)
full_room


# %%
def trained(coats, **kind):
    """Ten heads trained with so many coats in the room, one for each seed."""
    task = Cloakroom(coats)
    heads = [FixedMemory(task.n_tokens, task.n_answers, seed=seed, **kind) for seed in range(10)]
    train_together(heads, task, 300, adam(0.02))
    return heads


def right(heads, coats):
    """The share of right answers of each head."""
    return [measure(head, Cloakroom(coats).test()).accuracy for head in heads]


linear = {coats: trained(coats) for coats in (4, 8, 16, 32)}
with_softmax = trained(32, softmax=True)
shares = {f"no softmax, {coats} coats": right(heads, coats) for coats, heads in linear.items()}
seeds({**shares, "softmax, 32 coats": right(with_softmax, 32)}, "right answers", chance=1 / 8)

# %%
crowded = right(linear[32], 32)
full_room.reveal(
    0 if min(crowded) > 0.9 else 2 if max(crowded) < 0.2 else 1,
    "The more coats, the more answers are wrong. With softmax the same widths are enough for 32 coats.",
)

# %% [markdown]
# Why? Ask for a coat by its own key, and the other coats answer, too, each as strongly as its key leans towards
# yours: $q\,(k_1^{\mathsf T} v_1 + k_2^{\mathsf T} v_2 + \dots) = (q \cdot k_1)\,v_1 + (q \cdot k_2)\,v_2 + \dots$ Only keys at a right
# angle keep silent. In the plane there is room for two such keys, and in eight numbers for eight. But there are 64
# tickets,
# and any of them may meet: 64 keys cannot all stand at right angles in eight numbers, so even four coats get a little
# mixed up. See what becomes of a third key in the plane:

# %%
two = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
three = torch.cat([two, torch.tensor([[0.7, 0.7]])])
names = ["1st", "2nd", "3rd"]
side_by_side(
    matrix(two @ two.T, [f"ask for {name}" for name in names[:2]], names[:2], "two keys", digits=1),
    matrix(three @ three.T, [f"ask for {name}" for name in names], names, "three keys", digits=1),
)

# %% [markdown]
# Softmax can do with keys that are not at right angles. The key that fits best gets nearly all of the weight: $e^{s}$
# turns a lead in score into a much larger lead in weight. It can do that only because every key is still there, apart
# from
# the others. That is what the long memory buys.
#
# A larger table helps, at its price: twice the width is four times as many numbers.

# %%
wider = trained(32, d_model=16)
wide_right = right(wider, 32)
seeds({"16 by 16, 32 coats": wide_right, "8 by 8, 32 coats": crowded}, "right answers", chance=1 / 8)

# %% [markdown]
# ## Which coats?
#
# Sixteen coats are handed in one after the other, and the memory forgets some.

# %%
which_coats = predict(
    "16-which-coats",
    "Which coats are missed most often?",
    ["The first ones: they are the oldest", "The last ones: there was no room left", "All alike"],
)
which_coats


# %%
@torch.no_grad()
def by_place(heads, coats):
    """For each head the share of right answers, place by place: [heads, coats]."""
    inputs, answers, place = Cloakroom(coats).test(8000)
    rows = []
    for head in heads:
        ok = (head(*inputs).logits[:, 0].argmax(-1) == answers[:, 0]).float()
        rows.append(torch.stack([ok[place[:, 0] == i].mean() for i in range(coats)]))
    return torch.stack(rows)


places = by_place(linear[16], 16)
first, last = places[:, :4].mean(1), places[:, -4:].mean(1)
seeds({"the first four coats": first.tolist(), "the last four": last.tolist()}, "right answers", chance=1 / 8)

# %%
gap = float((first - last).abs().max())
which_coats.reveal(
    2 if gap < 0.06 else 0 if float(first.mean()) < float(last.mean()) else 1,
    "A sum has no order. Nothing is pushed out; every coat blurs every other a little.",
)

# %% [markdown]
# ## Break it
#
# Coats are fetched, and tickets are given out again. So hand in a coat that has the ticket of another one: the question
# is what hangs there *now*. We take the heads that were trained with eight coats, and add a ninth with the ticket
# that is asked for, and another colour.

# %%
same_ticket = predict(
    "16-same-ticket",
    "A second coat has the same ticket. Which colour do the heads answer?",
    [
        "The new one: it was written last",
        "The old one: it was there first",
        "Sometimes the one, sometimes the other, about as often",
    ],
)
same_ticket


# %%
@torch.no_grad()
def twice(head):
    """How often a head answers with the new coat's colour, and with the old one's."""
    (ticket, coats), old, _ = Cloakroom(8).test()
    new = (old + 1 + torch.randint(7, old.shape, generator=torch.Generator().manual_seed(0))) % 8
    again = torch.stack([ticket[..., 0], 64 + new], dim=-1)
    answer = head(ticket, torch.cat([coats, again], dim=1)).logits[:, 0].argmax(-1)
    return [float((answer == colour[:, 0]).float().mean()) for colour in (new, old)]


answers = [twice(head) for head in linear[8]]
seeds({"the new coat": [new for new, _ in answers], "the old coat": [old for _, old in answers]},
      "answers", chance=1 / 8)  # fmt: skip

# %%
balance = max(abs(new - old) for new, old in answers)
same_ticket.reveal(
    2 if balance < 0.15 else 0,
    "Both are in the sum, under the same key. With adding alone, nothing that is in it goes away.",
)

# %% [markdown]
# (Softmax is no help here. Two cards with the same key have the same score, and so the same weight. But there both are
# kept, and a model with positions can learn to prefer the later one.)
#
# So before a value is written, look what its key reads already, and write only what is missing. This is the **delta
# rule**:
#
# $$S \leftarrow S + k^{\mathsf T}(v - k\,S)$$
#
# (In models a number made from the token says how much of the correction is written.) With a key of length one,
# reading gives exactly what was written last, whatever was there before:

# %%
key = torch.tensor([[0.6, 0.8]])
red, blue = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])

added = key.T @ red + key.T @ blue
corrected = torch.zeros(2, 2)
for value in (red, blue):
    corrected = corrected + key.T @ (value - key @ corrected)

matrix(torch.cat([key @ added, key @ corrected]), ["added up", "delta rule"], ["red", "blue"], "red, then blue")

# %% [markdown]
# This is where models of today begin that do without softmax in most of their layers. Some let the memory fade:
# $S$ is multiplied by a number below one before each token writes, or by one for each row, made from the token (Albert
# Gu and Tri Dao, *Mamba*, 2023, and its relatives). Some use the delta rule (Imanol Schlag and others,
# *Linear Transformers Are Secretly Fast Weight Programmers*, 2021). And most large ones keep softmax somewhere:
# in MiniMax-01 (2025) one layer in eight has it, in Kimi Linear (2025) one in four. Simran Arora and others
# (*Zoology*, 2023) have found that recall like that of our cloakroom accounts for most of what some language models
# without softmax lacked beside one that has it. We have trained neither fading nor the delta rule here.
#
# ## Drawing the next token
#
# There is one softmax that all of them keep: the last one, which makes probabilities of the scores for the next
# token. What is done with these? Chapter 10 took the best. Chapter 11 drew one at random. Here is one word in which
# you see both. The
# dictionary has two ways to say *read*, and this is what the pronouncer of chapter 10 thinks after its first
# sound, R.

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
# The best is IY (as in *see*), every time. EH is the one in *red*: whoever takes the best never says *read* as in *I have
# read it*. So draw.

# %%
drawn_read = predict(
    "16-drawn-read",
    'Draw each sound of "read" by these probabilities, 200 times over. What is said?',
    [
        "R IY D and R EH D, and hardly ever anything else",
        "R IY D and R EH D, and in about one of ten cases something that nobody says",
        "R IY D, nearly always",
    ],
)
drawn_read


# %%
@torch.no_grad()
def speak(words, generator, choose=lambda probabilities: probabilities, heat=1.0):
    """Say some words of equal length, drawing each sound from what `choose` makes of its probabilities."""
    memory, _ = pronouncer.encode(letters(words))
    said = torch.full((len(words), 1), START)
    while said.shape[1] < pronouncer.LONGEST and not (said == END).any(1).all():
        scores = pronouncer.decode(said, memory)[0][:, -1]
        left = torch.stack([choose(row) for row in torch.softmax(scores / heat, dim=-1)])
        said = torch.cat([said, torch.multinomial(left, 1, generator=generator)], dim=1)
    rows = [row[: row.index(END)] if END in row else row for row in said[:, 1:].tolist()]
    return [tuple(SOUNDS[sound] for sound in row) for row in rows]


def listed(words, spoken):
    """The share of words that are said in a way that the dictionary has."""
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
    1 if min(nobody) > 0.05 and max(nobody) < 0.25 else 0 if max(nobody) < 0.05 else 2,
    "Nearly all of it is one sound: EY is rare after R, and R EY D is another word, raid. What is rare at one moment "
    "is drawn now and then, and a text has many words.",
)

# %% [markdown]
# A lower temperature (chapter 2) makes unlikely sounds rarer, but the second of two good ones, too. There are two
# other ways, and both leave the unlikely ones out before anything is drawn:
#
# - **top-k** leaves the k likeliest in, and nothing else;
# - **top-p** leaves in the fewest, likeliest first, that together have at least the probability p. (It is also called
#   nucleus sampling.)
#
# What is left is divided by its sum, so that it sums to one again.

# %%
one_setting = predict(
    "16-one-setting",
    'At the first sound of "knight" the model is nearly sure: N. After the R of "read" it wavers between two. Which of '
    "the three, alone, can keep exactly one sound at knight and exactly two at read, with the same setting for both?",
    ["The temperature", "top-k", "top-p", "None of them"],
)
one_setting

# %% [markdown]
# Try it. The bars are what is drawn with. The mark in a bar is the probability before anything was left out.
#
# **The goal:** one setting for both moments that keeps exactly one sound at *knight*, and exactly two at *read*.

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
# For one row of probabilities. Each that stays has to stay in its own place.


# %%
def top_p(probabilities, p):
    """Leave in the fewest, likeliest first, that together have at least p; the rest gets 0.

    probabilities [n], p: a number up to 1 -> [n], with a sum of 1 again
    """
    ### BEGIN SOLUTION
    ordered, order = probabilities.sort(descending=True)
    stays = ordered.cumsum(0) - ordered < p    # what those before it have is not enough yet
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
    "k is a number of tokens, the same for all moments. p asks the model how sure it is. (A temperature leaves "
    "nothing out.)",
)

# %% [markdown]
# Now draw *read* again, with your `top_p` in between. And then 300 words of seven letters that the model has never
# seen (the
# first ones by the alphabet), each once: how many are said in a way that the dictionary has?

# %%
careful = [1 - listed(two_hundred, speak(two_hundred, seeded(seed), lambda row: top_p(row, 0.9)))
           for seed in range(10)]  # fmt: skip
seeds({"as it comes": nobody, "top-p, 0.9": careful}, '"read", said as nobody says it')

# %%
unseen = [word for word in words_of("test") if len(word) == 7][:300]


def said_well(choose=lambda row: row, heat=1.0):
    """The share of unseen words that are said well, for ten seeds of the draw."""
    return [listed(unseen, speak(unseen, seeded(seed), choose, heat)) for seed in range(10)]


greedy = listed(unseen, speak(unseen, seeded(0), lambda row: top_k(row, 1)))
ways = {
    "the best each time": [greedy],
    "drawn, top-p 0.9": said_well(lambda row: top_p(row, 0.9)),
    "drawn": said_well(),
    "drawn at temperature 2": said_well(heat=2.0),
}
seeds(ways, "unseen words said well")

# %% [markdown]
# Where one answer is right, as for most words here, the best each time is best, and whoever draws pays for it. Where
# several are right, as with *read*, only who draws ever says the second. top-p takes away a part of what it costs. A
# higher temperature costs more. There is no setting that is best for everything, and that is why it is left to
# you in most models that you can talk to. The paper that brought top-p (Ari Holtzman and others, *The Curious
# Case of Neural Text Degeneration*, 2019) also shows what the best each time does to long texts: they begin to
# repeat themselves. Our words are too short to show it.
#
# ## The other parts of a model of today
#
# (You may skip this section.)
#
# You can read most of such a model's description by now. Positions that turn queries and keys, heads that share keys
# and values, and softmax in blocks are the matter of chapters 14 and 15. Here are others, three
# sentences each: what it is, who has it, and what this course knows of it.
#
# **Sliding window.** A token sees only the last thousand tokens, or a few thousand, so the cache of such a layer
# stops growing, and
# what is farther off arrives over several layers. Mistral 7B (2023) had a window in every layer, Gemma 3 (2025) has
# one in five of six layers,
# and the sixth sees everything. It is a mask, as in chapter 7; what it costs in a trained model we have not measured.
#
# **Latent attention** (MLA). The keys and values of all heads are made from one short vector for each token; that is
# kept,
# with one small key for the position that all heads share. DeepSeek-V2 (2024) brought it, and its authors report a
# smaller cache with no loss in quality. We have
# not tried it.
#
# **RMSNorm.** A vector is divided by its size, the root of the mean of its squares, and its mean is not taken away
# (Biao Zhang and Rico Sennrich, 2019). Llama (2023) has it, and so have many open models since. What it
# computes you can see below; that it trains as well as layer norm is their finding, not ours.
#
# **SwiGLU.** In the feed-forward part one product is bent and multiplies another, number by number: a gate (chapter
# 13),
# but one that may be larger than 1. Noam Shazeer tried it among others (*GLU Variants Improve Transformer*, 2020),
# and Llama has
# it. He found it better and offers no explanation why, and we have none.
#
# **QK-norm.** Queries and keys are brought to a standard length before they meet, so that no score can grow with them.
# Alex Henry and others proposed it (2020), and Mostafa Dehghani and others (2023) needed it to train a large model of
# images without the loss running away; Qwen3 (2025) has it. We have looked for a small task that shows its use
# cleanly, and found none.
#
# **Mixture of experts.** A layer has many feed-forward parts, and a small matrix chooses for each token which few of them
# compute: many numbers are stored, and few are used at a time. Noam Shazeer and others built it into language models
# in 2017; Mixtral (2024) has eight in each layer, of which two compute. Attention is the same as before, and this
# course has not trained one.
#
# Three of them are a line each. Of these torch has RMSNorm, and the bend in SwiGLU:

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
# **Read** one model whole. Andrej Karpathy's *nanoGPT* (since 2022) is a model that writes, in about the number of lines of one
# of these chapters, and you know the parts. Then the configuration file of an open model: widths, layers, heads,
# heads for keys and values, the kind of norm. You can say of most entries now what they change.
#
# **Build** something that can fail. Put your own block of chapter 11 on a text that you like, and find out what the
# second layer gains. Give the language model of chapter 11 your `linear_attention`, and ask it to recall a name. Take
# one claim of this course that you doubt, and write the control that could refute it, with ten seeds.
#
# **Look inside** a model that others have trained, as in chapter 12. *ARENA* (since 2023) has the exercises for it.
#
# ## What you have seen
#
# Softmax bends each score, and that can be done only when the query is there. So all keys have to be kept. Without
# it, keys and values meet in a table of
# fixed size, and the brackets may be moved. Our heads recalled nearly every one of 4 coats from a table of 8 by 8,
# and about half of 32; with softmax nearly all. A sum forgets no coat before another, it blurs them all, and adding
# does
# not erase. The next token is drawn from a softmax in any case. top-p leaves out what is unlikely, and asks the model
# how
# much that is.

# %%
terms("linear attention", "delta rule", "top-k", "top-p", "sliding window", "latent attention", "RMSNorm", "SwiGLU",
      "QK-norm", "mixture of experts")  # fmt: skip

# %% [markdown]
# ## Say it in your own words
#
# A friend says: linear attention computes the same as attention, only cheaper, so softmax is a waste. What is right
# about that, and what is wrong?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take this course in a class, it is read
# by a person.

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
    "Chapter 2. All scores are divided by a temperature of 2, then comes softmax. What becomes of the largest weight?",
    ["It grows", "It stays: the order of the scores is the same", "It shrinks, and the others come nearer to it"],
    answer=2,
    because="The differences between the scores are halved, and softmax sees differences. At a high temperature all "
    "weights come near to each other.",
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
    because="Later tokens ask with queries of their own. What they need of the earlier ones is how they are found, and "
    "what they hand out.",
)

# %% [markdown]
# ## What to read next
#
# - Angelos Katharopoulos, Apoorv Vyas, Nikolaos Pappas and François Fleuret, *Transformers are RNNs: Fast
#   Autoregressive Transformers with Linear Attention*, 2020: the brackets, moved.
# - Imanol Schlag, Kazuki Irie and Jürgen Schmidhuber, *Linear Transformers Are Secretly Fast Weight Programmers*, 2021: how
#   much such a memory holds, and the delta rule.
# - Simran Arora and others, *Zoology: Measuring and Improving Recall in Efficient Language Models*, 2023: the cloakroom,
#   for models of real size.
# - Ari Holtzman, Jan Buys, Li Du, Maxwell Forbes and Yejin Choi, *The Curious Case of Neural Text Degeneration*, 2019:
#   top-p.
#
# **Next:** [twenty-five questions](17_quiz.ipynb). What has stayed?
