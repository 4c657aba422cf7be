# ---
# title: Why heads differ
# question: If all heads are built alike, why do they learn different things?
# settles: Heads learn different things because they start differently; exact copies stay copies.
# goal: say by measurement what a head is for, take a head out and see what is lost, say
#   what happens to heads that start as copies, avoid the trap in that experiment, and read two heads that
#   work one after the other
# minutes: 100
# builds on: chapters 5 to 8
# here: the heads
# ---

# %% [markdown]
# # {number}. {title}: built alike, and not the same
#
# {here}
#
# All heads of a layer have weight matrices of the same shape. They see the same x, and they learn from the
# same loss, with the same optimiser. Nobody assigns jobs. And yet, in a trained model, heads look for
# different things.
#
# **The questions of this chapter: if all heads are built alike, why do they learn different things? What
# decides which head does what? And do heads have to differ?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: training a head, layers, the causal mask,
# many heads and their sum.

# %%
import torch

from qkvlib import Heads, Replay, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side
from qkvlib.models import MultiHead
from qkvlib.tasks import TwoQuestions
from qkvlib.training import adam, measure, train_together

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Two questions at once
#
# You know the task from the end of chapter 8. It is *recall* with one change: a single question card asks
# about two people, in order, and the answer is both colours.

# %%
task = TwoQuestions()
example = task.test(1)
question, cards = example.inputs

print("question:", task.words(question[0])[0])
print("cards:   ", ", ".join(task.words(cards[0])))
print("answers: ", ", ".join(task.answers[answer] for answer in example.answers[0]))

# %% [markdown]
# There is one question card, so each head has one query and one row of attention weights. We compare layers
# of the same width, 16 numbers: one head of 16, two heads of 8, four heads of 4. They have the same number of
# parameters (chapter 8).

# %%
one_for_two = predict(
    "09-one-for-two",
    "The layers with two and with four heads get both colours right almost every time. How often does the "
    "layer with one wide head get them right?",
    ["Almost every time, too", "About half of the time", "About one time in five", "Never"],
)
one_for_two

# %%
def trained(n_heads=2, prepare=lambda layer: None, d_model=16, steps=250, n_seeds=10):
    """Layers trained to answer both questions, one for each seed, and the recordings of the runs."""
    layers = [
        MultiHead(task.n_tokens, task.n_answers, d_model, n_heads, seed=seed) for seed in range(n_seeds)
    ]
    for layer in layers:
        prepare(layer)
    return layers, train_together(layers, task, steps, adam(0.02))


def both_right(layer):
    """How often both answers are right."""
    return measure(layer, task.test()).all_right


one, _ = trained(n_heads=1)
two, random_runs = trained(n_heads=2)
four, _ = trained(n_heads=4)

rows = {"one head of 16": one, "two heads of 8": two, "four heads of 4": four}
with_heads = {name: [both_right(layer) for layer in layers] for name, layers in rows.items()}
seeds(with_heads, "both answers right", chance=1 / 64)

# %%
one_for_two.reveal(
    2 if max(map(both_right, one)) < 0.35 else 1,
    "The head needs two cards, but has only one attention pattern, so it gets one blend of both.",
)

# %% [markdown]
# Is the single head just too small, or did we stop too early? Give it twice the width and twice as many
# steps, and look at each question by itself.

# %%
@torch.no_grad()
def each_right(layer, ablate=()):
    """How often the first answer is right, and how often the second."""
    batch = task.test()
    logits = layer(*batch.inputs, ablate=ablate).logits.reshape(*batch.answers.shape, -1)
    return (logits.argmax(-1) == batch.answers).float().mean(0)


wide, _ = trained(n_heads=1, d_model=32, steps=500)
alone = torch.stack([each_right(layer) for layer in one])
seeds(
    {
        "one head, both questions": with_heads["one head of 16"],
        "twice as wide, twice the steps, both": [both_right(layer) for layer in wide],
        "one head, its better question": alone.amax(1),
        "one head, its other question": alone.amin(1),
    },
    "accuracy",
)

