# ---
# title: Cross-attention
# question: Encoder and decoder: who asks, and who answers?
# settles: In cross-attention the queries come from one sequence, and the keys and values from another. With a real
#   dictionary, and any word you type.
# goal: write cross-attention, say which of three wirings a model uses, write the
#   decoding loop, and check whether an attention map points where it should
# minutes: 120
# builds on: chapters 4 to 7
# here: two sequences
# heart: 30 minutes: See it read first; Who asks?; One function, three wirings
# ---

# %% [markdown]
# # {number}. {title}: letters to sounds
#
# {here}
#
# Say *knight* aloud. Six letters go in, three sounds come out. The *k* is silent, *igh* is one sound, and you
# noticed neither. Up to now a sentence looked at itself. Here there are two sequences: the letters, which are
# all there from the start, and the sounds, which are produced one after the other.
#
# **The questions of this chapter: when two sequences meet, which one provides the queries, and which one the
# keys and values? What is an encoder, a decoder, and an encoder-decoder? Which of them needs a mask? And how
# does a model write a sequence, when it can only choose one thing at a time?**
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: attention with a mask, training, contextual
# vectors, the causal mask.

# %%
import torch

from qkvlib import ReadAloud, ask, check, hint, predict, replay_predictions, terms
from qkvlib.figures import matrix, seeds, side_by_side, table

torch.set_num_threads(1)  # on matrices this small a second thread is only in the way

# %% [markdown]
# ## See it read first
#
# This small model has already learned to read English aloud. It writes the sounds, which linguists call
# **phonemes**, in the capital letters of its dictionary: AY is the sound in *my*, and AO the sound in *law*.

# %%
from qkvlib.models import Pronouncer

reader = Pronouncer.pretrained()
for word in ("law", "knight", "photo", "anna"):
    print(f"{word:8}", *reader.read(word).sounds)

# %% [markdown]
# The model learned from pairs: a word, and its sounds. Nobody told it which letter makes which sound. But for
# each sound it *looks* at the letters, with attention, and we can see where.

# %%
silent_k = predict(
    "10-silent-k",
    "The model says N, AY, T for knight. When it says N, which letter gets the most weight?",
    ["n: that is how N is written", "k, the silent one", "All letters about equally", "The end of the word"],
)
silent_k

# %%
reading = reader.read("knight")
looked = reading.columns[int(reading.weights[0].argmax())]

matrix(
    reading.weights, reading.rows, reading.columns,
    "row: a sound asks; column: a letter answers", weights=True,
)

# %%
silent_k.reveal(
    {"n": 0, "k": 1, "end": 3}.get(looked, 2),
    "Before the sounds look, the letters have looked at each other. So column k does not stand for the letter "
    "k alone. It is a contextual vector: a k at the beginning, before an n. That is enough to say N.",
)

# %% [markdown]
# Remember this whenever you read such a map: a column named after a letter contains more than that letter.
# For most words, though, the map is what you would have drawn yourself. Type any word, perhaps your own name,
# and press Enter. Point at a cell, or use the arrow keys, to read its number.
#
# **The goal:** find a word in which one letter gives two sounds, and another letter gives none.

# %%
from qkvlib.widgets import Spelling

ReadAloud(
    "photo",
    goal=Spelling(
        "10-two-and-none", "Find a word in which one letter gives two sounds, and another letter none."
    ),
)

# %% [markdown]
# <details><summary>A hint</summary>
#
# Say *box* slowly. How many sounds does the last letter make? Now you need a word with that letter, and with
# a silent one as well. English likes to put silent letters at the end.
#
# </details>
#
# So attention need not pair letters and sounds one to one, and need not use every letter. Reading needs this
# freedom, because the two sequences have different lengths.
#
# ## Who asks?
#
# Now build it. Here is a word small enough for pencil and paper: *ice*, three letters and two sounds, AY and
# S. Each letter has four features. The part that writes the sounds is a decoder, as in chapter 7. So far it
# has two rows: the mark *start*, and AY. Each row has two features: has nothing been said yet, and was the
# last sound a vowel?

