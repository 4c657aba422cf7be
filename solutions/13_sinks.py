# ---
# title: Attention sinks
# question: Where does a head look when there is nothing to find?
# settles: Softmax weights sum to one, so a head with nothing to find still has to put its weight somewhere. Models
#   park it on a token with a tiny value, an attention sink. One more in the denominator, or a gate, does without it.
# goal: say why real maps have a bright first column and how you would check it, write a softmax with a built-in
#   sink and a gate for attention, and say what breaks when a sink is removed
# minutes: 100
# builds on: chapters 4, 5 and 12
# here: nothing to find
# ---

# %% [markdown]
# # {number}. {title}: a head has to look somewhere
#
# {here}
#
# In chapter 12 many words of a real sentence gave their largest weight to `[CLS]`, which is not a word at
# all. We gave the usual explanation: softmax has to put a word's weight somewhere, even when the word has no
# question to ask, so the word parks it on `[CLS]`. Here is the experiment.
#
# **The questions of this chapter: what does a head do when there is nothing to find? Why do so many real maps
# have a bright first column? And can we build attention that may look at nothing?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: the whole of attention, training a head, a
# real model.
#
# This chapter is optional. The quiz doesn't ask about it.

# %%
import torch

from qkvlib import AttentionLab, Replay, ask, check, hint, predict, replay_predictions, terms
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.figures import matrix, seeds
from qkvlib.models import QuietHead
from qkvlib.tasks import KeepOrFind
from qkvlib.training import adam, measure, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## A note that carries its own answer
#
# You know the six cards of chapter 5. The question is now a note, and there are two kinds of notes. *find Ada
# red* is the old question: which colour is on Ada's card? *keep Ada red* asks for the colour on the note
# itself, red. For this note the cards don't matter.

# %%
six_cards = KeepOrFind()
example = six_cards.probe()    # you will meet these again, further down
for note, cards, answer in zip(*example.inputs, example.answers[:, 0]):
    print(f"{six_cards.words(note)[0]:15} -> {six_cards.answers[answer]:6} cards:", ", ".join(six_cards.words(cards)))

# %% [markdown]
# In a transformer block attention does not replace x, it *adds* to it (chapter 11). Here, too, the answer is
# read from the note's own vector plus what the head has found:
#
# $$\text{answer} = \big(x + \operatorname{softmax}(q K^{\mathsf T} / \sqrt{d_k})\, V W_O\big)\, W_{\text{read}}$$
#
# Here $x$ is the note's vector and $q$ is its query. $K$ and $V$ are computed from the cards.
# $W_{\text{read}}$, in the code `read_out`, turns a vector into one score for each colour.
#
# For a *keep* note, x is enough, and the head only has to add nothing.

# %%
plain_softmax = predict(
    "13-plain-softmax",
    "With only the old question, a head learns to be right every time (chapter 5). Now half of the questions are "
    "easier. How often is the trained head right?",
    [
        "Always, or almost: half of the work is gone",
        "About nine times in ten: the easy notes cost something",
        "About half of the time: it learns only one kind of note",
    ],
)
plain_softmax


# %%
def trained(task, **kind):
    """Ten heads trained on a task, one for each seed, and the recordings of the runs."""
    heads = [QuietHead(task.n_tokens, task.n_answers, seed=seed, **kind) for seed in range(10)]
    return heads, train_together(heads, task, 600, adam(0.01))


def right(heads, task):
    """The accuracy of each head."""
    return [measure(head, task.test()).accuracy for head in heads]


plain, _ = trained(six_cards)
plain_right = right(plain, six_cards)
seeds({"plain softmax": plain_right}, "right answers", chance=1 / 8)

# %%
plain_softmax.reveal(
    0 if min(plain_right) >= 0.97 else 2 if max(plain_right) <= 0.7 else 1,
    "Adding nothing sounds easy. But softmax weights sum to one, so a head has to look at some card.",
)

# %% [markdown]
# Training three times as long does not help (we have tried). Look at what the head does with each kind of
# note: how often it is right, and how much weight it gives to the card it looks at most.