# %% [markdown]
# Size does not help. The single head has to divide one row of weights between two cards, and ends up
# answering one question well and the other badly. So more heads mean more *attention patterns*, not more
# parameters: with two heads, a word can look at two things and keep the two answers apart.
#
# ## Which head does what?
#
# Now look at a layer with two heads. Silence a head with its button, and see which answers are lost. From
# then on, that head's job is shown beside its name: where most of its weight goes, over many examples.
#
# **The goal:** silence the head that answers the *second* question, so that the first is still answered.

# %%
from qkvlib.widgets import Silencing

Heads.of(
    two[0],
    task,
    goal=Silencing(
        "09-second-question",
        "Silence the head that answers the second question, and keep the first question.",
        loses=[1],
        keeps=[0],
    ),
)

# %% [markdown]
# This widget makes two measurements: where a head looks, and what is lost without it. Now write both
# yourself.
#
# ### Exercise: `head_scores`
#
# You get each head's rows of weights, and for each row the position where the head *should* look if it had a
# certain job. How much weight does the head put there, on average? Some rows have no such position. For these
# rows `targets` contains -1: leave them out.

# %%
def head_scores(weights, targets):
    """How much of its attention each head puts where targets points, on average over the rows.

    weights [h, n, m], targets [n] (-1: leave this row out) -> [h], each between 0 and 1
    """
    ### BEGIN SOLUTION
    rows = (targets >= 0).nonzero()[:, 0]
    return weights[:, rows, targets[rows]].mean(dim=-1)
    ### END SOLUTION


# %%
head_scores = check(head_scores)

# %%
deal_jobs = predict(
    "09-who-decides",
    "We train the same layer from ten seeds. Will head 1 always take the first question?",
    [
        "Yes: it is the first head",
        "It depends on the seed, but each head takes one question",
        "Each head takes half of each question",
    ],
)
deal_jobs

# %% [markdown]
# For our heads a row is one example, and there are two jobs: to look at the first question's card, or at the
# second question's card.

# %%
@torch.no_grad()
def jobs(layer):
    """The weight that each head puts on the card of each question: [head, question]."""
    batch = task.test()
    weights = layer(*batch.inputs).attention["heads"][:, :, 0].transpose(0, 1)
    return torch.stack([head_scores(weights, batch.looks_at[:, question]) for question in (0, 1)], dim=1)


names = ["head 1", "head 2"]
asked = ["first question", "second question"]
side_by_side(*(
    matrix(jobs(two[seed]), names, asked, f"seed {seed}", weights=True, digits=1) for seed in (0, 1)
))

# %%
shared_out = [jobs(layer) for layer in two]
taken = [scores.argmax(dim=1).tolist() for scores in shared_out]
print("each head has its own question on", sum(sorted(t) == [0, 1] for t in taken), "seeds of 10")
print("head 1 takes the first question on some seeds, the second on others:", {t[0] for t in taken} == {0, 1})

# %%
deal_jobs.reveal(
    1 if {t[0] for t in taken} == {0, 1} else 0,
    "The numbers of the heads mean nothing. Chance at the start decides which head takes which question.",
)

# %% [markdown]
# ### Exercise: `ablate_head`
#
# A map shows where a head looks, not what the head is good for (in chapter 5, maps pointed at unexpected
# words). So take a head out and see what happens. This is called an **ablation**. The output is a sum with
# one term per head, so a head is silent when its term is zero. Write multi-head attention without one of its
# heads. Do not change the caller's matrices: write your zeros into a copy.
#
# You may use `split_heads`, `merge_heads` and `scaled_dot_product_attention`, or all of
# `multi_head_attention`.

# %%
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.multi_head import merge_heads, multi_head_attention, split_heads


# %%
def ablate_head(x, w_q, w_k, w_v, w_o, n_heads, head):
    """The output of multi-head attention when one head says nothing. Heads are counted from 0.

    x [b, n, d], w_q and w_k [d, h * d_k], w_v [d, h * d_v], w_o [h * d_v, d_out]
    -> output [b, n, d_out]
    """
    ### BEGIN SOLUTION
    d_v = len(w_o) // n_heads
    w_o = w_o.clone()
    w_o[head * d_v : (head + 1) * d_v] = 0    # what this head finds does not reach the output
    output, _ = multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)
    return output
    ### END SOLUTION