# %%
letters = ["i", "c", "e"]
memory = torch.tensor([      # vowel, consonant, first, last
    [1.0, 0.0, 1.0, 0.0],    # i
    [0.0, 1.0, 0.0, 0.0],    # c
    [1.0, 0.0, 0.0, 1.0],    # e
])

so_far = ["start", "AY"]
x = torch.tensor([           # nothing said yet, a vowel was last
    [1.0, 0.0],              # start
    [0.0, 1.0],              # AY
])

# %% [markdown]
# In each row the decoder has to say what comes next. After *start* it should find the first letter, and after
# a vowel a consonant. So the rows of $x$ ask, and the letters answer: $x$ provides the queries, and the
# letters provide keys and values. The vectors that answer are the encoder's output, called the **memory**.

# %%
whose_rows = predict(
    "10-whose-rows",
    "2 rows ask, 3 letters answer. What is the shape of the attention weights, and how many rows does the "
    "output have?",
    [
        "[2, 3], and the output has 2 rows",
        "[3, 2], and the output has 3 rows",
        "[3, 3], and the output has 3 rows",
        "[5, 5], and the output has 5 rows",
    ],
)
whose_rows

# %%
w_q = torch.tensor([
    [6.0, 0.0],              # nothing said yet: look for the first letter
    [0.0, 6.0],              # a vowel was last: look for a consonant
])
w_k = torch.tensor([
    [0.0, 0.0],              # vowel
    [0.0, 1.0],              # consonant
    [1.0, 0.0],              # first
    [0.0, 0.0],              # last
])
w_v = torch.tensor([         # points for AY, for S, for silence
    [1.0, 0.0, 0.0],         # vowel
    [0.0, 1.0, 0.0],         # consonant
    [0.0, 0.0, 0.0],         # first
    [-1.0, 0.0, 1.0],        # last: this e is silent
])

q = x @ w_q                          # from the rows that ask
k, v = memory @ w_k, memory @ w_v    # from the letters that answer

# One score by hand, of start for the letter i; then all with a loop; then as a product.
by_hand = (6.0 * 1.0 + 0.0 * 0.0) / 2**0.5
scores = torch.zeros(2, 3)
for asks in range(2):
    for answers in range(3):
        scores[asks, answers] = (q[asks] * k[answers]).sum() / 2**0.5

assert torch.isclose(scores[0, 0], torch.tensor(by_hand))
assert torch.allclose(scores, q @ k.T / 2**0.5)

weights = torch.softmax(scores, dim=-1)
output = weights @ v
assert torch.allclose(output, torch.nn.functional.scaled_dot_product_attention(q, k, v), atol=1e-6)

side_by_side(
    matrix(weights, so_far, letters, "weights", weights=True),
    matrix(output, so_far, ["AY", "S", "silence"], "output"),
)

# %%
whose_rows.reveal(
    0 if weights.shape == (2, 3) and len(output) == 2 else 1,
    "The weights have one row for each query and one column for each key. The output has one row for each "
    "query. A decoder needs an answer for each sound, so the sounds must ask.",
)

# %% [markdown]
# In the output, AY has the highest score after *start*, and S has the highest after AY. A row of $x$ has two
# numbers and a letter has four, but that is not a problem: $W_Q$ is applied to the sounds, $W_K$ and $W_V$ to
# the letters. Only queries and keys must have the same width.
#
# ### Exercise: `cross_attention`

# %%
def cross_attention(x, memory, w_q, w_k, w_v):
    """One sequence asks, another answers.

    x [n, d_model], memory [m, d_memory]
    w_q [d_model, d_k], w_k [d_memory, d_k], w_v [d_memory, d_v] -> output [n, d_v], weights [n, m]
    """
    ### BEGIN SOLUTION
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
    return weights @ v, weights
    ### END SOLUTION


# %%
cross_attention = check(cross_attention)

# %%
assert torch.allclose(cross_attention(x, memory, w_q, w_k, w_v)[0], output)

