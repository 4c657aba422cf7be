# ---
# title: Embeddings and context
# question: Is “bank” one vector or two?
# settles: Nothing brings *king* near *queen* unless the task pays for it; and one *bank* becomes two after
#   attention has mixed in its neighbours.
# goal: look words up in an embedding and say how it learns, name tasks that make two words alike or opposite,
#   say why keys and values show the same word from different sides, and compare the vectors of a word in two
#   sentences
# minutes: 105
# builds on: chapters 3 to 5
# here: vectors and context
# heart: 40 minutes: Embedding: a row for each word; What makes two words similar; One row, two meanings
# ---

# %% [markdown]
# # {number}. {title}: is *bank* one vector or two?
#
# {here}
#
# We sat on the bank and fished. The bank gave us a loan. Between these two sentences a word has changed its
# meaning, and you hardly noticed. A model begins with a table that has one row for each word, so *bank* has
# only one row.
#
# **The questions of this chapter: what guarantees that *king* ends up near *queen*? How does this table, the
# embedding, learn? Is it the same thing as W_Q? And how can one row mean two things?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}.

# %%
import torch

from qkvlib import AttentionLab, ask, check, hint, predict, replay_predictions, terms
from qkvlib.attention import cosine_similarity, project_qkv, scaled_dot_product_attention
from qkvlib.figures import journey, matrix, seeds, side_by_side

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## Embedding: a row for each word
#
# A model does not see letters. All the words that it can read are its **vocabulary**, and each word has a
# number. The numbers of a sentence are its **tokens**. They say which row of the embedding to take. (Here a
# token is a whole word. Large models cut rare words into pieces.) Here is a small embedding, with four words
# and three numbers for each.

# %%
vocabulary = ["the", "bank", "boat", "loan"]
table = torch.tensor([
    [0.0, 0.0, 1.0],    # the
    [1.0, 1.0, 0.0],    # bank
    [2.0, 0.0, 0.0],    # boat
    [0.0, 2.0, 0.0],    # loan
])

sentence = ["the", "boat", "the", "bank"]
tokens = torch.tensor([vocabulary.index(word) for word in sentence])
tokens

# %% [markdown]
# ### Exercise: `embed`
#
# Give each token its row of the table, in the order of the tokens. If you get several sentences at once, the
# result keeps the sentences apart in the same way.


# %%
def embed(tokens, table):
    """The vector of each token: its row of the table.

    tokens [n] or [b, n], whole numbers; table [words, d] -> [n, d] or [b, n, d]
    """
    ### BEGIN SOLUTION
    return table[tokens]
    ### END SOLUTION


# %%
embed = check(embed)

# %% [markdown]
# Papers often write this lookup as a matrix product. Turn each token into a row that is zero except for a
# single 1, at the word's number. This row is called **one-hot**. Multiply it by the embedding, and the 1
# picks a row. Your function, the product and torch's function give the same vectors.

# %%
one_hot = torch.nn.functional.one_hot(tokens, len(vocabulary)).float()
x = embed(tokens, table)

assert torch.equal(one_hot @ table, x)
assert torch.equal(torch.nn.functional.embedding(tokens, table), x)

side_by_side(
    matrix(one_hot, sentence, vocabulary, "one-hot: which word is it?", digits=0),
    matrix(x, sentence, ["1st", "2nd", "3rd"], "x = one_hot @ table", digits=0),
)

# %% [markdown]
# The two rows of *the* are equal. A word's row of the embedding depends neither on its position nor on its
# neighbours.
#
# ## Is it W_Q?
#
# As a product, $\text{one-hot} \cdot \text{table}$ looks just like $x W_Q$. That may be why people often
# confuse the embedding with W_Q. To tell them apart, ask what goes in, and how often. Here is everything that
# a model with two **layers** stores. A layer is attention with its own weight matrices. Its output is added
# to its x, and the sum is the x of the next layer. (So W_O is square here: its result must be as wide as x.)

# %%
from qkvlib.models import Stack
from qkvlib.tasks import MaskedWord

two_layers = Stack(MaskedWord().n_tokens, MaskedWord().n_answers, n_layers=2)
two_layers.parameters()

# %% [markdown]
# The embedding has a row for each *word*. There is only one embedding in the whole model, and it is used
# once, at the input. W_Q has a row for each *number* of a vector. Each layer has its own W_Q, which works on
# whatever comes in. The second layer no longer gets rows of the embedding: its x can be different in every
# sentence.
#
# ## How the embedding learns
#
# In chapter 4 the loss went back to W_Q, W_K and W_V, and on to $x$. Each row of $x$ was copied from a row of
# the embedding.

