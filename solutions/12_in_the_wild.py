# ---
# title: Inside a real model
# question: Do the heads of a trained model work in the same way?
# settles: What some heads of a real model do, what we did not find there, and your own task for three heads.
# goal: compute the attention of a real head with your own function, say what it looks
#   at and how sure that is, tell a finding from a lucky hit among many tries, and design your own task that
#   needs three heads
# minutes: 195
# builds on: all earlier chapters, especially 3, 5, 8 and 9
# here: the blocks of a real model
# ---

# %% [markdown]
# # {number}. {title}
#
# {here}
#
# All the heads so far were small, and you watched them learn. This chapter opens the file of a model that
# other people trained, on more text than anyone can read. Nobody made its heads for a course.
#
# **The questions of this chapter: do the heads of a real, trained model do what ours do? How would you know
# that you are not fooling yourself?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. Almost half of them are for your own task. *It builds on* {builds on}.

# %%
import torch

from qkvlib import Heads, Vectors, ask, check, check_task, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## A stranger's heads
#
# The model is called MiniLM. It is **pretrained**: others have already trained it. It turns a sentence into a
# vector that a search engine can use. It has six layers of twelve heads, and more than twenty million
# parameters. The course includes a small piece of it: five heads, and the vectors $x$ that went into them for
# one sentence, the source of our *law* and *its*.
#
# > The Law will never be perfect, but its application should be just - this is what we are missing, in
# > my opinion.

# %%
from qkvlib.models.minilm import minilm_heads

heads = minilm_heads()
tokens = heads["law"].tokens

print(" ".join(tokens), "\n")
for head in heads.values():
    print(f"layer {head.layer}, head {head.head}:   x {tuple(head.x.shape)}   W_Q {tuple(head.w_q.shape)}")

# %% [markdown]
# The model converts all letters to lower case, and adds a token at each end, `[CLS]` and `[SEP]`. Such
# tokens, which stand for no word, are called **special tokens**. Each token has a vector of 384 numbers. None
# of these numbers has a name: a meaning is a direction, to which many numbers contribute (chapter 3). The x
# of layer 0 is made as in chapters 6 and 7: each token has a row in an embedding, and a row for its position
# is added. (Then comes a norm, chapter 11.) The x of layer 3 is the output of three blocks.
#
# Each head turns such a vector into a query and a key of 32 numbers. There is no mask: every token may look
# at every other, including those to its right. (In this model we count layers and heads from 0, as its file
# does.)
#
# One thing is new. A real head has **biases**: one vector is added to every query, and another vector to
# every key, whatever the word.
#
# $$q_i = x_i W_Q + b_Q \qquad k_j = x_j W_K + b_K$$
#
# ### Exercise: `real_head_weights`
#
# Compute all attention weights of a head with biases. You may use `attention_weights` of chapter 2.

# %%
from qkvlib.attention import attention_weights


# %%
def real_head_weights(x, w_q, b_q, w_k, b_k):
    """What one head of a real model attends to.

    x [n, d_model], w_q and w_k [d_model, d_k], b_q and b_k [d_k] -> [n, n]
    """
    ### BEGIN SOLUTION
    return attention_weights(x @ w_q + b_q, x @ w_k + b_k)
    ### END SOLUTION


# %%
real_head_weights = check(real_head_weights)

# %% [markdown]
# The file also has the attention maps that the model itself computed. Its numbers are stored in half
# precision, so the last digits may differ.

# %%
def map_of(head, x=None):
    """The attention map of one of the five heads, by your function."""
    return real_head_weights(head.x if x is None else x, head.w_q, head.b_q, head.w_k, head.b_k)


maps = {what: map_of(head) for what, head in heads.items()}
for what, head in heads.items():
    off = float((maps[what] - head.weights).abs().max())
    print(f"layer {head.layer}, head {head.head}: every weight is the model's own, to 0.001: {off < 0.001}")

# %% [markdown]
# Your function, a few lines long, computes the maps of a real model. Nothing else goes into them.
#
# ## Look around
#
# Here are the five heads. Choose one, then point at a word to see its weights. Look at *its* in each head,
# and find out where a word looks when it has nothing to find.

# %%
names = {f"layer {head.layer} head {head.head}": maps[what] for what, head in heads.items()}

Heads(names, tokens)

# %% [markdown]
# From the weights, the widget gives each head a job. Head 2 of layer 0 looks at the word before: at almost
# every position, almost all its weight is there. Chapter 9's chain of two heads began with such a head. For
# the other heads, a name based on one sentence is only a guess. Here is the row of *its* in the last two
# heads.

# %%
its = tokens.index("its")
shown = ["[CLS]", "law", "perfect", "its", "application", "just"]
positions = [tokens.index(word) for word in shown]
rows = torch.stack([maps[what][its, positions] for what in ("application", "law")])

matrix(rows, ["layer 2 head 1: its", "layer 3 head 1: its"], shown, weights=True)

# %% [markdown]
# One head looks for what is owned: *its application*. The other looks for who owns it: *its* means *the
# law's*. Nobody labelled either answer.
#
# And `[CLS]`? Softmax has to put a word's weight somewhere, even when the word has no question to ask.

# %%
for what in ("application", "law"):
    first = maps[what].argmax(dim=-1) == 0
    print(f"layer {heads[what].layer} head {heads[what].head}: the largest weight is on [CLS] for "
          f"{int(first.sum())} of {len(tokens)} tokens")
print("in the last one, for example 'law' itself:", tokens[maps["law"][tokens.index("law")].argmax()])