# %% [markdown]
# ## One function, three wirings
#
# You have met attention of a sentence to itself, of a sentence to its own past, and now of one sequence to
# another. Are these three mechanisms? Here is one function, with the mask of chapter 7, called three times.
# Letters and sounds are random vectors this time, and all three calls use the same weight matrices. (In a
# model each wiring has its own matrices.)

# %%
from qkvlib.masks import causal_mask


def attend(asks, answers, w_q, w_k, w_v, mask=None):
    """Queries from the rows that ask, keys and values from the rows that answer."""
    q, k, v = asks @ w_q, answers @ w_k, answers @ w_v
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


generator = torch.Generator().manual_seed(0)
vectors = {
    "letters": torch.randn(6, 8, generator=generator),
    "sounds": torch.randn(3, 8, generator=generator),
}
matrices = [torch.randn(8, 8, generator=generator) / 8**0.5 for _ in range(3)]

wirings = [
    ("encoder", "letters", "letters", None),
    ("decoder, at its own past", "sounds", "sounds", causal_mask(3)),
    ("decoder, at the encoder", "sounds", "letters", None),
]
names = {"letters": list("knight"), "sounds": ["start", "N", "AY"]}

rows, maps = [], []
for wiring, asks, answers, mask in wirings:
    _, weights = attend(vectors[asks], vectors[answers], *matrices, mask)
    size, zeros = f"{len(weights)} × {weights.shape[1]}", str(int((weights == 0).sum()))
    rows.append([wiring, asks, answers, "none" if mask is None else "causal", size, zeros])
    maps.append(matrix(weights, names[asks], names[answers], wiring, weights=True, digits=1))

table(["wiring", "Q from", "K and V from", "mask", "weights", "zeros"], rows, rows)

# %%
side_by_side(*maps)

# %% [markdown]
# The three wirings use one function. They differ only in what is passed as `asks` and `answers`, and in the
# mask. Here they are in one model:
#
# {drawing: encoder-decoder}
#
# - The **encoder** reads. Letters look at letters, in both directions, and each letter learns about its
#   neighbours. It needs no mask: the whole word is there.
# - The **decoder** writes. Its sounds look at themselves and at the sounds before them. It has a causal mask:
#   later sounds do not exist yet when it writes, and in training it must not see them (chapter 7 showed what
#   happens otherwise).
# - **Cross-attention** joins them: sounds look at letters. It has no mask, because even the first sound may
#   need the last letter, as in *at* and *ate*.
#
# A model may have one of these parts or all of them. BERT, made for reading, is only an encoder. The GPT
# models are only a decoder: your **prompt** and the model's answer form one sequence, so there is no second
# sequence to attend to. Almost all chat models are built like the GPT models. The model of the 2017 paper
# translates and has all three parts: it is an **encoder-decoder**.
#
# ## Writing, sound by sound
#
# A decoder cannot say a whole word at once. Given the sounds so far, it scores what could come *next*: in a
# language model the next **token**. To write, you call it again and again: each time you append the token
# with the best score. There is a token for *start*, so that the model has something to begin with, and a
# token for *stop*, so that it can end. Taking the best token each time is called **greedy decoding**.
#
# ### Exercise: `greedy_decode`
#
# Here is the smallest decoder that works: two layers of attention, and each *adds* its result to x. (Chapter
# 11 shows why it adds.)
#
#     x = table[tokens so far]                     one row of the embedding table for each token
#     x = x + self-attention of x                  causal mask, with w_self = (w_q, w_k, w_v)
#     x = x + cross-attention of x to memory       with w_cross = (w_q, w_k, w_v)
#
# The last row of x, times `w_out`, gives a score for every token that could come next. Begin with `start`.
# End when the best token is `stop`, or when `longest` tokens have been written. Return the written tokens, a
# list of whole numbers, without `start` and `stop`. You may use `attend` from the last section.
# `table[torch.tensor(tokens)]` looks up the rows of a list of tokens.

