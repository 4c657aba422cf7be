"""Training: the loop, its optimisers, what a run records, and what is measured afterwards."""

from qkvlib.training.loop import DivergedError, TrainingStopped, cross_entropy, one_thread, train
from qkvlib.training.measures import Score, mass_on, measure
from qkvlib.training.optimisers import Optimiser, adam, adamw, sgd, sgd_step
from qkvlib.training.recording import Keep, Recording, Settings
from qkvlib.training.together import train_together
from qkvlib.training.watched import Watched

__all__ = [
    "DivergedError",
    "Keep",
    "Optimiser",
    "Recording",
    "Score",
    "Settings",
    "TrainingStopped",
    "Watched",
    "adam",
    "adamw",
    "cross_entropy",
    "mass_on",
    "measure",
    "one_thread",
    "sgd",
    "sgd_step",
    "train",
    "train_together",
]