# %% [markdown]
# So a large share of the tokens give their largest weight to `[CLS]`, which is not a word at all. The usual
# explanation is that they park their weight there. A token that is used like this is called an **attention
# sink**. In models that write, the sink is often the first token of the text. So a bright first column need
# not mean that the first token matters.
#
# ## All of them at once
#
# Here are all 72 heads on this sentence, with a row of small maps for each layer. Choose a map to enlarge it.
# Which heads look at a neighbour, which at `[CLS]` or `[SEP]`, and which at something that you can put into
# words?

# %%
from qkvlib.models.minilm import minilm_maps

Heads(minilm_maps(), tokens, count_from=0)

# %% [markdown]
# Some heads are easy to name; many are not. A map on one sentence shows where a head looks, but not why.
#
# ## A sentence of your own
#
# In layer 0, x is still close to the words themselves. The course includes the embedding's rows for common
# words, so you can compute an x yourself and send it through two heads of layer 0.

# %%
from qkvlib.models.minilm import minilm_embedding

embedding = minilm_embedding()
off = float((embedding.x(tokens) - heads["previous word"].x).abs().max())
print(f"{len(embedding.pieces)} words, each with {embedding.words.shape[1]} numbers, and {len(embedding.places)} positions")
print(f"the x of our sentence, computed here: no number is off by more than {off:.2f}; "
      f"the largest is {float(embedding.x(tokens).abs().max()):.1f}")

# %% [markdown]
# (Our x differs slightly, because the file stores each number of a word's vector in a single byte.)
# {notebook: Now replace this sentence with your own. It is split into words, and you are told which word is missing.|page: In JupyterLab you can replace this sentence with your own; here we look at ours.}

# %%
def look_at(sentence):
    """The tokens of a sentence, and the maps of two heads of layer 0, by your function."""
    words = embedding.split(sentence)
    x = embedding.x(words)
    return words, {
        "layer 0 head 2": map_of(heads["previous word"], x),
        "layer 0 head 4": map_of(heads["what is done"], x),
    }


words, own = look_at("He reads a book, and she drinks coffee in the kitchen.")
Heads(own, words)

# %% [markdown]
# Look at *reads* and *drinks* in head 4. {notebook: Then try: *she wrote a letter and sang a song*, *the boy
# opened the door and ate the cake*. What does this head seem to do?|page: What does this head seem to do?}

# %%
word_salad = predict(
    "12-word-salad",
    "Now the words are in a different order: 'in reads and book the kitchen he coffee a drinks'. Where does "
    "'reads' look in head 4?",
    [
        "At the word after it, whatever that is",
        "At book, as before",
        "Nowhere in particular: the sentence no longer makes sense",
    ],
)
word_salad

# %%
words, own = look_at("in reads and book the kitchen he coffee a drinks")
row = own["layer 0 head 4"][words.index("reads")]
wanted = words[int(row.argmax())]
print(f"reads -> {wanted} with {float(row.max()):.2f}")

# %%
after = words[words.index("reads") + 1]
word_salad.reveal(
    1 if wanted == "book" else 0 if wanted == after else 2,
    "In layer 0 a token's vector contains its own word and its position, and nothing about the other words. "
    "This head goes by the words: the query of 'reads' fits the key of 'book', wherever the two are.",
)

# %% [markdown]
# {notebook: (Try other orders of these words.) So this head|page: So this head} has learned which *words* go
# together. Does it find similar words? Take some verbs, and search all the words in the file twice. Which
# words are most similar to the verb in the embedding? Which words have the keys that fit its query best?

# %%
pairing = heads["what is done"]
alone = torch.stack([embedding.x(["[CLS]", word])[1] for word in embedding.pieces])  # each word at the second position
queries = alone @ pairing.w_q + pairing.b_q
keys = alone @ pairing.w_k + pairing.b_k
directions = embedding.words / embedding.words.norm(dim=-1, keepdim=True)


def best(fits, word):
    """The four words with the largest numbers, without the word itself."""
    order = [embedding.pieces[i] for i in fits.argsort(descending=True).tolist()]
    return ", ".join([other for other in order if other != word][:4])


for word in ("reads", "wrote", "opened", "ate", "plays", "lost", "sold"):
    i = embedding.pieces.index(word)
    alike, fitting = best(directions @ directions[i], word), best(keys @ queries[i], word)
    print(f"{word:7} is most like {alike:36} and looks for {fitting}")

# %% [markdown]
# On the left is the embedding: *wrote* is like *written*. On the right is what W_Q and W_K add: *wrote* looks
# for a book, *opened* for doors, *ate* for cake. Nobody told the model what people eat, and no label ever
# paired words for it. But the head is not a dictionary. For *sold* it finds nothing that we could name, and
# *lost* finds *weight*. We chose these verbs because most of them look good, so try others before you believe
# the pattern.
#
# ## What a bias can do
#
# Suppose someone gives you the model, but one of its biases has been lost.

# %%
lost_bias = predict(
    "12-lost-bias",
    "Which bias can you leave out of a head without changing any attention weight, whatever its numbers?",
    ["b_Q", "b_K", "Both", "Neither"],
)
lost_bias

# %%
head = heads["law"]
other = torch.randn(32, generator=torch.Generator().manual_seed(0))    # quite another bias

other_b_q = real_head_weights(head.x, head.w_q, other, head.w_k, head.b_k)
other_b_k = real_head_weights(head.x, head.w_q, head.b_q, head.w_k, other)
unchanged = [bool((one - maps["law"]).abs().max() < 1e-5) for one in (other_b_q, other_b_k)]

