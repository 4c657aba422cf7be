"""Test that models are their weights: named, seeded, replaceable; and that they compute as documented."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.cached import grouped_query_attention
from qkvlib.exercises import EXERCISES
from qkvlib.models import (
    FixedMemory,
    LanguageModel,
    Model,
    MultiHead,
    OneHead,
    OwnHeads,
    PatchReader,
    PlacedHead,
    Pronouncer,
    QuietHead,
    SharingHeads,
    SplitFirst,
    Stack,
    TiedHead,
    UniformHead,
    UnscaledHead,
)
from qkvlib.models.base import USES
from qkvlib.models.blocks import encoder_block
from qkvlib.models.minilm import minilm_embedding, minilm_heads, minilm_maps, minilm_trials
from qkvlib.models.placed_head import Placing
from qkvlib.multi_head import multi_head_attention
from qkvlib.positions import positional_encoding, rotate_by_position
from qkvlib.tasks import (
    BankSense,
    Cloakroom,
    Digits,
    Halves,
    KeepOrFind,
    Recall,
    Rhyme,
    Task,
    TwoQuestions,
    WordsBack,
)
from qkvlib.tasks.pronunciation import SOUNDS, letters, sounds
from qkvlib.training import adam, train

NOBODY_AT_THE_LAST = torch.ones(7, 7, dtype=torch.bool)
NOBODY_AT_THE_LAST[:, -1] = False

CASES: list[tuple[Model, Task]] = [
    (OneHead(16, 8), Recall()),
    (TiedHead(16, 8), Recall()),
    (UniformHead(16, 8), Recall()),
    (UnscaledHead(16, 8), Recall()),
    (MultiHead(32, 16), TwoQuestions()),
    (QuietHead(20, 8), KeepOrFind()),
    (QuietHead(20, 8, gate=True), KeepOrFind(empty_card=True)),
    (PlacedHead(16, 16), WordsBack()),
    (PlacedHead(16, 16, positions="learned"), WordsBack()),
    (FixedMemory(72, 8), Cloakroom()),
    (FixedMemory(72, 8, softmax=True), Cloakroom()),
    (SharingHeads(32, 16), TwoQuestions()),
    (SharingHeads(32, 16, shared="w_k w_v"), TwoQuestions()),
    (SharingHeads(32, 16, shared="w_q w_k"), TwoQuestions()),
    (OwnHeads(multi_head_attention, NOBODY_AT_THE_LAST, 32, 16), TwoQuestions()),
    (SplitFirst(8), Halves()),
    (Stack(21, 2, n_layers=2, n_heads=2), BankSense()),
    (PatchReader(), Digits()),
    (PatchReader(attends=False), Digits()),
    (LanguageModel(Rhyme().n_tokens), Rhyme()),
]


def case_name(case: object) -> str:
    return type(case).__name__


@pytest.mark.parametrize(("model", "task"), CASES, ids=case_name)
def test_every_answer_gets_a_score_and_every_weight_row_sums_to_one(model: Model, task: Task) -> None:
    batch = task.test(5)
    logits, maps = model(*batch.inputs)
    assert logits.numel() % batch.answers.numel() == 0
    for weights in maps.values():
        assert weights.dim() == 4
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))


@pytest.mark.parametrize(("model", "task"), CASES, ids=case_name)
def test_the_parameter_table_counts_every_number_and_says_what_it_is_for(model: Model, task: Task) -> None:
    table = model.parameters()
    assert [row.name for row in table] == list(model.weights)
    assert table.total == sum(weight.numel() for weight in model.weights.values())
    assert all(row.use in USES.values() for row in table)
    assert repr(table).splitlines()[-1].split() == ["total", f"{table.total:,}"]


@pytest.mark.parametrize("make", [OneHead, TiedHead, UniformHead, UnscaledHead])
def test_a_seed_draws_the_same_weights_and_another_seed_others(make: type[OneHead]) -> None:
    one, same, other = make(16, 8, seed=3), make(16, 8, seed=3), make(16, 8, seed=4)
    for name, weight in one.weights.items():
        assert torch.equal(weight, same.weights[name])
        assert not torch.equal(weight, other.weights[name])


def test_drawing_weights_leaves_the_global_generator_alone() -> None:
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    OneHead(16, 8, seed=5)
    assert torch.equal(torch.rand(3), expected)


def test_a_repr_builds_the_model_again() -> None:
    model = OneHead(16, 8, d_model=10, d_k=4, spread=0.1, seed=2)
    again = eval(repr(model), {"OneHead": OneHead})
    assert repr(again) == repr(model)
    assert torch.equal(again.w_q, model.w_q)


def test_one_head_is_attention_between_question_and_cards() -> None:
    model, batch = OneHead(16, 8, seed=1), Recall().test(5)
    question, cards = batch.inputs
    x, memory = model.embedding[question].sum(2), model.embedding[cards].sum(2)
    output, weights = scaled_dot_product_attention(x @ model.w_q, memory @ model.w_k, memory @ model.w_v)
    logits, maps = model(*batch.inputs)
    torch.testing.assert_close(logits, output @ model.w_o)
    torch.testing.assert_close(maps["head"][:, 0], weights)


def head_by_hand(model: QuietHead, note: Tensor, shown: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return x, the scores and the values of a QuietHead."""
    x, memory = model.embedding[note].sum(2), model.embedding[shown].sum(2)
    scores = (x @ model.w_q) @ (memory @ model.w_k).mT / model.d_k**0.5
    return x, scores, memory @ model.w_v