# %%
def kinds(task):
    """Which of the test notes say "keep", and which say "find"."""
    keep = task.test().looks_at[:, 0] < 0    # no card to look at
    return {"keep": keep, "find": ~keep}


@torch.no_grad()
def look(head, task):
    """The weights [notes, cards], how long each card's value is, and whether each answer is right."""
    logits, maps = head(*task.test().inputs)
    lengths = (head.embed(task.test().inputs[1]) @ head.w_v).norm(dim=-1)
    return maps["head"][:, 0, 0], lengths, logits[:, 0].argmax(-1) == task.test().answers[:, 0]


rows = {}
for kind, chosen in kinds(six_cards).items():
    looks = [look(head, six_cards) for head in plain]
    rows[kind] = torch.tensor([
        sum(float(answers[chosen].float().mean()) for _, _, answers in looks) / 10,
        sum(float(weights[chosen].amax(-1).mean()) for weights, _, _ in looks) / 10,
    ])

matrix(torch.stack([*rows.values()]), [*rows], ["right answers", "the largest weight"],
       "Mean of ten heads, rounded", digits=1)

# %% [markdown]
# Both kinds of notes suffer. And a *keep* note, which has nothing to find, does *not* spread its weight
# evenly: most of it goes to one card. Which card? A card with a short value changes the answer least. Call
# the two cards with the shortest values the *quietest*. How often does a note look at one of these two? By
# chance it would be one time in three.

# %%
def at_a_quiet_card(head, task, kind):
    """How often the largest weight is on one of the two cards with the shortest values."""
    weights, lengths, _ = look(head, task)
    looked_at = lengths.gather(1, weights.argmax(-1, keepdim=True))
    return float(((lengths < looked_at).sum(-1) < 2)[kinds(task)[kind]].float().mean())


quiet = {kind: [at_a_quiet_card(head, six_cards, kind) for head in plain] for kind in ("keep", "find")}
seeds(quiet, "looks at one of the two quietest cards", chance=1 / 3)

# %% [markdown]
# The *keep* notes prefer a quiet card: in most of the ten heads, more than half of these notes look at one of
# the quietest two. But a quiet card is only a stopgap. The next note may have to find this very card, so the
# card's value has to say something. As long as that value is not zero, it disturbs the *keep* notes.
#
# Why do *find* notes suffer, too? Check whether they look at the right card, and which colour they name when
# they are wrong. Then make all values of the trained heads one and a half times as long.

# %%
@torch.no_grad()
def wrong_finds(head, task):
    """For the notes that say "find": the weight on the right card, and which wrong answers are the note's own."""
    (notes, cards), answers, looks_at = task.test()
    find = kinds(task)["find"]
    logits, maps = head(notes, cards)
    said = logits[:, 0].argmax(-1)
    wrong = find & (said != answers[:, 0])
    own = notes[:, 0, 2] - task.tokens.index(task.answers[0])    # the colour on the note
    weights = maps["head"][:, 0, 0][find].gather(1, looks_at[find])
    return float(weights.mean()), (said == own)[wrong]


def with_louder_values(head, task, kind, factor):
    """How often the head is right when its values are so many times as long."""
    *_, ok = look(head.with_weights(head.weights | {"w_v": factor * head.w_v}), task)
    return float(ok[kinds(task)[kind]].float().mean())


found = [wrong_finds(head, six_cards) for head in plain]
own_colour = torch.cat([own for _, own in found]).float().mean()
print("More than nine in ten wrong answers to find are the colour on the note itself:", bool(own_colour > 0.9))
seeds(
    {
        "find, weight on the right card": [weight for weight, _ in found],
        "find, right": [with_louder_values(head, six_cards, "find", 1) for head in plain],
        "find, right, with louder values": [with_louder_values(head, six_cards, "find", 1.5) for head in plain],
        "keep, right": [with_louder_values(head, six_cards, "keep", 1) for head in plain],
        "keep, right, with louder values": [with_louder_values(head, six_cards, "keep", 1.5) for head in plain],
    },
    "ten heads with plain softmax",
)


