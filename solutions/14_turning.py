# ---
# title: Rotary positions (RoPE) and long texts
# question: Why do models fail on texts longer than those they were trained on?
# settles: Rotate queries and keys by their positions, and a score depends only on how far apart they are. Over more
#   words than in training, attention gets blurred. Multiplying the scores by log n helps.
# goal: rotate queries and keys by their positions, say which questions a head can answer beyond the length
#   that it was trained on, and why sharp attention gets blurred among many keys
# minutes: 95
# builds on: chapters 2, 3, 5 and 7
# here: rotation, and length
# ---

# %% [markdown]
# # {number}. {title}: what happens to a head when the text gets longer
#
# {here}
#
# A model is trained on texts of some length. Then someone gives it a longer text. Nothing in attention
# forbids that: a row of weights can have sixteen entries or sixty-four. But the model has never seen so many
# positions, and has never had to find one word among so many.
#
# **The questions of this chapter: what does a head know about a position that it has never seen? What changes
# when queries and keys are rotated by their positions, as in many of today's models? And does attention stay
# sharp when there is more to look at?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: scores and softmax, rotating W_Q and W_K,
# positions.
#
# This chapter is optional. The quiz doesn't ask about it.

# %%
import torch

from qkvlib import Turning, ask, check, hint, predict, replay_predictions, terms
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.figures import matrix, seeds
from qkvlib.masks import causal_mask
from qkvlib.models import OneHead, PlacedHead
from qkvlib.models.base import Answer
from qkvlib.tasks import ManyCards, OpeningWord, WordsBack
from qkvlib.training import adam, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## The word three back
#
# Here is a line of words, drawn at random. The question is the same at each position: which word comes three
# positions before this one? The language has sixteen words, a to p. The words give nothing away, so only
# positions can help.

# %%
short, long = WordsBack(n_words=16), WordsBack(n_words=64)
(line,), (answers,), _ = short.test(1)
print("words:  ", " ".join(short.words(line[0])))
print("answers:", " ".join("." if answer < 0 else short.answers[answer] for answer in answers))

# %% [markdown]
# One head with a causal mask is enough. From chapter 7 you know two kinds of position vectors that are added
# to x: learned ones, a row for each position, and sinusoidal ones, sines and cosines. We train ten heads of
# each kind on lines of 16 words. Then we test them on lines of 64. (That is why the learned kind has 64
# rows.)
#
# (These heads have biases: `b_q` is added to each query, and `b_k` to each key. With biases a head can ask
# for a position, whatever the word is.)

# %%
learned_beyond = predict(
    "14-learned-beyond",
    "After training, the heads with learned positions are always right on lines of 16 words. On the longer lines, how "
    "often are they right at the positions that were not in training, from position 16 on?",
    [
        "Almost always: three back is three back",
        "About half of the time",
        "Hardly ever: about once in 16, as if guessing",
    ],
)
learned_beyond


# %%
def trained(task, positions, kind=PlacedHead):
    """Ten heads with one kind of positions trained on a task, one for each seed."""
    heads = [kind(task.n_tokens, task.n_answers, positions=positions, seed=seed) for seed in range(10)]
    train_together(heads, task, 200, adam(0.01), batch_size=32)
    return heads


@torch.no_grad()
def right(heads, task, positions):
    """The accuracy of each head at some positions of the test lines."""
    (lines,), answers, _ = task.test(200)
    found = [head(lines).logits.argmax(-1) == answers for head in heads]
    return [float(ok[:, positions].float().mean()) for ok in found]


within, beyond = slice(3, 16), slice(16, None)    # nothing is asked at positions 0 to 2

learned, sinusoidal = trained(short, "learned"), trained(short, "sinusoidal")
seeds(
    {
        "learned, positions of training": right(learned, long, within),
        "learned, beyond": right(learned, long, beyond),
        "sinusoidal, positions of training": right(sinusoidal, long, within),
        "sinusoidal, beyond": right(sinusoidal, long, beyond),
    },
    "accuracy", chance=1 / 16,
)