def test_a_quiet_head_with_a_sink_is_one_with_a_key_of_score_zero_that_says_nothing() -> None:
    model, inputs = QuietHead(20, 8, sink=True, seed=1), KeepOrFind().test(5).inputs
    x, scores, v = head_by_hand(model, *inputs)
    weights = torch.cat([scores, torch.zeros(5, 1, 1)], dim=-1).softmax(-1)
    v = torch.cat([v, torch.zeros(5, 1, model.d_model)], dim=1)
    logits, maps = model(*inputs)
    torch.testing.assert_close(maps["head"][:, 0], weights[..., :-1])
    torch.testing.assert_close(logits, (x + weights @ v @ model.w_o) @ model.read_out)


def test_a_quiet_head_with_a_gate_says_as_much_as_x_lets_through() -> None:
    model, inputs = QuietHead(20, 8, gate=True, seed=1), KeepOrFind().test(5).inputs
    x, scores, v = head_by_hand(model, *inputs)
    said = scores.softmax(-1) @ v @ model.w_o
    torch.testing.assert_close(model(*inputs).logits, (x + said / 2) @ model.read_out)
    model.w_gate = torch.ones(model.d_model, 1)
    gate = torch.sigmoid(x.sum(-1, keepdim=True))
    torch.testing.assert_close(model.open(x), gate)
    torch.testing.assert_close(model(*inputs).logits, (x + gate * said) @ model.read_out)


@pytest.mark.parametrize("positions", ["rotary", "sinusoidal", "learned"])
def test_a_placed_head_is_told_of_places_in_its_own_way(positions: Placing) -> None:
    model = PlacedHead(16, 16, d_model=6, positions=positions, seed=1)
    (tokens,) = WordsBack(n_words=5).test(3).inputs
    x = model.embedding[tokens]
    if positions == "learned":
        x = x + model.places[:5]
    if positions == "sinusoidal":
        x = x + positional_encoding(5, 6)
    q, k = x @ model.w_q + model.b_q, x @ model.w_k + model.b_k
    if positions == "rotary":
        q, k = (rotate_by_position(each, torch.arange(5)) for each in (q, k))
    scores = (q @ k.mT / 6**0.5).masked_fill(~torch.ones(5, 5).tril().bool(), -torch.inf)
    logits, maps = model(tokens)
    torch.testing.assert_close(maps["head"][:, 0], scores.softmax(-1))
    torch.testing.assert_close(logits, scores.softmax(-1) @ x @ model.w_v @ model.read_out)


def test_a_fixed_memory_reads_the_table_in_which_all_cards_are_added_up() -> None:
    model, (question, cards) = FixedMemory(72, 8, seed=1), Cloakroom(5).test(4).inputs
    for b in range(4):
        table = torch.zeros(8, 8)
        for ticket, colour in cards[b]:
            k, v = model.embedding[ticket] @ model.w_k, model.embedding[colour] @ model.w_v
            table = table + torch.outer(k, v)
        read = model.embedding[question[b, 0, 0]] @ model.w_q @ table @ model.w_o
        torch.testing.assert_close(model(question, cards).logits[b, 0], read)


