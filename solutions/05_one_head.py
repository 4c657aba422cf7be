# ---
# title: Training one head
# question: How does a head learn where to look, when no label says so?
# settles: Attention finds the right word although nobody labelled it, because over many examples only that
#   word explains the answer. A bright spot in an attention map need not be the cause of an answer.
# goal: write the training step of a whole head, measure how sharp attention is, write weights by hand that
#   solve a task and compare them with what training finds, and test whether an answer comes from where a
#   head looks
# minutes: 125
# builds on: chapters 2 to 4
# here: one head
# heart: 60 minutes: The task; One training step; Where does it look?; See it happen; With real words; Can
#   you trust an attention map?
# ---

# %% [markdown]
# # {number}. {title}: attention that nobody labelled
#
# {here}
#
# A model gets a sentence and the right answer. Nobody tells it which word the answer came from. Will its
# attention find that word anyway?
#
# **The questions of this chapter: how can a head learn where to look, when no label says so? And does an
# answer really come from where the head looks?**
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
# The task is called **recall**. Six people hold a card each, and each card shows a colour. The question names
# a person: what is the colour on that person's card?

# %%
task = Recall()
example = task.test(1)
question, cards = example.inputs

print("question:", task.words(question[0])[0])
print("cards:   ", ", ".join(task.words(cards[0])))
print("answer:  ", task.answers[example.answers[0, 0]])

# %% [markdown]
# People and colours are dealt at random in every example, so nothing can be learned by heart. To answer, the
# model has to find the right card. But training gets only the question, the cards and the answer. No arrow
# points from the question to a card.
#
# ## One training step
#
# You have all the parts from chapter 4: attention, its gradients (from now on torch computes them), and the
# step. Three things turn the output into gradients for the weights:
#
# - $W_O$ turns the output for the question into a score for each of the eight colours.
# - The **cross-entropy** is the loss: minus the logarithm of the share that softmax gives to the right
#   colour. It is zero when that share is one, and large when the share is small.
# - `loss.backward()` gives every parameter its gradient.
#
# By hand, for two colours whose scores are equal: softmax gives the right colour one half, and the loss is
# $-\log \tfrac12 = \log 2$. The nearer the share comes to one, the nearer the loss comes to $-\log 1 = 0$.
#
# ### Exercise: `training_step`
#
# `x` has many examples at once, [b, n, d]: b examples of n words, and the *last* word of each is the
# question. `targets` [b] says which answer is right. Use `F.cross_entropy(scores, targets)`, with scores [b,
# answers]. You may use `scaled_dot_product_attention` and `project_qkv`. Both functions take whole batches.
# For the step, use `sgd_step` from chapter 4. Return the loss as a number: `float(loss.detach())`.

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
# Now train with your step. Each person and each colour has a fixed random vector of 16 numbers. A card's
# vector is the sum of the vectors of its person and its colour, and the question comes last. A model that
# guesses among eight colours has a loss of $\log 8$, about two.

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
# The loss falls: you have trained an attention head.
#
# ## Where does it look?
#
# From here on we use the course's `OneHead`. It is a head like yours, with two changes: the question looks
# only at the six cards, not at itself, and the words' vectors are trained, too.

# %%
resting = predict(
    "05-resting",
    "Before training, each of the six cards gets about 1/6 of the weight. The loss depends only on the "
    "colour. After training, how much weight does the right card get, on average?",
    ["About 1/6, as before", "About a third", "About two thirds", "More than 0.9"],
)
resting

# %% [markdown]
# We also want a number for how *sharp* attention is. The **entropy** of a row of weights is zero when one key
# has all the weight. It is largest, $\log m$ for $m$ keys, when all weights are equal:
#
# $$H \;=\; -\sum_j a_j \log a_j$$
#
# ### Exercise: `attention_entropy`
#
# Return one number for each row. A weight may be exactly 0. Its logarithm is minus infinity, and 0 times
# minus infinity is `nan`. Such a weight must add nothing. `torch.xlogy(a, a)` computes $a \log a$ and handles
# this case.


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
    "accuracy: at least 99%": lambda s: s.accuracy >= 0.99,
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
    "This is so on every seed. Only the right card shows the answer in every example. Weight on other cards "
    "adds wrong colours, which raises the loss.",
)

# %% [markdown]
# Here is the attention that one question pays to its six cards, before and after training.