# %%
at_new_positions = right(learned, long, beyond)
learned_beyond.reveal(
    2 if max(at_new_positions) <= 0.2 else 1 if max(at_new_positions) <= 0.8 else 0,
    "The loss never depended on rows 16 to 63. They still hold their initial random numbers.",
)

# %% [markdown]
# In learned position embeddings nothing says that one position comes after another: each row is learned
# separately. Sines and cosines continue by a rule, but the heads that use them are still wrong most of the
# time. Many pairs of W_Q and W_K fit the first sixteen positions, and nothing in the loss favours a pair
# whose scores depend only on the distance. (If the training lines begin at random positions, these heads are right at
# the later positions, too. We have tried it.)
#
# ## RoPE: rotate, do not add
#
# Chapter 7 showed a third way: rotate each query and each key by an angle that grows with its position. Here
# is why it works.
#
# In chapter 3 you rotated W_Q and W_K by the same angle, and every score stayed as it was. Now the angle
# grows with the position. Let $q$ be at position $m$ and $k$ at position $n$: $q$ is rotated by $m\theta$,
# and $k$ by $n\theta$. In the plane, the dot product is length times length times the cosine of the angle
# between the two arrows. If this angle, counted from $k$ to $q$, was $\varphi$ before the rotations, then
#
# $$q_{\text{rotated}} \cdot k_{\text{rotated}} = |q|\,|k| \cos\big(\varphi + (m - n)\,\theta\big)$$
#
# The formula no longer contains $m$ and $n$ separately, only $m - n$: how far apart the two words are, and
# which comes first. This is their **relative position**.
#
# Try it by hand. The blue arrow is the query. The other arrows are the same key at position 0, 1, 2 and so
# on, each rotated 30 degrees further than the one before. (Faint keys come after the query, which doesn't see
# them. The dashed arc shows the rotation that comes from the query's position.) At the start, the key at the
# query's own position, 0 back, fits best.
#
# **The goal:** rotate the query so that the key *three back* gets the most weight. Then change the query's
# position, and watch the scores in the table.

# %%
from qkvlib.widgets import Goal, Prefers

Turning(
    query=[2.0, 0.0],
    key=[1.5, 0.0],
    place=5,
    angle=30,
    goal=Goal(
        "14-three-back",
        "Rotate q until the key three back gets the most weight.",
        conditions=[Prefers("3 back")],
        touch=["query", "place"],
        keep_lengths=True,
    ),
)

# %% [markdown]
# You set one angle, once, and it works at every position: the score in the row *3 back* does not change when
# the query moves. (Its weight may change, because there are more or fewer keys beside it.) When the query
# moves by one position, its arrow rotates by 30 degrees. The key that is now three back is rotated 30 degrees
# further, too. So the angle between query and key stays the same.
#
# There is a catch. After a full turn, an arrow is back where it was. (Set the angle to 90 degrees: a key 4
# back now has the score of a key 0 back.) So one pair of numbers is not enough. A clock has several hands for
# the same reason. A query of $d$ numbers is split into $d/2$ pairs. Each pair is an arrow in its own plane
# and rotates at its own speed. The speeds are those of chapter 7. Pair $i$ holds columns $2i$ and $2i + 1$,
# where $i$ starts at 0. At position $t$ it is rotated by
#
# $$\text{angle}_{t,\,i} = \frac{t}{10000^{2i/d}} \qquad
# \begin{pmatrix} a \\ b \end{pmatrix} \to
# \begin{pmatrix} a \cos - b \sin \\ a \sin + b \cos \end{pmatrix}$$
#
# where cos and sin are the cosine and sine of this angle, in radians. By hand, for one row of four numbers at
# position 2:

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
# The first pair has rotated far, the second hardly at all. This is the rotary position embedding, RoPE
# (Jianlin Su and others, 2021).
#
# ### Exercise: `rotate_by_position`
#
# Rotate each row of x by its position. The positions are passed as a tensor, because the first of them need
# not be 0. The two numbers of a pair are neighbours: `x[..., 0::2]` selects the first number of every pair,
# and `x[..., 1::2]` the second. (The `...` makes it work for a batch, too.)