print("the same weights with another b_Q:", unchanged[0])
print("the same weights with another b_K:", unchanged[1])
print(f"length of the model's own b_Q: {float(head.b_q.norm()):.2f}, of its own b_K: {float(head.b_k.norm()):.3f}")

# %%
lost_bias.reveal(
    unchanged.index(True) if sum(unchanged) == 1 else 3,
    "b_K adds q · b_K to the score for every key: the same number along the whole row. Softmax depends only on "
    "differences within a row, so nothing changes. b_Q adds b_Q · k, which differs from key to key.",
)

# %% [markdown]
# So an answer to `real_head_weights` without b_k is right, too. The model's own b_K is almost zero for the
# same reason: the gradients of a row's scores sum to zero (chapter 4), so b_K never got a gradient.
#
# ## The arrows of chapter 1, for real
#
# In chapter 1 there was a blue arrow for *its* and an orange one for *law*, with numbers that we made up. The
# real arrows have 32 numbers each, too many to draw. But two directions are enough. One is the direction of
# the query of *its*. The other, at a right angle to the first, is the direction in which *application* and
# *law* differ most. Wherever you turn the query in this plane, its dot products with the keys are exactly
# what the head would compute.

# %%
chosen = ["law", "application", "perfect", "just", "its"]
q = (head.x @ head.w_q + head.b_q)[its] / 32**0.5  # divided by the root here, once for all
k = (head.x @ head.w_k + head.b_k)[[tokens.index(word) for word in chosen]]

along = q / q.norm()
beside = k[1] - k[0]
beside = beside - (beside @ along) * along
plane = torch.stack([along, beside / beside.norm()], dim=1)  # two directions, 32 numbers each

arrow = torch.stack([q.norm(), torch.tensor(0.0)])  # the query lies along the first direction
arrows = k @ plane
assert torch.allclose(arrows @ arrow, k @ q, atol=1e-4)

# %% [markdown]
# The head of layer 3 makes *its* look for its owner, *law*. **The goal:** turn the query until it finds what
# is owned, *application*, as the head of layer 2 does. The query's length is locked. How far do you have to
# turn the query?

# %%
from qkvlib.widgets import Goal, Prefers

Vectors(
    arrow,
    arrows,
    names=chosen,
    goal=Goal(
        "12-application",
        "Turn the real query of 'its' until application has the most weight.",
        conditions=[Prefers("application")],
        touch=["query"],
        keep_lengths=True,
    ),
)

# %% [markdown]
# You have done by hand what a different W_Q would do: a different query finds a different word among the same
# keys.
#
# ## Is it similarity?
#
# Chapter 6 said that related words need not be similar. Is that true in a model that has read so much? Take
# the vectors that go into layer 3, and compare them as they are, without any weight matrix (that is W = I).
# Then compare them through the head's own W_Q and W_K.

# %%
x = head.x
plain = x @ x.T
self_plain = int((plain.argmax(dim=-1) == torch.arange(len(x))).sum())
self_head = int((maps["law"].argmax(dim=-1) == torch.arange(len(x))).sum())
print(f"compared as they are: {self_plain} of {len(x)} tokens fit themselves best")
print(f"through W_Q and W_K:  {self_head} of {len(x)} tokens fit themselves best")

unit = x / x.norm(dim=-1, keepdim=True)
five = [tokens.index(word) for word in chosen]
assert (unit @ unit.T)[its, five].argsort().tolist()[:2] == [2, 0]  # only perfect is less like its than law
side_by_side(
    matrix((unit @ unit.T)[five][:, five], chosen, chosen, "cosines of x"),
    matrix(maps["law"][five][:, five], chosen, chosen, "the head's weights", weights=True),
)

# %% [markdown]
# Compared as they are, *its* has little in common with *law*, less than with *application* or *just*. But
# through the head's matrices *its* finds *law*, and *law* does not look back. (The rest of each row's weight
# is on tokens that are not shown, much of it on `[CLS]`.) W_Q and W_K have turned a similarity into a
# relation, in a real model as in ours.
#
# ## What is in a score: word, position, bias
#
# *Why* does a head look there? A score is $x_i\,(W_Q W_K^{\mathsf T})\,x_j^{\mathsf T}$, divided by
# $\sqrt{32}$ (chapter 3). If each $x$ is a sum of parts, the score is a sum, too. It has one term for each
# pair of a part of $x_i$ and a part of $x_j$:
#
# $$x_i = \sum_a f_a,\quad x_j = \sum_b g_b \qquad\Rightarrow\qquad \text{score}_{ij} = \sum_a \sum_b f_a\,(W_Q W_K^{\mathsf T})\,g_b^{\mathsf T}$$
#
# Which parts? The 384 numbers have no names. But in layer 0 we know the sum: the row of the word plus the row
# of the position. The norm divides both rows by the same number, and shifts the result by a vector that is
# the same for all tokens. So there are three parts: word, position, and what all tokens have in common. (We
# count b_Q and b_K with the last part. A third row, which the model adds to every token, counts with the
# position.)

# %%
def parts(words):
    """The x of layer 0, taken apart: three tensors whose sum it is."""
    word = embedding.words[[embedding.pieces.index(token) for token in words]].double()
    position = embedding.places[: len(words)].double()
    size = (word + position).std(dim=-1, correction=0, keepdim=True)
    normed = [(part - part.mean(dim=-1, keepdim=True)) / size * embedding.norm_weight for part in (word, position)]
    return [*normed, embedding.norm_bias.double().expand_as(word)]


