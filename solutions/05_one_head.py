# ---
# title: One head
# question: How can it learn where to look?
# settles: Attention finds the right word though nobody has labelled it, because only that word explains
#   the answer.
# goal: write the training step of a whole head, measure how sharp attention is, write
#   weights by hand that solve a task and compare them with what training finds, and say which tables a
#   head cannot do without
# minutes: 110
# builds on: chapters 2 to 4
# here: one head
# heart: 60 minutes: The task; One training step; Where does it look?; See it happen; Does the square
#   root matter?
# ---

# %% [markdown]
# # {number}. {title}: attention nobody labelled
#
# {here}
#
# A model is shown a sentence and the right answer. Nobody tells it which word the answer came from. Will
# its attention find that word all the same?
#
# **The question of this chapter: how can it learn where to look, when no data says so?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}.

# %%
import torch

from qkvlib import AttentionLab, Replay, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side
from qkvlib.tasks import Recall

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## The task
#
# It is called **recall**. Six people hold a card each, and each card shows a colour. The question is a
# person. What is the colour on that person's card? Here is one example, as the model gets it and as you
# would read it.

# %%
task = Recall()
example = task.test(1)
question, cards = example.inputs

print("question:", task.words(question[0])[0])
print("cards:   ", ", ".join(task.words(cards[0])))
print("answer:  ", task.answers[example.answers[0, 0]])

# %% [markdown]
# People and colours are dealt anew in every example, so nothing can be learned by heart. To
# answer, one has to find the right card. But look at what the training gets: the question, the cards, the
# answer. There is no arrow from the question to a card.
#
# ## One training step
#
# You have all the parts: attention from chapter 4, its gradients (from now on torch may compute
# them), the step. Three things turn the output into a lesson for the weights:
#
# - $W_O$ turns the output for the question into a score for each of the eight colours. (In a model of
#   many layers it makes a vector as wide as x, and a last table makes the scores: chapter 6);
# - the **cross-entropy** is the loss: minus the logarithm of the share that softmax gives to the right
#   colour. It is zero when that share is one, and large when it is small;
# - `loss.backward()` gives every parameter its gradient.
#
# By hand, for two colours whose scores are equal: softmax gives the right one a share of one half, and the
# loss is $-\log \tfrac12 = \log 2$. The nearer the share comes to one, the nearer the loss comes to
# $-\log 1 = 0$.
#
# ### Exercise: `training_step`
#
# `x` holds many examples at once, [b, n, d]: b examples of n words, and the *last* word of each is the
# question. `targets` [b] says which answer is right. Use `F.cross_entropy(scores, targets)`, with
# scores [b, answers]. You may use `scaled_dot_product_attention` and `project_qkv`; both work on a whole
# batch. For the step there is `sgd_step`, from chapter 4. Return the loss as a number:
# `float(loss.detach())`.

# %%
from torch.nn import functional as F

from qkvlib.attention import project_qkv, scaled_dot_product_attention
from qkvlib.training import sgd_step


# %%
def training_step(params, x, targets, lr):
    """One step of training one head: forward, loss, backward, downhill.

    params: [w_q, w_k, w_v, w_o]; x [b, n, d]; targets [b] -> the loss before the step
    """
    ### BEGIN SOLUTION
    w_q, w_k, w_v, w_o = params
    output, _ = scaled_dot_product_attention(*project_qkv(x, w_q, w_k, w_v))
    loss = F.cross_entropy(output[:, -1] @ w_o, targets)
    loss.backward()
    sgd_step(params, lr)
    return float(loss.detach())
    ### END SOLUTION


# %%
training_step = check(training_step)

# %% [markdown]
# Train with it. Each person and each colour has a fixed random vector of 16 numbers, a card is the sum of
# its two, and the question comes last. A model that guesses among eight colours has a loss of
# $\log 8$, about two.

# %%
generator = torch.Generator().manual_seed(0)
codes = torch.randn(task.n_tokens, 16, generator=generator)
params = [(torch.randn(16, n, generator=generator) / 4).requires_grad_() for n in (16, 16, 16, 8)]

