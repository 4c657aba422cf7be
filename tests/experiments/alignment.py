"""Find the letter that each sound comes from, without any network: the standard for cross-attention.

Each sound is assumed to come from one letter, and letters never run backwards. How well a letter
and a sound match is counted over many words, which are aligned with the counts of the previous
round: Viterbi training.
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Sequence

from qkvlib.tasks.pronunciation import dictionary, words_of

Fit = dict[str, dict[str, float]]

NEVER_SEEN = -12.0
SAME_LETTER = 2.5  # the cost of a letter that makes two sounds in a row
SILENT_LETTER = 0.7  # the cost of each letter that is skipped
REACH = 3


@functools.cache
def fits(n_words: int = 6000, rounds: int = 6) -> Fit:
    """Return the log-probability of each sound given its letter."""
    words = words_of("train")
    pairs = [(w, dictionary()[w][0]) for w in words[:: len(words) // n_words]]
    pairs = [(word, said) for word, said in pairs if len(said) <= len(word) + 1]
    counts: Fit = defaultdict(lambda: defaultdict(float))
    for word, said in pairs:  # at first, sounds are spread evenly over the letters
        for at, sound in enumerate(said):
            middle = at * len(word) / len(said)
            for place, letter in enumerate(word):
                counts[letter][sound] += math.exp(-abs(place - middle))
    fit = _logarithms(counts)
    for _ in range(rounds):
        counts = defaultdict(lambda: defaultdict(float))
        for word, said in pairs:
            for place, sound in zip(align(word, said, fit), said, strict=True):
                counts[word[place]][sound] += 1
        fit = _logarithms(counts)
    return fit


def _logarithms(counts: Fit) -> Fit:
    return {
        letter: {s: math.log(count / sum(sounds.values())) for s, count in sounds.items()}
        for letter, sounds in counts.items()
    }


def align(word: str, said: Sequence[str], fit: Fit | None = None) -> list[int]:
    """Return the index of each sound's letter: the best path through the word, by Viterbi."""
    fit = fits() if fit is None else fit

    def good(place: int, sound: str) -> float:
        return fit.get(word[place], {}).get(sound, NEVER_SEEN)

    places = range(len(word))
    best = [good(place, said[0]) - SILENT_LETTER * place for place in places]
    came_from: list[list[int]] = []
    for sound in said[1:]:
        before, best, back = best, [], []
        for place in places:
            steps = {
                last: before[last] - (SAME_LETTER if last == place else SILENT_LETTER * (place - last - 1))
                for last in range(max(0, place - REACH), place + 1)
            }
            chosen = max(steps, key=steps.__getitem__)
            best.append(steps[chosen] + good(place, sound))
            back.append(chosen)
        came_from.append(back)
    path = [max(places, key=lambda place: best[place] - SILENT_LETTER * (len(word) - 1 - place))]
    for back in reversed(came_from):
        path.append(back[path[-1]])
    return path[::-1]