def pieces(head, words):
    """Each score as nine pieces: [part of the query, part of the key, query, key]."""
    q = [part @ head.w_q.double() for part in parts(words)]
    k = [part @ head.w_k.double() for part in parts(words)]
    q[2], k[2] = q[2] + head.b_q, k[2] + head.b_k
    return torch.stack([torch.stack([one @ other.T for other in k]) for one in q]) / 32**0.5


for what in ("previous word", "what is done"):
    first = heads[what]
    whole = sum(parts(tokens))
    assert torch.allclose(whole, embedding.x(tokens).double(), atol=1e-4)
    scores = (whole @ first.w_q.double() + first.b_q) @ (whole @ first.w_k.double() + first.b_k).T / 32**0.5
    off = float((pieces(first, tokens).sum(dim=(0, 1)) - scores).abs().max())
    print(f"layer {first.layer} head {first.head}: the nine pieces add up to the score, to 0.00001: {off < 1e-5}")

# %% [markdown]
# Softmax depends only on how far a score is above the others in its row. So we ask of each piece: how much
# more does it add to the score of the key that the head looks at than to the other keys' scores, on average?
# In the tables a row is a part of the query's token, and a column is a part of the key's token. (The first
# two tokens are left out of the mean.)

# %%
score_parts = predict(
    "12-score-parts",
    "Head 2 of layer 0 looks at the word before, head 4 looks from a verb to what is done. Which pieces lift the "
    "score of the token that they look at?",
    [
        "In both of them word with word",
        "In head 2 position with position, in head 4 word with word",
        "In both of them a bit of everything: you cannot take a trained head apart like that",
    ],
)
score_parts

# %%
def lifted(made, asks, answers):
    """How much each piece lifts one key above the mean of the others: [3, 3]."""
    row = made[:, :, asks]
    others = (row.sum(dim=-1) - row[..., answers]) / (row.shape[-1] - 1)
    return row[..., answers] - others


before = pieces(heads["previous word"], tokens)
lifts = torch.stack([lifted(before, i, i - 1) for i in range(2, len(tokens))]).mean(dim=0)

words = embedding.split("He reads a book, and she drinks coffee in the kitchen.")
to_book = lifted(pieces(heads["what is done"], words), words.index("reads"), words.index("book"))

asks, answers = [f"asks: {part}" for part in ("word", "position", "common")], ["word", "position", "common"]
side_by_side(
    matrix(lifts, asks, answers, "head 2: the word before, mean", digits=1),
    matrix(to_book, asks, answers, "head 4: reads → book", digits=1),
)

# %%
by_position, by_word = int(lifts.argmax()) == 4, int(to_book.argmax()) == 0
score_parts.reveal(
    1 if by_position and by_word else 0 if by_word else 2,
    "One head asks almost only by position. The other asks by the word, at least for this one pair of words.",
)

# %% [markdown]
# The last column is zero, because a part that all keys share lifts none of them above the others. That is why
# b_K could be left out.
#
# In the higher layers x is a sum, too: the embedding plus what each head and each feed-forward part below has
# added (chapter 11; here a norm comes after each addition). There the parts have no names, so researchers
# first look for directions that mean something. Then such a table, only larger, answers "Why does this head
# look there?" (Harish Kamath, Emmanuel Ameisen and others, *Tracing Attention Computation Through Feature
# Interactions*, 2025). But take *any* parts that add up to x: their pieces add up to the score. So the sum
# does not tell us whether these are the right parts.
#
# ## One sentence is an anecdote
#
# We found a head that seems to know whose *its* is. But we looked at one sentence, and we chose the head
# *because* it did so well there. Among many heads, one is likely to look clever by luck. Choosing that head
# and presenting it as the rule is called **cherry-picking**. The honest way is to write down the claim first,
# and then test it on sentences that had no part in the choice.
#
# The claim: **in layer 3, head 1, a possessive gives its owner more weight than it gives any other word.**
# (`[CLS]` and `[SEP]` are not words.) Here are ten new sentences. The file has the $x$ that went into layer 3
# for each of them. (*wagged* is not in the model's vocabulary, so it becomes two tokens.)

# %%
from qkvlib.models.minilm import minilm_trials

owners = minilm_trials("owner")
for trial in owners:
    print(f"{' '.join(trial.tokens[1:-1]):72} {trial.word} -> {trial.noun}")

# %%
new_sentences = predict(
    "12-new-sentences",
    "In how many of these ten sentences will the head find the owner?",
    ["In 2 or 3, like most heads", "In about half", "In 8 or more"],
)
new_sentences

# %%
def finds_the_owner(trial):
    """Whether the head of layer 3 gives the noun more weight than any other word."""
    row = map_of(heads["law"], trial.x)[trial.tokens.index(trial.word)]
    weight = {word: float(row[trial.tokens.index(word)]) for word in (trial.noun, *trial.others)}
    return max(weight, key=weight.get) == trial.noun


found = [finds_the_owner(trial) for trial in owners]
every_head = torch.stack([trial.finds for trial in owners]).sum(dim=0).float()  # counted on the whole model
print("found by this head:", sum(found), "of", len(found))
print(f"by a head of the model on average: {every_head.mean():.1f}")
print("missed:", " / ".join(" ".join(t.tokens[1:-1]) for t, ok in zip(owners, found) if not ok))

# %%
new_sentences.reveal(
    2 if sum(found) >= 8 else 1 if sum(found) >= 4 else 0,
    "We chose the head on one sentence, and it holds up on others. In the sentence that it misses, it looks "
    "at what is owned.",
)

