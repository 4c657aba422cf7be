"""What the course's models learn: one file a kind of task.

Each task draws batches (`task.batch(64, generator)`), names its tokens and answers, and knows what
is right. No task tells a model where to look.
"""

from qkvlib.tasks.agreement import Agreement
from qkvlib.tasks.attributes import Attribute
from qkvlib.tasks.base import NO_ANSWER, Batch, Task
from qkvlib.tasks.cloakroom import Cloakroom
from qkvlib.tasks.digits import Digits
from qkvlib.tasks.keep_or_find import KeepOrFind
from qkvlib.tasks.order import FirstWord, Induction, NextWord, OpeningWord, WordsBack
from qkvlib.tasks.pronunciation import Pronunciation
from qkvlib.tasks.recall import ManyCards, Recall, TwoQuestions
from qkvlib.tasks.relations import Partners, RockPaperScissors
from qkvlib.tasks.rhyme import Rhyme
from qkvlib.tasks.senses import BankSense, MaskedWord
from qkvlib.tasks.vectors import Halves, NewVectors

__all__ = [
    "NO_ANSWER",
    "Agreement",
    "Attribute",
    "BankSense",
    "Batch",
    "Cloakroom",
    "Digits",
    "FirstWord",
    "Halves",
    "Induction",
    "KeepOrFind",
    "ManyCards",
    "MaskedWord",
    "NewVectors",
    "NextWord",
    "OpeningWord",
    "Partners",
    "Pronunciation",
    "Recall",
    "Rhyme",
    "RockPaperScissors",
    "Task",
    "TwoQuestions",
    "WordsBack",
]