# %%
def rotate_by_position(x, positions):
    """Each row of x, rotated by its position, pair of columns by pair of columns.

    x [..., n, d], d even, positions [n] -> [..., n, d]
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    angles = positions[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    rotated = torch.zeros_like(x)
    rotated[..., 0::2] = a * angles.cos() - b * angles.sin()
    rotated[..., 1::2] = a * angles.sin() + b * angles.cos()
    return rotated
    ### END SOLUTION


# %%
rotate_by_position = check(rotate_by_position)

# %%
assert torch.allclose(rotate_by_position(torch.tensor([row]), torch.tensor([2])), torch.tensor([by_hand]))

# %% [markdown]
# Now test the claim, in float64. A query and a key of 32 numbers are three positions apart. The query is
# first at position 5, then at 50, then at 500.

# %%
torch.manual_seed(0)
q, k = torch.randn(2, 32, dtype=torch.float64)
asks_at = torch.tensor([5.0, 50.0, 500.0], dtype=torch.float64)

rotated_q = rotate_by_position(q.expand(3, 32), asks_at)
rotated_k = rotate_by_position(k.expand(3, 32), asks_at - 3)
scores = (rotated_q * rotated_k).sum(-1)
spread = float((scores.max() - scores.min()) / (q.norm() * k.norm()))
print("scores:", [round(score, 6) for score in scores.tolist()])
print("they differ by less than 1e-13 of the product of the lengths:", spread < 1e-13)
print("lengths before and after:", round(float(k.norm()), 6), [round(n, 6) for n in rotated_k.norm(dim=-1).tolist()])

# %% [markdown]
# The score is the same, except for rounding. A rotation can be undone, so the vectors lose no information.
#
# What is *not* rotated? x and the values. No position is added to x. And a value is what a word passes on:
# *law* should pass on the same vector at every position.
#
# Now we train ten heads that rotate their queries and keys, with nothing added to x:

# %%
turned_beyond = predict(
    "14-turned-beyond",
    "The same task, trained on lines of 16 words. A score now depends only on the words and their distance. "
    "But at position 40 there are also words further back than any in training. How often are these heads "
    "right beyond position 15?",
    [
        "About as often as with sines and cosines: the speeds are the same",
        "About half of the time",
        "Almost always",
    ],
)
turned_beyond

# %%
rotary = trained(short, "rotary")
rotary_beyond = right(rotary, long, beyond)
seeds(
    {
        "rotary, positions of training": right(rotary, long, within),
        "rotary, beyond": rotary_beyond,
        "sinusoidal, beyond": right(sinusoidal, long, beyond),
        "learned, beyond": at_new_positions,
    },
    "accuracy", chance=1 / 16,
)

# %%
turned_beyond.reveal(
    2 if min(rotary_beyond) >= 0.85 else 1 if min(rotary_beyond) >= 0.45 else 0,
    "At position 40 the word three back has the score that it had at position 10. Only the words more than 15 back are "
    "new, and in these heads they hardly ever win.",
)

# %% [markdown]
# What if the values are rotated, too? Here are ten heads with rotated values.

# %%
class RotatedValues(PlacedHead):
    """A head with rotary positions that rotates its values, too."""

    def __call__(self, tokens):
        x, positions = self.embed(tokens), torch.arange(tokens.shape[1])
        q, k, v = x @ self.w_q + self.b_q, x @ self.w_k + self.b_k, x @ self.w_v
        q, k, v = (rotate_by_position(rows, positions) for rows in (q, k, v))
        output, weights = scaled_dot_product_attention(q, k, v, causal_mask(len(positions)))
        return Answer(output @ self.read_out, {"head": weights.unsqueeze(1)})


rotated_values = trained(short, "rotary", RotatedValues)
seeds(
    {
        "values rotated, positions of training": right(rotated_values, long, within),
        "values rotated, the last eight": right(rotated_values, long, slice(56, 64)),
        "values not rotated, the last eight": right(rotary, long, slice(56, 64)),
    },
    "accuracy", chance=1 / 16,
)

# %% [markdown]
# Nothing is lost at the positions of training, but some accuracy is lost far beyond them. With rotated values
# the same word passes on a different vector at every position, and the read-out was trained on only sixteen
# of these vectors. The slower pairs hardly rotate in 64 positions, so the word can usually still be read from
# them.
#
# Now look inside. With your function we compute the first head's score for a key 0 back, 1 back, 2 back and
# so on. Both q and k come from the average word, so that no word is preferred.

# %%
def by_distance(head):
    """The score of the average word for itself, 0 back, 1 back and so on up to 63 back."""
    word = head.embedding.mean(0, keepdim=True)
    q, k = word @ head.w_q + head.b_q, word @ head.w_k + head.b_k
    back = torch.arange(64)
    asks, found = rotate_by_position(q, torch.tensor([63])), rotate_by_position(k.expand(64, -1), 63 - back)
    return (asks @ found.T)[0] / head.d_model**0.5


print("at which distance each head's score is largest:", *(int(by_distance(head).argmax()) for head in rotary))
score = by_distance(rotary[0])
print(f"the largest score from 16 back on: {float(score[16:].max()):.1f}, at {16 + int(score[16:].argmax())} back")
matrix(score[None, :10], ["score"], [f"{n} back" for n in range(10)], "the average word", digits=1)

# %% [markdown]
# In all ten heads the score is largest three back, as with your arrow. In the first head the score rises once
# more at much larger distances, which no training line had. There the fastest arrows have gone round several
# times, and almost line up again. But some slower arrows now point in a different direction, so the score
# stays below its value at three back.
#
# We chose the learning rate and the initial weights and biases so that rotary heads do well beyond the
# training lengths. These settings may not be the best for the other heads. And with other seeds a few rotary
# heads learn nothing at all, or are often wrong beyond the training lengths.
#
# ## Break it: ask for the first word
#
# Now the question at each position is: which word *opened* the line? Again we train ten heads with learned
# positions and ten rotary heads on lines of 16 words, where both kinds are always right.

# %%
opening_word = predict(
    "14-opening-word",
    "Which heads still know the word at position 0 on the longer lines, at positions from 16 on?",
    [
        "The rotary ones: they did well beyond the training lengths",
        "Those with learned positions, which failed before",
        "Both: the position is the same as in training",
        "Neither: no head has seen such long lines",
    ],
)
opening_word

# %%
opens_short, opens_long = OpeningWord(n_words=16), OpeningWord(n_words=64)
by_rotation, by_row = trained(opens_short, "rotary"), trained(opens_short, "learned")
rotary_right, learned_right = (right(heads, opens_long, beyond) for heads in (by_rotation, by_row))
seeds(
    {
        "rotary, positions of training": right(by_rotation, opens_long, within),
        "rotary, beyond": rotary_right,
        "learned, positions of training": right(by_row, opens_long, within),
        "learned, beyond": learned_right,
    },
    "which word opened the line? accuracy", chance=1 / 16,
)

# %%
rotates, knows = min(rotary_right) >= 0.6, min(learned_right) >= 0.6
opening_word.reveal(
    2 if rotates and knows else 0 if rotates else 1 if knows else 3,
    "Position 0 has its own learned row, and that row was trained. For a rotary head at position 40 the first word is "
    "40 back, a distance that was in no training line.",
)

# %% [markdown]
# A head can use what it was trained on: positions if it was given positions, distances if it was given
# distances. *Three back* is a familiar distance at each new position. *The first word* is a familiar
# position, but its distance is new each time. (Why can the heads with learned positions ask at position 40,
# whose own row is random? A query for the first word need not depend on its own position. But random rows are
# also added to the keys, and there are more keys: the worst of these heads is not always right.)
#
# A model that is right on sequences longer than any in training shows **length generalization**. Large models
# with RoPE meet new distances in longer texts, too, and fail there unless something is done about it.
# Shouyuan Chen and others (*Extending Context Window of Large Language Models via Positional Interpolation*,
# 2023) divide the positions of LLaMA (2023), so that no angle is larger than in training, and then train a
# little more.
#
# ## Attention blurs over many keys (dispersion)
#
# Length changes a second thing, which has nothing to do with positions. Take chapter 5's cards again: who has
# which colour? Now there are 512 people. We train ten heads with 6 cards on the table, then add more cards,
# up to one for each person. (Only the weight matrices are trained, not the embedding.)

# %%
many_cards = predict(
    "14-many-cards",
    "With 6 cards these heads give almost all their weight to the right one. How much does the right card get, on average, among 512?",
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
    """Each head's mean weight on the right card among so many, and its accuracy."""
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
    "The score of the right card has not changed. But the row sums to one. Many other cards take a little each, "
    "and a few similar cards may take much.",
)