# %%
rows_moved = predict(
    "06-rows-moved",
    "The sentence is: the boat the bank. Only the output for bank has a loss. Which rows of the embedding "
    "get a gradient that is not zero?",
    [
        "Only the row of bank",
        "The rows of the, bank and boat: all words of the sentence",
        "All four rows",
    ],
)
rows_moved

# %%
generator = torch.Generator().manual_seed(0)
w_q, w_k, w_v = torch.randn(3, 3, 2, generator=generator)

learning = table.clone().requires_grad_()
output, _ = scaled_dot_product_attention(*project_qkv(embed(tokens, learning), w_q, w_k, w_v))
loss = ((output[-1] - torch.tensor([1.0, 0.0])) ** 2).sum()
loss.backward()

with_gradient = [bool(row.any()) for row in learning.grad]
for word, moved in zip(vocabulary, with_gradient):
    print(f"{word:5} {'has a gradient' if moved else 'zero'}")

# %%
rows_moved.reveal(
    1 if with_gradient == [True, True, True, False] else 2,
    "bank has listened to the other words of its sentence. So they contribute to its output, and the loss "
    "reaches them, too. loan was not there.",
)

# %% [markdown]
# So the embedding is trained at the same time as W_Q and all the rest, by the same backward pass. In each
# step only the rows of words in the batch get a gradient. (*the* was there twice, so its row gets the sum of
# both gradients. Some models also use the embedding to score their answers. In such a model every row gets a
# gradient.)
#
# ## What makes two words similar
#
# People say that *king* is near *queen* in the embedding. Who put *king* there? At the start all rows are
# random, and only the loss moves them. Train on two small tasks and see.
#
# Three beings are in a row, drawn from king, queen, dog, cat, prince and princess. The question is a
# position, "left?" for example. The first task asks about the being at that position: is it royal? The second
# task asks: is it female? (The cat is a she, the dog is a he.) Everything else is the same in both tasks.

# %%
king_and_queen = predict(
    "06-king-queen",
    "Two models, one for each task. What will be the cosine of king and queen in their embeddings?",
    [
        "Near 1 in both: the words belong together",
        "Clearly positive for 'royal?', clearly negative for 'female?'",
        "About 0 in both: no task asks about the pair",
    ],
)
king_and_queen

# %%
from qkvlib.models import OneHead
from qkvlib.tasks import Attribute
from qkvlib.training import adam, train_together

beings = list(Attribute().tokens[:6])


def trained_on(asks):
    """The recordings of ten models that were trained on one question about six beings."""
    task = Attribute(asks)
    models = [OneHead(task.n_tokens, task.n_answers, d_model=8, seed=seed) for seed in range(10)]
    return train_together(models, task, 150, adam(0.02))


def cosines_between(recordings):
    """The cosines of the six beings in each model's embedding, at the end."""
    embeddings = [recording.weights["embedding"][-1, :6] for recording in recordings]
    return torch.stack([cosine_similarity(rows, rows) for rows in embeddings])


runs = {asks: trained_on(asks) for asks in ("royal", "female", "who")}
by_task = {asks: cosines_between(recordings) for asks, recordings in runs.items()}
royal, female, who = (all_seeds[:, 0, 1] for all_seeds in by_task.values())

seeds({"royal?": royal, "female?": female}, "cosine of king and queen", span=(-1, 1))

# %%
king_and_queen.reveal(
    1 if royal.min() > 0.2 and female.max() < -0.2 else 0,
    "Where king and queen need the same answer, their rows become alike. Where they need opposite "
    "answers, the rows become opposite.",
)

# %%
side_by_side(*(
    matrix(by_task[asks].mean(0).round(decimals=1), beings, beings, f"trained on: {asks}?", digits=1)
    for asks in ("royal", "female")
))

# %% [markdown]
# These are the cosines of all six words, averaged over the seeds. If the words themselves decided what is
# alike, the two tables would be the same. In the first table the royals are alike, and in the second the
# females. And when the question is "who is it?", all six answers differ, and nothing brings king and queen
# together:

# %%
print("the sign is the same on all seeds:", bool((who > 0).all() or (who < 0).all()))
seeds({"royal?": royal, "female?": female, "who is it?": who}, "cosine of king and queen", span=(-1, 1))