# %% [markdown]
# A fine result. Now be your own critic: what *else* could explain it? Before you read on, read the ten
# sentences again, and look for something that all owners have in common.
#
# Every owner is the second word. So is *law* in our sentence. A head that always looks at the second word
# would have done just as well. So here are the same ten sentences with two words put in front: now the second
# word is a different noun. (In one of them we replaced *autumn* with *spring*.)

# %%
moved = minilm_trials("moved")
for trial in moved[:3]:
    print(" ".join(trial.tokens[1:-1]))
print("...\n")

still = [finds_the_owner(trial) for trial in moved]
print("found by this head:", sum(still), "of", len(still))

# %% [markdown]
# The claim has survived. If only the second word mattered, this number would be close to zero. But in all
# twenty sentences the owner is also the *nearest noun before* the possessive, so a head that looks at the
# nearest noun on its left would do as well. To tell these two explanations apart, you need sentences with
# another noun in between, as in "the dog in the garden wagged its tail". We have not tried that, so the claim
# is only as strong as these sentences.
#
# Is this the only head that finds owners? Here is how many of the twenty owners each of the model's heads
# finds.

# %%
both = torch.stack([trial.finds for trial in (*owners, *moved)]).sum(dim=0).float()
matrix(both, [f"layer {i}" for i in range(6)], [f"h {i}" for i in range(12)], "owners found, of 20", digits=0)

# %% [markdown]
# This head is not the only one, and not even the best: one head does better, and another does equally well. A
# job need not belong to one head. So "the head for possessives" would claim too much. "*A* head that finds
# owners, in these sentences" is right.
#
# ## What is not there
#
# Chapter 5 had a harder case: the dog did not cross the street because *it* was tired, or icy. There the
# grammar does not help. You have to know something about dogs and streets. Here are five pairs of sentences,
# each with a pronoun and two nouns. The first pair is of the hard kind. In the other pairs the pronoun itself
# gives the answer away: *he* or *she*, singular or plural. We say that a head finds the right noun if the
# pronoun gives that noun more weight than the *other* noun.

# %%
pronouns = minilm_trials("pronoun")
for trial in pronouns:
    print(f"{' '.join(trial.tokens[1:-1]):64} {trial.word} -> {trial.noun}, not {trial.others[0]}")

# %%
tired = predict(
    "12-tired",
    "The model has 72 heads. In how many of these ten sentences does the best of them find the noun?",
    ["5: half of them", "8", "All 10"],
)
tired

# %%
counts = torch.stack([trial.finds for trial in pronouns]).sum(dim=0).float()
best, average = int(counts.max()), float(counts.mean())
print(f"the best of 72 heads: {best} of 10;   an average head: {average:.1f} of 10")

# %%
tired.reveal({5: 0, 8: 1, 10: 2}.get(best, 1), "That sounds like a discovery. Read on before you announce it.")

# %% [markdown]
# Eight of ten. Does this head understand the sentences? First ask how many nouns a head would find if it
# understood nothing. The sentences come in pairs with the same two nouns, and each noun is the right one
# once. A head that ignores the pronoun takes the same noun both times, so in each pair it is right once and
# wrong once. That always makes five of ten.

# %%
finds = torch.stack([trial.finds.flatten() for trial in pronouns])
pairs = finds.view(5, 2, 72).float().sum(dim=1)    # [pair, head]: 0, 1 or 2 sentences of a pair
same_noun = pairs == 1
print(f"a head takes the same noun in both sentences of a pair: {same_noun.float().mean():.0%} of the time")
print("heads that do so in all five pairs:", int(same_noun.all(dim=0).sum()), "of 72")

# %% [markdown]
# A case is one head with one pair of sentences. In most cases the pronoun makes no difference. In the
# remaining cases the head takes a different noun in each of the two sentences, so it is right in both or
# wrong in both. Does the pronoun decide that, or chance? Suppose it is chance. Toss a coin for each of these
# cases, leave the other cases as they are, and look at the best of the 72 heads. Do that a thousand times.

# %%
generator = torch.Generator().manual_seed(0)
coins = 2.0 * (torch.rand(1000, 5, 72, generator=generator) < 0.5)
thrown = torch.where(same_noun, 1.0, coins)
best_thrown = thrown.sum(dim=1).amax(dim=1)
print(f"the best of 72 finds 8 or more in {(best_thrown >= 8).float().mean():.0%} of the tosses")

# %% [markdown]
# So the best of 72 heads did only what the best of 72 does by chance. The second test is the one that our
# claim about owners had to pass: choose on some sentences, and test on others. Each pair has to stay whole,
# because a head that favours one noun is right in one of the two sentences and wrong in the other. So choose
# the best heads on four pairs and test them on the fifth. Let each pair be the fifth once.

# %%
def tried_on_the_fifth(pairs):
    """How often the heads that are best on four pairs are right on the fifth."""
    shares = []
    for fifth in pairs:
        others = pairs.sum(dim=0) - fifth
        shares.append(fifth[others == others.max()].mean() / 2)
    return torch.stack(shares).mean()


chance = torch.stack([tried_on_the_fifth(one) for one in thrown])
low, high = chance.quantile(torch.tensor([0.05, 0.95]))
print(f"right on the fifth pair: {tried_on_the_fifth(pairs):.0%} of the sentences")
print(f"by chance, in nine of ten tosses: {low:.0%} to {high:.0%}")

# %% [markdown]
# That share is well within the range of chance. **We found no head in this model that knows which noun a
# pronoun stands for**, neither in the hard pair nor in the easy ones. This does not show that no model can
# learn to do so: our model in chapter 5 did, in its own small world, because its task rewarded it. Nor does
# it show that *this* model cannot: several heads together, or the layers above, might do what no single map
# shows. And ten sentences are few.
#
# ## Break it: shuffle the rows
#
# The head of layer 0 looks at the word before. How does it know which word that is? Shuffle the rows of its
# $x$ and see.