def test_with_softmax_a_fixed_memory_is_the_usual_attention() -> None:
    model, (question, cards) = FixedMemory(72, 8, softmax=True, seed=1), Cloakroom(5).test(4).inputs
    output, weights = scaled_dot_product_attention(
        model.embedding[question[..., 0]] @ model.w_q,
        model.embedding[cards[..., 0]] @ model.w_k,
        model.embedding[cards[..., 1]] @ model.w_v,
    )
    logits, maps = model(question, cards)
    torch.testing.assert_close(logits, output @ model.w_o)
    torch.testing.assert_close(maps["head"][:, 0], weights)


def test_the_unscaled_head_multiplies_the_scores_by_sqrt_d_k() -> None:
    scaled, unscaled = OneHead(16, 8, d_k=9, seed=1), UnscaledHead(16, 8, d_k=9, seed=1)
    inputs = Recall().test(5).inputs
    scaled.w_q = scaled.w_q * 3
    torch.testing.assert_close(scaled(*inputs).logits, unscaled(*inputs).logits)


@pytest.mark.parametrize("tied", ["", "w_q w_k", "w_k w_v", "w_q w_v", "w_q w_k w_v"])
def test_tied_matrices_are_one_and_are_stored_once(tied: str) -> None:
    model, plain = TiedHead(16, 8, tied=tied), OneHead(16, 8)
    first, *others = tied.split() or ["w_q"]
    assert {*model.weights} == {*plain.weights} - {*others}
    assert all(getattr(model, other) is getattr(model, first) for other in others)
    free = {"w_q", "w_k", "w_v"} - {first, *others}
    assert all(torch.equal(getattr(model, name), getattr(plain, name)) for name in free)


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
def test_what_is_left_out_hands_x_on_as_it_is(name: str) -> None:
    model, plain = TiedHead(16, 8, tied="", left_out=name), OneHead(16, 8)
    assert name not in model.weights
    setattr(plain, name, torch.eye(12))
    inputs = Recall().test(5).inputs
    torch.testing.assert_close(model(*inputs).logits, plain(*inputs).logits)


def test_a_weight_can_be_replaced_by_ones_own() -> None:
    model = OneHead(16, 8, d_model=12)
    mine = torch.ones(12, 12)
    model.w_q = mine
    mine += 1
    assert torch.equal(model.weights["w_q"], torch.ones(12, 12))


def test_a_replacement_of_another_shape_is_refused_with_both_shapes() -> None:
    with pytest.raises(ValueError, match=r"w_q has shape \(3, 4\).*\(12, 12\)"):
        OneHead(16, 8, d_model=12).w_q = torch.ones(3, 4)


def test_an_unknown_weight_is_answered_with_those_there_are() -> None:
    with pytest.raises(AttributeError, match=r"no weight 'w_x'.*w_q"):
        _ = OneHead(16, 8).w_x


def test_with_weights_leaves_the_model_as_it_was() -> None:
    model, inputs = OneHead(16, 8), Recall().test(5).inputs
    before = model(*inputs).logits
    zeros = {name: torch.zeros_like(weight) for name, weight in model.weights.items()}
    assert not model.with_weights(zeros)(*inputs).logits.any()
    assert torch.equal(model(*inputs).logits, before)
    with pytest.raises(ValueError, match="embedding"):
        model.with_weights({"w_q": model.w_q})


def test_a_name_means_the_weights_of_every_layer() -> None:
    model = Stack(21, 2, n_layers=2)
    assert model.named("w_q") == {"layer_1.w_q", "layer_2.w_q"}
    assert model.named(["layer_2.w_k", "embedding"]) == {"layer_2.w_k", "embedding"}
    with pytest.raises(ValueError, match="no weight 'w_z'"):
        model.named("w_z")


def test_saved_weights_come_back_to_half_precision(tmp_path: Path) -> None:
    model, other = Stack(21, 2, seed=1), Stack(21, 2, seed=2)
    model.save(tmp_path / "stack.safetensors")
    other.load(tmp_path / "stack.safetensors")
    for name, weight in model.weights.items():
        assert torch.equal(other.weights[name], weight.half().float())
    with pytest.raises(ValueError, match="the weights are"):
        OneHead(16, 8).load(tmp_path / "stack.safetensors")


