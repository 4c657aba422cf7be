# ---
# title: Attention sinks
# question: Where to look, with nothing to find?
# settles: Softmax must give its weight to somebody. A first token that says nothing takes it; one more in
#   the denominator, or a gate, needs no such token.
# goal: say why real maps have a bright first column and how you would check it, write a softmax that may
#   give nothing and a gate behind attention, and say what breaks when a sink is taken away
# minutes: 45
# builds on: chapters 4, 5 and 12
# here: nobody to look at
# ---

# %% [markdown]
# # {number}. {title}: who must look must look somewhere
#
# {here}
#
# In chapter 12 many words of a real sentence gave `[CLS]`, a token that is no word, more weight than any other.
# The usual reading, we said, is that they park it there: softmax has to give its weight to something, even
# when a word has no question to ask. That was a reading. Here is the experiment.
#
# **The questions of this chapter: what does a head do that has nothing to find? Why do so many real maps have
# a bright first column? And could one build attention that may look at nobody?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: attention whole, training a head, a real model.
#
# This chapter is optional. The quiz does not ask for it.

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
# You know the six cards of chapter 5. The question is now a note, and there are two kinds of it. *find Ada red*
# is the old question: which colour is on Ada's card? *keep Ada red* wants the colour on the note itself, red,
# whatever lies on the cards.

# %%
six_cards = KeepOrFind()
example = six_cards.probe()    # you will meet these again, further down
for note, cards, answer in zip(*example.inputs, example.answers[:, 0]):
    print(f"{six_cards.words(note)[0]:15} -> {six_cards.answers[answer]:6} cards:", ", ".join(six_cards.words(cards)))

# %% [markdown]
# In a transformer block attention does not replace x, it *adds* to it (chapter 11). So does this head. The
# answer is read from the note's own vector, and from what the head has found:
#
# $$\text{answer} = \big(x + \operatorname{softmax}(q K^{\mathsf T} / \sqrt{d_k})\, V W_O\big)\, W_{\text{read}}$$
#
# Here $x$ is the note's vector, and $q$ its query; $K$ and $V$ are made from the cards. $W_{\text{read}}$ makes of a
# vector a number for each colour. In code, where `read_out` is that table: `(x + weights @ v @ w_o) @ read_out`.
#
# For half of the notes x alone is enough. All that the head has to do there is to say nothing.

# %%
plain_softmax = predict(
    "13-plain-softmax",
    "With the old question alone a head learns to be right every time (chapter 5). Now half of the questions are "
    "easier. How often is the trained head right?",
    [
        "Always, or nearly: half of the work is gone",
        "About nine times in ten: the easy notes cost something",
        "About half of the time: it learns one kind of note alone",
    ],
)
plain_softmax


# %%
def trained(task, **kind):
    """Ten heads trained on a task, one for each seed, and the recordings of the runs."""
    heads = [QuietHead(task.n_tokens, task.n_answers, seed=seed, **kind) for seed in range(10)]
    return heads, train_together(heads, task, 600, adam(0.01))


def right(heads, task):
    """The share of right answers of each head."""
    return [measure(head, task.test()).accuracy for head in heads]


plain, _ = trained(six_cards)
plain_right = right(plain, six_cards)
seeds({"plain softmax": plain_right}, "right answers", chance=1 / 8)

# %%
plain_softmax.reveal(
    0 if min(plain_right) >= 0.97 else 2 if max(plain_right) <= 0.7 else 1,
    "What is easy for a reader is hard for a softmax: to add nothing.",
)

# %% [markdown]
# Three times as many steps do not help (we have tried). Look at what the head does with each kind of note: how
# often it is right, and how much weight it gives the card that it looks at most.


# %%
def kinds(task):
    """Which of the test notes say "keep", and which say "find"."""
    keep = task.test().looks_at[:, 0] < 0    # there is no card to look at
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
# Both kinds of notes pay. And a note that has nothing to find does *not* spread its weight evenly: it looks at one
# card, with most of its weight. At which? A card with a short value can change the answer little. So ask how
# often the card that is looked at is one of the two *quietest* on the table, those with the shortest values. By
# chance that is one time in three.

