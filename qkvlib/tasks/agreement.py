"""Agreement: translate "it" into German, where its gender is that of the noun it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch
from torch import Generator, Tensor

from qkvlib.tasks.base import Batch, Task

ANIMALS = {
    "dog": "der Hund",
    "bird": "der Vogel",
    "cat": "die Katze",
    "cow": "die Kuh",
    "horse": "das Pferd",
    "pig": "das Schwein",
}
PLACES = {
    "garden": "der Garten",
    "river": "der Fluss",
    "street": "die Straße",
    "bridge": "die Brücke",
    "field": "das Feld",
    "village": "das Dorf",
}
OF_ANIMALS = ("tired", "hungry", "afraid", "asleep")
OF_PLACES = ("wide", "icy", "flooded", "closed")
PATTERNS = (
    "the {animal} did not cross the {place} because it was {adjective}",
    "the {place} was not avoided by the {animal} because it was {adjective}",
)
NOUNS = ANIMALS | PLACES
GLUE = ("the", "did", "not", "cross", "because", "it", "was", "by", "avoided")
PRONOUNS = {"der": "er", "die": "sie", "das": "es"}
GENDERS = tuple(PRONOUNS)


@dataclass(frozen=True)
class Agreement(Task):
    """ "the cow did not cross the street because it was tired": *it* is the cow, so "sie".

    With "icy" it is the street. The 576 sentences are all there are: 70% are for training, the
    others are only ever tested. The question is the last word, since in a single layer "it" knows
    nothing of "tired" yet. Three pronouns, because with two one of them could be the default.
    """

    seed: int = 0

    tokens = (*NOUNS, *OF_ANIMALS, *OF_PLACES, *GLUE)
    answers = tuple(PRONOUNS.values())

    def batch(self, size: int, generator: Generator) -> Batch:
        known, _ = self.split()
        return _examples(known[torch.randint(len(known), (size,), generator=generator)])

    def test(self, size: int = 2000) -> Batch:
        _, unseen = self.split()
        return _examples(unseen[:size])

    def probe(self) -> Batch:
        """Two pairs of sentences that differ in their last word alone."""
        wanted = [
            PATTERNS[form].format(animal=animal, place=place, adjective=adjective)
            for form, animal, place in ((0, "cow", "river"), (1, "horse", "street"))
            for adjective in ("tired", "icy")
        ]
        return _examples(torch.tensor([_sentences()[0].index(sentence) for sentence in wanted]))

    def split(self) -> tuple[Tensor, Tensor]:
        """The numbers of the sentences to train on, and of those to test with."""
        count = len(_sentences()[0])
        order = torch.randperm(count, generator=torch.Generator().manual_seed(7 + self.seed))
        known = int(0.7 * count)
        return order[:known], order[known:]

    def names(self, batch: Batch) -> list[tuple[list[str], list[str]]]:
        """Rows: the last word; columns: the sentence, with "" where a shorter one is padded."""
        return [
            (
                self.words(question),
                [word if seen else "" for word, seen in zip(self.words(cards), mask[0], strict=True)],
            )
            for question, cards, mask in zip(*batch.inputs, strict=True)
        ]


def _examples(chosen: Tensor) -> Batch:
    _, words, lengths, answers, referents = _sentences()
    words, last = words[chosen], lengths[chosen, None] - 1
    seen = torch.arange(words.shape[1]) <= last
    return Batch(
        inputs=(words.gather(1, last)[..., None], words[..., None], seen[:, None, :]),
        answers=answers[chosen],
        looks_at=referents[chosen],
    )


@cache
def _sentences() -> tuple[list[str], Tensor, Tensor, Tensor, Tensor]:
    """All sentences: as text, as padded token numbers; their lengths, answers, and referents."""
    number = {token: index for index, token in enumerate(Agreement.tokens)}
    texts, rows, answers, referents = [], [], [], []
    for animal in ANIMALS:
        for place in PLACES:
            for adjective in (*OF_ANIMALS, *OF_PLACES):
                noun = animal if adjective in OF_ANIMALS else place
                for pattern in PATTERNS:
                    text = pattern.format(animal=animal, place=place, adjective=adjective)
                    texts.append(text)
                    rows.append([number[word] for word in text.split()])
                    answers.append([GENDERS.index(NOUNS[noun].split()[0])])
                    referents.append([text.split().index(noun)])
    lengths = [len(row) for row in rows]
    padded = [row + [0] * (max(lengths) - len(row)) for row in rows]
    return (texts, *map(torch.tensor, (padded, lengths, answers, referents)))  # type: ignore[return-value]
