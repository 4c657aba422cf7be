# ---
# title: Turning
# question: Trained on short texts, asked about long ones?
# settles: Turn queries and keys by their places, and a score knows only how far apart they stand. A look over
#   more words than in training is blurred, and scaling by log n helps.
# goal: turn queries and keys by their places, say which questions a head can answer beyond the length
#   that it was trained on, and why a sharp look is blurred among many keys
# minutes: 45
# builds on: chapters 2, 3, 5 and 7
# here: rotation, and length
# ---

# %% [markdown]
# # {number}. {title}: what becomes of a head when the text grows
#
# {here}
#
# A model is trained on texts of some length. Then somebody gives it a longer one. Nothing in attention forbids
# that: a row of weights may have sixteen entries or sixty-four. But the model has never seen so many places, and
# never had to find one word among so many.
#
# **The questions of this chapter: what does a head know of a place that it has never seen? What changes when
# queries and keys are turned by their places, as many models of today do? And does a sharp look stay sharp when
# there is more to look at?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: scores and softmax, rotating W_Q and W_K, places.
#
# This chapter is optional. The quiz does not ask for it.

# %%
import torch

from qkvlib import Turning, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds
from qkvlib.models import OneHead, PlacedHead
from qkvlib.tasks import ManyCards, OpeningWord, WordsBack
from qkvlib.training import adam, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## The word three back
#
# A line of words, drawn at random. At each place the question is the same: which word stands three places before
# this one? The language has sixteen words, a to p, and they tell nothing. Only places do.

# %%
short, long = WordsBack(n_words=16), WordsBack(n_words=64)
(line,), (answers,), _ = short.test(1)
print("words:  ", " ".join(short.words(line[0])))
print("answers:", " ".join("." if answer < 0 else short.answers[answer] for answer in answers))

# %% [markdown]
# One head with a causal mask is enough. From chapter 7 you know two ways to add places to x: a table that is
# trained, with a row for each place, or sines and cosines. We train ten heads of each kind on
# lines of 16 words. Then we ask them with lines of 64 words. The table has 64 rows for this.
#
# (Our heads have one thing more than those before: `b_q` and `b_k`, a vector that is added to each query and one
# that is added to each key. So a head can ask for a place, whatever the word is.)

# %%
learned_beyond = predict(
    "14-learned-beyond",
    "After training the heads with a learned table are always right on lines of 16 words. On the longer lines, how "
    "often are they right at the places that were not in training, from place 16 on?",
    [
        "Nearly always: three back is three back",
        "About half of the time",
        "Hardly ever: about once in 16, as by guessing",
    ],
)
learned_beyond


# %%
def trained(task, positions):
    """Ten heads trained on a task, one for each seed, told of places in one way."""
    heads = [PlacedHead(task.n_tokens, task.n_answers, positions=positions, seed=seed) for seed in range(10)]
    train_together(heads, task, 400, adam(0.005), batch_size=32)
    return heads


@torch.no_grad()
def right(heads, task, places):
    """The share of right answers of each head, at some places of the test lines."""
    (lines,), answers, _ = task.test(200)
    found = [head(lines).logits.argmax(-1) == answers for head in heads]
    return [float(ok[:, places].float().mean()) for ok in found]


within, beyond = slice(3, 16), slice(16, None)    # nothing is asked at places 0 to 2

learned, sinusoidal = trained(short, "learned"), trained(short, "sinusoidal")
seeds(
    {
        "learned, places of training": right(learned, long, within),
        "learned, beyond": right(learned, long, beyond),
        "sinusoidal, places of training": right(sinusoidal, long, within),
        "sinusoidal, beyond": right(sinusoidal, long, beyond),
    },
    "right answers", chance=1 / 16,
)

# %%
at_new_places = right(learned, long, beyond)
learned_beyond.reveal(
    2 if max(at_new_places) <= 0.2 else 1 if max(at_new_places) <= 0.8 else 0,
    "Rows 16 to 63 of the table never entered a loss. They are what they were at the start: random numbers.",
)

