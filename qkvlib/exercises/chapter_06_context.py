"""Chapter 6, Embeddings and context: one word in two sentences, and what makes words meet."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, Exercise, asked_once, mistake
from qkvlib.exercises.kit.random_inputs import normal

# --- contextual_similarity ------------------------------------------------------------------


def contextual_similarity(
    x: Tensor, y: Tensor, i: int, j: int, w_q: Tensor, w_k: Tensor, w_v: Tensor
) -> Tensor:
    """How alike word i of sentence x and word j of sentence y are after attention.

    Each sentence is attended to by itself. The cosine of output i of x and output j of y.
    """
    out_x, out_y = (
        attention.scaled_dot_product_attention(*attention.project_qkv(s, w_q, w_k, w_v))[0]
        for s in (x, y)
    )
    return attention.cosine_similarity(out_x[i : i + 1], out_y[j : j + 1])[0, 0]


Sim = Any


def _similarity_cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, i: int, j: int, d: int, d_k: int, d_v: int) -> tuple[Any, ...]:
        weights = (normal(generator, d, size) for size in (d_k, d_k, d_v))
        return normal(generator, n, d), normal(generator, m, d), i, j, *weights

    x, y, _, _, *weights = case(4, 3, 0, 0, 4, 3, 5)
    y[1] = x[2]
    return [
        Case("two words of sentences of 2 and 3 words", case(2, 3, 1, 0, 3, 3, 2)),
        Case("the same word, *bank*, in two sentences", (x, y, 2, 1, *weights)),
        Case("two sentences of the same length", case(3, 3, 0, 2, 4, 2, 4)),
        Case("the first word of each", case(4, 5, 0, 0, 5, 5, 5)),
        Case("the last word of each", case(3, 5, 2, 4, 4, 4, 4)),
        Case("a word with itself", (x, x, 1, 1, *weights)),
        Case("a longer sentence", case(8, 6, 5, 3, 6, 3, 4)),
    ]


def _outputs(x: Tensor, weights: tuple[Tensor, ...]) -> Tensor:
    q, k, v = attention.project_qkv(x, *weights)
    return attention.scaled_dot_product_attention(q, k, v)[0]


def _cosine(a: Tensor, b: Tensor) -> Tensor:
    return F.cosine_similarity(a, b, dim=-1)


@mistake(
    "You compare the vectors that come in. They are the same for *bank* in every sentence; "
    "only what attention makes of them knows the context.",
    "Should two equal embeddings always give 1 here?",
)
def before_attention(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(x[i], y[j])


@mistake(
    "You return the dot product. Divide it by both lengths: the question is the direction.",
    "What should a word compared with itself give?",
)
def dot_for_cosine(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _outputs(x, weights)[i] @ _outputs(y, weights)[j]


@mistake(
    "You join the two sentences, so that their words attend to each other. Each sentence is a "
    "world of its own.",
    "May a word of the first sentence look at one of the second?",
)
def sentences_joined(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    out = _outputs(torch.cat([x, y]), weights)
    return _cosine(out[i], out[len(x) + j])


@mistake(
    "You compare the averages of the sentences. The question is about word i and word j.",
    "Where do you use i and j?",
)
def sentences_averaged(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(_outputs(x, weights).mean(0), _outputs(y, weights).mean(0))


@mistake(
    "You compare the values, x w_v. Nothing has been blended yet, so they know no context.",
    "Which step lets a word take something from its neighbours?",
)
def values_compared(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(x[i] @ weights[2], y[j] @ weights[2])


@mistake(
    "You take word i in both sentences.",
    "At which place does the word stand in the second sentence?",
)
def i_in_both(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(_outputs(x, weights)[i], _outputs(y, weights)[i])


@mistake(
    "i and j have changed places.",
    "To which of the two sentences does i belong?",
)
def i_and_j_swapped(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(_outputs(x, weights)[j], _outputs(y, weights)[i])


@mistake(
    "The words of x look at y: keys and values come from the other sentence. That is "
    "cross-attention; here each sentence looks at itself.",
    "For the outputs of x, where should the keys come from?",
)
def across_sentences(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    w_q, w_k, w_v = weights
    out_x, _ = attention.cross_attention(x, y, w_q, w_k, w_v)
    out_y, _ = attention.cross_attention(y, x, w_q, w_k, w_v)
    return _cosine(out_x[i], out_y[j])


def _similarity_by_hand(x: Tensor, y: Tensor, i: int, j: int, *w: Tensor) -> Sim:
    def output(s: Tensor, place: int) -> Tensor:
        scores = (s @ w[1]) @ (s[place] @ w[0]) / w[0].shape[1] ** 0.5
        return scores.softmax(0) @ (s @ w[2])

    a, b = output(x, i), output(y, j)
    return (a @ b / (a.norm() * b.norm())).item()


def _similarity_by_torch(x: Tensor, y: Tensor, i: int, j: int, *w: Tensor) -> Sim:
    a = F.scaled_dot_product_attention(x @ w[0], x @ w[1], x @ w[2])[i]
    b = F.scaled_dot_product_attention(y @ w[0], y @ w[1], y @ w[2])[j]
    return F.cosine_similarity(a[None], b[None])[0]


def _similarity_of_unit_vectors(x: Tensor, y: Tensor, i: int, j: int, *w: Tensor) -> Sim:
    a = F.normalize(_outputs(x, w), dim=-1)
    b = F.normalize(_outputs(y, w), dim=-1)
    return (a @ b.T)[i, j]


CONTEXTUAL_SIMILARITY = Exercise(
    chapter=6,
    points=2,
    reference=contextual_similarity,
    cases=_similarity_cases,
    mistakes=(
        before_attention,
        dot_for_cosine,
        sentences_joined,
        sentences_averaged,
        values_compared,
        i_in_both,
        i_and_j_swapped,
        across_sentences,
    ),
    alternatives=(_similarity_by_hand, _similarity_by_torch, _similarity_of_unit_vectors),
    hints=(
        "A word's vector in context is its row of what attention puts out.",
        "Run attention on x and on y, each by itself; then you have `cosine_similarity`.",
        "out_x = attention of x with x; out_y = attention of y with y; "
        "cosine of row i of out_x and row j of out_y",
    ),
    builds_on=("project_qkv", "scaled_dot_product_attention", "cosine_similarity"),
)

# --- predict_the_task -----------------------------------------------------------------------


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


@mistake(
    'For "is it royal?" the word itself is enough. King and queen become similar, and nobody has '
    "to look at anybody.",
    'What does *king* have to learn from another word to answer "is it royal"?',
)
def the_royal_task() -> str:
    return "A"


@mistake(
    'For "is it female?" the word itself is enough. King and queen end up pointing apart, and '
    "nobody has to look at anybody.",
    'What does *king* have to learn from another word to answer "is it female"?',
)
def the_female_task() -> str:
    return "B"


@mistake(
    "To count, every word is as good as any other: equal weights will do.",
    "Does the answer change when *queen* is replaced by *cat*?",
)
def the_counting_task() -> str:
    return "D"


@mistake(
    "Nothing makes related words look at each other unless the task pays for it. A new W_Q and W_K "
    "know nothing of kings.",
    "Before training, how are the weights of *king* spread over the sentence?",
)
def no_task_at_all() -> str:
    return "E"


def _letter(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


PREDICT_THE_TASK = Exercise(
    chapter=6,
    points=1,
    reference=predict_the_task,
    cases=asked_once,
    mistakes=(the_royal_task, the_female_task, the_counting_task, no_task_at_all),
    alternatives=(lambda: "c", lambda: " C ", lambda: "ABCDE"[2]),
    hints=(
        "Attention moves something from one word to another. Who needs something, and who has it?",
        "For each task ask: could *king* answer if it saw nothing but itself?",
        "look for the one task whose answer for *king* changes when only *queen* changes",
    ),
    judged_by=_letter,
)

EXERCISES = (CONTEXTUAL_SIMILARITY, PREDICT_THE_TASK)
