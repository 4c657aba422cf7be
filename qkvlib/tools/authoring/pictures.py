"""Write the drawings that lessons show as files in `lessons/pictures/`.

A chapter's first cell says `{here}`, and gets the picture of the model with the part highlighted that its
front matter names. Any text cell may say `{drawing: block}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qkvlib.course.chapters import Chapter
from qkvlib.figures import drawings, frame

FOLDER = Path("lessons/pictures")
DRAWING = re.compile(r"\{drawing: ([^}]*)\}")


@dataclass(frozen=True)
class Picture:
    """An SVG, and the words for people who cannot see it."""

    svg: str
    words: str


DRAWINGS: Mapping[str, Picture] = {
    "model": Picture(frame.model("attention", frame.WHOLE, scale=1.25), frame.WHOLE),
    "block": Picture(drawings.block(), drawings.BLOCK_WORDS),
    "encoder-decoder": Picture(drawings.encoder_decoder(), drawings.ENCODER_DECODER_WORDS),
}


def gathered(lessons: Sequence[Chapter]) -> dict[Path, str]:
    """Return every picture: the drawings, and for each chapter the picture of where it is."""
    heads = {_here(one.number): frame.model(one.here, frame.words(one.here)) for one in lessons if one.here}
    named = {name: picture.svg for name, picture in DRAWINGS.items()}
    files = {f"{name}.svg": svg for name, svg in {**named, **heads}.items()}
    return {FOLDER / name: svg for name, svg in files.items()}


def here(number: str, place: str) -> str:
    """Return what a chapter's first cell shows."""
    return _shown(_here(number), frame.words(place))


def with_drawings(text: str) -> str:
    """Return the text with the drawings that it names; a ValueError has the name of an unknown one."""
    try:
        return DRAWING.sub(lambda found: _shown(found[1], DRAWINGS[found[1]].words), text)
    except KeyError as unknown:
        raise ValueError(f"no drawing is called {unknown}; there is {', '.join(DRAWINGS)}") from None


def for_a_folder_beside(text: str) -> str:
    """Return the text for a notebook in a folder next to the lessons."""
    return text.replace("](pictures/", f"](../{FOLDER.as_posix()}/")


def _here(number: str) -> str:
    return f"here-{number}"


def _shown(name: str, words: str) -> str:
    return f"![{words}](pictures/{name}.svg)"