# %% [markdown]
# By hand, take a simpler case: all other cards have the score 0, and the right card's score is 5. Because
# $e^0 = 1$, the weight of the right card is

# %%
from math import exp, log

for n in sizes:
    print(f"{n:4} cards: e^5 / (e^5 + {n - 1}) = {exp(5) / (exp(5) + n - 1):.2f}")

# %% [markdown]
# (Our trained heads kept more weight: for many questions the right card leads by a wide gap, for some by a
# narrow one.)
#
# Each extra card adds one to the denominator, while $e^5$ stays the same. This is called **dispersion**: with
# enough keys, every softmax gets blurred if its scores don't grow (Petar Veličković and others, *Softmax Is
# Not Enough*, 2024). To keep the weight, the gap of 5 between the scores would have to grow with $n$. How
# fast? With a gap of $g \log n$ the right card's exponential is $e^{g \log n} = n^g$, and the sum is
# $n^g+n-1$. If $g$ is larger than one, $n^g$ is larger than the rest, for any $n$.
#
# So let the scores grow with the logarithm of the number of keys. With as many keys as in training, the
# scores should stay as they are:
#
# $$\text{scores} = \frac{\log n}{\log n_{\text{train}}} \cdot \frac{Q K^{\mathsf T}}{\sqrt{d_k}}$$
#
# This is **log-n scaling**. It multiplies all gaps by the same number, and needs no training. (With fewer
# keys than in training the scores shrink.)
#
# ### Exercise: `scores_that_know_length`

