"""What people believe of Q, K and V before they know better, and where the course meets it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """One belief, and the places that can refute it."""

    name: str
    says: str
    predicted: str
    """A prediction in a lesson for which this belief makes a wrong choice."""
    refuted: str
    """The claim that its experiment has to keep on every seed: its file in `tests/experiments/`,
    and its function."""
    caught: str
    """A named mistake in code: the exercise, and the mistake."""
    again: str
    """A question in a later chapter."""


_ALL = (
    Misconception(
        "ready-made",
        "Queries, keys and values are there already, stored or in the words themselves.",
        "03-what-changed",
        "ch03_projections.new_vectors_accuracy",
        "project_qkv.not_projected",
        "04-close-stored",
    ),
    Misconception(
        "equal-inputs",
        "What goes in is the same, so Q, K and V are the same.",
        "03-x-x-x",
        "ch03_projections.two_matrices_are_not_symmetric",
        "project_qkv.w_q_used_twice",
        "10-close-equal",
    ),
    Misconception(
        "trained-weights",
        "The weights between words are stored numbers that are trained.",
        "02-nothing-to-train",
        "ch05_one_head.recall_accuracy",
        "softmax_backward.softmax_forgotten",
        "03-close-root",
    ),
    Misconception(
        "both-ways",
        "Looking goes both ways, so one matrix can be W_Q and W_K.",
        "03-one-table",
        "ch03_projections.beats_tied",
        "bilinear_form.made_symmetric",
        "09-close-one-table",
    ),
    Misconception(
        "table-of-words",
        "W_Q has a row for each word, as an embedding has.",
        "03-no-embedding",
        "ch03_projections.new_vectors_accuracy",
        "project_qkv.entry_by_entry",
        "17-10-embedding",
    ),
    Misconception(
        "separate-training",
        "W_Q, W_K and W_V need a separate network or separate training.",
        "04-one-or-many",
        "ch04_gradients.one_optimiser_or_many",
        "sgd_step.first_parameter_only",
        "17-11-separate",
    ),
    Misconception(
        "labelled",
        "Someone has to say where attention should look.",
        "05-resting",
        "ch05_one_head.recall_mass",
        "training_step.only_values_trained",
        "07-close-labelled",
    ),
    Misconception(
        "born-alike",
        "Related words are near each other by themselves.",
        "06-king-queen",
        "ch06_context.female",
        "contextual_similarity.before_attention",
        "17-13-king",
    ),
    Misconception(
        "knows-order",
        "Attention knows by itself what comes before and what after.",
        "07-without-places",
        "ch07_order.first_without",
        "masked_attention.sees_the_future",
        "17-14-order",
    ),
    Misconception(
        "sliced-x",
        "Each head gets a part of x.",
        "08-cut-first",
        "ch08_many_heads.halves_cut",
        "multi_head_attention.x_cut_first",
        "11-close-cut",
    ),
    Misconception(
        "heads-by-design",
        "Something in the design gives each head its job.",
        "09-copies",
        "ch09_differ.copies_stay",
        "break_symmetry.nothing_changed",
        "12-close-copies",
    ),
    Misconception(
        "sides-swapped",
        "In cross-attention the text that is read asks, and the text that is written answers.",
        "10-whose-rows",
        "ch10_pronunciation.aligned",
        "cross_attention.roles_swapped",
        "11-close-memory",
    ),
    Misconception(
        "x-for-ever",
        "Each layer gets the words' embeddings.",
        "11-second-x",
        "ch09_differ.induction_without_1",
        "encoder_block.added_to_the_first_x",
        "17-20-layers",
    ),
    Misconception(
        "looks-for-likeness",
        "A score says how alike two words are.",
        "06-two-tables",
        "ch03_projections.two_matrices_are_not_symmetric",
        "quiz_score.compared_as_they_are",
        "17-12-labels",
    ),
    Misconception(
        "scale-is-a-detail",
        "What scores are divided by is a detail.",
        "02-without-root",
        "ch05_one_head.wide_raw",
        "attention_weights.no_scale",
        "05-close-scaled",
    ),
    Misconception(
        "alone-in-its-row",
        "A weight moves without the others of its row.",
        "04-sum-of-a-row",
        "ch04_gradients.row_sum",
        "softmax_backward.diagonal_only",
        "13-close-shift",
    ),
    Misconception(
        "w-q-alone",
        "W_Q alone decides where a word looks.",
        "05-frozen",
        "ch05_one_head.frozen_q",
        "bilinear_form.w_q_with_itself",
        "08-close-frozen",
    ),
)

MISCONCEPTIONS: dict[str, Misconception] = {one.name: one for one in _ALL}