# %% [markdown]
# The table has no way to know that one place comes after another: each row is learned by itself. Sines and cosines
# go on by rule, and the heads that have them do better than by guessing, but are wrong most of the time. The rule
# goes on, but, and this is probably why, W_Q and W_K were trained on sixteen places of it only.
#
# ## Turn, do not add
#
# Chapter 7 showed a third way to tell of places: turn each query and each key by an angle that grows with its place.
# Here is
# why it works, and what it is good for.
#
# In chapter 3 you rotated W_Q and W_K by the same angle, and every score stayed as it was. Now each query and each
# key gets an angle of its own, that grows with its place. Let $q$ stand at place $m$ and $k$ at place $n$, and turn
# each by $\theta$ for each place. In the plane the product is length times length times the cosine of the angle
# between them. If this angle, counted from $k$ to $q$, was $\varphi$ before, then
#
# $$q_{\text{turned}} \cdot k_{\text{turned}} = |q|\,|k| \cos\big(\varphi + (m - n)\,\theta\big)$$
#
# $m$ and $n$ no longer stand in it alone, only $m - n$ does: how far apart they stand, and which of them comes first.
# This is their **relative position**.
#
# Try it by hand. The blue arrow is the query, at its place. The others are one and the same key at place 0, 1, 2 and
# so on, each turned 30 degrees farther than the one before. (Faint keys come after the query, so it does not see them.
# The dashed arc is how far the query has been turned by its place.) At the start the query fits best the key at its own place, 0 back.
#
# **The goal:** turn the query so that the key *three back* gets the most weight. Then move the place at which the
# query stands, and watch the scores in the table.

# %%
from qkvlib.widgets import Goal, Prefers

Turning(
    query=[2.0, 0.0],
    key=[1.5, 0.0],
    place=5,
    angle=30,
    goal=Goal(
        "14-three-back",
        "Turn q until the key three back gets the most weight.",
        conditions=[Prefers("3 back")],
        touch=["query", "place"],
        keep_lengths=True,
    ),
)

# %% [markdown]
# You have set one angle, once, and it holds at each place: the score in the row *3 back* does not change when the
# query moves. (Its weight may: there are more keys beside it, or fewer.) When the query moves one place, its arrow turns 30 degrees farther. The key that is now three back is
# turned
# 30 degrees farther, too. The angle between the two stays.
#
# There is a catch. After a whole turn an arrow is back where it was. At 30 degrees for each place, a key 12 back
# looks like a key 0 back. (Try it: set the angle to 90 degrees. A key 4 back now has the score of a key 0 back.) That
# is why one pair of numbers is not enough, and why a clock has several hands. A query of
# $d$ numbers is cut into $d/2$ pairs. Each pair is an arrow in a plane of its own, and is turned at its own speed. The
# speeds are those of chapter 7. Pair $i$ holds columns $2i$ and $2i + 1$, and $i$ begins at 0. At place $t$ it is
# turned by
#
# $$\text{angle}_{t,\,i} = \frac{t}{10000^{2i/d}} \qquad
# \begin{pmatrix} a \\ b \end{pmatrix} \to
# \begin{pmatrix} a \cos - b \sin \\ a \sin + b \cos \end{pmatrix}$$
#
# where cos and sin are those of this angle. Angles are in radians here; one radian is nearly a sixth of a whole turn.
# By hand, for one row of four numbers at place 2:

# %%
from math import cos, degrees, sin

print(f"one radian is {degrees(1):.1f} degrees")

row = [1.0, 0.0, 3.0, 4.0]
fast, slow = 2 / 10000 ** (0 / 4), 2 / 10000 ** (2 / 4)    # the angles of the two pairs
by_hand = [
    row[0] * cos(fast) - row[1] * sin(fast), row[0] * sin(fast) + row[1] * cos(fast),
    row[2] * cos(slow) - row[3] * sin(slow), row[2] * sin(slow) + row[3] * cos(slow),
]
[round(number, 2) for number in by_hand]