def ablated_by_hand(model: MultiHead, inputs: tuple[Tensor, ...], head: int) -> Tensor:
    silent = dict(model.weights)
    d_k = model.d_model // model.n_heads
    silent["w_v"] = model.w_v.clone()
    silent["w_v"][:, head * d_k : (head + 1) * d_k] = 0
    return model.with_weights(silent)(*inputs).logits


@pytest.mark.parametrize("head", [0, 1, 3])
def test_an_ablated_head_is_not_heard(head: int) -> None:
    model, inputs = MultiHead(32, 16, n_heads=4), TwoQuestions().test(5).inputs
    expected = ablated_by_hand(model, inputs, head)
    torch.testing.assert_close(model(*inputs, ablate=[head]).logits, expected)
    assert not torch.allclose(model(*inputs).logits, expected)


def test_ablating_one_layer_of_a_stack_leaves_its_maps_before_it_alone() -> None:
    model, inputs = Stack(21, 2, n_layers=2, n_heads=2), BankSense().test(5).inputs
    whole, cut = model(*inputs), model(*inputs, ablate=[(1, 0)])
    assert torch.equal(whole.attention["layer_1"], cut.attention["layer_1"])
    assert not torch.allclose(whole.attention["layer_2"], cut.attention["layer_2"])


def test_a_causal_stack_does_not_look_ahead() -> None:
    words = BankSense().test(5).inputs[0]
    changed = words.clone()
    changed[:, -1] = 3
    seen = Stack(21, 2, n_layers=2, causal=True)
    torch.testing.assert_close(seen(words).logits[:, :-1], seen(changed).logits[:, :-1])
    unmasked = Stack(21, 2, n_layers=2)
    assert not torch.allclose(unmasked(words).logits[:, :-1], unmasked(changed).logits[:, :-1])


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_positions_make_a_stack_tell_orders_apart(positions: str) -> None:
    words = BankSense().test(5).inputs[0]
    model = Stack(21, 2, positions=positions, n_places=7)  # type: ignore[arg-type]
    blind = Stack(21, 2)
    torch.testing.assert_close(blind(words).logits.flip(1), blind(words.flip(1)).logits)
    assert not torch.allclose(model(words).logits.flip(1), model(words.flip(1)).logits)


def test_heads_that_start_equal_are_copies_of_the_first() -> None:
    model = MultiHead(32, 16, d_model=16, n_heads=4).start_equal()
    for name in ("w_q", "w_k", "w_v"):
        assert all(torch.equal(model.weights[name][:, :4], w) for w in model.weights[name].split(4, 1))
    assert all(torch.equal(model.w_o[:4], rows) for rows in model.w_o.split(4))


def test_a_word_read_aloud_has_a_row_of_weights_for_each_sound_and_the_end() -> None:
    model = Pronouncer.pretrained()
    reading = model.read(" Knight ")
    assert list(reading.sounds) == model.pronounce(["knight"])[0]
    assert reading.weights.shape == (len(reading.rows), len(reading.columns)) == (4, 7)
    assert torch.allclose(reading.weights.sum(-1), torch.ones(4))
    heard, _ = sounds([reading.sounds])
    maps = model(letters(["knight"]), heard).attention["cross"]
    assert torch.equal(reading.weights, maps[0, 0])


def test_the_pretrained_model_pronounces() -> None:
    model = Pronouncer.pretrained()
    assert model.pronounce(["photograph"]) == [["F", "OW", "T", "AH", "G", "R", "AE", "F"]]
    assert model.pronounce(["cat", "pen"]) == [["K", "AE", "T"], ["P", "EH", "N"]]


def test_saying_sounds_one_by_one_agrees_with_hearing_them_all() -> None:
    model = Pronouncer.pretrained()
    (said,) = model.pronounce(["kitten"])
    heard, right = sounds([said])
    logits, _ = model(letters(["kitten"]), heard)
    assert [SOUNDS[s] for s in logits[0].argmax(-1).tolist()] == [*said, "<end>"]
    assert right[0].tolist() == logits[0].argmax(-1).tolist()


def test_a_language_model_writes_on_and_forgets_what_is_too_long_ago() -> None:
    task = Rhyme()
    model = LanguageModel(task.n_tokens, n_places=4)
    start = torch.arange(6)
    written = model.write(start, 5, torch.Generator().manual_seed(0))
    assert torch.equal(written[:6], start)
    assert written.shape == (11,)