# %%
head, recording = heads[0], recordings[0]
start = head.with_weights(recording.weights_at(0))
who, held = task.words(example.inputs[0][0]), task.words(example.inputs[1][0])

rows = [model(*example.inputs).attention["head"][0, 0, 0] for model in (start, head)]
matrix(torch.stack(rows), [f"{who[0]}? before", "after"], held, weights=True, digits=1)

# %% [markdown]
# How did that happen? The gradient of a card's score (chapter 4) says how the loss would change with more
# weight on the card's value, compared with the average value. At first all weights are about equal, and the
# values learn to name their colours. From then on the value of the right card lowers the loss more than the
# average value does. So the score of that card is pushed up, in almost every example. W_Q and W_K learn what
# these examples have in common: question and card show the same person.
#
# Nobody has labelled the right card. The *answer* has, because only one card could explain it. (In a single
# example another card may happen to show the same colour. Over many examples, only the right card always
# does.)
#
# ## See it happen
#
# Here is the smallest deck: Ada's red card, Ben's blue card, and two questions. The four columns of $x$ are
# Ada, Ben, red and blue. Each card sees only itself, and each question sees both cards. W_V is frozen: it
# passes on the colour. The target of each row is a colour, too, and says nothing about where to look. At the
# start the question "Ada?" looks more at the wrong card.
#
# **The goal:** make "Ada?" give the red card at least 0.9, and "Ben?" the blue one. Don't touch a number:
# press **Step** (Tab and Enter by keyboard) and watch the row of "Ada?" in A. Then press Reset, try it by
# hand, and see how long that takes.

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
# How much do learned weights help? Compare with a **control**: the same run with one thing removed. In this
# control the weights are always equal.

# %%
from qkvlib.models import UniformHead

deaf = [UniformHead(task.n_tokens, task.n_answers, d_model=12, seed=seed) for seed in range(10)]
train_together(deaf, task, 300, adam(0.02))
uniform = [measure(head, task.test()).accuracy for head in deaf]
seeds(
    {"weights that learn": [score.accuracy for score in after], "equal weights forever": uniform},
    "accuracy", chance=1 / 8,
)

# %% [markdown]
# ## With real words
#
# Read these two sentences.
#
# > The dog did not cross the street because it was *tired*.
# >
# > The dog did not cross the street because it was *icy*.
#
# In the first sentence *it* is the dog; in the second, the street. German shows the difference: the dog is
# *der Hund*, "er", and the street is *die Straße*, "sie". (A horse is *das Pferd*, "es".) So to translate
# *it*, you have to know which noun it stands for. The task **agreement** has hundreds of such sentences, and
# the only label is the German pronoun: er, sie or es.
#
# We help the model in one way: the *last* word, the adjective, asks the question. In a single layer *it*
# could ask only with its own vector, which says nothing about tired or icy. (With two layers, as in chapter
# 6, *it* could know the adjective.)

# %%
on_new_sentences = predict(
    "05-new-sentences",
    "The head trains on 70% of the sentences, with er, sie, es as labels. It has never seen the others, the "
    "test set. How often is its largest weight on the right noun there?",
    ["1 in 11: there are about 11 words", "Half of the time: there are two nouns", "Always, or almost"],
)
on_new_sentences

# %%
from qkvlib.tasks import Agreement


def trained_on_agreement(kind=OneHead, spread=0.1):
    """Ten heads trained to translate *it*, and their scores on the test set."""
    german = [Agreement(seed) for seed in range(10)]  # each seed has different sentences in its test set
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
    "share of the test set",
)

# %%
on_new_sentences.reveal(
    2 if min(s.hits for s in scores) >= 0.99 else 1,
    "The labels say nothing about dogs and streets. But the right noun decides the pronoun, and the adjective "
    "says which noun that is.",
)

# %% [markdown]
# Here are two pairs of sentences. In each pair only the last word differs, and the head looks at a different
# noun.

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
# ## Can you trust an attention map?
#
# Start the same head with larger word vectors: a spread of 0.5 instead of 0.1.

# %%
larger_start = predict(
    "05-larger-start",
    "With larger vectors, too, at least 99% of the pronouns in the test set are right, on all ten seeds. "
    "On how many seeds is the largest weight on the right noun in 99% of the sentences?",
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
    "share of the test set",
)