# %%
def greedy_decode(memory, table, w_self, w_cross, w_out, start, stop, longest):
    """Write token by token: score what comes next, append the best, and repeat.

    memory [m, d], table [tokens, d], w_self and w_cross: (w_q, w_k, w_v) each, w_out [d, tokens]
    start, stop: tokens; longest: the most tokens to write -> a list of tokens
    """
    ### BEGIN SOLUTION
    tokens = [start]
    while len(tokens) <= longest:
        x = table[torch.tensor(tokens)]
        x = x + attend(x, x, *w_self, causal_mask(len(tokens)))[0]
        x = x + cross_attention(x, memory, *w_cross)[0]
        best = int((x[-1] @ w_out).argmax())
        if best == stop:
            break
        tokens.append(best)
    return tokens[1:]
    ### END SOLUTION


# %%
greedy_decode = check(greedy_decode)

# %% [markdown]
# Your loop gives self-attention a causal mask. Does self-attention need it here? Let some decoders with
# random weights write ten tokens each, with and without the mask. Then try decoders that go through the two
# additions twice.

# %%
without_mask = predict(
    "10-without-mask",
    "The decoder of your exercise writes, once with the causal mask and once without. How often does it write "
    "different tokens?",
    ["Almost always: without the mask it sees the future", "About half of the time", "Never"],
)
without_mask

# %%
def written(seed, causal, times):
    """The tokens that a random decoder writes, with its two additions done this many times."""
    generator = torch.Generator().manual_seed(seed)
    memory, table, w_out = (torch.randn(size, generator=generator) for size in ((5, 8), (12, 8), (8, 12)))
    pairs = torch.randn(times, 2, 3, 8, 8, generator=generator) / 8**0.5
    tokens = [0]
    for _ in range(10):
        x = table[torch.tensor(tokens)]
        for w_self, w_cross in pairs:
            x = x + attend(x, x, *w_self, causal_mask(len(tokens)) if causal else None)[0]
            x = x + attend(x, memory, *w_cross)[0]
        tokens.append(int((x[-1] @ w_out).argmax()))
    return tokens


different = {times: sum(written(seed, True, times) != written(seed, False, times) for seed in range(100))
             for times in (1, 2)}
print("once:  different tokens without the mask from", different[1], "of 100 decoders")
print("twice: different tokens without the mask from", different[2], "of 100 decoders")

# %%
without_mask.reveal(
    2 if different[1] == 0 else 1,
    "The scores come from the last row, and nothing comes after the last row. The other rows do change, but "
    "their outputs are never used.",
)

# %% [markdown]
# With the two additions done twice, the mask does matter: the second self-attention reads the earlier rows,
# and without a mask those rows change every time a token is added. (In training all rows are read at once, so
# you need the mask in any case: chapter 7.)
#
# So with the mask a row never changes once it is written. Your loop recomputes all keys and values in each
# round, but almost every model that writes keeps them, and computes only the new row. The kept keys and
# values are called the **KV cache**. In a long conversation they fill the computer's memory. Queries are not
# kept: once a row has asked, its query is never used again.
#
# ## Teach it to read
#
# Now the decoder needs trained weights. The course includes the Pronouncing Dictionary of Carnegie Mellon
# University. One word in twenty is held out for testing: this is the **test set**, and no training ever sees
# it.

# %%
from qkvlib.tasks import Pronunciation
from qkvlib.tasks.pronunciation import END, LETTERS, SOUNDS, START, dictionary, words_of
from qkvlib.tasks.pronunciation import letters as numbers_of

print(f"{len(dictionary()):,} words, {len(words_of('test')):,} of them for testing only")
for word in ("law", "application", "knight", "read"):
    print(f"{word:12}", "  or  ".join(" ".join(said) for said in dictionary()[word]))

# %% [markdown]
# And here is a whole encoder-decoder: the decoder of your exercise, with an encoder in front that computes
# the memory. `attend` is called three times, once for each wiring. (`Draw` draws the initial numbers, and a
# `Model` lets us write `self.letters` for `self.weights["letters"]`.)

# %%
from qkvlib.models.base import Answer, Draw, Model