# %%
ablate_head = check(ablate_head)

# %% [markdown]
# The trained layers have this built in: `layer(..., ablate=[0])` is the layer without its first head.

# %%
own, other = [], []
for layer, questions in zip(two, taken):
    for head, question in enumerate(questions):
        right = each_right(layer, ablate=[head])
        own.append(float(right[question]))
        other.append(float(right[1 - question]))

seeds(
    {
        "without head 1, its own question": own[::2],
        "without head 1, the other question": other[::2],
        "without head 2, its own question": own[1::2],
        "without head 2, the other question": other[1::2],
    },
    "accuracy", chance=1 / 8,
)

# %% [markdown]
# Each head answers one of the questions and plays no part in the other question. How does this division of
# labour come about?
#
# At the start each head looks at all cards almost equally, but not *quite*, because its matrices are random.
# By chance one head is a little more useful for the first question, say. The gradient of chapter 4 makes this
# head even more useful for that question. The better its answers get, the smaller the gradient of that
# question's loss. That leaves the second question, which the other head is free to take. Each head takes what
# the other leaves.
#
# ## Break it: start as exact copies
#
# If this is true, everything depends on the random start. So let both heads start as exact copies: the same
# columns of W_Q, W_K and W_V, and the same rows of W_O. The numbers are still random, but the two heads are
# equal. This is called a **symmetric start**.

# %%
copies_after = predict(
    "09-copies",
    "Two heads start as exact copies of each other. After 250 steps of training, they are",
    ["different: training separates them", "almost equal", "equal to the last bit"],
)
copies_after

# %%
def start_as_copies(layer):
    layer.start_equal()


def between_heads(layer):
    """The largest difference between a number of the first head and the same number of the second."""
    halves = [layer.weights[name].chunk(2, dim=1) for name in ("w_q", "w_k", "w_v")]
    halves.append(layer.w_o.chunk(2, dim=0))
    return max(float((first - second).abs().max()) for first, second in halves)


copies, copied_runs = trained(prepare=start_as_copies)
print("equal to the last bit on             ", sum(between_heads(layer) == 0 for layer in copies), "seeds of 10")

moved = [not torch.equal(run.weights["w_q"][0], run.weights["w_q"][-1]) for run in copied_runs]
print("and they have learned: W_Q changed on", sum(moved), "seeds of 10")

copied = [both_right(layer) for layer in copies]
seeds({"two copies": copied, **with_heads}, "both answers right", chance=1 / 64)

# %%
copies_after.reveal(
    2 if all(between_heads(layer) == 0 for layer in copies) else 1,
    "They learn, but they learn the same thing. Two heads do the work of one.",
)

# %% [markdown]
# The proof is short. If you swap the two equal heads, the layer computes the same as before. The loss depends
# on both heads in the same way, so both have the same gradient. Equal numbers with equal gradients are equal
# after the step, and after every step. You met this in chapter 4, where all twelve columns of a matrix stayed
# equal. (The computer must also round both heads alike. Ours does not do so for two heads of five numbers:
# after a thousand steps the heads have separated. We have tried it.)
#
# Watch both runs: first the random start, then the copies. Each matrix has the columns of head 1 in its left
# half and the columns of head 2 in its right half. In W_O they are the upper and the lower half. Press play,
# and compare the halves.

# %%
Replay(random_runs[0], copied_runs[0], names=["random start", "copies"], tokens=task.tokens)

# %% [markdown]
# ## A trap: copies with a random W_O
#
# Someone wants to show this in a talk, and copies W_Q, W_K and W_V of the first head to the second. W_O stays
# random: it comes after the heads, they say, so it can hardly affect where the heads look.

# %%
trap = predict(
    "09-trap",
    "W_Q, W_K and W_V of both heads start equal, and W_O is random. What happens?",
    [
        "The heads stay equal: they have the same queries, keys and values",
        "The heads separate, and learn to answer both questions",
        "The heads separate, but do not learn to answer the questions",
    ],
)
trap

# %%
def random_w_o(layer):
    """Copies, except for W_O."""
    w_o = layer.w_o
    layer.start_equal()
    layer.w_o = w_o


