"""Cut the font for formulas out of STIX: `python -m qkvlib.tools.authoring.data.formula_font`.

It needs fonttools and brotli, which the course does not (`pip install fonttools brotli`). The whole font is
1.5 MB, but most of its letters and variants occur in no formula of a lesson. This part of it is 33 KB, and
its brackets still grow.
"""

from __future__ import annotations

import subprocess
import sys

from qkvlib.data import FOLDER
from qkvlib.tools.authoring.data.packages import unpacked

PACKAGE = "ziamath==0.13"

SIGNS = (
    "20-7E,A0,AC,B1,B7,D7,F7,2C6,2DC,302,304,307,20D7",  # ASCII, signs of Latin-1, accents
    "391-3A9,3B1-3D6,3F5,1D6E2-1D71B",  # Greek, upright and slanted
    "1D434-1D467,210E,1D5B3,2102,2115,211D,2124",  # slanted letters, the T of a transpose, sets
    "2016,2026,2032,2033,2061-2064,2202-2209,220F-2212,2217,2218,221A,221E",  # operators
    "2225,2227-222B,2248,2260,2261,2264,2265,226A,226B,2282,2286,2295,2297,2299",
    "22A4,22C5,22EE,22EF,22F1",
    "2190-2194,21A6,21D0-21D4,27F5-27FA",  # arrows
    "2308-230B,23DE,23DF,27E8,27E9",  # brackets and braces
)


def main() -> None:
    with unpacked(PACKAGE) as folder:
        source = folder / "ziamath" / "fonts" / "STIXTwoMath-Regular.ttf"
        command = [sys.executable, "-m", "fontTools.subset", str(source)]
        options = ["--flavor=woff2", "--layout-features=", "--no-hinting"]
        wanted = [
            f"--unicodes={','.join(SIGNS)}",
            f"--output-file={FOLDER / 'stix-two-math.woff2'}",
        ]
        subprocess.run([*command, *options, *wanted], check=True)


if __name__ == "__main__":
    main()