# %%
shuffled_rows = predict(
    "12-shuffled",
    "You shuffle the 27 rows of x, then send them through the head of layer 0. Where does each token look?",
    [
        "At the row above it, in the new order",
        "At the token that came before it in the sentence",
        "Anywhere: without the order the head is lost",
    ],
)
shuffled_rows

# %%
previous = heads["previous word"]
order = torch.randperm(len(tokens), generator=torch.Generator().manual_seed(0))
looks_at = map_of(previous, previous.x[order]).argmax(dim=-1)  # as rows of the new order
came_before = order[looks_at] == order - 1
row_above = looks_at == torch.arange(len(tokens)) - 1

print("it looks at the row above:            ", int(row_above[order > 0].sum()), "of 26 tokens")
print("at what came before in the sentence: ", int(came_before[order > 0].sum()), "of 26 tokens")

# %%
shuffled_rows.reveal(
    1 if came_before[order > 0].float().mean() > 0.9 else 2,
    "The order of the rows means nothing to attention (chapter 7). A token's position was added to its "
    "vector before the first layer, and goes wherever the row goes.",
)

# %% [markdown]
# The shuffle did not break the head. This will: swap W_Q and W_K, with their biases.

# %%
swapped = real_head_weights(head.x, head.w_k, head.b_k, head.w_q, head.b_q)
law = tokens.index("law")
print("its gives law more than half of its weight:", bool(maps["law"][its, law] > 0.5))
print("the same with W_Q and W_K swapped:         ", bool(swapped[its, law] > 0.5))
print("... and now law gives its:                 ", "more" if swapped[law, its] > maps["law"][law, its] else "less",
      "than before")

# %% [markdown]
# Asking and being found are two different things, in a trained head just as on the first page of chapter 3.
#
# ## Your own: a task for three heads
#
# You have seen a task that needs one head and a task that needs two. Now design a task that needs **three**:
# three heads learn it, and two do not. Work in this order, which is the order of every honest experiment:
#
# 1. **Design.** What does a head have to look up, and from where? Why can't two heads do it?
# 2. **Predict**, in writing, before you train: what will each of the three heads do? What is lost when you
#    silence that head?
# 3. **Train**, on several seeds, with one, two, three and four heads.
# 4. **Show the jobs**: where each head looks, and what is lost without that head.
# 5. **Compare**, and say plainly what turned out differently from your prediction. A task that turns out to
#    need only two heads, with a good account of why, is worth as much as one that needs three.
#
# There is a trap. A head has one softmax, but it can *share out* its weight: sixty percent here, forty there.
# Two heads that divide their weight cleverly can answer three questions most of the time. How can a task
# prevent that?
#
# ### A half-finished task
#
# Begin with a half-finished task: a market with four stalls. Each stall sells one fruit at one price. The
# question names a fruit: what does it cost? There is one question, so one head is enough.
#
# A task has names for its tokens, and a method `batch` that generates `size` examples at once. A batch
# contains the tokens on the question card, the tokens on each card, the right answer to each question, and,
# only for the figures, the card that has the answer. Two helpers draw the numbers.
# `different(size, 4, 6, generator)` gives each example four *different* numbers below 6, and
# `whole(size, 4, 5, generator)` gives it four numbers below 5 that may repeat. The comment on each line gives
# the shape. `check_task` shows some examples in words, or tells you what does not fit.

# %%
from dataclasses import dataclass

from torch import Generator

from qkvlib.models import MultiHead
from qkvlib.tasks import TwoQuestions
from qkvlib.tasks.base import Batch, Task, different, whole
from qkvlib.tasks.recall import COLOURS, PEOPLE, cards
from qkvlib.training import adam, mass_on, measure, train_together

FRUITS = ("apples", "plums", "pears", "figs", "limes", "dates")
PRICES = ("one", "two", "three", "four", "five")


@dataclass(frozen=True)    # a Python class that only stores the fields named in it
class Market(Task):
    """Four stalls, each with a fruit and a price. What do the figs cost?"""

    tokens = (*FRUITS, *PRICES, *(f"{fruit}?" for fruit in FRUITS))    # 0 to 5, 6 to 10, 11 to 16
    answers = PRICES

    def batch(self, size, generator):
        fruits = different(size, 4, len(FRUITS), generator)       # [size, 4]: a fruit for each stall
        prices = whole(size, 4, len(PRICES), generator)           # [size, 4]: its price
        asked = whole(size, 1, 4, generator)                      # [size, 1]: the stall in the question
        # gather(1, asked) takes from each row the columns that `asked` names.
        question = 11 + fruits.gather(1, asked)                   # [size, 1]: the fruit of that stall, as a question
        return Batch(
            inputs=(question[:, None], torch.stack([fruits, 6 + prices], dim=-1)),   # [size, 4, 2]: the stalls
            answers=prices.gather(1, asked),                      # [size, 1]: the price at that stall
            looks_at=asked,
        )


market = check_task(Market())