def with_noise(layer):
    """Copies, and then a tiny random number added to each number of W_Q."""
    layer.start_equal()
    tiny = torch.randn(layer.w_q.shape, generator=torch.Generator().manual_seed(layer.seed))
    layer.w_q = layer.w_q + 0.001 * tiny


starts = {"copies, but a random W_O": random_w_o, "copies and a noise of 0.001": with_noise}
parted = {
    start: [both_right(layer) for layer in trained(prepare=prepare)[0]]
    for start, prepare in starts.items()
}
seeds({**parted, "exact copies": copied}, "both answers right", chance=1 / 64)

# %%
trap.reveal(
    1 if min(parted["copies, but a random W_O"]) >= 0.95 else 2,
    "The gradient reaches a head through the head's own rows of W_O. Where these rows differ, the gradients "
    "differ, and after the first step so do the heads.",
)

# %% [markdown]
# Both heads do compute equal results at first. But gradients flow backwards. By the product rule of chapter
# 4, the gradient of a head's result is $d\text{output} \cdot O_i^{\mathsf T}$, where $O_i$ are the head's own
# rows of W_O. So all *four* matrices have to be equal, or the demonstration shows the opposite.
#
# Tiny noise separates the copies, too, but it takes longer. The seeds whose points are low need more steps
# (try `trained(prepare=with_noise, steps=500)`).
#
# Watch two copies separate. Here is the smallest deck of chapter 5 again, with one question card that asks
# about both people: *Ada* first, then *Ben*. Two heads start as exact copies, and W_V, which passes on the
# colour, is frozen. There is no W_O in this picture. The first two columns of the output come from head 1,
# and their target is red. The last two come from head 2, and their target is blue.
#
# Before you press Step, choose *Gradients*, and go from head 1 to head 2 and back: both heads have the same
# W_Q and the same W_K, but different gradients.
#
# **The goal:** let head 1 give the red card at least 0.9, and head 2 the blue card. Don't change any number
# yourself: press **Step** and watch both heads.

# %%
from qkvlib import AttentionLab
from qkvlib.widgets import AtLeast, Goal

deck = torch.tensor([
    [1.0, 0.0, 1.0, 0.0],    # the red card: Ada, red
    [0.0, 1.0, 0.0, 1.0],    # the blue card: Ben, blue
    [1.0, 1.0, 0.0, 0.0],    # Ada? Ben?
])
copy_q = torch.tensor([[0.6, -0.3], [0.2, 0.4], [0.0, 0.0], [0.0, 0.0]])
copy_k = torch.tensor([[-0.2, 0.3], [0.4, 0.1], [0.0, 0.0], [0.0, 0.0]])
colour = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
w_q, w_k, w_v = (torch.cat([half, half], dim=1) for half in (copy_q, copy_k, colour))
sees = torch.tensor([[1, 0, 0], [0, 1, 0], [1, 1, 0]]) == 1    # a card sees itself, the question both
red, blue = [1.0, 0.0], [0.0, 1.0]

AttentionLab(
    deck,
    w_q=w_q,
    w_k=w_k,
    w_v=w_v,
    target=torch.tensor([red + red, blue + blue, red + blue]),
    mask=sees,
    tokens=["red", "blue", "both?"],
    features=["Ada", "Ben", "red", "blue"],
    n_heads=2,
    learning_rate=3.0,
    frozen=["w_v"],
    goal=Goal(
        "09-copies-part",
        "Let head 1 give red, and head 2 blue, at least 0.90.",
        conditions=[
            AtLeast("red", 0.9, row="both?", head=0),
            AtLeast("blue", 0.9, row="both?", head=1),
        ],
        touch=["w_q", "w_k"],
    ),
)

# %% [markdown]
# Now give both heads the same target. Then both heads get the same gradient, to the last digit, and never
# separate.

# %%
alike = AttentionLab(
    deck, w_q, w_k, w_v, torch.tensor([red + red, blue + blue, red + red]), mask=sees, n_heads=2
)
first, second = alike.gradients.d_w_q.chunk(2, dim=1)
assert torch.equal(first, second)
print("largest number in the gradient of W_Q:", f"{first.abs().max():.3f} in both heads")