for step in range(301):
    (question, cards), answers, _ = task.batch(64, generator)
    x = torch.cat([codes[cards].sum(-2), codes[question].sum(-2)], dim=1)
    loss = training_step(params, x, answers[:, 0], lr=0.3)
    if step in (0, 50, 100, 300):
        print(f"step {step:3}   loss {loss:.1f}")

# %% [markdown]
# It learns. You have trained an attention head with your own step.
#
# ## Where does it look?
#
# From here on we use the course's `OneHead`: the same head, in which the question looks at the six cards
# and not at itself, and the words' vectors are trained, too: the embedding gets the gradient of x that
# you met in chapter 4.

# %%
resting = predict(
    "05-resting",
    "Before training each of the six cards gets about 1/6 of the weight. The loss only ever sees the "
    "colour. After training, how much weight lies on the right card, on average?",
    ["About 1/6, as before", "About a third", "About two thirds", "More than 0.9"],
)
resting

# %% [markdown]
# We also want a number for how *sharp* attention is. The **entropy** of a row of weights is zero when one
# key has everything, and it is largest when all weights are equal, namely $\log m$ for $m$ keys:
#
# $$H \;=\; -\sum_j a_j \log a_j$$
#
# ### Exercise: `attention_entropy`
#
# One number for each row. A weight may be exactly 0; its logarithm is minus infinity, and 0 times that is
# `nan`. Such a weight must add nothing. `torch.xlogy(a, a)` computes $a \log a$ and knows that.


# %%
def attention_entropy(weights):
    """How spread out each query's attention is: 0 on a single key, log(m) on all m alike.

    weights [n, m] -> [n]
    """
    ### BEGIN SOLUTION
    return -torch.xlogy(weights, weights).sum(dim=-1)
    ### END SOLUTION


# %%
attention_entropy = check(attention_entropy)

# %%
from qkvlib.models import OneHead
from qkvlib.training import adam, measure, train_together

heads = [OneHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
before = [measure(head, task.test()) for head in heads]    # .accuracy, .mass on the right card, ...
recordings = train_together(heads, task, 300, adam(0.02))
after = [measure(head, task.test()) for head in heads]
most = torch.tensor(6.0).log()

print("ten seeds                                          before    after")
for what, holds in {
    "right answers: at least 99%": lambda s: s.accuracy >= 0.99,
    "weight on the right card: more than 0.9": lambda s: s.mass > 0.9,
    "entropy: more than 95% of the largest possible": lambda s: s.entropy > 0.95 * most,
    "entropy: less than 15% of the largest possible": lambda s: s.entropy < 0.15 * most,
}.items():
    print(f"{what:48} {sum(map(holds, before)):6} {sum(map(holds, after)):8}")

seeds(
    {"before": [score.mass for score in before], "after": [score.mass for score in after]},
    "weight on the right card", chance=1 / 6,
)

# %%
resting.reveal(
    3 if min(score.mass for score in after) > 0.9 else 2,
    "On every seed. The answer stands on one card only, so weight on the others is noise, and the loss "
    "punishes noise.",
)

# %% [markdown]
# Here is one question before and after. Each row is the attention that the question pays to six cards.

# %%
head, recording = heads[0], recordings[0]
start = head.with_weights(recording.weights_at(0))
who, held = task.words(example.inputs[0][0]), task.words(example.inputs[1][0])

rows = [model(*example.inputs).attention["head"][0, 0, 0] for model in (start, head)]
matrix(torch.stack(rows), [f"{who[0]}? before", "after"], held, weights=True, digits=1)

# %% [markdown]
# How did it come to that? What comes back to a score (chapter 4) is what more weight on its value would do to the
# loss, compared with the average of the row. First all weights are equal, and the values
# learn to name their colours. From then on the value of the right card lowers the loss more than the
# average does, every time. So its weight is pushed up, example after example. W_Q and W_K find what is common to these pushes: question
# and card show the same person.
#
# Nobody has labelled the right card. The *answer* has, because only one card could explain it.
#
# ## See it happen
#
# Here is the smallest deck: Ada's red card, Ben's blue card, and two questions. The four columns of $x$
# are Ada, Ben, red and blue. The cards see only themselves, and each question sees both cards. W_V is
# frozen: it hands out the colour. The target of each row is a colour, too, and there is no word in it of
# where to look. At the start the question "Ada?" looks more at the wrong card.
#
# **The goal:** make "Ada?" give the red card at least 0.9, and "Ben?" the blue one. Do not touch a number:
# press **Step** (Tab and Enter by keyboard) and watch the row of "Ada?" in A. Then Reset, try it by hand,
# and see how long that takes.

# %%
from qkvlib.widgets import AtLeast, Goal

AttentionLab(
    torch.tensor([
        [1.0, 0.0, 1.0, 0.0],    # the red card: Ada, red
        [0.0, 1.0, 0.0, 1.0],    # the blue card: Ben, blue
        [1.0, 0.0, 0.0, 0.0],    # Ada?
        [0.0, 1.0, 0.0, 0.0],    # Ben?
    ]),
    w_q=torch.tensor([[0.6, -0.3], [0.2, 0.4], [0.0, 0.0], [0.0, 0.0]]),
    w_k=torch.tensor([[-0.2, 0.3], [0.4, 0.1], [0.0, 0.0], [0.0, 0.0]]),
    w_v=torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    target=torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]),
    mask=torch.tensor([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]) == 1,
    tokens=["red", "blue", "Ada?", "Ben?"],
    features=["Ada", "Ben", "red", "blue"],
    learning_rate=3.0,
    frozen=["w_v"],
    goal=Goal(
        "05-nobody-labelled",
        'Make "Ada?" give the red card at least 0.90, and "Ben?" the blue card.',
        conditions=[AtLeast("red", 0.9, row="Ada?"), AtLeast("blue", 0.9, row="Ben?")],
        touch=["w_q", "w_k"],
    ),
)