# %% [markdown]
# {notebook: Give it a second question, in the cell above: what do *two* fruits cost? Three things change, and `check_task` says what is still missing:|page: In JupyterLab you give it a second question next: what do *two* fruits cost? Three things change, and `check_task` says what is still missing:}
#
# - `asked = whole(size, 2, 4, generator)` asks for two stalls. `answers` and `looks_at` then have two
#   columns;
# - the question card has two tokens, and has to say which of them comes first. So each fruit has two
#   questions, "figs first?" and "figs second?". That makes six more names in `tokens`, and you add 6 to the
#   second column of `question`: `+ torch.tensor([0, 6])`;
# - each question has its own scores. If both questions have the same possible answers, say how many scores
#   there are in all: write a method `n_answers` with `@property` above it, which returns `2 * len(PRICES)`,
#   as in `TwoQuestions`.
#
# {notebook: `TwoQuestions??` in a new cell shows the task of chapter 9, which is this one with people and colours. Now write your own, for three heads. Replace the class below, which is that task unchanged.|page: There `TwoQuestions??` shows the task of chapter 9, which is this one with people and colours. Then comes your own, for three heads. It replaces the class below, which is that task unchanged.}
# You can start from a copy of `Market` or of `TwoQuestions`; all names that they use are imported above.

# %%
@dataclass(frozen=True)
class MyTask(TwoQuestions):
    """Your task. At first it is the one of chapter 9."""


my_task = check_task(MyTask())

# %%
enough_heads = predict(
    "12-enough-heads",
    "Before you train: how many heads will your task need, at least?",
    ["1", "2", "3", "4", "More than 4"],
)
enough_heads

# %%
def trained(task, n_heads, steps=300):
    """Ten models with this many heads, trained on a task. All have the same number of parameters."""
    models = [
        MultiHead(task.n_tokens, task.n_answers, d_model=24, n_heads=n_heads, seed=seed)
        for seed in range(10)
    ]
    train_together(models, task, steps, adam(0.01))
    return models


def all_right(model, task):
    """The share of test examples with all questions answered correctly."""
    return measure(model, task.test(1000)).all_right


models = {n: trained(my_task, n) for n in (1, 2, 3, 4)}
shares = {f"{n} head{'s' * (n > 1)}": [all_right(model, my_task) for model in models[n]] for n in models}
learned = {n: sum(share >= 0.95 for share in row) for n, row in zip(models, shares.values())}
for name, times in zip(shares, learned.values()):
    print(f"{name}: solved on {times} of 10 seeds")

seeds(shares, "examples with all questions right")

# %%
enough = [n for n, times in learned.items() if times == 10]
enough_heads.reveal(min(enough) - 1 if enough else 4, "The smallest number that was enough on every seed.")

# %% [markdown]
# Where does each head look, and what is lost without it?

# %%
def where_heads_look(model, task):
    """The mean weight of each head on the card with each question's answer."""
    batch = task.test(1000)
    weights = model(*batch.inputs).attention["heads"][:, :, 0]
    asked = range(batch.looks_at.shape[1])
    return torch.tensor([
        [mass_on(weights[:, [h]], batch.looks_at[:, [q]]) for q in asked] for h in range(model.n_heads)
    ])


def right_without(model, task):
    """The accuracy on each question, with each head silenced in turn."""
    batch = task.test(1000)
    rows = []
    for silent in range(model.n_heads):
        scores = model(*batch.inputs, ablate=[silent]).logits.reshape(*batch.answers.shape, -1)
        rows.append((scores.argmax(dim=-1) == batch.answers).float().mean(dim=0))
    return torch.stack(rows)


def show_jobs(model, task):
    """Both tables, side by side."""
    looks, lost = where_heads_look(model, task), right_without(model, task)
    questions = [f"question {i + 1}" for i in range(looks.shape[1])]
    each = range(model.n_heads)
    return side_by_side(
        matrix(looks, [f"head {h + 1}" for h in each], questions, "weight on the answer's card", weights=True, digits=1),
        matrix(lost, [f"without head {h + 1}" for h in each], questions, "accuracy", weights=True, digits=1),
    )


mine = models[3][0]
show_jobs(mine, my_task)

# %%
Heads.of(mine, my_task)

# %% [markdown]
# When a model has fewer heads than questions, check whether its heads share: look for a row whose weight is
# divided between the cards of two questions.

# %%
show_jobs(models[2][0], my_task)

# %% [markdown] tags=["solution-only"]
# ### A worked example (this part is not in the lesson)
#
# **Design.** Four cards, each with a person, a colour and an animal. Three questions at once, one that starts
# from a person, one from a colour, and one from an animal: *Ada, which colour? Gold, which animal? The owl,
# whose is it?* The three questions are drawn independently, so two of them may fall on the same card.
#
# **Why two heads should not be enough.** Each question needs a card of its own, and a head has one row of
# weights. Two heads could share: the first gives most to card A and some to B, the second most to C and some
# to B, and a readout of both recovers all three. But the sharing depends on how the scores of A, B and C
# compare. When two questions fall on one card, their scores add up there, and the readout no longer fits the
# shares. Three heads avoid this: each answers only one question.
#
# **Prediction.** With three heads each takes one question (persons, colours, animals, in an order that
# depends on the seed). Without a head the accuracy on its question falls to chance, one in five. The other
# questions stay right. Two heads: never all three right.

# %% tags=["solution-only"]
GUESTS = ("Ada", "Ben", "Cleo", "Dan", "Eva")
PAINTS = ("red", "blue", "green", "gold", "black")
ANIMALS = ("cat", "dog", "owl", "fox", "hen")
NAMES = (*GUESTS, *PAINTS, *ANIMALS)
KIND = torch.tensor([0, 5, 10])  # where each kind of name begins