# %% [markdown]
# The first pair has turned far, the second hardly. This is the rotary position embedding, RoPE, of
# chapter 7: Jianlin Su and others, 2021.
#
# ### Exercise: `rotate_by_position`
#
# Turn each row of x by its place. The places come as a tensor, because they need not begin at 0. The two numbers of
# a pair stand side by side: `x[..., 0::2]` are all the first ones, `x[..., 1::2]` all the second ones. (With `...` it works
# for a batch, too.)


# %%
def rotate_by_position(x, positions):
    """Each row of x, turned by its place, pair of columns by pair of columns.

    x [..., n, d], d even, positions [n] -> [..., n, d]
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    angles = positions[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = torch.zeros_like(x)
    turned[..., 0::2] = a * angles.cos() - b * angles.sin()
    turned[..., 1::2] = a * angles.sin() + b * angles.cos()
    return turned
    ### END SOLUTION


# %%
rotate_by_position = check(rotate_by_position)

# %%
assert torch.allclose(rotate_by_position(torch.tensor([row]), torch.tensor([2])), torch.tensor([by_hand]))

# %% [markdown]
# Now the claim, in float64. A query and a key of 32 numbers, three places apart: the query
# stands at place 5, at place 50 and at place 500.

# %%
torch.manual_seed(0)
q, k = torch.randn(2, 32, dtype=torch.float64)
asks_at = torch.tensor([5.0, 50.0, 500.0], dtype=torch.float64)

turned_q = rotate_by_position(q.expand(3, 32), asks_at)
turned_k = rotate_by_position(k.expand(3, 32), asks_at - 3)
scores = (turned_q * turned_k).sum(-1)
spread = float((scores.max() - scores.min()) / (q.norm() * k.norm()))
print("scores:", [round(score, 6) for score in scores.tolist()])
print("they differ by less than 1e-13 of the product of the lengths:", spread < 1e-13)
print("lengths before and after:", round(float(k.norm()), 6), [round(n, 6) for n in turned_k.norm(dim=-1).tolist()])

# %% [markdown]
# The same score, but for rounding. And no length has changed. A turn can be turned back, so nothing is lost of what the
# vectors said.
#
# What is *not* turned? x, and the values. x goes on through the block as it is, with no place in it. And a value is
# what is handed out: *law* should say the same wherever it stands.
#
# Ten heads that turn their queries and keys, and have no table:

# %%
turned_beyond = predict(
    "14-turned-beyond",
    "The same task, trained on lines of 16 words. A score depends on the distance alone now. But at place 40 there are "
    "also words farther back than any in training. How often are these heads right at the places beyond?",
    [
        "About as often as with sines and cosines: the speeds are the same",
        "About half of the time",
        "Nearly always",
    ],
)
turned_beyond

# %%
rotary = trained(short, "rotary")
rotary_beyond = right(rotary, long, beyond)
seeds(
    {
        "turned, places of training": right(rotary, long, within),
        "turned, beyond": rotary_beyond,
        "sinusoidal, beyond": right(sinusoidal, long, beyond),
        "learned, beyond": at_new_places,
    },
    "right answers", chance=1 / 16,
)

# %%
turned_beyond.reveal(
    2 if min(rotary_beyond) >= 0.85 else 1 if min(rotary_beyond) >= 0.45 else 0,
    "At place 40 the word three back has the score that it had at place 10. Only the words more than 15 back are new, and "
    "in these heads they hardly ever win.",
)

# %% [markdown]
# Here is what is inside. The scores of the first head for a key so many places back, turned by your function. For q and
# k we take the average word, since no word is to be preferred.

# %%
def by_distance(head):
    """The score of the average word for itself, 0 back, 1 back and so on up to 63 back."""
    word = head.embedding.mean(0, keepdim=True)
    q, k = word @ head.w_q + head.b_q, word @ head.w_k + head.b_k
    places = torch.arange(64)
    asks, found = rotate_by_position(q, torch.tensor([63])), rotate_by_position(k.expand(64, -1), 63 - places)
    return (asks @ found.T)[0] / head.d_model**0.5


print("at which distance each head's score is largest:", *(int(by_distance(head).argmax()) for head in rotary))
score = by_distance(rotary[0])
print(f"the largest score from 16 back on: {float(score[16:].max()):.1f}, at {16 + int(score[16:].argmax())} back")
matrix(score[None, :10], ["score"], [f"{n} back" for n in range(10)], "the average word", digits=1)

# %% [markdown]
# The score is largest three back, as that of your arrow was, and so it is in all ten heads. Far away it rises once
# more, at
# distances that were in no training line: there the fastest arrows have gone round several times, and nearly agree
# again. The slowest have hardly moved. Some of those between now point another way, and so the score stays below that
# of
# three back. In these heads that is enough.
#
# One thing you should know about this comparison. The size of the steps, the spread of the first weights and the first
# biases were chosen so that heads that turn do well beyond the training. The others got the same settings, which may
# not
# be the best for them. And not every head that turns gets there: of sixty others, with other seeds, two learned
# nothing at all, and one was right beyond the training in two of three cases only.
#
# ## Break it
#
# Now another question. At each place: which word *opened* the line? It is always the same place.
# Again we train on lines of 16 words, ten heads with a learned table and ten that turn. Both are always right there.

# %%
opening_word = predict(
    "14-opening-word",
    "On the longer lines, at places from 16 on: which heads still know the word at place 0?",
    [
        "Those that turn: they have shown that they can go on",
        "Those with the table, whose rows were of no use before",
        "Both: the place is the same as in training",
        "Neither: no head has seen such long lines",
    ],
)
opening_word

# %%
opens_short, opens_long = OpeningWord(n_words=16), OpeningWord(n_words=64)
by_turning, by_table = trained(opens_short, "rotary"), trained(opens_short, "learned")
turning_right, table_right = (right(heads, opens_long, beyond) for heads in (by_turning, by_table))
seeds(
    {
        "turned, places of training": right(by_turning, opens_long, within),
        "turned, beyond": turning_right,
        "learned, places of training": right(by_table, opens_long, within),
        "learned, beyond": table_right,
    },
    "which word opened the line? right answers", chance=1 / 16,
)

# %%
turns, knows = min(turning_right) >= 0.6, min(table_right) >= 0.6
opening_word.reveal(
    2 if turns and knows else 0 if turns else 1 if knows else 3,
    "Row 0 of the table was trained, and it is still row 0. To those that turn, the first word is now 40 back, and a "
    "distance of 40 was in no training line.",
)

# %% [markdown]
# So it is not that turning "goes on for ever". A head can use what it was trained on: places, if it was told of
# places, and distances, if it was told of distances. Three back is an old distance at each new place. *The first word* is
# an old place at an ever new distance. (Why can the heads with a table ask at place 40, whose own row is random? A query
# for the first word need not say where it stands. But random rows are added to the keys, too, and that does disturb:
# the
# worst of these heads is not always right.)
#
# Being right on sequences longer than all in training is called **length generalization**. Large models that turn, LLaMA
# (2023) among them, meet new distances in longer texts, too, and fail there unless something is done about it. You will
# see numbers further down. Shouyuan Chen and others (*Extending Context Window of Large Language Models via Positional
# Interpolation*, 2023) put more places into LLaMA's old angles: they divide the places, so that no angle is larger than
# in training, and train a little more.
#
# ## One among many
#
# There is a second thing that length changes, and places have nothing to do with it. Take chapter 5's cards again: who has
# which colour? There are 512 people now, called no. 0 to no. 511. We train ten heads with 6 cards on the table, then
# lay out
# more, in the end one for each person. The embedding stays as it was drawn; only the W are trained.

# %%
many_cards = predict(
    "14-many-cards",
    "With 6 cards these heads give the right one nearly all of their weight. How much does it get, on average, among 512?",
    [
        "As much as before: query and key are the same, so their score is the same",
        "About half of the weight",
        "Next to nothing: each card gets about 1/512",
    ],
)
many_cards

# %%
six = ManyCards(n_cards=6)
lookers = [OneHead(six.n_tokens, six.n_answers, d_model=32, spread=1.0, seed=seed) for seed in range(10)]
train_together(lookers, six, 200, adam(0.01), freeze="embedding")


def plain_scores(q, k):
    return q @ k.mT / q.shape[-1] ** 0.5


@torch.no_grad()
def among(n_cards, scored=plain_scores):
    """Each head's mean weight on the right card among so many, and its share of right answers."""
    (question, cards), answers, where = ManyCards(n_cards=n_cards).test(200)
    weight, ok = [], []
    for head in lookers:
        memory = head.embed(cards)
        q, k, v = head.embed(question) @ head.w_q, memory @ head.w_k, memory @ head.w_v
        weights = torch.softmax(scored(q, k), dim=-1)
        weight.append(float(weights[:, 0].gather(1, where).mean()))
        ok.append(float(((weights @ v @ head.w_o)[:, 0].argmax(-1) == answers[:, 0]).float().mean()))
    return weight, ok