# %% [markdown]
# The *find* notes look at the right card. But the colour on the note is always in x, and sometimes it drowns
# out the card's colour. Longer values help the *find* notes and ruin the *keep* notes: a card's value should
# be long for *find* and short for *keep*, but it has only one length. The compromise is right about nine
# times in ten.
#
# ## Make a place for it
#
# Try it by hand, on the smallest deck: a red card (Ada's), a blue card (Ben's), and an empty card, whose
# value is zero. *keep Ben* does not need a card, but its query has *Ben* in it, so it looks at blue. The
# first column of both matrices says whose card it is: Ada is 3, Ben is -3. Two features are still unused:
# *keep*, in W_Q, and *empty*, in W_K. The second column of both matrices is free.
#
# **The goal:** let *keep Ben* give the empty card at least 0.9, while *find Ada* still looks at red and *find
# Ben* at blue. Watch what happens to the output of *keep Ben*.

# %%
from qkvlib.widgets import AtLeast, Goal

deck = torch.tensor([
    [0.0, 0.0, 0.0, 1.0],    # the empty card
    [1.0, 0.0, 0.0, 0.0],    # the red card, which is Ada's
    [0.0, 1.0, 0.0, 0.0],    # the blue card, which is Ben's
    [1.0, 0.0, 0.0, 0.0],    # find Ada
    [0.0, 1.0, 0.0, 0.0],    # find Ben
    [0.0, 1.0, 1.0, 0.0],    # keep Ben
])
by_person = torch.zeros(4, 2)
by_person[:2, 0] = torch.tensor([3.0, -3.0])    # in the first column, Ada one way and Ben the other