class SmallReader(Model):
    """Letters in, sounds out: one function, three wirings."""

    def __init__(self, seed=0, d=64):
        self.seed, self.d = seed, d
        draw = Draw(seed)
        self.weights = {
            "letters": draw(len(LETTERS), d, spread=0.3),
            "places": draw(17, d, spread=0.1),
            "sounds": draw(len(SOUNDS), d, spread=0.3),
            "w_out": draw(d, len(SOUNDS)),
        }
        for part in ("encoder", "decoder", "cross"):
            for name in ("w_q", "w_k", "w_v"):
                self.weights[f"{part}.{name}"] = draw(d, d)

    def three(self, part):
        """w_q, w_k and w_v of one of the three."""
        return [self.weights[f"{part}.{name}"] for name in ("w_q", "w_k", "w_v")]

    def encode(self, letters):
        """The memory: a vector for each letter, with its position and its neighbours."""
        x = self.letters[letters] + self.places[: letters.shape[-1]]
        return x + attend(x, x, *self.three("encoder"))[0]

    def __call__(self, letters, heard):
        memory = self.encode(letters)
        x = self.sounds[heard]
        x = x + attend(x, x, *self.three("decoder"), causal_mask(heard.shape[-1]))[0]
        found, weights = attend(x, memory, *self.three("cross"))
        return Answer((x + found) @ self.w_out, {"cross": weights[:, None]})


# %% [markdown]
# Train it on words of three to five letters, three times with different initial numbers. That takes about ten
# seconds. In training the model gets all the sounds of a word at once, and the causal mask hides later sounds
# from each sound, as in chapter 7.

# %%
from qkvlib.training import adam, adamw, train

short = Pronunciation(3, 5)


def trained_reader(seed):
    """A reader after 50 steps, and the same reader after 500."""
    reader = SmallReader(seed)
    recording = train(reader, short, 500, adam(0.005), seed=seed)
    return reader.with_weights(recording.weights_at(50)), reader


runs = [trained_reader(seed) for seed in range(3)]

# %% [markdown]
# Does the model read? {notebook: These are words that it has never seen, and the decoding loop is yours.|page: These are words that it has never seen, and the decoding loop is the one from the exercise.}


# %%
def read_aloud(reader, word):
    """The sounds of a word, by greedy decoding."""
    memory = reader.encode(numbers_of([word]))[0]
    said = greedy_decode(
        memory, reader.sounds, reader.three("decoder"), reader.three("cross"), reader.w_out,
        start=START, stop=END, longest=12,
    )
    return tuple(SOUNDS[sound] for sound in said)


new_words = [word for word in words_of("test") if 3 <= len(word) <= 5][::6]

# %% tags=["nbval-ignore-output"]
for word in new_words[5::15]:
    said = read_aloud(runs[0][1], word)
    judged = "" if said in dictionary()[word] else f"   dictionary: {' '.join(dictionary()[word][0])}"
    print(f"{word:8} {' '.join(said):20} {judged}")

# %%
right = [sum(read_aloud(reader, w) in dictionary()[w] for w in new_words) for _, reader in runs]
seeds(
    {"after 500 steps": [count / len(new_words) for count in right]},
    "accuracy on new words, every sound as in the dictionary",
)

# %% [markdown]
# After a few seconds of training the model reads. Look at its mistakes. Would you know how to say these words
# if you had never seen them?
#
# ## Is the attention map true? (alignment)
#
# ### Exercise: `read_alignment`
#
# Which letter does each sound look at most? Return one position for each sound, counted from 0. Such a list
# is called an **alignment**.

# %%
def read_alignment(weights):
    """For each sound the position of the letter it looks at most. weights [sounds, letters] -> [sounds]"""
    ### BEGIN SOLUTION
    return weights.argmax(dim=-1)
    ### END SOLUTION


# %%
read_alignment = check(read_alignment)

# %%
reading = reader.read("transformer")
for sound, position in zip(reading.sounds, read_alignment(reading.weights).tolist()):
    print(f"{sound:3}", "." * position + reading.word[position] + "." * (len(reading.word) - position - 1))

# %% [markdown]
# This looks right. But chapter 5 warned us: measure. The dictionary does not say which letter makes which
# sound. For some sounds, though, there is no doubt: M is written *m*. So take the test words in which such a
# letter and its sound both occur exactly once, and count how often the sound looks at its letter. (We take
# the words of five letters. With the mark for the end of the word, a sound has six things to look at.) And
# when does the model learn to look there? Does it have to read well first?

