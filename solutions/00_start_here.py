# ---
# title: Start here
# question: How do the lessons work?
# settles: How predictions, widgets, checks and hints work.
# minutes: 15
# builds on: nothing
# heart: 15 minutes: The map; Predict; Move things; Write code, and have it checked; When you are
#   stuck
# ---

# %% [markdown]
# # {title}
#
# Begin with your hand. {notebook: Put the cursor in the cell below and press **Shift+Enter**, which runs it. Then drag|page: Drag}
# the blue arrow until the sentence ends in another way. {notebook: By keyboard: press Esc, then Tab until|page: By keyboard: Tab until} the arrow has
# the focus, and move it with the arrow keys.
#
# *It takes* about {minutes} minutes to see how the lessons work. *It builds on* {builds on}: a little Python,
# and the mathematics of school.

# %%
from qkvlib import SoftLookup

SoftLookup.of("first")

# %% [markdown]
# In a transformer every word asks a question of all words that it may see, itself among them, and gets an
# answer. The question is called a query: you have just moved one. Words are found by their keys, and what
# they hand over is called a value. Where do queries, keys and values come from? Who tells them what to look for? Nearly
# everybody who meets them stumbles over these questions, and this course answers them by experiment: you
# predict, you try, you see. At its end a model finds its queries by itself.
#
# Here is a whole model that writes. Read it from left to right.
#
# {drawing: model}
#
# Words come in. Each becomes a row of numbers, called a **vector**, and gets its place in the sentence. Then
# comes a **block**: in *attention* the words ask one another, and in *feed-forward* each goes on alone. Several
# such blocks stand one after the other. At the end each word that the model knows has a score for being the
# next. One with a high score is written, and all begins again with one word more.
#
# Q, K and V are the queries, the keys and the values. The part that is lit is what this course is about.
# Every chapter opens with this picture, and with a part of it lit: you are here.
#
# {notebook: A notebook is a row of **cells**, with text or with code. **Shift+Enter** runs the one with the cursor in
# it, and goes on to the next. The cell below looks whether everything is installed that the course needs.
# That takes some seconds. If a line says FAIL, the command under it mends that.|page: In a notebook the next line looks whether everything is installed that the course needs. This page needs nothing.}

# %% tags=["nbval-ignore-output"]
from qkvlib import doctor

doctor()

# %% [markdown]
# ## The map
#
# These are the chapters. Each builds on those before it. Click on one to open it, and {notebook: come back to see
# how far you are: run the cell again.|page: come back to see how far you are.} If you have eight hours and no more, keep to the heart of the course:
# its minutes stand in brackets, and [the list of the lessons](../lessons/README.md) names its sections.

# %%
from qkvlib import Vectors, check, course_map, glossary, hint, predict

course_map()

# %% [markdown]
# {notebook: What you have done is kept in a folder on this computer and is sent nowhere.|page: What you have done is kept in this browser and is sent nowhere.} It is still there
# tomorrow.
#
# ## Predict
#
# Before an experiment you are asked what will happen. Choose, then press *Commit*. The answer is
# shown only after that. Wrong predictions are not counted by anybody. They are the most useful ones:
# what has surprised you, you remember.

# %%
nearest = predict(
    "00-average",
    "Here are three numbers: 1, 2 and 6. Which of them is nearest to their average?",
    ["1", "2", "6"],
)
nearest

# %% [markdown]
# {notebook: The outcome comes from a cell like the next one|page: The outcome comes from code like this}, which does the experiment.

# %%
numbers = [1, 2, 6]
mean = sum(numbers) / len(numbers)
distances = [abs(number - mean) for number in numbers]

# %%
nearest.reveal(distances.index(min(distances)), f"The average is {mean:g}.")

# %% [markdown]
# At the end of each lesson you see all your predictions beside what happened.
#
# ## Move things
#
# {notebook: Some cells show a **widget**|page: Here and there stands a **widget**}: a picture that you can change. It computes with the real functions of
# the course while you move. Many have a goal that can be reached.
#
# *With the mouse:* take an arrow by its tip and drag it. *With the keyboard:* {notebook: press Esc to leave the
# text of a cell, then Tab until|page: Tab until} a tip has the focus; the arrow keys move it, and with Shift ten times as
# far; `[` and `]` turn it. *Undo* takes back your last move, *Reset* goes back to the start.
# Where there is a goal, {notebook: the code above the widget is folded to one line. Click on the line to read it.|page: the code is folded to one line. Click on the line to read it.}

# %%
from qkvlib.widgets import Goal, Prefers

Vectors(
    [2.0, 1.0],
    [[2.0, -1.0], [-1.0, 2.0]],
    names=["a", "b"],
    goal=Goal(
        "00-turn",
        "Move the blue arrow, q, until b has more weight than a.",
        conditions=[Prefers("b")],
        touch=["query"],
    ),
)

# %% [markdown]
# Never mind the numbers yet; chapter 1 explains each of them. {notebook: After a notebook was closed and opened,
# a widget may say that Python does not follow, or that no kernel answers. Then run the notebook from its top
# (Run > Run All Cells).|page:}
#
# ## Write code, and have it checked
#
# An exercise is a function with a line `raise NotImplementedError`. You write your answer {notebook: in place of
# that line, run the cell, and then run the cell below it, which says `check`. It tries your function on
# many inputs.|page: in place of that line, and press *Check*. It tries your function on many inputs. The first time it loads Python into this page, which takes some seconds.} When something is wrong it says what, and often also why.
#
# ### Exercise: `average`
#
# Make a mistake on purpose first: {notebook: write `return numbers.sum()`, run both cells, and read|page: write `return numbers.sum()`, press *Check*, and read} what comes.
# Then make it right. (Here `numbers` is a tensor, about which more in chapter 1. It knows `.sum()`; a list does not.)


# %%
def average(numbers):
    """The average of some numbers.

    numbers [n] -> one number
    """
    ### BEGIN SOLUTION
    return numbers.sum() / len(numbers)
    ### END SOLUTION


# %%
average = check(average)

# %% [markdown]
# First comes the diagnosis, then a question to think about, then the smallest case that fails.
#
# You never have to solve an exercise to go on. Until yours is right, the lesson uses its own. So you can
# read on, and come back.
#
# ## When you are stuck
#
# Each exercise has three hints: a nudge, a pointer, then the steps in words. {notebook: Open the first under the
# verdict, try again, and only then open the next. None of them is the answer. Where nothing can be
# opened, as in a terminal, `hint` shows|page: Open the first, try again, and only then open the next. None of them is the answer. In a notebook `hint` shows} one more each time it is called.

# %%
hint(average)

# %% [markdown]
# Two more helpers. `glossary("vector")`, after `from qkvlib import glossary`, says what a word means in this
# course, and what it means elsewhere. And `??` after a function of the course shows how it is written:
# try `dot??` after `from qkvlib.attention import dot`. They are all short, and meant to be read.

# %%
glossary("vector")

# %% [markdown]
# Where the lessons say *token*, read *word* for now; chapter 6 tells them apart. They compute with
# **torch**, the library of functions in which real models are written.
#
# **Next:** [chapter 1](01_similarity.ipynb). Why should multiplying and adding say that two things belong
# together?