AttentionLab(
    deck,
    w_q=by_person,
    w_k=by_person,
    w_v=torch.tensor([[4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [0.0, 0.0]]),    # Ada: red, Ben: blue
    mask=torch.tensor([
        [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],
        [1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0],
    ]) == 1,    # a card sees itself, a note sees the cards
    tokens=["empty", "red", "blue", "find Ada", "find Ben", "keep Ben"],
    features=["Ada", "Ben", "keep", "empty"],
    goal=Goal(
        "13-empty-card",
        "Make keep Ben give the empty card at least 0.90, find Ada the red card, and find Ben the blue one.",
        conditions=[
            AtLeast("empty", 0.9, row="keep Ben"),
            AtLeast("red", 0.9, row="find Ada"),
            AtLeast("blue", 0.9, row="find Ben"),
        ],
        touch=["w_q", "w_k"],
    ),
)

# %% [markdown]
# The row still sums to one, but most of the weight goes to a card that says nothing.
#
# ## Does training find it?
#
# Now the ten heads get such a card. The empty card comes before the other six, and always has the same two
# words on it: *empty card*. Nobody sets its value to zero, or tells a head to look at it.

# %%
empty_card = predict(
    "13-training-finds-it",
    "The same heads, the same training, and one more card, which says nothing about any question. "
    "How often are the heads right?",
    [
        "Less often: it is one more card to be confused by",
        "As often as before: there is no information on that card",
        "Almost always",
    ],
)
empty_card

# %%
seven_cards = KeepOrFind(empty_card=True)
with_card, card_runs = trained(seven_cards)
card_right = right(with_card, seven_cards)
seeds({"with an empty card": card_right, "plain softmax": plain_right}, "right answers", chance=1 / 8)

# %%
empty_card.reveal(
    2 if min(card_right) >= 0.95 else 1 if max(card_right) <= 0.95 else 0,
    "The card has no information. That is what makes it useful.",
)


# %%
def on_the_card(heads, task, kind):
    """The mean weight that the notes of one kind give to the first card, for each head."""
    return [float(look(head, task)[0][kinds(task)[kind], 0].mean()) for head in heads]


def length_of_first_value(head, task):
    """The length of the first card's value, divided by the mean length of the others."""
    _, lengths, _ = look(head, task)
    return float(lengths[:, 0].mean() / lengths[:, 1:].mean())


seeds(
    {
        "weight on it, keep": on_the_card(with_card, seven_cards, "keep"),
        "weight on it, find": on_the_card(with_card, seven_cards, "find"),
        "length of its value, a share": [length_of_first_value(head, seven_cards) for head in with_card],
    },
    "the empty card",
)

# %% [markdown]
# Nobody asked for this pattern. Where there is nothing to find, most of the weight goes to the empty card,
# and its value is shorter than the other cards' values. A large weight and a short value go together: their
# product adds little. A token that is used like this is an **attention sink** (chapter 12).
#
# Watch one of the ten heads learn to use the empty card. Choose the example *keep Cleo gold* and press play.
# Below the matrices you see where the note looks. Then choose *find Ada white*.

# %%
Replay(card_runs[2], names=["with an empty card"], tokens=seven_cards.tokens)

# %% [markdown]
# ## Break it: throw the empty card away
#
# Someone looks at these maps, sees that the first card says nothing, and throws it away to save memory. The
# heads were trained with that card and are not retrained. The card is missing only when the heads are used,
# at **inference** time.

# %%
thrown_away = predict(
    "13-thrown-away",
    'The trained heads answer without the empty card. What happens to the notes that say "keep"?',
    [
        "Nothing much: the card said nothing",
        "About nine in ten are right, as with the plain heads",
        "Most of them are wrong",
    ],
)
thrown_away


# %%
@torch.no_grad()
def without_first(head, task):
    """The accuracy on both kinds of notes when the first card is removed."""
    (notes, cards), answers, _ = task.test()
    ok = head(notes, cards[:, 1:]).logits[:, 0].argmax(-1) == answers[:, 0]
    return [float(ok[chosen].float().mean()) for chosen in kinds(task).values()]


left = [without_first(head, seven_cards) for head in with_card]
seeds({"keep": [keep for keep, _ in left], "find": [find for _, find in left]}, "right without it", chance=1 / 8)

# %%
thrown_away.reveal(
    2 if max(keep for keep, _ in left) <= 0.5 else 1,
    "The weight doesn't vanish with the card. Softmax gives all of it to the other cards, and they are loud.",
)

# %% [markdown]
# For the *keep* notes, the small remaining weights are scaled up until they sum to one. A head that was
# silent now shouts. Something similar happens in large models. To write without end, a program can keep only
# the last few thousand keys and values. Then the first token is dropped, and the sink with it. Guangxuan Xiao
# and others (*Efficient Streaming Language Models with Attention Sinks*, 2023) found that the text breaks
# down at that moment, but goes on well when the first four tokens are simply kept.
#
# ## Softmax with a sink: one more in the denominator
#
# The empty card is there because a row has to sum to one. Does it have to? Take two low scores, and two high
# scores with the same difference. Plain softmax gives both pairs the same weights. Now add a **one** to the
# denominator, as on the right:
#
# $$\operatorname{softmax}(s)_j = \frac{e^{s_j}}{\sum_k e^{s_k}} \qquad\qquad \frac{e^{s_j}}{1 + \sum_k e^{s_k}}$$

# %%
from math import exp

low = [-2.0, -3.0]
total = sum(exp(s) for s in low)
print("low, plain:       ", [round(exp(s) / total, 2) for s in low])
print("with one more:    ", [round(exp(s) / (1 + total), 2) for s in low])

high = [5.0, 4.0]
total = sum(exp(s) for s in high)
print("high, plain:      ", [round(exp(s) / total, 2) for s in high])
print("with one more:    ", [round(exp(s) / (1 + total), 2) for s in high])

# %% [markdown]
# With low scores most of the weight is gone, but with high scores hardly any is. The 1 in the denominator is
# $e^0$. It acts like one more key, whose score is always 0 and whose value is zero: an empty card, built in.
# We call this a **softmax with a sink**.
#
# ### Exercise: `softmax_with_a_sink`
#
# Write it so that large scores don't overflow. In chapter 2 you subtracted the largest score from all scores.
# Here the zero is one more score.

# %%
def softmax_with_a_sink(scores):
    """The weights of softmax with one more in the denominator, for each row.

    scores [..., n] -> [..., n], each row with a sum below one
    """
    ### BEGIN SOLUTION
    largest = scores.amax(-1, keepdim=True).clamp(min=0)    # the zero is one of the scores
    exponentials = (scores - largest).exp()
    return exponentials / (exponentials.sum(-1, keepdim=True) + (-largest).exp())
    ### END SOLUTION


# %%
softmax_with_a_sink = check(softmax_with_a_sink)

# %% [markdown]
# Your function is torch's softmax of the scores plus one extra score of zero, whose weight is then dropped.
# To give the sink a different score $c$, subtract $c$ from all other scores.

# %%
scores = torch.tensor([[2.0, -1.0, 0.5], [-4.0, -3.0, -5.0]])
zero = torch.zeros(2, 1)
assert torch.allclose(softmax_with_a_sink(scores), torch.softmax(torch.cat([scores, zero], -1), -1)[:, :-1])

c = 1.5
assert torch.allclose(softmax_with_a_sink(scores - c), torch.softmax(torch.cat([scores, zero + c], -1), -1)[:, :-1])
matrix(softmax_with_a_sink(scores), ["some are high", "all are low"], ["k 1", "k 2", "k 3"], "with a sink", weights=True)

# %% [markdown]
# Here are ten heads with this softmax, and no empty card:

# %%
with_sink, _ = trained(six_cards, sink=True)
sink_right = right(with_sink, six_cards)

head = with_sink[0]
notes, cards = (head.embed(tokens) for tokens in six_cards.test(100).inputs)
scores = (notes @ head.w_q) @ (cards @ head.w_k).mT / head.d_k**0.5
assert torch.allclose(softmax_with_a_sink(scores), head(*six_cards.test(100).inputs).attention["head"][:, 0], atol=1e-5)

seeds(
    {"one more in the denominator": sink_right, "with an empty card": card_right, "plain softmax": plain_right},
    "right answers", chance=1 / 8,
)

# %%
kept = {
    kind: [float(look(head, six_cards)[0][chosen].sum(-1).mean()) for head in with_sink]
    for kind, chosen in kinds(six_cards).items()
}
seeds(kept, "sum of the six weights")

# %% [markdown]
# The heads need no empty card. In more than half of them a *keep* note gives the six cards next to nothing.
# In other heads it still gives the cards a third or a half of the weight: training does not have to remove a
# weight that does no harm. Evan Miller argued for this softmax in *Attention Is Off By One* (2023). OpenAI's
# open models gpt-oss (2025) use it with a trained number $c$ for each head, the score of the sink.
#
# ## A gate
#
# There is another way to say nothing: look somewhere, but pass nothing on. A **gate** is a number between 0
# and 1 that multiplies what attention has found. It is computed from x, that is, from the note that asks:
#
# $$\text{output} = \sigma(x W_G) \cdot \operatorname{softmax}(q K^{\mathsf T} / \sqrt{d_k})\, V$$
#
# Here $\sigma$ is the **sigmoid**, $1 / (1 + e^{-z})$, which turns any number into one between 0 and 1.
#
# ### Exercise: `gated_attention`
#
# `w_gate` has either one column, for one gate per row, or as many columns as v, for one gate per number.
# Broadcasting handles both shapes. You may use `scaled_dot_product_attention`. The check also tries batches,
# the dots in the shapes below.

# %%
def gated_attention(q, k, v, x, w_gate):
    """Attention with a gate: x can turn its output down.

    q [..., n, d_k], k [..., m, d_k], v [..., m, d_v], x [..., n, d_model]
    w_gate [d_model, d_v] or [d_model, 1] -> output [..., n, d_v]
    """
    ### BEGIN SOLUTION
    output, _ = scaled_dot_product_attention(q, k, v)
    return torch.sigmoid(x @ w_gate) * output
    ### END SOLUTION


# %%
gated_attention = check(gated_attention)

# %% [markdown]
# Here are ten heads with a gate, and again no empty card:

# %%
with_gate, _ = trained(six_cards, gate=True)

head = with_gate[0]
notes, cards = (head.embed(tokens) for tokens in six_cards.test(100).inputs)
found = gated_attention(notes @ head.w_q, cards @ head.w_k, cards @ head.w_v, notes, head.w_gate)
logits = (notes + found @ head.w_o) @ head.read_out
assert torch.allclose(logits, head(*six_cards.test(100).inputs).logits, atol=1e-3)

gate_right = right(with_gate, six_cards)
seeds({"gate": gate_right, "plain softmax": plain_right}, "right answers", chance=1 / 8)

# %%
@torch.no_grad()
def opening(head, kind):
    """How far the gate is open for the notes of one kind, on average."""
    return float(head.open(head.embed(six_cards.test().inputs[0]))[kinds(six_cards)[kind]].mean())


seeds({kind: [opening(head, kind) for head in with_gate] for kind in ("keep", "find")}, "how far the gate is open")

# %% [markdown]
# The gate closes for *keep* and opens for *find*, and that is enough. Does a gate make the sink go away? Not
# in our toy: heads with both a gate *and* the empty card still look at the card (we have tried). Nothing in
# the loss prefers one way of being silent to the other. Zihan Qiu and others (*Gated Attention for Large
# Language Models*, 2025) report the opposite for large models: with gates the weight on the first token
# almost disappears.
#
# ## The bright column of a real model
#
# For each head of MiniLM, here is the weight that a token of chapter 12's sentence gives to `[CLS]` on
# average.

# %%
from qkvlib.models.minilm import minilm_heads, minilm_maps

maps = torch.stack(list(minilm_maps().values()))    # [layer, head, who looks, who is looked at]
column = maps.mean(dim=2)                           # [layer, head, who is looked at]
first_most = (column.argmax(dim=-1) == 0).sum(dim=1)
print("heads (of 12) that give [CLS] the most weight, layer by layer:", ", ".join(map(str, first_most.tolist())))
print(f"[SEP], the other special token, gets {column[..., -1].mean():.2f} on average")

matrix(column[..., 0], [f"layer {i}" for i in range(6)], [f"h {i}" for i in range(12)],
       "mean weight on [CLS]", weights=True, digits=1)

# %% [markdown]
# From layer 1 on nearly every head gives `[CLS]` many times its even share: a bright column. Is it a sink, or
# is `[CLS]` really so interesting? You know what to ask: how long is its *value*? Our file has W_V for five
# heads.

# %%
cls_value = predict(
    "13-cls-value",
    "Head 1 of layer 2 gives [CLS] more than a quarter of all its weight. How long is the value of [CLS] in this "
    "head, compared with the values of the other tokens?",
    [
        "Longer: it must be important",
        "About as long as theirs",
        "About half as long",
        "Less than a tenth as long",
    ],
)
cls_value

# %%
heads = minilm_heads()
rows, names = [], []
for what, head in heads.items():
    lengths = (head.x @ head.w_v + head.b_v).norm(dim=-1)
    rows.append(torch.stack([head.weights[:, 0].mean(), lengths[0], lengths[1:].mean()]))
    names.append(f"layer {head.layer} head {head.head}: {what}")

matrix(torch.stack(rows), names, ["weight on [CLS]", "length of its value", "mean of the others"])

# %%
_, of_cls, of_others = rows[list(heads).index("application")]
share = float(of_cls / of_others)
cls_value.reveal(
    3 if share < 0.1 else 2 if share < 0.75 else 1 if share < 1.25 else 0,
    "A large weight, times almost nothing. Our ten heads learned the same pattern with the empty card.",
)

# %% [markdown]
# A short value is only a hint. The test is to **silence** the token: set its value to zero and keep the
# weights. How far do the outputs of the words move, as a share of their length? And how far do they move when
# an ordinary word is silenced?

# %%
def moved(head, silenced):
    """How far the outputs of the words move, on average, when a token is silenced."""
    v = head.x @ head.w_v + head.b_v
    quiet = v.clone()
    quiet[silenced] = 0
    before = head.weights @ v
    return float(((head.weights @ quiet - before).norm(dim=-1) / before.norm(dim=-1))[1:-1].mean())


rows = []
for head in heads.values():
    words = range(1, len(head.tokens) - 1)
    rows.append(torch.tensor([
        head.weights[1:-1, 0].mean(), moved(head, 0),
        head.weights[1:-1, 1:-1].mean(), sum(moved(head, word) for word in words) / len(words),
    ]))

matrix(torch.stack(rows), names, ["weight of [CLS]", "silenced, moves by", "of a word, mean", "silenced, moves by"])

# %% [markdown]
# The two heads with the brightest columns differ. In *application*, the head of layer 2, `[CLS]` has far more
# weight than a word, yet silencing a word changes more. So `[CLS]` is a sink. In *law*, the head of layer 3,
# `[CLS]` contributes as much as an average word. A bright column by itself does not tell you which case it
# is.
#
# What if we throw `[CLS]` away, as we did with the empty card? Softmax then gives the weight $w$ of `[CLS]`
# to the other tokens: all their weights grow by the factor $1/(1-w)$. If the value of `[CLS]` were zero, the
# output would keep its direction and move by $w/(1-w)$ of its length. For *application* that is almost all
# that happens:

# %%
head = heads["application"]
values = head.x @ head.w_v + head.b_v
before = (head.weights @ values)[1:-1]
others = head.weights[:, 1:] / head.weights[:, 1:].sum(-1, keepdim=True)
after = (others @ values[1:])[1:-1]
w = head.weights[1:-1, 0]
print(f"moves by:  {float(((after - before).norm(dim=-1) / before.norm(dim=-1)).mean()):.2f}")
print(f"w/(1-w):   {float((w / (1 - w)).mean()):.2f}")
print(f"cosine of before and after: {float(torch.cosine_similarity(before, after, dim=-1).mean()):.2f}")

# %% [markdown]
# This result is arithmetic, and holds for any token with so much weight and so short a value. Five heads
# cannot show whether such long outputs harm MiniLM's answers. Such outputs did harm in our toy, and in the
# models of Xiao and others.
#
# ## What you have seen
#
# The weights of a plain softmax sum to one, so a head has to look somewhere. Where there was nothing to find,
# most of our heads preferred a quiet card, and about one answer in ten was wrong. Training turned a token
# that says nothing into a sink, with a large weight and a shorter value. Without that token at inference
# time, most *keep* notes were answered wrongly. An extra 1 in the denominator is a built-in sink, and a gate
# can silence a head wherever it looks. In one head of MiniLM `[CLS]` is a sink: the token has much weight,
# but little is lost when you silence it. In another head `[CLS]` has as much weight, but contributes as much
# as a word.

# %%
terms("softmax with a sink", "gate", "sigmoid")

# %% [markdown]
# ## Say it in your own words
#
# In the map of a real head almost every word gives most of its weight to the first token. A friend says: so
# the first token must matter most to all words. What do you answer, and how would you find out?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: bright-column, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("13")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "13-close-shift",
    "Chapter 2. Someone adds 100 to every score of a row. What happens to the weights of plain softmax?",
    [
        "They all grow",
        "Nothing: only differences within the row count",
        "The largest takes everything",
    ],
    answer=1,
    because="The same factor appears in the numerator and the denominator, and cancels. So the weights of plain softmax don't depend on "
    "whether all scores are low. With one more in the denominator they do.",
)