# %%
which_first = predict(
    "10-which-first",
    "After a tenth of its training the small reader gets fewer than one new word in four right. How often "
    "do its sounds look at their own letter by then?",
    [
        "By chance: it has to read well first",
        "About as often as it reads a word correctly",
        "Mostly: seven times in ten or more",
    ],
)
which_first

# %%
from qkvlib.training import measure

OWN_LETTER = {"B": "b", "D": "d", "F": "f", "K": "k", "L": "l", "M": "m", "N": "n", "P": "p", "R": "r",
              "T": "t", "V": "v", "Z": "z"}


def on_own_letter(reader, batch):
    """How often a sound looks at its own letter, how often by chance; and how often it is correct."""
    answer = reader(*batch.inputs)
    correct = answer.logits.argmax(dim=-1) == batch.answers
    hits = chance = right = count = 0
    for (said, word), weights, spoken in zip(short.names(batch), answer.attention["cross"][:, 0], correct):
        looked = read_alignment(weights)
        for sound, letter in OWN_LETTER.items():
            if said.count(sound) == 1 and word.count(letter) == 1:
                hits += int(looked[said.index(sound)]) == word.index(letter)
                right += int(spoken[said.index(sound)])
                chance, count = chance + 1 / len(word), count + 1
    return hits / count, chance / count, right / count


test = short.test()
words_right = [[measure(reader, test).all_right for reader in run] for run in runs]
own = [[on_own_letter(reader, test) for reader in run] for run in runs]
looks_right = [[looks for looks, _, _ in run] for run in own]
said_right = [[right for _, _, right in run] for run in own]

rows = {"words right": words_right, "sounds look at their letter": looks_right, "these sounds said right": said_right}
print(f"at their own letter by chance: {own[0][0][1]:.0%}")
seeds(
    {f"{what}, after {steps} steps": [run[at] for run in found]
     for what, found in rows.items() for at, steps in enumerate((50, 500))},
    "share",
)

# %%
which_first.reveal(
    2 if min(early for early, _ in looks_right) >= 0.7 else 1,
    "No label ever mentioned a letter's position. And the model need not read well first: long before most "
    "words are right, most of these sounds look where they should.",
)

# %% [markdown]
# This is chapter 5 again, with real words: weight on the right letter lowers the loss, because that letter
# explains the answer.
#
# Does the model learn to look first, and to speak later? It seems so: the sounds find their letters while few
# words are right. But a word is right only when all its sounds are right. The fair comparison is between the
# two rows that count single sounds: the model *says* these sounds correctly as early as it looks at their
# letters. Looking and saying are learned together.
#
# ## The large one
#
# The model that you typed words into has the same three wirings. It has two layers in its encoder, several
# heads (chapters 8 and 9) and the other parts of a block (chapter 11). It was trained for a few minutes on
# words of every length, but never on the test set. Is it better than the small one? (The last line counts
# single sounds that are wrong, missing or extra.)

# %%
from qkvlib.tasks.pronunciation import error_rates

sound_errors, word_errors = error_rates(reader.pronounce, words_of("test")[::6])
print("words right: at least 6 in 10:   ", word_errors <= 0.4)
print("wrong sounds: at most 1 in 10:   ", sound_errors <= 0.1)

# %% [markdown]
# If you want to train a similar model, change `False` to `True`. It takes about half a minute. Then type
# words into it. (It has one encoder layer, and handles words of up to eight letters.)

# %%
from IPython.display import display

train_it = False

if train_it:
    mine = Pronouncer(n_layers=1, seed=0)
    train(mine, Pronunciation(3, 8, 20_000), 1500, adamw(0.005), batch_size=128)
    display(ReadAloud("law", mine))

# %% [markdown]
# ## Break it: silence one wiring
#
# Silence the wirings of the trained model, one at a time, by setting their $W_O$ to zero: whatever a wiring
# finds, nothing comes through.