# %% [markdown]
# And this is how the words moved in the "royal?" model with the first seed. Each vector has eight numbers and
# the page has two dimensions. So you see a projection, the flat view that preserves as much of the trained
# vectors' lengths as possible. {notebook: Press Play, or move the slider. Who was near whom|page: (In
# JupyterLab it plays.) Who was near whom} at the start, and who at the end?

# %%
journey(runs["royal"][0], beings)

# %% [markdown]
# So nothing guarantees that *king* ends up near *queen*. In these runs words became alike when the task
# needed the same answer from them. Embeddings from real text do have *king* near *queen*. They were trained
# to guess words from their neighbours, and the two words have similar neighbours. Again the task decides.
#
# Similarity is one thing, attention is another.

# %%
ask(
    "06-which-task",
    "Which of these tasks makes king look at queen?",
    [
        "Say of each word whether it is royal: king and queen yes, cat and cow no",
        "Say of each word whether it is female: queen and cow yes, king and bull no",
        "Every word wears a colour, drawn at random for each sentence. Say of each word what colour its "
        "partner wears: the king has to answer with the queen's",
        "Say how many words the sentence has",
        "None is needed: king and queen are related, so they look at each other anyway",
    ],
    answer=2,
    because="The answer of king changes when the colour of queen changes, and nothing else in the sentence can "
    "tell it. Attention moves something from one word to another: it pays when one word needs what the other "
    "has.",
    unless={
        0: "The word itself is enough for that. King and queen become similar, and no word has to look at another.",
        1: "The word itself is enough for that. King and queen end up pointing apart, and no word has to look at "
        "another.",
        3: "Which words they are does not matter to a count, so nothing is gained by looking at queen rather than "
        "at any other.",
        4: "Nothing makes related words look at each other unless the task pays for it. A new W_Q and W_K know "
        "nothing about kings.",
    },
)

# %% [markdown]
# The course includes the task with the colours, but with four different pairs: salt and pepper, lock and key,
# cup and saucer, sun and moon. Each of the eight words holds a colour and has to name its partner's. Where do
# the words look, and have partners become similar?

# %%
from qkvlib.tasks import Partners
from qkvlib.training import measure

pairs = Partners()
heads = [OneHead(pairs.n_tokens, pairs.n_answers, d_model=12, seed=seed) for seed in range(10)]
train_together(heads, pairs, 150, adam(0.02))
on_partner, alike = [], []
for head in heads:
    on_partner.append(measure(head, pairs.test(500)).mass)
    one, other = head.embedding[0:8:2], head.embedding[1:8:2]
    alike += cosine_similarity(one, other).diag().tolist()

apart = sum(cosine < 0 for cosine in alike)
print("partners whose vectors point apart:    at least 10 of 40:", apart >= 10)
print("partners whose vectors point together: at least 10 of 40:", len(alike) - apart >= 10)
seeds({"weight on the partner": on_partner}, "share of the weight, on average", chance=1 / 8)

# %% [markdown]
# Partners look at each other on every seed, but their vectors may be alike, or opposite, or neither. The task
# "royal?" was the reverse: king and queen became alike, but no answer needed both words. So words can attend
# to each other without being similar: W_Q and W_K come between a word and what it looks for, as chapter 3
# showed.
#
# ## One noun, seen through W_K and W_V
#
# Back to the pronouns of chapter 5. *It* is the cow or the street, the adjective decides which, and the
# answer is the German pronoun: er for *der Hund* (dog) and *der Garten* (garden), sie for the cow and the
# street, es for the horse and the field. So two properties of a noun count: is it an animal or a place, and
# which pronoun does it get? We train the head again and look at six nouns in three ways: in the embedding,
# through W_K, and through W_V.

# %%
through = predict(
    "06-two-tables",
    "Which noun is more like dog: cow, which is also an animal, or garden, which is also er? Think of what a key "
    "is for, and what a value is for.",
    [
        "cow, both through W_K and through W_V",
        "garden, both through W_K and through W_V",
        "Through W_K it is cow, through W_V it is garden",
        "Through W_K it is garden, through W_V it is cow",
    ],
)
through

# %%
from qkvlib.tasks import Agreement

german = Agreement()
nouns = ["dog", "cow", "horse", "garden", "street", "field"]
rows_of = [german.tokens.index(noun) for noun in nouns]