# %% [markdown]
# W_Q and W_K had nothing but the colours to go by. As long as some of the wrong colour was in the blend,
# less weight on the wrong card meant less loss.
#
# Now take the choice away, and you see what it was worth. Here is a **control**: the same run with
# one thing taken away. Its weights are always equal.

# %%
from qkvlib.models import UniformHead

deaf = [UniformHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
train_together(deaf, task, 300, adam(0.02))
uniform = [measure(head, task.test()).accuracy for head in deaf]
seeds(
    {"weights that learn": [score.accuracy for score in after], "equal weights for ever": uniform},
    "right answers", chance=1 / 8,
)

# %% [markdown]
# ## With real words
#
# Read these two sentences.
#
# > The cow did not cross the street because it was *tired*.
# >
# > The cow did not cross the street because it was *icy*.
#
# In the first *it* is the cow, in the second the street. German has to decide: *die Kuh* and *die Straße*
# both happen to be "sie", but a dog is *der Hund*, "er", and a pig *das Schwein*, "es". So to translate
# *it*, one has to know which noun it stands for. The task **agreement** has hundreds of such sentences,
# and the only label is the German pronoun: er, sie or es.
#
# One thing we do for the model: the question is asked at the *last* word, the adjective. In a single
# layer *it* asks with its own vector alone, and that says nothing of tired or icy. With a second layer
# on top it would know; chapter 6 stacks two.

# %%
on_new_sentences = predict(
    "05-new-sentences",
    "The head trains on 70% of the sentences, with er, sie, es as labels. On sentences that it has never "
    "seen: how often is its largest weight on the right noun?",
    ["1 in 11: there are about 11 words", "Half of the time: there are two nouns", "Always, or nearly"],
)
on_new_sentences

# %%
from qkvlib.tasks import Agreement


def trained_on_agreement(kind=OneHead, spread=0.1):
    """Ten heads trained to translate *it*, and their scores on sentences that they have never seen."""
    german = [Agreement(seed) for seed in range(10)]  # each seed keeps other sentences for the test
    words, answers = german[0].n_tokens, german[0].n_answers
    heads = [kind(words, answers, d_model=12, spread=spread, seed=seed) for seed in range(10)]
    train_together(heads, german, 300, adam(0.02))
    return heads, [measure(head, task.test()) for head, task in zip(heads, german)]


translators, scores = trained_on_agreement()
_, equal = trained_on_agreement(UniformHead)

seeds(
    {
        "right pronoun": [score.accuracy for score in scores],
        "largest weight on the right noun": [score.hits for score in scores],
        "equal weights: right pronoun": [score.accuracy for score in equal],
    },
    "share of new sentences",
)

# %%
on_new_sentences.reveal(
    2 if min(s.hits for s in scores) >= 0.99 else 1,
    "The labels say nothing of cows and streets. But the pronoun depends on the right noun, and on "
    "nothing else in the sentence.",
)

# %% [markdown]
# Two pairs of sentences. In each pair only the last word differs, and with it the noun that is looked at.

# %%
probe = Agreement(0).probe()
maps = translators[0](*probe.inputs).attention["head"][:, 0, 0]
names = Agreement(0).names(probe)

shown = []
for pair in (0, 2):
    words = [word for word in names[pair][1] if word]
    asked = [names[pair][0][0], names[pair + 1][0][0]]
    columns = [*words[:-1], "itself"]
    shown.append(matrix(maps[pair : pair + 2, : len(words)], asked, columns, weights=True, digits=1))

side_by_side(*shown)

# %% [markdown]
# ## Can one trust the map?
#
# Start the same head with larger word vectors: a spread of 0.5 in place of 0.1. It learns as before.

# %%
larger_start = predict(
    "05-larger-start",
    "From the larger start, too, the pronoun is right in at least 99% of new sentences, on all ten seeds. "
    "On how many of them is the largest weight on the right noun in 99% of the sentences?",
    ["On all ten: the pronouns are right", "On five to nine", "On fewer than five"],
)
larger_start

# %%
larger, wide = trained_on_agreement(spread=0.5)
readable = sum(s.hits >= 0.99 for s in wide)
print("largest weight on the right noun in 99%:", readable, "seeds of 10")
seeds(
    {
        "right pronoun": [score.accuracy for score in wide],
        "largest weight on the right noun": [score.hits for score in wide],
        "the same, from the small start": [score.hits for score in scores],
    },
    "share of new sentences",
)

# %%
larger_start.reveal(
    0 if readable == 10 else 1 if readable >= 5 else 2,
    "The answers are as good, but on most seeds the map points to another word in some of the sentences.",
)

# %% [markdown]
# What happens in these sentences? Take those that each head misses. Which noun would have been right, what
# does the head look at in its place, and what does that word hand out? Its part of the answer is its weight
# times its value, through W_O.

# %%
def misses(head, german):
    """The nouns that a head misses, at what it looks in their place, and how often that votes rightly."""
    sentences = german.test()
    words = sentences.inputs[1]
    looked = head(*sentences.inputs).attention["head"][:, 0, 0].argmax(dim=1)
    noun = sentences.looks_at[:, 0]
    missed = (looked != noun).nonzero()[:, 0]
    at, meant = words[missed, looked[missed]], words[missed, noun[missed]]
    votes = head.embedding[at].sum(-2) @ head.w_v @ head.w_o
    right = (votes.argmax(dim=1) == sentences.answers[missed, 0]).float().mean()
    return sorted({*german.words(meant)}), sorted({*german.words(at)}), float(right)


for seed, head_of_this_seed in enumerate(larger):
    nouns, seen, right = misses(head_of_this_seed, Agreement(seed))
    if nouns:
        print(f"seed {seed}: for {', '.join(nouns)} it looks at {', '.join(seen)}; right by that vote: {right:.0%}")

# %% [markdown]
# Most of these heads miss one noun alone, and look in its place at a word that is no noun, such as *the*, *not* or *was*.
# And these words vote for the right pronoun themselves. A likely reason: from the larger start every word hands
# out something, and training has made of one of them the answer that holds when no other noun calls the head
# away. So the map did not lie. The weight lies where the answer comes from; it was we who expected a noun there.
#
# When you look at somebody's attention map, ask whether the answer really comes from there. (In chapter 9 you
# take parts of a model away and see what that costs: a better test than looking.)
#
# ## By hand
#
# Could you have written the weights yourself?
#
# ### Exercise: `choose_recall_weights`
#
# A small deck: three keys, three values. A card has six numbers: three for its key, then three for its
# value, each with a single 1. The question is a card with a key and no value. Choose W_Q, W_K and W_V so
# that the right card gets more than half of the weight, and the largest number of the output is that of
# its value.


# %%
def choose_recall_weights():
    """W_Q [6, d_k], W_K [6, d_k] and W_V [6, 3] that answer every question about every deck."""
    ### BEGIN SOLUTION
    key_part = torch.cat([torch.eye(3), torch.zeros(3, 3)])     # reads the key, ignores the value
    value_part = torch.cat([torch.zeros(3, 3), torch.eye(3)])   # reads the value, ignores the key
    return 6 * key_part, key_part, value_part
    ### END SOLUTION


# %%
choose_recall_weights = check(choose_recall_weights)

# %% [markdown]
# Now compare with what training has found. What does the question "Ada" want to see on a card? Put each
# person's vector through $W_Q W_K^{\mathsf T}$ and compare with each person's vector: this is the form of
# chapter 3, between words. Then scale and softmax, as always.

# %%
people = task.tokens[:8]
vectors = head.embedding[:8]
between = vectors @ head.w_q @ head.w_k.T @ vectors.T
wanted = torch.softmax(between / 12**0.5, dim=-1)

matrix(wanted, people, people, "row: asked for; column: on the card", weights=True, digits=1)

# %% [markdown]
# The same pattern as yours: each name finds itself. The numbers in W_Q look nothing like the ones you
# chose, though, and with another seed they look different again. Play two runs side by side: watch W_Q
# go two different ways, while the attention at the bottom ends up the same. The slider under the curve
# goes through the run by hand; by keyboard, Tab leads to it, and the arrow keys and Home move it.

# %%
Replay(recordings[0], recordings[1], names=["seed 0", "seed 1"], tokens=task.tokens)

# %% [markdown]
# ## Break it
#
# Where in a head is "attention" stored? Take tables away and see. A **frozen** table keeps its random
# first numbers and never learns. (The words' vectors are frozen in all these runs. You will see why.)
# Each head is trained from ten seeds.

# %%
frozen_pair = predict(
    "05-frozen",
    "One table is frozen at random numbers, all others may learn. W_Q alone; or W_K alone; or W_V "
    "alone; or W_Q and W_K together. Which of these heads still learn recall?",
    [
        "None: each table is needed",
        "Only the one with W_V frozen",
        "Those with one frozen table",
        "All of them",
    ],
)
frozen_pair

# %%
def frozen_at_random(freeze):
    """The shares of right answers of ten heads that could not train some of their tables."""
    heads = [
        OneHead(task.n_tokens, task.n_answers, d_model=16, spread=1.0, seed=seed) for seed in range(10)
    ]
    train_together(heads, task, 250, adam(0.02), freeze=freeze)
    return [measure(head, task.test(1000)).accuracy for head in heads]


pairs = [(), ("w_q",), ("w_k",), ("w_v",), ("w_q", "w_v"), ("w_q", "w_k"), ("w_v", "w_o")]
frozen = {tables: frozen_at_random(["embedding", *tables]) for tables in pairs}
learned = {tables: min(shares) >= 0.99 for tables, shares in frozen.items()}

seeds(
    {f"{' and '.join(tables) or 'nothing'} frozen": shares for tables, shares in frozen.items()},
    "right answers", chance=1 / 8,
)

# %%
frozen_pair.reveal(
    2 if learned[("w_q",)] and learned[("w_k",)] and not learned[("w_q", "w_k")] else 3,
    "Only the product of W_Q and W_K counts, as chapter 3 has shown, so one of them can make up for the "
    "other. The same goes for W_V and W_O. With both frozen, nobody can.",
)

# %% [markdown]
# There is no one place where attention is stored. And if the words' vectors may learn, even three frozen
# tables do not stop the head:

# %%
around = frozen_at_random(["w_q", "w_k", "w_v"])
seeds(
    {"only vectors and W_O learn": around, "only W_V and W_O learn": frozen["w_q", "w_k"]},
    "right answers", chance=1 / 8,
)

# %% [markdown]
# W_Q and W_K cannot move, so the words move instead, until the random tables make the right scores. That
# is why we had to hold them still in the experiment above.
#
# ## Does the square root matter?
#
# Chapter 2 left this open. Without the root the weights of a wide head are hard at the start, and most rows are
# stuck. Does such a head still learn? Here is recall once more, with $d_k = 256$ and plain steps (`sgd`), 80 of
# them, with the root and without, from ten seeds each.

# %%
rooted = predict(
    "05-root",
    "After 80 steps the heads with the square root get nearly all answers right. And those without it?",
    ["Nearly all, too", "More than guessing, but clearly fewer", "No more than guessing, one of eight"],
)
rooted

# %%
from qkvlib.models import UnscaledHead
from qkvlib.training import sgd


def right_answers(kind):
    """The shares of right answers of ten wide heads, one for each seed, after a short training."""
    heads = [
        kind(task.n_tokens, task.n_answers, d_model=128, d_k=256, spread=1.0, seed=seed)
        for seed in range(10)
    ]
    train_together(heads, task, 80, sgd(0.3), freeze="embedding")
    return [measure(head, task.test(1000)).accuracy for head in heads]


results = {"with the square root": right_answers(OneHead), "without it": right_answers(UnscaledHead)}
seeds(results, "right answers", chance=1 / 8)

# %%
without = results["without it"]
rooted.reveal(
    0 if min(without) > 0.95 else 2 if max(without) < 0.2 else 1,
    "The task, the steps and the start are the same for both rows.",
)

# %% [markdown]
# One word of caution: we compared the two at one setting only. With other steps, or more of them, the
# gap may be smaller.
#
# ## What weight decay pulls at
#
# (You may skip this section.) In most large models each step of training also takes a little away from most
# weights, a share of their own size. That is called **weight decay**. It keeps numbers small that nobody needs. It sees
# W_Q and W_K apart, and nothing of their product. But only the product counts. So what does it do to that?
#
# First with single numbers. $a \cdot b$ has to be 4. Taking a share of each number away is a step down the slope of
# $(a^2 + b^2)/2$, whose gradient is $(a, b)$. Call this the *cost*.

# %%
for a, b in ((1.0, 4.0), (8.0, 0.5), (2.0, 2.0)):
    print(f"a = {a:g}, b = {b:g}: the product is {a * b:g}, the cost is {(a**2 + b**2) / 2:g}")

# %% [markdown]
# No pair costs less than the product itself, and the cheapest is the one in which both are equal. It is the same with
# matrices. Any matrix is a sum of simple ones, in each of which one direction on the left meets one on the right, with
# a strength; on each side the directions stand at right angles to each other. (The strengths are called **singular
# values**, and `torch.linalg.svdvals` gives them, largest first.) No W_Q
# and W_K cost less than the sum of the strengths of their product, $W_Q W_K^{\mathsf T}$, and there are some that cost
# just that. So decay on W_Q and W_K puts a price on the strengths, the same for each unit of strength, weak or strong.

# %%
decayed = predict(
    "05-decay",
    "Ten heads learn recall with weight decay and ten without. What becomes of the strengths of W_Q W_K^T?",
    [
        "They all shrink by the same share",
        "Those that the loss needs stay, the others all but go: fewer directions are left",
        "They stay: the loss needs the product, and makes up for what decay takes",
    ],
)
decayed


# %%
def with_decay(decay):
    """Ten trained heads: right answers, strengths of W_Q W_K^T, and the cost in each."""
    heads = [OneHead(task.n_tokens, task.n_answers, d_model=16, spread=1.0, seed=seed) for seed in range(10)]
    train_together(heads, task, 600, sgd(0.3, weight_decay=decay), freeze="embedding")
    shares = [measure(head, task.test(1000)).accuracy for head in heads]
    strengths = torch.stack([torch.linalg.svdvals(head.w_q @ head.w_k.T) for head in heads])
    pulled = torch.stack([(head.w_q.square().sum() + head.w_k.square().sum()) / 2 for head in heads])
    return shares, strengths, pulled


no_decay, decay = with_decay(0.0), with_decay(0.01)
seeds({"without decay": no_decay[0], "with decay": decay[0]}, "right answers", chance=1 / 8)

# %%
def directions(strengths):
    """How many strengths are more than a hundredth of the largest, for each head."""
    return (strengths > strengths[:, :1] / 100).sum(-1).tolist()


seeds(
    {"without decay": directions(no_decay[1]), "with decay": directions(decay[1])},
    "directions with more than 1/100 of the largest strength, of 16", span=(0, 16),
)

# %%
fewer = sum(after < before for before, after in zip(directions(no_decay[1]), directions(decay[1])))
decayed.reveal(
    1 if fewer >= 9 else 2,
    "Decay alone would take the same share of every strength, and leave next to nothing. The loss holds up the "
    "directions that it needs. The others have nobody to hold them up.",
)

# %% [markdown]
# And have W_Q and W_K become the cheapest pair with their product? The cost, divided by the sum of the
# strengths, cannot be less than one:

# %%
seeds(
    {
        name: (pulled / strengths.sum(-1)).tolist()
        for name, (_, strengths, pulled) in {"without decay": no_decay, "with decay": decay}.items()
    },
    "the cost, divided by the sum of the strengths", span=(1, 1.3),
)

# %% [markdown]
# Nearly. So decay is not blind to the product: by way of the two factors it makes it simpler. The answers are as good
# as before. This is one setting, with one decay and one number of steps. (W_V and W_O decay
# here, too. We have not looked at their product.)
#
# ## What you have seen
#
# The loss sees only the answer, but when a single place explains the answer, weight on that place lowers
# the loss, and so attention finds it. What training finds does the same as weights written by hand,
# with other numbers on every seed, because only products of tables count. The answers can be right and
# the map still point elsewhere, so measure before you believe a map.

# %%
terms(
    "recall", "agreement", "cross-entropy", "entropy", "W_O", "frozen", "control", "weight decay",
    "singular values",
)

# %% [markdown]
# ## Say it in your own words
#
# Nobody told the model which card to look at. How can attention come to rest on the right one?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take this course in a class, it is read
# by a person.

# %% [markdown]
# <!-- answer: nobody-labelled-it, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("05")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "05-close-zero",
    "Chapter 4. W_Q and W_K both start at zero. Why do they never learn?",
    [
        "The learning rate is too small",
        "The gradient of each contains the other, which is zero",
        "The loss does not depend on them: it sees answers, and no scores",
    ],
    answer=1,
    because="d_q is made with K, and d_k is made with Q. With one of them at random the other gets a "
    "gradient, and both learn.",
)

# %%
ask(
    "05-close-scaled",
    "Chapter 2. A head with wide keys forgets to divide by the square root. What is wrong at the start?",
    [
        "The weights are too equal: each key gets about the same",
        "The weights of a row no longer sum to one",
        "Each query already looks hard at one random key",
    ],
    answer=2,
    because="The scores spread like the square root of d_k, and softmax of widely spread scores is hard. "
    "Hard weights pass hardly any gradient.",
)

# %% [markdown]
# ## What to read next
#
# - Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio, *Neural Machine Translation by Jointly Learning
#   to Align and Translate*, 2014: the first pictures of attention that nobody had labelled.
# - Sarthak Jain and Byron Wallace, *Attention is not Explanation*, 2019, and Sarah Wiegreffe and Yuval
#   Pinter, *Attention is not not Explanation*, 2019: how far one may trust a map.
#
# **Next:** [chapter 6](06_context.ipynb). The same word in two sentences: is that one vector, or two?