# %%
def scores_that_know_length(q, k, trained_on):
    """Scores times the ratio of two logarithms: of the number of keys now, and of the number in training.

    q [..., n, d_k], k [..., m, d_k], trained_on a whole number, at least 2 -> [..., n, m]
    """
    ### BEGIN SOLUTION
    n_keys = k.shape[-2]
    return q @ k.mT / q.shape[-1] ** 0.5 * log(n_keys) / log(trained_on)
    ### END SOLUTION


# %%
scores_that_know_length = check(scores_that_know_length)

# %%
scaled = {n: among(n, lambda q, k: scores_that_know_length(q, k, 6)) for n in sizes}
seeds(
    {
        "128 cards, plain": plain[128][0],
        "128 cards, times log n": scaled[128][0],
        "512 cards, plain": plain[512][0],
        "512 cards, times log n": scaled[512][0],
    },
    "weight on the right card",
)

# %%
seeds(
    {
        "6 cards": plain[6][1],
        "512 cards, plain": plain[512][1],
        "512 cards, times log n": scaled[512][1],
    },
    "accuracy", chance=1 / 8,
)

# %% [markdown]
# With one extra factor, the attention is much sharper, and on every seed more answers are right. The factor
# helps, but is no cure: for some questions a wrong card has the largest score, and no factor changes which
# score is largest.
#
# ## In a large model
#
# Qwen-7B is a language model with RoPE. Its first version was trained on texts of at most 2048 tokens, and
# its authors published what happens when texts are longer (README of Qwen, 2023). The numbers are
# perplexities. With a perplexity of 4 the model is as unsure as if it had to guess among 4 equally likely
# tokens. Smaller is better.

