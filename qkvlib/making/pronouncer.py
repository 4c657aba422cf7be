"""Train the pronunciation model that chapter 10 opens on: `python -m qkvlib.making.pronouncer`.

It writes `pronouncer.safetensors` and, beside it, `pronouncer.md`: how, how long, how good.
"""

from __future__ import annotations

import time

from qkvlib.data import FOLDER
from qkvlib.models.pronouncer import Pronouncer
from qkvlib.recording import Keep
from qkvlib.tasks.pronunciation import Pronunciation, error_rates, words_of
from qkvlib.training import adamw, train

STEPS = 17_000
BATCH_SIZE = 128

ABOUT = """\
# pronouncer.safetensors

{model}, {count:,} numbers, half precision, trained on the CMU Pronouncing Dictionary
(`dictionary-notice.txt`).

- How: `python -m qkvlib.making.pronouncer`: {steps:,} steps of {batch_size} words,
  {optimiser}, seed 0, one thread, nothing downloaded.
- How long: {minutes:.1f} minutes of one core.
- How good, on the {words:,} test words, which no training has seen, greedy decoding, the best of a
  word's listed pronunciations: phoneme error {phonemes:.4f}, word error {wrong:.4f}.
"""


def main(steps: int = STEPS) -> None:
    model, optimiser = Pronouncer(seed=0), adamw(4e-3)
    began = time.process_time()
    record = Keep(every=max(1, steps // 20))
    run = train(
        model, Pronunciation(), steps, optimiser, record=record, batch_size=BATCH_SIZE, seed=0
    )
    minutes = (time.process_time() - began) / 60
    path = FOLDER / "pronouncer.safetensors"
    model.save(path)
    model.load(path)  # measure what is shipped, rounding included
    words = words_of("test")
    phonemes, wrong = error_rates(model.pronounce, words)
    about = ABOUT.format(
        model=model, count=model.parameters().total, steps=steps, batch_size=BATCH_SIZE,
        optimiser=optimiser, minutes=minutes, words=len(words), phonemes=phonemes, wrong=wrong,
    )  # fmt: skip
    (FOLDER / "pronouncer.md").write_text(about, encoding="utf-8")
    print(run, about, sep="\n")


if __name__ == "__main__":
    main()
