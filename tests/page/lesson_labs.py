"""The labs of the lessons, with their numbers, for tests of what a learner sees."""

from __future__ import annotations

from collections.abc import Callable

import torch

from qkvlib.widgets import AtLeast, AtMost, AttentionLab, Goal, LossBelow, Prefers

_LAW = ["law", "old", "its", "spirit", "young"]
_SAYS = ["thing", "age", "points back", "mind"]
_X = torch.tensor(
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 1.0],
        [0.0, -1.0, 0.0, 0.0],
    ]
)
_ONE_TABLE = torch.tensor([[1.5, 0.0], [0.0, 1.5], [1.5, 0.5], [0.0, -0.5]])
_W_V = torch.tensor([[8.0, 0.0], [2.0, 2.0], [0.0, 0.0], [-8.0, 8.0]])


def its_law(view: str = "weights") -> AttentionLab:
    """Chapter 3."""
    goal = Goal(
        "03-its-law",
        'Make "its" give most weight to "law", and "law" give "its" at most 0.10.',
        conditions=[Prefers("law", row="its"), AtMost("its", 0.1, row="law")],
        touch=["w_q", "w_k"],
    )
    return AttentionLab(_X, _ONE_TABLE, _ONE_TABLE, _W_V, tokens=_LAW, features=_SAYS, goal=goal, view=view)


def loss(view: str = "weights") -> AttentionLab:
    """Chapter 4."""
    w_q = torch.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.5]])
    w_k = torch.tensor([[2.0, 0.5], [-1.0, 2.0], [0.0, 0.0], [-1.5, 1.5]])
    target = torch.tensor([[3.1, 1.5], [1.8, 1.9], [8.0, 0.0], [2.4, 1.7], [2.0, 0.9]])
    words, touch = "Bring the loss below 0.05.", ["w_q", "w_k", "w_v"]
    goal = Goal("04-loss", words, conditions=[LossBelow(0.05)], touch=touch)
    return AttentionLab(
        _X,
        w_q,
        w_k,
        _W_V,
        target,
        tokens=_LAW,
        features=_SAYS,
        learning_rate=0.2,
        goal=goal,
        view=view,
    )


def nobody_labelled(view: str = "weights") -> AttentionLab:
    """Chapter 5."""
    goal = Goal(
        "05-nobody-labelled",
        'Make "Ada?" give the red card at least 0.90, and "Ben?" the blue card.',
        conditions=[AtLeast("red", 0.9, row="Ada?"), AtLeast("blue", 0.9, row="Ben?")],
        touch=["w_q", "w_k"],
    )
    return AttentionLab(
        torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]),
        torch.tensor([[0.6, -0.3], [0.2, 0.4], [0.0, 0.0], [0.0, 0.0]]),
        torch.tensor([[-0.2, 0.3], [0.4, 0.1], [0.0, 0.0], [0.0, 0.0]]),
        torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]),
        mask=torch.tensor([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]) == 1,
        tokens=["red", "blue", "Ada?", "Ben?"],
        features=["Ada", "Ben", "red", "blue"],
        learning_rate=3.0,
        frozen=["w_v"],
        goal=goal,
        view=view,
    )