# %%
which_silenced = predict(
    "10-which-silenced",
    "We silence one attention in each of three models. One of these models says the same thing whatever you type. "
    "Which attention did we silence there?",
    ["Letters looking at letters", "Sounds looking at the sounds before", "Sounds looking at letters"],
)
which_silenced

# %%
typed = ["law", "knight", "its", "banana", "mississippi"]
silenced = {
    "none silenced": [],
    "letters at letters": ["encoder_1.w_o", "encoder_2.w_o"],
    "sounds at sounds": ["decoder.w_o"],
    "sounds at letters": ["cross.w_o"],
}

says = {}
for what, names in silenced.items():
    model = Pronouncer.pretrained()
    for name in names:
        setattr(model, name, torch.zeros(64, 64))
    says[what] = [" ".join(model.read(word).sounds[:10]) for word in typed]
    print(f"{what}:")
    for word, said in zip(typed, says[what]):
        print(f"    {word:12} {said}")

same = [what for what, said in says.items() if len(set(said)) == 1]

# %%
which_silenced.reveal(
    2 if same == ["sounds at letters"] else 0,
    "Nothing else carries the word to the decoder. The decoder still babbles what sounds like English, because "
    "it has learned which sounds follow which.",
)

# %% [markdown]
# Each failure shows what its wiring is for. Without its own past the decoder has only the last sound: it
# starts well, but may then stutter. Without the encoder's attention, the vector of a letter holds only the
# letter and its position. Nothing in it says that an *n* comes next, or that the letter is part of *igh*.
#
# ## What you have seen
#
# There is only one attention function. The sequence that needs an output provides the queries, and the
# sequence that has the information provides the keys and values. An encoder looks at itself without a mask, a
# decoder looks at itself with a causal mask, and cross-attention lets the decoder look at the encoder's
# output. A decoder writes one token at a time, in a loop. On real words, too, attention finds the right
# letter, although no label says where to look.

# %%
terms(
    "phoneme", "memory", "cross-attention", "encoder", "encoder-decoder", "greedy decoding", "KV cache",
    "alignment",
)

# %% [markdown]
# ## Say it in your own words
#
# A model reads a word aloud, sound by sound. Which side gives the queries, which side the keys and values,
# and why not the other way round?
#
# {notebook: Write your answer in the cell below: double-click it.|page: Write your answer below.} If you take
# this course in a class, a person reads it.

# %% [markdown]
# <!-- answer: who-asks, 2 points -->
# *Your answer.*

# %% [markdown]
# ## Your predictions

# %%
replay_predictions("10")

# %% [markdown]
# ## Two questions on earlier chapters
#
# Answer them without looking back.

# %%
ask(
    "10-close-mask",
    "Chapter 7. A decoder is trained without the causal mask. What happens?",
    [
        "It learns more slowly, having more to look at, but ends up as good",
        "It does very well in training, and fails when it has to write",
        "Nothing: the mask only saves time",
    ],
    answer=1,
    because="In training it simply reads the next token, which is right there. When it writes, the "
    "next token does not exist yet.",
)

# %%
ask(
    "10-close-equal",
    "Chapter 3. In self-attention the queries, keys and values all come from the same x. Are they equal?",
    ["Yes, because they all come from the same x", "No: three different matrices make them", "Only if x is"],
    answer=1,
    because="They have the same source, but W_Q, W_K and W_V are three different matrices, in self-attention "
    "just as in cross-attention.",
)

# %% [markdown]
# ## What to read next
#
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017: section 3.2.3 is this chapter's table of
#   three wirings, in half a page.
# - Ilya Sutskever, Oriol Vinyals and Quoc Le, *Sequence to Sequence Learning with Neural Networks*, 2014:
#   encoder and decoder without any attention. The whole sentence had to fit into one vector.
# - Colin Raffel and others, *Exploring the Limits of Transfer Learning with a Unified Text-to-Text
#   Transformer*, 2020: section 3.2 compares the wirings and their masks on equal terms.
#
# **Next:** [chapter 11](11_whole_layer.ipynb). What surrounds attention in a real layer, and is your own
# block the same as torch's?