# %% [markdown]
# ### Exercise: `break_symmetry`
#
# How little does it take? You get the four matrices of two heads that are exact copies. Change *a single
# number* so that training can separate them, and return all four matrices. The left half of the columns of
# w_q, w_k and w_v belongs to the first head, and so does the upper half of the rows of w_o.

# %%
def break_symmetry(w_q, w_k, w_v, w_o):
    """The four matrices of two equal heads with one number changed, so that training can separate them.

    w_q, w_k, w_v [d, 2 * d_k], w_o [2 * d_k, d] -> all four
    """
    ### BEGIN SOLUTION
    w_o = w_o.clone()
    w_o[0, 0] += 0.1
    return w_q, w_k, w_v, w_o
    ### END SOLUTION


# %%
break_symmetry = check(break_symmetry)


# %%
def broken_by_you(layer):
    """Copies, then your change."""
    layer.start_equal()
    names = ("w_q", "w_k", "w_v", "w_o")
    for name, weight in zip(names, break_symmetry(*(layer.weights[name] for name in names))):
        setattr(layer, name, weight)


(yours,), _ = trained(prepare=broken_by_you, n_seeds=1)
print("one number changed: both right in at least 95%:", both_right(yours) >= 0.95)

# %% [markdown]
# A difference in one number is enough. Equal heads are like a pencil standing on its tip: it could stand
# there forever, and a breath decides which way it falls. In practice nobody starts heads as copies: weights
# start at random, partly to avoid such a tie.
#
# ## Two heads in a chain
#
# Heads can also share one job. Here is a line of letters: ten different letters, then four pairs of
# neighbours from those ten. At the first letter of each pair the model has to say the second.

# %%
from qkvlib.models import Stack
from qkvlib.tasks import Induction

line_task = Induction()
line = line_task.test(1)
letters = line_task.words(line.inputs[0][0])
positions = line_task.asked().tolist()

print("the line:", " ".join(letters[:10]), "|", " ".join(letters[10:]))
for position in positions:
    print(f"a pair begins with {letters[position]}: say {line_task.answers[line.answers[0, position]]}")

# %% [markdown]
# So the model has to find where the letter occurs among the first ten, and name the letter that follows it
# *there*. The model has a causal mask, so no letter can see what follows.

# %%
one_layer = predict(
    "09-one-layer",
    "Two layers with one head each can do this. Can one layer with one head?",
    [
        "Yes: the head looks for the same letter, earlier in the line",
        "No, hardly better than by guessing",
        "In about half of the pairs",
    ],
)
one_layer

# %%
def readers_of_lines(n_layers):
    """Three stacks of layers with one head each, trained on lines of letters."""
    models = [
        Stack(
            line_task.n_tokens, line_task.n_answers, d_model=32, n_layers=n_layers, causal=True,
            positions="learned", n_places=18, spread=0.5, seed=seed,
        )
        for seed in range(3)
    ]
    train_together(models, line_task, 200, adam(0.01))
    return models


lines = line_task.test(200)


@torch.no_grad()
def says_right(model, ablate=()):
    """The accuracy on the letters that it has to say."""
    asked = lines.answers >= 0
    guesses = model(*lines.inputs, ablate=ablate).logits.argmax(-1)
    return float((guesses == lines.answers)[asked].float().mean())


shallow, deep = readers_of_lines(1), readers_of_lines(2)
layers = {"one layer": shallow, "two layers": deep}
said_right = {name: [says_right(model) for model in models] for name, models in layers.items()}
seeds(said_right, "accuracy")

# %%
one_layer.reveal(
    1 if max(map(says_right, shallow)) < 0.25 else 2,
    "The right position is just after the earlier copy of the letter. But in a single layer the key at that "
    "position says nothing about the letter before it.",
)

# %% [markdown]
# How do two heads find that letter? Use your `head_scores` to measure two jobs: a letter looks at the letter
# before it, or at the letter that followed its copy among the first ten.