@dataclass(frozen=True)
class RoundTheTable(Task):
    """Four cards "Ada gold owl"; person -> colour, colour -> animal, animal -> person, all at once."""

    tokens = (*NAMES, *(f"{name}?" for name in NAMES))
    answers = (*PAINTS, *ANIMALS, *GUESTS)  # five for each of the three questions

    def batch(self, size, generator):
        deal = torch.stack([different(size, 4, 5, generator) for _ in range(3)], dim=-1)  # [b 4 3]
        asked = whole(size, 3, 4, generator)  # independently: two may fall on one card
        on_card = deal[torch.arange(size)[:, None], asked]  # [b 3 questions 3 kinds]
        question = torch.stack([on_card[:, i, i] for i in range(3)], dim=1)
        answers = torch.stack([on_card[:, i, (i + 1) % 3] for i in range(3)], dim=1)
        return Batch(((question + KIND + 15)[:, None], deal + KIND), answers, asked)


table = check_task(RoundTheTable())

# %% tags=["solution-only"]
with_three, with_two = trained(table, 3), trained(table, 2)
seeds(
    {
        "three heads": [all_right(model, table) for model in with_three],
        "two heads": [all_right(model, table) for model in with_two],
    },
    "examples with all three right",
)

# %% tags=["solution-only"]
one_each = own_lost = others_kept = 0
for model in with_three:
    jobs = where_heads_look(model, table).argmax(dim=1)
    lost = right_without(model, table)
    own = lost[torch.arange(3), jobs]
    one_each += sorted(jobs.tolist()) == [0, 1, 2]
    own_lost += bool((own < 0.5).all())
    others_kept += bool((lost.sum(dim=1) - own > 2 * 0.9).all())
print("each head has its own question:                  ", one_each, "of 10 seeds")
print("without a head less than half of its own right:  ", own_lost, "of 10 seeds")
print("... and the other two questions at least 90%:    ", others_kept, "of 10 seeds")

show_jobs(with_three[0], table)

# %% [markdown] tags=["solution-only"]
# **What turned out differently.** In a first design the three questions were all of one kind (three persons,
# three colours), and always fell on three *different* cards. Two heads then got most examples right on many
# seeds: they do share. Independent questions prevented the sharing. A learner who finds such sharing should
# be praised, not marked down.
#
# ### Rubric for the capstone (6 points)
#
# | points | for |
# |---|---|
# | 2 | **A reason why two heads cannot do it** that is specific to this task: what has to be looked up from different places at once. 1 point when it only says "there are three questions". |
# | 1 | **A prediction made before training**: which head, which job, what is lost without it. It need not have come true. |
# | 2 | **Ablations that show each head's job**, on several seeds, beside a control with two heads. 1 point for a single seed, or for maps without ablations. |
# | 1 | **An honest account** of what came out differently, or of how sure the result is and how it could be wrong. |
#
# A task that turned out to need only two heads gets full points if the account explains why. A task that
# three heads learn, but without a control with two heads, gets at most 3.

# %% [markdown]
# ## What you have seen
#
# You have built everything that computes the map of a real head: two weight matrices, two biases and a
# softmax. In one sentence we saw a head that finds the word before, a head that finds what is owned and a
# head that finds the owner. The claim about the owner survived new sentences and one attempt to explain it
# away (we left another explanation open), and holds for more than one head. We did not find a head that knows
# what *it*, *he* or *she* stands for, though the best of many heads looked as if it did.

# %%
terms("bias", "pretrained", "special token", "attention sink", "cherry-picking")

# %% [markdown]
# ## Say it in your own words
#
# Describe your task for three heads, in half a page. Why can't two heads do it? What did you predict before
# training, and what was the result? What do the ablations show, and what turned out differently?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it, together with your code.

# %% [markdown]
# <!-- answer: capstone, 6 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("12")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "12-close-later",
    "Chapter 7. In MiniLM, 'its' looks at 'application', which comes after it. What does that tell you?",
    [
        "The model has no causal mask: it reads whole sentences and does not have to guess the next word",
        "Something is wrong: attention only ever looks back",
        "The model has no positions",
    ],
    answer=0,
    because="A causal mask is for models that write, which have to guess the next word. A model "
    "that only reads may look both ways.",
)

# %%
ask(
    "12-close-copies",
    "Chapter 9. Two heads of a layer start as exact copies, in W_Q, W_K, W_V and their rows of W_O. After "
    "training, do they do different jobs?",
    [
        "Yes: each takes its own job",
        "No: they get the same gradients, and stay copies to the end",
        "Yes, if the task has two jobs",
    ],
    answer=1,
    because="Equal weights give equal outputs and equal gradients, at every step. A tiny difference in any "
    "of the four is enough to separate them.",
)

# %% [markdown]
# ## What to read next
#
# - Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher Manning, *What Does BERT Look At? An Analysis
#   of BERT's Attention*, 2019: what this chapter does, for a larger model and with many more sentences.
# - Hector Levesque, Ernest Davis and Leora Morgenstern, *The Winograd Schema Challenge*, 2012: pairs of
#   sentences in which one word decides what *it* stands for, as a test for machines.
# - Callum McDougall and others, *ARENA*, since 2023: a course in which you load a language model into your
#   own code, and then find out what its heads do. Much harder than this one, and the next step from here.
# - Wenhui Wang, Furu Wei, Li Dong, Hangbo Bao, Nan Yang and Ming Zhou, *MiniLM: Deep Self-Attention
#   Distillation for Task-Agnostic Compression of Pre-Trained Transformers*, 2020: how a small model like this
#   one learns from a larger one, by imitating its attention.
#
# **Next:** [twenty-five questions](17_quiz.ipynb): how much do you remember? Or first, if you like, [chapter
# 13](13_sinks.ipynb): why so many of these heads look at `[CLS]`.