# %%
ask(
    "13-close-loss",
    "Chapter 4. A head gives a token 0.9 of its weight, and that token's value is zero. How large is the gradient of "
    "the loss with respect to this value, from this query?",
    [
        "Zero, since the value is zero",
        "0.9 times the gradient of the output",
        "The whole gradient of the output",
    ],
    answer=1,
    because="d_V is the transposed weights times d_output, and the value itself does not occur in it. So training "
    "can move a value of zero. The more weight the value gets, the larger its gradient.",
)

# %% [markdown]
# ## What to read next
#
# - Guangxuan Xiao and others, *Efficient Streaming Language Models with Attention Sinks*, 2023: sinks in
#   language models, and what happens when the first token is dropped.
# - Yelysei Bondarenko, Markus Nagel and Tijmen Blankevoort, *Quantizable Transformers: Removing Outliers by
#   Helping Attention Heads Do Nothing*, 2023: heads that learn to do nothing, and two ways to let them.
# - Evan Miller, *Attention Is Off By One*, 2023: the case for one more in the denominator.
# - Zihan Qiu and others, *Gated Attention for Large Language Models: Non-linearity, Sparsity, and
#   Attention-Sink-Free*, 2025: gates in large models.
#
# **Next:** [chapter 14](14_turning.ipynb), also optional: why do models fail on texts longer than those they
# were trained on? Or [twenty-five questions](17_quiz.ipynb): how much do you remember?
