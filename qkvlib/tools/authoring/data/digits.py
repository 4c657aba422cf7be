"""Copy the handwritten digits of chapter 11: `python -m qkvlib.tools.authoring.data.digits`.

The data is from the UCI repository (Alpaydin and Kaynak, 1998; CC BY 4.0). scikit-learn carries
it; the file is copied as it is, and the lesson needs no scikit-learn.
"""

from __future__ import annotations

import shutil

from qkvlib.data import FOLDER
from qkvlib.tools.authoring.data.packages import unpacked

PACKAGE = "scikit-learn==1.7.2"


def main() -> None:
    with unpacked(PACKAGE) as folder:
        source = folder / "sklearn" / "datasets" / "data" / "digits.csv.gz"
        shutil.copyfile(source, FOLDER / "digits.csv.gz")


if __name__ == "__main__":
    main()