# %%
published = torch.tensor([
    [4.23, 3.78, 39.35, 469.81, 2645.09],    # as it was trained
    [4.23, 3.78, 3.59, 3.66, 5.71],          # rotated more slowly, the longer the text
    [4.23, 3.78, 3.58, 3.56, 4.62],          # and scores times log n
])
matrix(
    published.log(),
    ["as it was trained", "slower rotations", "slower rotations, and log n"],
    [f"{n} tokens" for n in (1024, 2048, 4096, 8192, 16384)],
    "logarithm of Qwen-7B's perplexity (published, 2023)",
)

# %% [markdown]
# (The table shows logarithms, because the largest numbers would hide all others.) Beyond 2048 tokens the
# perplexity of the first row grows to 2645.09: such texts have distances that no training text had. With
# slower rotations (called NTK-aware) the perplexity at 16384 tokens is 5.71, and with log n as well it is
# 4.62. (We leave out the authors' fourth row, with windows.)
#
# ## What you have seen
#
# Learned position embeddings hold nothing about positions that were not in training, and sinusoidal
# embeddings helped our heads only a little. When queries and keys are rotated by their positions, the
# positions enter a score only as a distance. Our heads then found the word three back on lines four times as
# long as in training. Asked for the first word of such lines, the rotary heads failed, but most heads with
# learned positions did not: a head can use what it was trained on, distances or positions. With more keys a
# softmax gets blurred, because the scores don't grow and each key takes a share. Scores that grow with log n
# sharpen the softmax again, in part.

# %%
terms("relative position", "length generalization", "dispersion", "log-n scaling")

# %% [markdown]
# ## Say it in your own words
#
# Two heads were trained on lines of 16 words, one head with learned positions, one head with rotary
# positions (RoPE). Which of these heads still works at position 40, and for what kind of question? Say why.
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

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
    "Chapter 3. You multiply only W_Q by a rotation, and W_K stays as it is. What happens to the scores?",
    [
        "They stay: a rotation changes no length, and so no product",
        "They change: the rotation stays in the product",
        "Every score becomes its negative",
    ],
    answer=1,
    because="Rotate both by the same angle, and the rotation and its transpose cancel in the middle of the "
    "product. Rotate only one, and the rotation stays. With RoPE the two angles differ, and their "
    "difference is left.",
)

# %%
ask(
    "14-close-none",
    "Chapter 7. A layer of attention has no positions at all and no mask. You shuffle the words. What happens to its "
    "outputs?",
    [
        "They are different: attention reads from left to right",
        "They are the same, in the new order",
        "They all become equal",
    ],
    answer=1,
    because="A score depends only on the two vectors, and a sum has no order. Order has to be put in: by adding "
    "vectors, by rotating, or by a mask.",
)

# %% [markdown]
# ## What to read next
#
# - Jianlin Su and others, *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021: RoPE.
# - Ofir Press, Noah Smith and Mike Lewis, *Train Short, Test Long: Attention with Linear Biases Enables Input
#   Length Extrapolation*, 2021: another way to use distances, and the test that this chapter makes.
# - David Chiang and Peter Cholak, *Overcoming a Theoretical Limitation of Self-Attention*, 2022: scores times
#   log n.
# - Amirhossein Kazemnejad and others, *The Impact of Positional Encoding on Length Generalization in
#   Transformers*, 2023: five ways compared, including no positions at all.
#
# **Next:** [chapter 15](15_long_memory.ipynb), also optional: what must a model remember of the text so far?
# Or [twenty-five questions](17_quiz.ipynb): how much do you remember?