# %%
def at_a_quiet_card(head, task, kind):
    """How often the largest weight is on one of the two cards with the shortest values."""
    weights, lengths, _ = look(head, task)
    looked_at = lengths.gather(1, weights.argmax(-1, keepdim=True))
    return float(((lengths < looked_at).sum(-1) < 2)[kinds(task)[kind]].float().mean())


quiet = {kind: [at_a_quiet_card(head, six_cards, kind) for head in plain] for kind in ("keep", "find")}
seeds(quiet, "looks at one of the two quietest cards", chance=1 / 3)

# %% [markdown]
# Notes that find look at a quiet card about as often as chance would have it. Notes that keep do so more often:
# in most of the ten heads more than half of the time. Nobody has told them. But it is a makeshift. The next note
# may have to find just this card, so its value cannot be zero. And as long as it is not zero, it disturbs the
# notes that keep.
#
# ## Make a place for it
#
# Try it by hand, on the smallest deck: a red card (Ada's) and a blue one (Ben's). There is one card more, which
# is empty: its value is zero. *keep Ben* does not need a card, but its query has *Ben* in it, so it looks at
# blue. The first column of both matrices says who: Ada is 3, Ben is -3. Two features are still unused: *keep*, in
# W_Q, and *empty*, in W_K. And the second column of both matrices is free.
#
# **The goal:** let *keep Ben* give the empty card at least 0.9, while *find Ada* still looks at red and *find Ben*
# at blue. Watch what becomes of the output of *keep Ben*.

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
# The row still sums to one. But most of it goes to something that says nothing, and so the head is nearly silent.
#
# ## Does training find it?
#
# Now the ten heads get such a card: before the six others lies one that has the same two words on it each time,
# *empty card*. Nobody sets its value to zero, and nobody tells a head to look at it.