heads = [
    OneHead(german.n_tokens, german.n_answers, d_model=12, spread=0.1, seed=seed) for seed in range(10)
]
train_together(heads, [Agreement(seed) for seed in range(10)], 150, adam(0.02))


def seen_through(head):
    """The nouns' cosines in the embedding, through W_K and through W_V."""
    rows = head.embedding[rows_of]
    return torch.stack([cosine_similarity(v, v) for v in (rows, rows @ head.w_k, rows @ head.w_v)])


views = torch.stack([seen_through(head) for head in heads])
dog, cow, garden = 0, 1, 3
keys_say_cow = views[:, 1, dog, cow] > views[:, 1, dog, garden]
values_say_garden = views[:, 2, dog, garden] > views[:, 2, dog, cow]

print("through W_K dog is more like cow:   ", int(keys_say_cow.sum()), "seeds of 10")
print("through W_V dog is more like garden:", int(values_say_garden.sum()), "seeds of 10")

# %%
through.reveal(
    2 if keys_say_cow.sum() + values_say_garden.sum() > 15 else 0,
    "The word tired looks for an animal, so a key says “animal”. The answer is a pronoun, so a value says which.",
)

# %%
in_embedding, in_keys, in_values = views.mean(0).round(decimals=1)
side_by_side(
    matrix(in_keys, nouns, nouns, "through W_K", digits=1),
    matrix(in_values, nouns, nouns, "through W_V", digits=1),
    matrix(in_embedding, nouns, nouns, "the embedding itself", digits=1),
)

# %% [markdown]
# Again these are cosines, averaged over ten seeds. Through W_K there are two groups: animals are alike, and
# places are alike. Through W_V the nouns pair up across the groups: dog with garden, cow with street, horse
# with field. The embedding itself shows neither pattern, because it has to hold both properties. A word has
# many sides. **W_K shows the side by which the word is found, W_V the side that it passes on**, and W_Q the
# side that asks. (Training uses three matrices in this way. With W_K = W_V this wide head learns the task,
# too.)
#
# ## One row, two meanings
#
# Now *bank*. Here are two short sentences in one picture: *boat by bank* and *loan from bank*. A mask keeps
# them apart (hatched: may not attend), so each word sees only its own sentence. The four numbers of a vector
# mean "could be either", "of water", "of money" and "a small word". Both banks are the same word, so their
# rows in X are equal.
#
# The first *bank* already finds *boat*. The second *bank* looks everywhere except at *loan*.
#
# **The goal:** make both banks give at least 0.8 of their weight to the word that decides, by changing W_Q
# and W_K. Try it with only W_Q first, and find out why that cannot work.

# %%
from qkvlib.widgets import AtLeast, Goal

words = ["boat", "by", "bank 1", "loan", "from", "bank 2"]
says = ["either", "water", "money", "small word"]
kinds = ["water", "small word", "either", "money", "small word", "either"]
x = torch.eye(4)[[says.index(kind) for kind in kinds]]