sizes = (6, 32, 128, 512)
plain = {n: among(n) for n in sizes}
seeds({f"{n} cards": plain[n][0] for n in sizes}, "weight on the right card")

# %%
many_cards.reveal(
    0 if min(plain[512][0]) >= 0.8 else 2 if max(plain[512][0]) <= 0.2 else 1,
    "The score of the right card is what it was. But the row sums to one. Many others take a little each, and a few "
    "that are alike may take much.",
)

# %% [markdown]
# A simpler case by hand, in which all other cards are equal. Let the right card's score be 5 above theirs. Count from
# their
# score: it is 0, and $e^0 = 1$. Then the weight of the right card is

# %%
from math import exp, log

for n in sizes:
    print(f"{n:4} cards: e^5 / (e^5 + {n - 1}) = {exp(5) / (exp(5) + n - 1):.2f}")

# %% [markdown]
# (Our heads held more: their gaps are not all alike. For many questions they are wide, for some narrow.)
#
# Each card that is added adds one to the denominator, and $e^5$ stays what it is. This is called **dispersion**: with
# enough keys any softmax is blurred whose scores do not grow (Petar Veličković and others, *Softmax Is Not Enough*, 2024). To
# hold the weight, the gap of 5 would have to grow with $n$. By how much? With a gap of $g \log n$ the right card's
# exponential is $e^{g \log n} = n^g$, and the sum is $n^g + n - 1$. If $g$ is larger than one, $n^g$ is larger than
# the rest, for any $n$.
#
# So let the scores grow with the logarithm of the number of keys, and let them be what they were when there are as many keys
# as in training:
#
# $$\text{scores} = \frac{\log n}{\log n_{\text{train}}} \cdot \frac{Q K^{\mathsf T}}{\sqrt{d_k}}$$
#
# This is **log-n scaling**. To multiply all scores by a number multiplies all gaps by it. Nothing is trained for it.
# (With
# fewer keys than in training the scores shrink.)
#
# ### Exercise: `scores_that_know_length`