# %%
empty_card = predict(
    "13-training-finds-it",
    "The same heads, the same training, and one card more that says nothing about any question. "
    "What becomes of the right answers?",
    [
        "Fewer: one more card to be confused by",
        "As before: there is no information on that card",
        "Nearly all are right now",
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
    "The card has no information, and that is what it is good for.",
)


# %%
def on_the_card(heads, task, kind):
    """The mean weight that the notes of one kind give to the first card, for each head."""
    return [float(look(head, task)[0][kinds(task)[kind], 0].mean()) for head in heads]


def length_of_first_value(head, task):
    """How long the first card's value is, as a share of the mean length of the others'."""
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
# There it is, and nobody asked for it. Where there is nothing to find, most of the weight goes to the empty card.
# Its value is shorter than the others', on most seeds less than half as long. Both belong together: much weight,
# times a value that says little. A token that is used like that is an **attention sink**, as you know from
# chapter 12.
#
# Watch it being made, in one of the ten heads. Choose the example *keep Cleo gold*, press play, and look below the
# matrices at where the note looks: in the end, at the first column. Then choose *find Ada white*: this note looks
# at Ada's card.

# %%
Replay(card_runs[2], names=["with an empty card"], tokens=seven_cards.tokens)

# %% [markdown]
# ## Break it
#
# Somebody looks at these maps, sees that the first card says nothing, and throws it away to save some memory.
# The heads stay as they are, trained with it. Only in use it is gone.

# %%
thrown_away = predict(
    "13-thrown-away",
    'The trained heads answer without the empty card. What becomes of the notes that say "keep"?',
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
    """For both kinds of notes, the share of right answers when the first card is taken away."""
    (notes, cards), answers, _ = task.test()
    ok = head(notes, cards[:, 1:]).logits[:, 0].argmax(-1) == answers[:, 0]
    return [float(ok[chosen].float().mean()) for chosen in kinds(task).values()]


left = [without_first(head, seven_cards) for head in with_card]
seeds({"keep": [keep for keep, _ in left], "find": [find for _, find in left]}, "right without it", chance=1 / 8)

# %%
thrown_away.reveal(
    2 if max(keep for keep, _ in left) <= 0.5 else 1,
    "The weight does not vanish with the card. Softmax gives it to the others, all of it, and they are loud.",
)

# %% [markdown]
# The notes that find something hardly notice. In those that keep, the small rest of the row is blown up to one:
# a head that was silent shouts. This happens in large models. To write without end, one may keep only the last
# few thousand keys and values and forget the oldest. Then the first token goes, and with it the sink: Guangxuan
# Xiao and others have found (*Efficient Streaming Language Models with Attention Sinks*, 2023) that the text
# breaks down at that moment, and that it goes on well when the first four tokens are simply kept.
#
# ## One more in the denominator
#
# The empty card is there so that a row can sum to one. Could softmax manage without it? Take two low scores, and
# two high ones with the same difference. Plain softmax sees differences only, so it gives both the same weights.
# Now put a **one** into the denominator, as in the second of these:
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
# With low scores most of the weight is gone, with high ones hardly any. Where has it gone? The one is $e^0$: it
# is as if there were one key more, whose score is always 0 and whose value is zero. An empty card, built in.
# Call it a **softmax with a sink**.
#
# ### Exercise: `softmax_with_a_sink`
#
# Write it so that large scores do not overflow. In chapter 2 you took the largest score away from all of them.
# Now there is one score more, the zero, and what is done to the others has to be done to it, too.


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
# It is torch's softmax of one score more, a zero, whose weight is then dropped. And the zero is no loss of
# freedom: to give the sink the score $c$, take $c$ away from all the others.

# %%
scores = torch.tensor([[2.0, -1.0, 0.5], [-4.0, -3.0, -5.0]])
zero = torch.zeros(2, 1)
assert torch.allclose(softmax_with_a_sink(scores), torch.softmax(torch.cat([scores, zero], -1), -1)[:, :-1])

c = 1.5
assert torch.allclose(softmax_with_a_sink(scores - c), torch.softmax(torch.cat([scores, zero + c], -1), -1)[:, :-1])
matrix(softmax_with_a_sink(scores), ["some are high", "all are low"], ["k 1", "k 2", "k 3"], "with a sink", weights=True)

# %% [markdown]
# Ten heads with this softmax, and six cards: no empty one.

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
seeds(kept, "weight that is given to cards, of one")

# %% [markdown]
# It does without the card: nearly all of the ten heads are always right, or all but. In more than half of them a
# note that keeps gives the six cards next to nothing. Others still give them a third of a row, or a half. That it is not
# needed does not mean that training takes it away. Evan Miller has argued for this softmax (*Attention Is Off By
# One*, 2023): the plain one, he says, is off by one. OpenAI's open models gpt-oss (2025) have it, with a number
# $c$ for each head as the sink's score, which is trained.
#
# ## A gate
#
# There is another way to say nothing: look somewhere, and then do not pass it on. A **gate** is a number between
# 0 and 1 that multiplies what attention has found. It is made from x, which knows whether it needs anything:
#
# $$\text{output} = \sigma(x W_G) \cdot \operatorname{softmax}(q K^{\mathsf T} / \sqrt{d_k})\, V$$
#
# Here $\sigma$ is the **sigmoid**, $1 / (1 + e^{-z})$: any number becomes one between 0 and 1. The product with it
# is taken number by number.
#
# ### Exercise: `gated_attention`
#
# `w_gate` has one column, for one gate for each row, or as many columns as v, for a gate for each number.
# Broadcasting does both. You may use `scaled_dot_product_attention`. The check tries batches, too: the dots in the
# shapes below.


# %%
def gated_attention(q, k, v, x, w_gate):
    """Attention whose output x can turn down.

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
# Ten heads with a gate, and the six cards without the empty one.

# %%
with_gate, _ = trained(six_cards, gate=True)

head = with_gate[0]
notes, cards = (head.embed(tokens) for tokens in six_cards.test(100).inputs)
found = gated_attention(notes @ head.w_q, cards @ head.w_k, cards @ head.w_v, notes, head.w_gate)
logits = (notes + found @ head.w_o) @ head.read_out
assert torch.allclose(logits, head(*six_cards.test(100).inputs).logits, atol=1e-3)

gate_right = right(with_gate, six_cards)
seeds({"gate": gate_right, "plain softmax": plain_right}, "right answers", chance=1 / 8)

# %% [markdown]
# The gate alone is enough. Now ten heads get both, the gate *and* the empty card.

# %%
both = predict(
    "13-gate-and-card",
    'Where do the notes that say "keep" look after training?',
    [
        "Anywhere: the gate makes them silent, so it does not matter",
        "Mostly at the empty card",
        "At all cards about alike",
    ],
)
both

# %%
with_both, _ = trained(seven_cards, gate=True)
both_right = right(with_both, seven_cards)
seeds({"gate and empty card": both_right, "gate": gate_right}, "right answers", chance=1 / 8)


# %%
@torch.no_grad()
def opening(head, task, kind):
    """How far the gate is open for the notes of one kind, on average."""
    return float(head.open(head.embed(task.test().inputs[0]))[kinds(task)[kind]].mean())


both_on_card = on_the_card(with_both, seven_cards, "keep")
seeds(
    {
        "gate alone, keep: how far it is open": [opening(head, six_cards, "keep") for head in with_gate],
        "gate alone, find: how far it is open": [opening(head, six_cards, "find") for head in with_gate],
        "both, keep: how far it is open": [opening(head, seven_cards, "keep") for head in with_both],
        "both, keep: weight on the empty card": both_on_card,
    },
    "the gate, and the sink",
)

# %%
both.reveal(
    1 if min(both_on_card) >= 0.5 else 0,
    "There are two ways to be silent, and training takes some of each. A gate allows a head to do without a sink. "
    "It does not forbid one.",
)

# %% [markdown]
# Alone, the gate shuts for *keep* and opens for *find*, and where the head looks meanwhile does not matter.
# With both, the gate need not shut so tightly, because the empty card does a part of the work. Nothing in the
# loss prefers the one to the other. Is that so in large models, too? Zihan Qiu and others (*Gated Attention for
# Large Language Models*, 2025) report the opposite: with gates the weight on the first token all but goes. Ours
# is a toy with one head, and it shows what *can* be, not what must.
#
# ## The bright column of a real model
#
# Back to MiniLM. These are all its heads on the sentence of chapter 12: the weight that a token gives to `[CLS]`,
# on average over all tokens.

# %%
from qkvlib.models.minilm import minilm_heads, minilm_maps

maps = torch.stack(list(minilm_maps().values()))    # [layer, head, who looks, who is looked at]
column = maps.mean(dim=2)                           # [layer, head, who is looked at]
first_most = (column.argmax(dim=-1) == 0).sum(dim=1)
print("heads of 12 that give [CLS] most, layer by layer:", ", ".join(map(str, first_most.tolist())))
print(f"[SEP], the other special token, gets {column[..., -1].mean():.2f} on average")

matrix(column[..., 0], [f"layer {i}" for i in range(6)], [f"h {i}" for i in range(12)],
       "mean weight on [CLS]", weights=True, digits=1)

# %% [markdown]
# Among so many tokens an even share is small. In layer 0 `[CLS]` often comes first, but with little. From layer 1 on nearly
# every head gives it many times an even share: a bright column. (`[SEP]`, at the other end, gets little.) Is it a
# sink, or is `[CLS]` really so interesting? You know what to ask: how long is its *value*? The file has W_V of
# five heads.

# %%
cls_value = predict(
    "13-cls-value",
    "Head 1 of layer 2 gives [CLS] more than a quarter of all its weight. How long is the value of [CLS] there, "
    "beside those of the other tokens?",
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

matrix(torch.stack(rows), names, ["weight on [CLS]", "length of its value", "of the others, mean"])

# %%
_, of_cls, of_others = rows[list(heads).index("application")]
share = float(of_cls / of_others)
cls_value.reveal(
    3 if share < 0.1 else 2 if share < 0.75 else 1 if share < 1.25 else 0,
    "Much weight, times nearly nothing. It is the pattern that our ten heads have found with the empty card.",
)

# %% [markdown]
# Read the rows from the top. In layer 0 `[CLS]` has little weight, and a value less than half as long as the
# others'. In the two heads of layers 2 and 3 the weight has grown, and the value has all but gone.
#
# A length is no more than a hint. The test is to take `[CLS]` out, in two ways. **Silence** it: its value
# becomes zero, the weights stay. Or take it **away**, so that softmax gives its weight to the others. How far do
# the outputs of the other tokens move, as a share of their length?

# %%
def moved(head, silence=None, away=None):
    """How far the outputs of the words move, on average, when a token is silenced or taken away."""
    v = head.x @ head.w_v + head.b_v
    weights, changed = head.weights.clone(), v.clone()
    if silence is not None:
        changed[silence] = 0
    if away is not None:
        weights[:, away] = 0
        weights = weights / weights.sum(-1, keepdim=True)
    before = head.weights @ v
    return float(((weights @ changed - before).norm(dim=-1) / before.norm(dim=-1))[1:-1].mean())


rows = []
for head in heads.values():
    words = range(1, len(head.tokens) - 1)
    rows.append(torch.tensor([
        moved(head, silence=0), sum(moved(head, silence=word) for word in words) / len(words),
        moved(head, away=0), sum(moved(head, away=word) for word in words) / len(words),
    ]))

matrix(torch.stack(rows), names, ["[CLS] silenced", "a word silenced", "[CLS] away", "a word away"], "outputs moved by")

# %% [markdown]
# Look at the head that finds what is owned, *application*. Silence `[CLS]`, and the outputs move less than when a
# word is silenced. Take it away, and they move far. They hardly turn: they become longer, because the weights of
# the others have grown, as they would whenever a token with so much weight is taken away. So what `[CLS]` *says*
# hardly counts in this head. That it *takes weight* does. This is what a sink is.
#
# ## What you have seen
#
# The weights of a plain softmax sum to one, so a head cannot look at nobody. Where nothing was to be found, most of
# our heads looked at something quiet, and about one answer in ten was wrong. Given a token that says nothing,
# training makes a sink of it: much weight, a short value. With that token taken away in use, most notes that keep
# were wrong, though it had said nothing. One more in the denominator is a sink that is built in. A gate can silence
# a head that looks somewhere, but does not forbid it a sink. In two of the five heads of MiniLM that we could open,
# `[CLS]` has much weight and a very short value: silence it, and the output hardly moves; take it away, and it
# moves far.

# %%
terms("softmax with a sink", "gate", "sigmoid")

# %% [markdown]
# ## Say it in your own words
#
# In the map of a real head nearly every word gives the first token most of its weight. A friend says: so the
# first token must matter most to all of them. What do you answer, and how would you find out?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take this course in a class, it is read
# by a person.

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
    "Chapter 2. Somebody adds 100 to every score of a row. What do the weights of plain softmax do?",
    [
        "They all grow",
        "Nothing: only differences within the row count",
        "The largest takes everything",
    ],
    answer=1,
    because="The same factor stands above and below. So softmax cannot know whether all scores are low. With one "
    "more in the denominator it can.",
)

# %%
ask(
    "13-close-loss",
    "Chapter 4. A head gives a token 0.9 of its weight, and that token's value is zero. What is the gradient of the "
    "loss with respect to this value, from this query?",
    [
        "Zero, since the value is zero",
        "0.9 times the gradient of the output",
        "The gradient of the output, whole",
    ],
    answer=1,
    because="d_V is the weights, transposed, times d_output. The value itself does not enter. So a value of zero "
    "can still be moved, and the more easily, the more weight it gets.",
)

# %% [markdown]
# ## What to read next
#
# - Guangxuan Xiao and others, *Efficient Streaming Language Models with Attention Sinks*, 2023: sinks in models
#   that write, and what happens when the first token is dropped.
# - Yelysei Bondarenko, Markus Nagel and Tijmen Blankevoort, *Quantizable Transformers: Removing Outliers by Helping
#   Attention Heads Do Nothing*, 2023: heads that want to do nothing, and two ways to let them.
# - Evan Miller, *Attention Is Off By One*, 2023: the case for one more in the denominator.
# - Zihan Qiu and others, *Gated Attention for Large Language Models: Non-linearity, Sparsity, and
#   Attention-Sink-Free*, 2025: gates, in models of real size.
#
# **Next:** [chapter 14](14_turning.ipynb), optional, too: trained on short texts, asked about long ones? Or
# [twenty-five questions](17_quiz.ipynb): what has stayed?