def test_all_maps_are_those_of_the_heads() -> None:
    maps = minilm_maps()
    assert [len(each) for each in maps.values()] == [12] * 6
    for head in minilm_heads().values():
        assert (maps[f"layer {head.layer}"][head.head] - head.weights).abs().max() < 3e-3
    sums = torch.cat(list(maps.values())).sum(dim=-1)
    assert (sums - 1).abs().max() < 0.06  # 27 weights, each rounded to a byte


def test_the_embedding_makes_the_x_of_the_kept_sentence() -> None:
    head, embedding = minilm_heads()["previous word"], minilm_embedding()
    tokens = embedding.split(
        "The Law will never be perfect, but its application should be just - this is what we are "
        "missing, in my opinion."
    )
    assert tuple(tokens) == head.tokens
    assert (embedding.x(tokens) - head.x).abs().max() < 0.05


@pytest.mark.parametrize(
    ("sentence", "said"), [("The zebra met a gnu.", "not 'gnu', 'zebra'"), ("the dog " * 16, "has 34 tokens")]
)
def test_a_sentence_that_the_embedding_cannot_make_is_told_so(sentence: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        minilm_embedding().split(sentence)


@pytest.mark.parametrize("what", ["owner", "moved"])
def test_the_kept_sentences_give_what_the_whole_model_gave(what: Literal["owner", "moved"]) -> None:
    head = minilm_heads()["law"]
    for trial in minilm_trials(what):
        q, k = trial.x @ head.w_q + head.b_q, trial.x @ head.w_k + head.b_k
        row = scaled_dot_product_attention(q, k, k)[1][trial.tokens.index(trial.word)]
        others = max(row[trial.tokens.index(other)] for other in trial.others)
        finds = bool(row[trial.tokens.index(trial.noun)] > others)
        assert finds == bool(trial.finds[head.layer, head.head])


def test_tab_offers_a_models_weights_and_its_arguments() -> None:
    offered = dir(OneHead(16, 8))
    assert {"w_q", "w_k", "w_v", "w_o", "embedding", "d_k", "parameters"} <= set(offered)
    assert "w_k" in dir(TiedHead(16, 8))
    assert not any("." in name for name in dir(Stack(21, 2)))  # `layer_1.w_q` is no name in Python


@pytest.mark.parametrize("block", EXERCISES["encoder_block"].alternatives, ids=lambda one: one.__name__)
def test_a_language_model_of_a_right_block_is_the_courses_own(block: Any) -> None:
    lines = Rhyme().test(3).inputs
    own, theirs = (LanguageModel(Rhyme().n_tokens, **how) for how in ({}, {"block": block}))
    torch.testing.assert_close(theirs(*lines).logits, own(*lines).logits, atol=1e-4, rtol=1e-4)


def test_a_language_model_trains_the_block_that_it_is_given() -> None:
    """Its attention is recorded too, though torch cannot follow the block through many steps at once."""

    def without_adding(x: Tensor, w: dict[str, Tensor], *rest: Any) -> tuple[Tensor, Tensor]:
        output, weights = encoder_block(x, w, *rest)
        return (output - x if float(x.detach().sum()) else output), weights

    models = [LanguageModel(Rhyme().n_tokens), LanguageModel(Rhyme().n_tokens, block=without_adding)]
    runs = [train(model, Rhyme(), 3, adam(0.01)) for model in models]
    assert not torch.allclose(runs[0].losses, runs[1].losses, atol=1e-2)
    assert runs[1].attention["block_2"].shape == runs[0].attention["block_2"].shape


def test_heads_that_share_keys_and_values_are_grouped_queries() -> None:
    model = SharingHeads(32, 16, d_model=6, n_heads=4, d_k=3, shared="w_k w_v", seed=2)
    inputs = TwoQuestions().test(5).inputs
    q, k, v = model.project(*inputs)
    assert [one.shape[1] for one in (q, k, v)] == [4, 1, 1]
    heads = grouped_query_attention(q, k, v)
    expected = heads.transpose(1, 2).flatten(2) @ model.w_o
    torch.testing.assert_close(model(*inputs).logits, expected)


def test_heads_that_share_queries_and_keys_look_alike() -> None:
    model = SharingHeads(32, 16, shared="w_q w_k")
    first, second = model(*TwoQuestions().test(5).inputs).attention["heads"].unbind(1)
    assert torch.equal(first, second)