# %%
@torch.no_grad()
def chain(model):
    """How much weight the head of each layer gives to each of the two jobs: [layer, job]."""
    before = torch.arange(18) - 1    # the first letter gets -1: there is none before it
    before[10:] = -1                 # and the pairs are left out
    spent = []
    for maps in model(*lines.inputs).attention.values():
        on_before = [head_scores(weights, before) for weights in maps]
        on_followed = [head_scores(weights, at) for weights, at in zip(maps, lines.looks_at)]
        spent.append(torch.cat([torch.stack(on_before).mean(0), torch.stack(on_followed).mean(0)]))
    return torch.stack(spent)


in_chain = [chain(model) for model in deep]
matrix(in_chain[0], ["layer 1", "layer 2"], ["the letter before", "what followed"],
       "Mean weight, rounded", weights=True, digits=0)

# %%
before, followed = (sum(bool(spent[job, job] > 0.9) for spent in in_chain) for job in (0, 1))
print("layer 1 looks at the letter before with more than 0.9 on  ", before, "seeds of 3")
print("layer 2 looks at what followed with more than 0.9 on      ", followed, "seeds of 3")
without = {
    f"without the head of layer {layer}": [says_right(model, ablate=[(layer, 0)]) for model in deep]
    for layer in (1, 2)
}
seeds({"two layers": said_right["two layers"], **without}, "accuracy")

# %% [markdown]
# Read the table like this, for a line in which c follows f, and the pair f c comes at the end. In layer 1
# each letter looks at the one before it and adds what it finds to its own vector. So c now says: I am c, and
# I come after f. In layer 2 the f of the pair asks: which letter comes after f? The *key* of c can answer
# that, because the keys of layer 2 are computed from the output of layer 1. So c is found, its value says c,
# and that is the answer.
#
# Both heads were trained at the same time, by one loss, and nobody told them to form a chain. Such a second
# head is called an **induction head**. Many language models have them.
#
# Look at one line, first in layer 1. (The letters of the pairs look here and there, because no answer depends
# on where they look.) Then choose layer 2, and point at the first letter of a pair. Last, silence one of the
# two heads.

# %%
Heads.of(deep[0], line_task)

# %% [markdown]
# ## What you have seen
#
# Heads are built alike, but start differently by chance. Once they differ, training pushes each of two heads
# towards the work that the other head leaves, and so the heads share it. Chance decides which head gets which
# job. Heads that are copies in all four matrices stay copies, except for rounding, and can do no more than a
# single head. The smallest difference separates such copies, even if it is only in W_O. To find out what a
# head is for, take the head out. And two heads in a chain can do what neither head can do alone.

# %%
terms("ablation", "symmetric start", "induction head")

# %% [markdown]
# ## Say it in your own words
#
# All heads are built alike. Why do they learn different things, and what would prevent that?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: why-heads-differ, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("09")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "09-close-view",
    "Chapter 8. x @ w_q has the shape [n, h·d_k]. Someone writes .view(h, n, d_k). What is wrong?",
    [
        "Nothing: the shape is right",
        "torch raises an error, because the numbers do not fit",
        "The first head gets all numbers of the first words, and no head sees all words",
    ],
    answer=2,
    because="A view moves no number. First view(n, h, d_k), which keeps every number with its word, then "
    "transpose.",
)

# %%
ask(
    "09-close-one-table",
    "Chapter 3. Queries and keys share one matrix, W_Q = W_K. Which of these can such a head not do?",
    [
        "Let rock look at paper, paper at scissors and scissors at rock, each more than at the third",
        "Find the card with the same name as the question",
        "Give each word a different output",
    ],
    answer=0,
    because="With one shared matrix the score of A for B equals the score of B for A. Around a circle of three, a "
    "score would then have to be larger than itself.",
)

# %% [markdown]
# ## What to read next
#
# - Catherine Olsson and others, *In-context Learning and Induction Heads*, 2022: the chain of two heads in
#   large models, and the moment in training when it appears.
# - Paul Michel, Omer Levy and Graham Neubig, *Are Sixteen Heads Really Better than One?*, 2019: ablations in
#   real models, which do without many of their heads.
# - Elena Voita and others, *Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the
#   Rest Can Be Pruned*, 2019: which jobs the heads of a translator have.
#
# **Next:** [chapter 10](10_cross_attention.ipynb). Until now, in most layers, the words of one sentence asked
# each other. What if one sequence asks and another one answers?