# %%
larger_start.reveal(
    0 if readable == 10 else 1 if readable >= 5 else 2,
    "The answers are as good, but on many seeds the map points to another word in some of the sentences.",
)

# %% [markdown]
# Does the answer come from where the head looks? Test it: hide a word with the mask, and see whether the
# answer is still right. First hide the right noun in the sentences where the largest weight is on it. Then
# take the other sentences. Hide the word that the head looks at, and after that the right noun. Last, hide
# nothing, and **swap** the right noun for one of a different gender. Now the new noun's pronoun is the right
# answer.

# %%
def right_without(head, sentences, *hidden):
    """Which answers are right when these positions, one of each sentence, are hidden."""
    question, words, mask = sentences.inputs
    mask = mask.clone()
    for positions in hidden:
        mask[torch.arange(len(words)), 0, positions] = False
    return (head(question, words, mask).logits.argmax(-1) == sentences.answers)[:, 0].float()


def swapped(sentences, noun):
    """The same sentences with another noun at this position, and that noun's pronoun as the answer."""
    question, words, mask = sentences.inputs
    words, every = words.clone(), torch.arange(len(words))
    # Tokens 0 to 5 are animals, 6 to 11 places: in each, two are der, two die, two das.
    old = words[every, noun, 0]
    words[every, noun, 0] = old // 6 * 6 + (old + 2) % 6
    return sentences._replace(inputs=(question, words, mask), answers=((old + 2) % 6 // 2)[:, None])


print("      noun has the most weight   another word has it")
print("seed  right without the noun     right without that word   without the noun   noun swapped   pronouns")
for seed, head_of_this_seed in enumerate(larger):
    german = Agreement(seed)
    sentences = german.test()
    looked = head_of_this_seed(*sentences.inputs).attention["head"][:, 0, 0].argmax(dim=1)
    noun = sentences.looks_at[:, 0]
    hits = looked == noun
    line = f"{seed:4}  {float(right_without(head_of_this_seed, sentences, noun)[hits].mean()):22.0%}"
    if not hits.all():
        right = [right_without(head_of_this_seed, sentences, hidden) for hidden in (looked, noun)]
        right.append(right_without(head_of_this_seed, swapped(sentences, noun)))
        without_word, without_noun, with_other = (float(answers[~hits].mean()) for answers in right)
        line += f"{without_word:28.0%}{without_noun:19.0%}{with_other:15.0%}   "
        line += ", ".join(sorted({german.answers[i] for i in sentences.answers[~hits, 0]}))
    print(line)

# %% [markdown]
# Where the noun has the largest weight, the answer comes from the noun: hide it, and most answers are wrong.
# Where another word has the largest weight, hiding that word costs nothing on most seeds. Hiding the noun
# costs nothing either, so you might think that the noun plays no part. But swap the noun, and every answer
# changes with it. Why, then, did hiding the noun cost nothing? On most seeds the same pronoun is right in all
# of these sentences. That pronoun is probably the head's default answer when no noun attracts it.
#
# So a word with a large weight need not be the cause, and a word with a small weight may be. A map gives you
# a guess. To know, change the word, and see whether the answer changes.
#
# ## By hand
#
# Could you have written the weights yourself?
#
# ### Exercise: `choose_recall_weights`
#
# Here is a small deck with three keys and three values. A card has six numbers: three for its key, then three
# for its value, each with a single 1. The question is a card with a key and no value. Choose W_Q, W_K and W_V
# so that the right card gets more than half of the weight, and the largest number of the output belongs to
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
# Now compare with what training has found. Score each person's vector against every person's vector with
# $W_Q W_K^{\mathsf T}$, the bilinear form of chapter 3. Then scale the scores and apply softmax.

# %%
people = task.tokens[:8]
vectors = head.embedding[:8]
between = vectors @ head.w_q @ head.w_k.T @ vectors.T
wanted = torch.softmax(between / 12**0.5, dim=-1)

matrix(wanted, people, people, "row: asked for; column: on the card", weights=True, digits=1)

# %% [markdown]
# The pattern is the same as yours: each name finds itself. But the numbers in W_Q look nothing like your
# numbers. Play two runs side by side: watch W_Q go two ways, while the attention at the bottom ends up the
# same. The slider under the curve moves through the run. (By keyboard: Tab, then the arrow keys or Home.)

# %%
Replay(recordings[0], recordings[1], names=["seed 0", "seed 1"], tokens=task.tokens)

# %% [markdown]
# ## Break it: freeze a matrix
#
# Where in a head is "attention" stored? A **frozen** matrix keeps its random initial numbers and never
# learns. (The words' vectors are frozen in all these runs. You will see why.) Each head is trained from ten
# seeds.

# %%
frozen_pair = predict(
    "05-frozen",
    "Some matrices are frozen at random numbers, and the others learn: only W_Q is frozen; only W_K; only "
    "W_V; or W_Q and W_K together. Which of these heads still learn recall?",
    [
        "None: each matrix is needed",
        "Only the one with W_V frozen",
        "Those with one frozen matrix",
        "All of them",
    ],
)
frozen_pair

# %%
def frozen_at_random(freeze):
    """The accuracy of ten heads that could not train some of their matrices."""
    heads = [
        OneHead(task.n_tokens, task.n_answers, d_model=16, spread=1.0, seed=seed) for seed in range(10)
    ]
    train_together(heads, task, 120, adam(0.04), freeze=freeze)
    return [measure(head, task.test(1000)).accuracy for head in heads]


pairs = [(), ("w_q",), ("w_k",), ("w_v",), ("w_q", "w_v"), ("w_q", "w_k"), ("w_v", "w_o")]
frozen = {names: frozen_at_random(["embedding", *names]) for names in pairs}
learned = {names: min(shares) >= 0.99 for names, shares in frozen.items()}

seeds(
    {f"{' and '.join(names) or 'nothing'} frozen": shares for names, shares in frozen.items()},
    "accuracy", chance=1 / 8,
)

# %%
frozen_pair.reveal(
    2 if learned[("w_q",)] and learned[("w_k",)] and not learned[("w_q", "w_k")] else 3,
    "Only the product of W_Q and W_K counts, as chapter 3 showed. So one of them can make up for the other, if "
    "it is wide enough. The same is true of W_V and W_O. With both frozen, neither can.",
)

# %% [markdown]
# So attention is not stored in any single matrix. (These heads are wide. With $d_k = 2$ a frozen W_Q or W_K
# costs some right answers.) And if the words' vectors can learn, even three frozen matrices do not stop the
# head:

# %%
around = frozen_at_random(["w_q", "w_k", "w_v"])
stuck = frozen_at_random(["w_q", "w_k", "w_v", "embedding"])
seeds({"only vectors and W_O learn": around, "only W_O learns": stuck}, "accuracy", chance=1 / 8)

# %% [markdown]
# The words' vectors move instead, until the random matrices give the right scores. That is why we had to
# freeze the vectors in the previous experiment.
#
# ## Does the square root matter?
#
# Chapter 2 left this question open. Without the root a wide head has hard weights at the start, and most rows
# are stuck. Does such a head still learn? Here is recall again, with $d_k = 256$ and 80 plain steps (`sgd`),
# with the root and without.

# %%
rooted = predict(
    "05-root",
    "With a learning rate of 0.3, the heads with the square root get almost all answers right. How many do "
    "the heads without it get right, at the same rate?",
    ["Almost all, too", "More than guessing, but clearly fewer", "No more than guessing, one of eight"],
)
rooted

# %%
from qkvlib.models import UnscaledHead
from qkvlib.training import sgd


def after_80_steps(kind, rate):
    """The accuracy of ten wide heads, one for each seed, after a short training."""
    heads = [
        kind(task.n_tokens, task.n_answers, d_model=128, d_k=256, spread=1.0, seed=seed)
        for seed in range(10)
    ]
    train_together(heads, task, 80, sgd(rate), freeze="embedding")
    return [measure(head, task.test(1000)).accuracy for head in heads]


results = {
    f"{name}, rate {rate}": after_80_steps(kind, rate)
    for name, kind in (("with the root", OneHead), ("without it", UnscaledHead))
    for rate in (0.3, 0.03)
}
seeds(results, "accuracy", chance=1 / 8)

# %%
without = results["without it, rate 0.3"]
rooted.reveal(
    0 if min(without) > 0.95 else 2 if max(without) < 0.2 else 1,
    "Only the root is different: the task, the steps and the start are the same.",
)

# %% [markdown]
# With a rate of 0.3 the difference is large. But larger scores also have larger gradients, so the same rate
# takes longer steps. At a tenth of that rate, about half of the heads without the root catch up, and the
# others come closer. So these heads can learn, too. The root makes the right rate depend less on $d_k$. (We
# have tried a rate of 0.1. With $d_k = 16$ the root makes no difference, but with $d_k = 256$ it does, on
# most seeds.)
#
# ## What weight decay does to W_Q W_Kᵀ
#
# (You may skip this section.) In most large models each training step also makes most weights a little
# smaller, by a share of their own size. That is called **weight decay**. It acts on W_Q and W_K separately,
# but only their product counts. So what does decay do to the product?
#
# First take single numbers, where $a \cdot b$ has to be 4. Making each number smaller by a share of itself is
# a step down the slope of $(a^2 + b^2)/2$, because its gradient is $(a, b)$. Call $(a^2 + b^2)/2$ the *cost*.

# %%
for a, b in ((1.0, 4.0), (8.0, 0.5), (2.0, 2.0)):
    print(f"a = {a:g}, b = {b:g}: the product is {a * b:g}, the cost is {(a**2 + b**2) / 2:g}")

# %% [markdown]
# No pair costs less than the product itself, and the cheapest pair has two equal numbers. Something similar
# is true of matrices. Any matrix is a sum of simple matrices. Each simple matrix connects a direction on the
# left with a direction on the right, with a strength, and on each side the directions are at right angles.
# (The strengths are called **singular values**, and `torch.linalg.svdvals` gives them, largest first.) For a
# given product $W_Q W_K^{\mathsf T}$, the cheapest W_Q and W_K cost exactly the sum of the product's
# strengths. So decay puts the same price on every unit of strength, in weak and in strong directions.

# %%
decayed = predict(
    "05-decay",
    "Ten heads learn recall with weight decay and ten without. What happens to the strengths of W_Q W_K^T?",
    [
        "They all shrink by the same share",
        "Those that the loss needs stay, the others almost vanish: fewer directions are left",
        "They stay: the loss needs the product, and makes up for the decay",
    ],
)
decayed


# %%
def with_decay(decay):
    """Ten trained heads: the accuracy and the strengths of W_Q W_K^T of each."""
    heads = [OneHead(task.n_tokens, task.n_answers, d_model=16, spread=1.0, seed=seed) for seed in range(10)]
    train_together(heads, task, 300, sgd(0.6, weight_decay=decay), freeze="embedding")
    shares = [measure(head, task.test(1000)).accuracy for head in heads]
    return shares, torch.stack([torch.linalg.svdvals(head.w_q @ head.w_k.T) for head in heads])


no_decay, decay = with_decay(0.0), with_decay(0.01)
seeds({"without decay": no_decay[0], "with decay": decay[0]}, "accuracy", chance=1 / 8)

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
    "Decay alone would shrink every strength by the same share, to almost nothing. The loss holds up the "
    "directions that it needs. Nothing holds up the others.",
)

# %% [markdown]
# So decay on the two factors makes the product simpler, and the answers are as good as before. (We tried only
# one decay and one number of steps.)
#
# ## What you have seen
#
# The loss is computed only from the answer. But when one word explains the answer in every example, weight on
# that word lowers the loss, and so attention finds the word. Trained weights do the same job as weights
# written by hand, but with different numbers for every seed. An answer can be right without the word that has
# the largest weight, so before you believe a map, change the word and look at the answer.

# %%
terms(
    "recall", "agreement", "cross-entropy", "entropy", "W_O", "frozen", "control", "weight decay",
    "singular values",
)

# %% [markdown]
# ## Say it in your own words
#
# Nobody told the model which card to look at. How does attention find the right one?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

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
        "The loss does not depend on them: it sees answers, not scores",
    ],
    answer=1,
    because="d_q contains K, and d_k contains Q. If one of them starts at random, the other gets a "
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
    "Hard weights let almost no gradient through.",
)

# %% [markdown]
# ## What to read next
#
# - Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio, *Neural Machine Translation by Jointly Learning to
#   Align and Translate*, 2014: early pictures of attention that nobody had labelled.
# - Sarthak Jain and Byron Wallace, *Attention is not Explanation*, 2019, and Sarah Wiegreffe and Yuval
#   Pinter, *Attention is not not Explanation*, 2019: how far you can trust a map.
#
# **Next:** [chapter 6](06_context.ipynb). The same word in two sentences: is that one vector, or two?
