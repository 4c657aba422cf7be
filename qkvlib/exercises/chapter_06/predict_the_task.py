"""Which task makes words meet, predicted."""

from __future__ import annotations

from typing import Any

from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Attention moves something from one word to another. Who needs something, and who has it?",
        "For each task ask: could *king* answer if it saw nothing but itself?",
        "look for the one task whose answer for *king* changes when only *queen* changes",
    ),
)


@exercise.reference
def predict_the_task() -> str:
    """Which task, when trained on it, makes *king* look at *queen*? Return one letter.

    A  Say of each word whether it is royal: king and queen yes, cat and cow no.
    B  Say of each word whether it is female: queen and cow yes, king and bull no.
    C  Every word wears a colour, drawn anew for each sentence. Say of each word what colour its
       partner wears: the king has to answer with the queen's.
    D  Say how many words the sentence has.
    E  None is needed: king and queen are related, so they look at each other anyway.
    """
    return "C"


exercise.cases(asked_once)


@exercise.mistake(
    'For "is it royal?" the word itself is enough. King and queen become similar, and nobody has '
    "to look at anybody.",
    'What does *king* have to learn from another word to answer "is it royal"?',
)
def the_royal_task() -> str:
    return "A"


@exercise.mistake(
    'For "is it female?" the word itself is enough. King and queen end up pointing apart, and '
    "nobody has to look at anybody.",
    'What does *king* have to learn from another word to answer "is it female"?',
)
def the_female_task() -> str:
    return "B"


@exercise.mistake(
    "To count, every word is as good as any other: equal weights will do.",
    "Does the answer change when *queen* is replaced by *cat*?",
)
def the_counting_task() -> str:
    return "D"


@exercise.mistake(
    "Nothing makes related words look at each other unless the task pays for it. A new W_Q and W_K "
    "know nothing of kings.",
    "Before training, how are the weights of *king* spread over the sentence?",
)
def no_task_at_all() -> str:
    return "E"


@exercise.judged_by
def letter(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


exercise.alternative(lambda: "c")
exercise.alternative(lambda: " C ")
exercise.alternative(lambda: "ABCDE"[2])