# %%
def scores_that_know_length(q, k, trained_on):
    """Scores that are stretched by the ratio of two logarithms: of the keys there are, and of those in training.

    q [..., n, d_k], k [..., m, d_k], trained_on a whole number, at least 2 -> [..., n, m]
    """
    ### BEGIN SOLUTION
    n_keys = k.shape[-2]
    return q @ k.mT / q.shape[-1] ** 0.5 * log(n_keys) / log(trained_on)
    ### END SOLUTION


# %%
scores_that_know_length = check(scores_that_know_length)

# %%
stretched = {n: among(n, lambda q, k: scores_that_know_length(q, k, 6)) for n in sizes}
seeds(
    {
        "128 cards, plain": plain[128][0],
        "128 cards, times log n": stretched[128][0],
        "512 cards, plain": plain[512][0],
        "512 cards, times log n": stretched[512][0],
    },
    "weight on the right card",
)

# %%
seeds(
    {
        "6 cards": plain[6][1],
        "512 cards, plain": plain[512][1],
        "512 cards, times log n": stretched[512][1],
    },
    "right answers", chance=1 / 8,
)

# %% [markdown]
# The same heads, the same weights W, one factor more: the look is much sharper, and on every seed more answers are
# right. It is a help, and no cure. A likely reason: 512 random vectors of 32 numbers cannot all be far apart, and a
# stretch cannot part what has nearly the same score.
#
# ## In a large model
#
# Qwen-7B is a language model that turns its queries and keys. Its authors published what becomes of its first version,
# which was trained on texts of at most 2048 tokens, when texts are longer (README of Qwen, 2023). The numbers are
# perplexities: a
# perplexity of 4 means: as unsure as if one had to guess among 4 equally likely tokens. Smaller is better.

