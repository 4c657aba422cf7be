"""What an entry of the glossary is, and how it is read from `glossary.md`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path


@dataclass(frozen=True)
class Meaning:
    """What a word means somewhere else: in a paper, a library, another field."""

    where: str
    means: str


@dataclass(frozen=True)
class Term:
    """One word. `also` are its other names, each with who uses it; a `role` gives it a colour."""

    name: str
    what: str = ""
    symbol: str = ""
    code: str = ""
    shape: str = ""
    role: str = ""
    also: tuple[str, ...] = ()
    meanings: tuple[Meaning, ...] = ()


_FACTS = {field.name for field in fields(Term)} - {"name", "meanings"}


def read(path: Path) -> dict[str, Term]:
    """The entries of a file by name, in its order."""
    found: dict[str, Term] = {}
    _, *entries = path.read_text(encoding="utf-8").split("\n## ")
    for entry in entries:
        name, *lines = entry.strip().splitlines()
        if name in found:
            raise ValueError(f"{path.name} has two entries called {name!r}")
        found[name] = Term(name)
        for line in lines:
            found[name] = _with(found[name], line)
    return found


def _with(term: Term, line: str) -> Term:
    """The term and one line more of it."""
    if line.startswith("- "):
        where, _, means = line[2:].partition(" :: ")
        return replace(term, meanings=(*term.meanings, Meaning(where, means)))
    fact, _, words = line.partition(": ")
    if fact not in _FACTS or not words:
        raise ValueError(f"{term.name!r} has the line {line!r}: start it with one of {_FACTS}")
    if fact == "also":
        return replace(term, also=(*term.also, words))
    changed: dict[str, str] = {fact: words}
    return replace(term, **changed)  # type: ignore[arg-type]