def bank(view: str = "weights") -> AttentionLab:
    """Chapter 6."""
    goal = Goal(
        "06-bank",
        "Make bank 1 give boat, and bank 2 give loan, at least 0.80.",
        conditions=[AtLeast("boat", 0.8, row="bank 1"), AtLeast("loan", 0.8, row="bank 2")],
        touch=["w_q", "w_k"],
    )
    return AttentionLab(
        torch.eye(4)[[1, 3, 0, 2, 3, 0]],
        torch.tensor([[3.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
        torch.tensor([[0.0, 0.0], [2.0, 0.0], [-2.0, 0.0], [0.0, 0.0]]),
        torch.tensor([[2.0, 2.0], [8.0, 0.0], [0.0, 8.0], [0.0, 0.0]]),
        tokens=["boat", "by", "bank 1", "loan", "from", "bank 2"],
        features=["either", "of water", "of money", "small word"],
        mask=torch.block_diag(torch.ones(3, 3), torch.ones(3, 3)).bool(),
        goal=goal,
        view=view,
    )


def causal(view: str = "weights") -> AttentionLab:
    """Chapter 7."""
    w_q = 6 * torch.eye(4).roll(1, dims=1)
    w_q[3] = 0
    words = ["the", "cow", "was", "tired"]
    pairs = [(row, column) for row in range(4) for column in range(4)]
    goal = Goal(
        "07-causal",
        "Hide every later word from every word, and nothing else.",
        conditions=[AtMost(c, 0.0, row=r) if c > r else AtLeast(c, 0.01, row=r) for r, c in pairs],
        touch=["mask"],
    )
    eye = torch.eye(4)
    return AttentionLab(eye, w_q, eye, eye, tokens=words, features=words, goal=goal, view=view)


def two_heads(view: str = "weights") -> AttentionLab:
    """What chapter 8 speaks of: two heads on one x."""
    torch.manual_seed(8)
    ws = [0.7 * torch.randn(4, 4) for _ in range(3)]
    return AttentionLab(_X, *ws, torch.randn(5, 4), tokens=_LAW, features=_SAYS, n_heads=2, view=view)


def copies(view: str = "weights") -> AttentionLab:
    """Chapter 9."""
    w_q = torch.tensor([[0.6, -0.3], [0.2, 0.4], [0.0, 0.0], [0.0, 0.0]])
    w_k = torch.tensor([[-0.2, 0.3], [0.4, 0.1], [0.0, 0.0], [0.0, 0.0]])
    w_v = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    goal = Goal(
        "09-copies-part",
        "Let head 1 give red, and head 2 blue, at least 0.90.",
        conditions=[
            AtLeast("red", 0.9, row="both?", head=0),
            AtLeast("blue", 0.9, row="both?", head=1),
        ],
        touch=["w_q", "w_k"],
    )
    return AttentionLab(
        torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]),
        *(torch.cat([w, w], dim=1) for w in (w_q, w_k, w_v)),
        torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]]),
        mask=torch.tensor([[1, 0, 0], [0, 1, 0], [1, 1, 0]]) == 1,
        tokens=["red", "blue", "both?"],
        features=["Ada", "Ben", "red", "blue"],
        n_heads=2,
        learning_rate=3.0,
        frozen=["w_v"],
        goal=goal,
        view=view,
    )


def two_its(view: str = "weights") -> AttentionLab:
    """Chapter 11."""
    goal = Goal(
        "11-two-its",
        "Make it (tired) give cow at least 0.60, and it (icy) give street at least 0.60.",
        conditions=[AtLeast("cow", 0.6, row="it (tired)"), AtLeast("street", 0.6, row="it (icy)")],
        touch=["w_q"],
    )
    w_k = torch.zeros(5, 2)
    w_k[0, 0] = w_k[1, 1] = 1.0
    w_q = torch.zeros(5, 2)
    w_q[2, 0] = 3.0
    return AttentionLab(
        torch.tensor(
            [
                [1.0, 0.0, 0.0, 0.25, 0.0],
                [0.0, 1.0, 0.0, 0.25, 0.0],
                [0.0, 0.0, 1.0, 1.0, 0.0],
                [0.0, 0.0, 1.0, 0.0, 1.0],
            ]
        ),
        w_q,
        w_k,
        w_k,
        tokens=["cow", "street", "it (tired)", "it (icy)"],
        features=["alive", "ground", "points back", "of the living", "of the ground"],
        goal=goal,
        view=view,
    )


def empty_card(view: str = "weights") -> AttentionLab:
    """Chapter 13."""
    goal = Goal(
        "13-empty-card",
        "Make keep Ben give the empty card at least 0.90, find Ada the red card, and find Ben the blue one.",
        conditions=[
            AtLeast("empty", 0.9, row="keep Ben"),
            AtLeast("red", 0.9, row="find Ada"),
            AtLeast("blue", 0.9, row="find Ben"),
        ],
        touch=["w_q", "w_k"],
    )
    by_person = torch.zeros(4, 2)
    by_person[:2, 0] = torch.tensor([3.0, -3.0])
    sees = torch.eye(6)
    sees[3:] = torch.tensor([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    return AttentionLab(
        torch.tensor(
            [
                [0.0, 0.0, 0.0, 1.0],
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 1.0, 1.0, 0.0],
            ]
        ),
        by_person,
        by_person,
        torch.tensor([[4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [0.0, 0.0]]),
        mask=sees == 1,
        tokens=["empty", "red", "blue", "find Ada", "find Ben", "keep Ben"],
        features=["Ada", "Ben", "keep", "empty"],
        goal=goal,
        view=view,
    )


def nameless(view: str = "weights") -> AttentionLab:
    """A lab as somebody makes it who names nothing, three numbers wide."""
    torch.manual_seed(3)
    ws = [0.6 * torch.randn(4, 3) for _ in range(3)]
    return AttentionLab(torch.randn(4, 4), *ws, torch.randn(4, 3), view=view)


LABS: dict[str, Callable[..., AttentionLab]] = {
    lab.__name__: lab
    for lab in (
        its_law,
        loss,
        nobody_labelled,
        bank,
        causal,
        two_heads,
        copies,
        two_its,
        empty_card,
        nameless,
    )
}
TRAINED = ("loss", "nobody_labelled", "two_heads", "copies", "nameless")