# %%
published = torch.tensor([
    [4.23, 3.78, 39.35, 469.81, 2645.09],    # as it was trained
    [4.23, 3.78, 3.59, 3.66, 5.71],          # its arrows turn more slowly, the longer the text
    [4.23, 3.78, 3.58, 3.56, 4.62],          # and scores times log n
])
matrix(
    published.log(),
    ["as it was trained", "slower turns", "slower turns, and log n"],
    [f"{n} tokens" for n in (1024, 2048, 4096, 8192, 16384)],
    "logarithm of Qwen-7B's perplexity (published, 2023)",
)

# %% [markdown]
# We show logarithms, because the largest number would hide all others. Beyond 2048 tokens the perplexity of the first
# row
# grows to 39.35, then to 469.81 and to 2645.09: such texts have distances that no training text had. With slower turns
# (called NTK-aware) it is 5.71 at 16384 tokens, and with log n 4.62. (A fourth row of theirs, with windows, is left
# out.) These are their measurements, not ours. And the authors of
# Llama 4 (Meta, 2025) write that some of its layers have no positions at all, and that its scores are scaled in use, so that it
# goes on better at new lengths.
#
# ## What you have seen
#
# A learned table says nothing of a place that was not in training, and sines and cosines helped our heads little. Turned
# by their places, a query and a key have a score that knows only how far apart they stand; our heads found the word three
# back at places four times as far as in training. Asked for the first word they failed there, and heads with a table
# mostly did not:
# what is trained is a distance in the one case, a place in the other. And with more keys a softmax is blurred,
# because its scores do not
# grow and each key takes a share. Scores that grow with log n sharpen it again, in part.

# %%
terms("relative position", "length generalization", "dispersion", "log-n scaling")

# %% [markdown]
# ## Say it in your own words
#
# Two heads were trained on lines of 16 words, one with a learned table of places, one by turning. Which of them can go
# on at place 40, and for what kind of question? Say why.
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take this course in a class, it is read
# by a person.

# %% [markdown]
# <!-- answer: trained-short, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("14")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "14-close-rotate",
    "Chapter 3. W_Q alone is multiplied by a rotation, and W_K stays as it is. What becomes of the scores?",
    [
        "They stay: a rotation changes no length, and so no product",
        "They change: the rotation stays in the product",
        "Every score is turned into its negative",
    ],
    answer=1,
    because="Rotate both alike, and the rotation and its transpose cancel in the middle of the product. Rotate one, and it "
    "stays. With RoPE the two rotations differ, and what is left is their difference.",
)

# %%
ask(
    "14-close-none",
    "Chapter 7. A layer of attention has no places at all and no mask. The words are shuffled. What becomes of its "
    "outputs?",
    [
        "They are others: attention reads from left to right",
        "They are the same, in the new order",
        "They all become equal",
    ],
    answer=1,
    because="Scores depend on the two vectors alone, and a sum has no order. Whatever knows of order was put in, by "
    "adding, by turning, or by a mask.",
)

# %% [markdown]
# ## What to read next
#
# - Jianlin Su and others, *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021: turning.
# - Ofir Press, Noah Smith and Mike Lewis, *Train Short, Test Long: Attention with Linear Biases Enables Input Length
#   Extrapolation*, 2021: another way to tell of distances, and the test that this chapter makes.
# - David Chiang and Peter Cholak, *Overcoming a Theoretical Limitation of Self-Attention*, 2022: scores times log n.
# - Amirhossein Kazemnejad and others, *The Impact of Positional Encoding on Length Generalization in Transformers*,
#   2023: five ways compared, no positions among them.
#
# **Next:** [chapter 15](15_long_memory.ipynb), optional, too: what does a long memory cost? Or
# [twenty-five questions](17_quiz.ipynb): what has stayed?
