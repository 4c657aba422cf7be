"""Chapter 3: why W_Q and W_K differ, and what W_Q is not."""

from __future__ import annotations

import torch

from qkvlib.models import OneHead, TiedHead
from qkvlib.tasks import NewVectors, Partners, Recall, RockPaperScissors
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


@claim("03", "W = I: scores are symmetric, largest |S - S^T|", at_most=1e-12)
def identity_is_symmetric(seed: int) -> float:
    x = torch.randn(8, 16, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    w = torch.eye(16, dtype=torch.float64)
    scores = x @ w @ (x @ w).T
    return float((scores - scores.T).abs().max())


@claim("03", "W = I, equal lengths: tokens whose best match is themselves", at_least=1.0)
def identity_prefers_itself(seed: int) -> float:
    x = torch.randn(8, 16, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    x = x / x.norm(dim=-1, keepdim=True)
    return float(((x @ x.T).argmax(-1) == torch.arange(8)).double().mean())


@claim("03", "random W_Q, W_K: |S - S^T| over |S|", at_least=0.5)
def two_matrices_are_not_symmetric(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(8, 16, generator=generator)
    w_q, w_k = torch.randn(2, 16, 16, generator=generator) / 4
    scores = (x @ w_q) @ (x @ w_k).T
    return float((scores - scores.T).norm() / scores.norm())


@claim("03", "W_Q and W_K both rotated: largest change of a score", at_most=1e-12)
def only_the_product_counts(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(8, 16, generator=generator, dtype=torch.float64)
    w_q, w_k, any_square = torch.randn(3, 16, 16, generator=generator, dtype=torch.float64) / 4
    rotation, _ = torch.linalg.qr(any_square)
    before = (x @ w_q) @ (x @ w_k).T
    after = (x @ w_q @ rotation) @ (x @ w_k @ rotation).T
    return float((before - after).abs().max())


@once
def beats(seed: int, tied: bool) -> Run:
    task = RockPaperScissors()
    kind = TiedHead if tied else OneHead
    model = kind(task.n_tokens, task.n_answers, d_model=12, spread=0.5, seed=seed)
    return trained(model, task, 200, adam(0.02), seed)


@claim("03", "rock-paper-scissors, W_Q and W_K apart: accuracy", at_least=0.99)
def beats_untied(seed: int) -> float:
    return beats(seed, tied=False).after.accuracy


@claim("03", "rock-paper-scissors, W_Q = W_K: accuracy (proved ceiling 0.708)", at_most=0.5)
def beats_tied(seed: int) -> float:
    return beats(seed, tied=True).after.accuracy


@once
def spared(seed: int, tied: str, left_out: str) -> float:
    task = RockPaperScissors()
    model = TiedHead(
        task.n_tokens, task.n_answers, d_model=12, spread=0.5, seed=seed, tied=tied, left_out=left_out
    )
    return trained(model, task, 200, adam(0.02), seed).after.accuracy


@claim("03", "rock-paper-scissors, W_K = W_V, W_Q = W_V, or one left out: accuracy", at_least=0.99)
def beats_with_one_matrix_less(seed: int) -> float:
    ways = [("w_k w_v", ""), ("w_q w_v", ""), ("", "w_q"), ("", "w_k"), ("", "w_v")]
    return min(spared(seed, *way) for way in ways)


@claim("03", "rock-paper-scissors, W_Q = W_K = W_V: accuracy", at_most=0.5)
def beats_with_one_matrix(seed: int) -> float:
    return spared(seed, "w_q w_k w_v", "")


@once
def narrow(seed: int, tied: str) -> float:
    task = RockPaperScissors()
    model = TiedHead(
        task.n_tokens, task.n_answers, d_model=12, d_k=2, d_v=2, spread=0.5, seed=seed, tied=tied
    )
    return trained(model, task, 200, adam(0.02), seed).after.accuracy


@claim("03", "rock-paper-scissors, d_k = d_v = 2, three matrices: accuracy", at_least=0.97)
def narrow_with_three(seed: int) -> float:
    return narrow(seed, "")


@claim("03", "rock-paper-scissors, d_k = d_v = 2, W_K = W_V or W_Q = W_V: accuracy", at_most=0.8)
def narrow_with_two(seed: int) -> float:
    return max(narrow(seed, tied) for tied in ("w_k w_v", "w_q w_v"))


@claim("03", "rock-paper-scissors, d_k = 1, values as wide as x: accuracy (about 0.9)", at_most=0.95)
def one_number_is_not_enough(seed: int) -> float:
    task = RockPaperScissors()
    model = OneHead(task.n_tokens, task.n_answers, d_model=12, d_k=1, spread=0.5, seed=seed)
    return trained(model, task, 200, adam(0.02), seed).after.accuracy


@once
def partners(seed: int, tied: bool) -> Run:
    task = Partners()
    kind = TiedHead if tied else OneHead
    model = kind(task.n_tokens, task.n_answers, d_model=16, spread=0.5, seed=seed)
    return trained(model, task, 400, adam(0.01), seed)


@claim("03", "mutual partners, W_Q and W_K apart: accuracy", at_least=0.99)
def partners_untied(seed: int) -> float:
    return partners(seed, tied=False).after.accuracy


@claim("03", "mutual partners, W_Q = W_K: accuracy", at_most=0.6)
def partners_tied(seed: int) -> float:
    return partners(seed, tied=True).after.accuracy


@claim("03", "recall, W_Q = W_K: accuracy (here tying costs nothing)", at_least=0.99)
def recall_tied(seed: int) -> float:
    model = TiedHead(16, 8, d_model=12, seed=seed)
    return trained(model, Recall(), 300, adam(0.02), seed).after.accuracy


@once
def new_vectors(seed: int) -> Run:
    task = NewVectors()
    model = OneHead(None, task.n_answers, d_model=task.d_model, seed=seed)
    return trained(model, task, 600, adam(0.01), seed)


@claim("03", "no embedding, key vectors never seen before: accuracy", at_least=0.98)
def new_vectors_accuracy(seed: int) -> float:
    return new_vectors(seed).after.accuracy


def _key_block(seed: int) -> torch.Tensor:
    model = new_vectors(seed).model
    return (model.w_q @ model.w_k.T)[: NewVectors.d_key, : NewVectors.d_key]


@claim("03", "... the key block of W_Q W_K^T: mean of its diagonal", at_least=3.0)
def key_block_diagonal(seed: int) -> float:
    return float(_key_block(seed).diag().mean())


@claim("03", "... mean size off the diagonal over mean on it", at_most=0.2)
def key_block_off_diagonal(seed: int) -> float:
    block = _key_block(seed)
    off = block[~torch.eye(len(block), dtype=torch.bool)].abs().mean()
    return float(off / block.diag().mean())