w_q = torch.tensor([[3.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
w_k = torch.tensor([[0.0, 0.0], [2.0, 0.0], [-2.0, 0.0], [0.0, 0.0]])
w_v = torch.tensor([[2.0, 2.0], [8.0, 0.0], [0.0, 8.0], [0.0, 0.0]])  # shore, money

AttentionLab(
    x,
    w_q=w_q,
    w_k=w_k,
    w_v=w_v,
    tokens=words,
    features=says,
    mask=torch.block_diag(torch.ones(3, 3), torch.ones(3, 3)).bool(),
    goal=Goal(
        "06-bank",
        "Make bank 1 give boat, and bank 2 give loan, at least 0.80.",
        conditions=[AtLeast("boat", 0.8, row="bank 1"), AtLeast("loan", 0.8, row="bank 2")],
        touch=["w_q", "w_k"],
    ),
)

# %% [markdown]
# <details><summary>One way to reach it, and why</summary>
#
# Set the first number in the row "money" of W_K to 2, as in the row "water". At the start the keys of *boat*
# and *loan* are opposite. Whatever *bank* asks, its scores for these two keys are opposite, too, and one key
# loses. As keys, *boat* and *loan* have to be alike: both are words that decide. As values they differ. In
# the previous section, training did the same with animals and places.
#
# </details>
#
# When the goal is met, compare the two banks from left to right. In X they are equal, and in Q, too: both ask
# the same question. In the output they differ, because different neighbours answered this question. A word's
# row of the output is called its **contextual vector**. Its row of the embedding is called **static**.
#
# ### Exercise: `contextual_similarity`
#
# How alike are word i of sentence x and word j of sentence y *after* attention? Each sentence attends only to
# itself. Return the cosine of the two outputs. You may use `project_qkv`, `scaled_dot_product_attention` and
# `cosine_similarity(a, b)`, which takes two matrices, [n, d] and [m, d].


# %%
def contextual_similarity(x, y, i, j, w_q, w_k, w_v):
    """The cosine of word i of x and word j of y, after attention.

    x [n, d], y [m, d], i and j whole numbers, w_q and w_k [d, d_k], w_v [d, d_v] -> one number
    """
    ### BEGIN SOLUTION
    out_x, _ = scaled_dot_product_attention(*project_qkv(x, w_q, w_k, w_v))
    out_y, _ = scaled_dot_product_attention(*project_qkv(y, w_q, w_k, w_v))
    return cosine_similarity(out_x[i : i + 1], out_y[j : j + 1])[0, 0]
    ### END SOLUTION


# %%
contextual_similarity = check(contextual_similarity)

# %%
both_decide = w_k.clone()
both_decide[says.index("money")] = w_k[says.index("water")]
by_river, by_money = x[:3], x[3:]

before = cosine_similarity(by_river[2:], by_money[2:])[0, 0]
after = contextual_similarity(by_river, by_money, 2, 2, w_q, both_decide, w_v)
print(f"bank and bank, static:     {float(before):.2f}")
print(f"bank and bank, contextual: {float(after):.2f}")

# %% [markdown]
# ## Let it learn
#
# Here is a task: translate *bank* into German, *Ufer* by the water and *Bank* where the money is. Each text
# has seven words in any order: *bank*, one or two words on a topic, and small words. Only the answer for
# *bank* has a loss.

# %%
from qkvlib.tasks import BankSense

senses = BankSense()
for text, answer in zip(senses.test(4).inputs[0], senses.test(4).answers):
    print(f"{' '.join(senses.words(text)):36} {senses.answers[answer.max()]}")

# %% [markdown]
# ## Break it: leave out attention
#
# We train two models on this task. One has a layer of attention. The other has none: it answers directly from
# the rows of the embedding.

# %%
without_attention = predict(
    "06-without-attention",
    "The model without attention can train its embedding freely. How often does it translate bank "
    "correctly?",
    ["Almost always: the embedding learns both meanings", "About three times in four", "About half of the time"],
)
without_attention

# %%
def translators(n_layers):
    """Ten models trained to translate bank, and their accuracy on new texts."""
    models = [
        Stack(senses.n_tokens, senses.n_answers, n_layers=n_layers, seed=seed) for seed in range(10)
    ]
    train_together(models, senses, 150, adam(0.01))
    return models, [measure(model, senses.test()).accuracy for model in models]


with_layer, right = translators(1)
_, without = translators(0)

seeds({"one layer of attention": right, "without attention": without}, "accuracy", chance=1 / 2)

# %%
without_attention.reveal(
    2 if max(without) <= 0.6 else 1,
    "bank has one row, so without attention it has one answer, whatever the text. No training can "
    "change that.",
)

# %% [markdown]
# What happens to *bank* in the model that works? The table has the cosines between its vectors in six texts,
# three of each sense, for the first seed. The drawing below the table shows all ten seeds.

# %%
from qkvlib.tasks.senses import BANK, texts

some, topic = texts(300, torch.Generator().manual_seed(99))
topic = topic[:, 0]  # 0 is water, 1 is money
same_sense = topic[:, None] == topic[None, :]


def banks(model):
    """The cosines between the contextual vectors of bank in all these texts."""
    vectors, _ = model.contextual(some)
    return cosine_similarity(vectors[some == BANK], vectors[some == BANK])


chosen = [*(topic == 0).nonzero()[:3, 0].tolist(), *(topic == 1).nonzero()[:3, 0].tolist()]
names = [next(senses.tokens[t] for t in some[i] if 0 < t <= 12) for i in chosen]
first = banks(with_layer[0])[chosen][:, chosen]

matrix(first.round(decimals=1), names, names, "bank, beside ...: cosines after attention", digits=1)

# %%
cosines = [banks(model) for model in with_layer]
within = [c[same_sense].mean() for c in cosines]
across = [c[~same_sense].mean() for c in cosines]
seeds({"same sense": within, "different senses": across}, "cosine, on average", span=(-1, 1))

# %% [markdown]
# One row went in. The vectors that came out fall into two groups, one for each meaning. If attention did
# nothing, all these cosines would be 1.
#
# ## Nobody named the senses
#
# The German answers told the model that *bank* has two meanings. Now take the same texts, without any
# translations. Hide one word of each text and let the model guess it. This is called **masked word**
# prediction. BERT was trained on it. (This mask replaces a word in the input. The mask of chapter 4 hides a
# key from a query.)
#
# For masked words we use two layers. The first layer passes on one vector for each word, and these vectors
# are the second layer's x. The second layer computes its own queries, keys and values from that x. So when
# the hidden word asks in the second layer, *bank* answers with its contextual vector, not with its row of
# the embedding.

# %%
never_told = predict(
    "06-never-told",
    "After training on hidden words we compare the banks of all texts. Take one bank, and the most similar "
    "bank in another text. Do the two have the same sense?",
    ["About half of the time", "In about three of four cases", "Almost always"],
)
never_told

# %%
def nearest_is_alike(model):
    """How often the bank that is most similar to a bank has the same sense."""
    nearest = banks(model).fill_diagonal_(-1).argmax(1)
    return float((topic[nearest] == topic).float().mean())


guessing = MaskedWord()
models = [Stack(guessing.n_tokens, guessing.n_answers, n_layers=2, seed=seed) for seed in range(10)]
untrained = [nearest_is_alike(model) for model in models]
train_together(models, guessing, 300, adam(0.01))
alike_in_sense = [nearest_is_alike(model) for model in models]

seeds(
    {"after training": alike_in_sense, "before training": untrained},
    "the most similar bank has the same sense", chance=1 / 2,
)

# %%
never_told.reveal(
    2 if min(alike_in_sense) >= 0.9 else 1,
    "Nobody has ever said that bank has two senses. But the hidden word near a river is not the hidden word "
    "near a loan, so it helps to know which topic the text has.",
)

# %% [markdown]
# The second row is the **control**: the same two layers before any training. They already mix the words'
# random vectors, and texts with the same words give similar mixtures. Only the difference between the two
# rows is due to training.
#
# ## What you have seen
#
# The embedding has a row for each word, is used once, and is trained by the same backward pass as everything
# else. W_Q, W_K and W_V work in each layer on whatever vectors come in. Words become alike when the task
# needs the same answer from them, but a word attends to a word whose value it needs. So similar words need
# not attend to each other, and words that attend to each other need not be similar. Attention turns the one
# row of *bank* into a vector for each context, and the next layer gets only these vectors.

# %%
terms(
    "token", "vocabulary", "one-hot", "layer", "static vector", "contextual vector", "masked word",
)

# %% [markdown]
# ## Say it in your own words
#
# Name a task that makes the embeddings of *king* and *queen* alike, and a task that makes them opposite.
# What do W_K and W_V have to do with this?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: three-spaces, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("06")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "06-close-identity",
    "Chapter 3. W_Q and W_K are both the identity, and all vectors have the same length. At which word "
    "does each word look most?",
    ["At its partner", "At itself", "At all words equally"],
    answer=1,
    because="The scores then measure similarity, and nothing is as similar to a vector as itself. To look "
    "at a partner takes different matrices.",
)

# %%
ask(
    "06-close-readable",
    "Chapter 5. A model answers every question correctly. Does its attention map point to the word that "
    "decides?",
    ["Always", "Not necessarily", "Never"],
    answer=1,
    because="With larger word vectors at the start the pronouns were as good, and the maps pointed elsewhere in "
    "some sentences. On most seeds the answer stayed right even without that word.",
)

# %% [markdown]
# ## What to read next
#
# - Tomas Mikolov, Kai Chen, Greg Corrado and Jeffrey Dean, *Efficient Estimation of Word Representations in
#   Vector Space*, 2013: static vectors, trained by guessing neighbours. Its introduction has the famous sum:
#   king minus man plus woman is near queen.
# - Matthew Peters and others, *Deep Contextualized Word Representations*, 2018: a vector for each occurrence
#   of a word instead of one for each word.
# - Jacob Devlin, Ming-Wei Chang, Kenton Lee and Kristina Toutanova, *BERT: Pre-training of Deep
#   Bidirectional Transformers for Language Understanding*, 2018: masked words on a large scale.
#
# **Next:** [chapter 7](07_order.ipynb). Shuffle the words of a sentence. Which of the things that you have
# built will notice?
