"""What the checks once fell short of, each with the test that holds it now.

Some thousand answers that nobody here had written were tried. These are the kinds in which a
verdict was wrong, false, or did not come.
"""

from __future__ import annotations

LESSONS = "tests/exercises/test_lessons.py"
VERDICTS = "tests/checking/test_verdicts.py"
SESSION = "tests/calling/test_session.py"
OTHERS_GO_ON = f"{LESSONS}::test_a_lesson_goes_on_with_right_answers_of_others"
RIGHT_NUMBERS = f"{VERDICTS}::test_right_numbers_are_right"
NO_BATCHES = f"{VERDICTS}::test_no_batches_where_the_task_speaks_of_none"
TRUE = f"{VERDICTS}::test_what_is_said_of_these_is_true"
NOT_OF_ONE_CASE = f"{VERDICTS}::test_no_sentence_of_one_case_or_kind_is_said"
NOTHING_THROUGH = f"{VERDICTS}::test_nothing_of_the_learners_gets_through"
SPARSE = "tests/checking/test_verdicts.py::test_a_lesson_goes_on_with_tensors"

POINTS: dict[str, dict[str, str]] = {
    "right, and then the lesson stops": {
        "every alternative of the bank": f"{LESSONS}::test_a_lesson_goes_on_with_every_alternative",
        "float64: zeros, nn.Linear, .float()": OTHERS_GO_ON,
        "gradients: detached, in place, by lists, by layers": OTHERS_GO_ON,
        "a list of floats where float64 is needed": (
            "tests/checking/test_going_on.py::test_a_list_of_floats_goes_on_with_all_its_digits"
        ),
        "lists, NumPy's arrays, sparse tensors": SPARSE,
        "and the same in one of several results": f"{SPARSE}_in_each_of_several_results",
        "set_grad_enabled(False) in sgd_step": (
            f"{VERDICTS}::test_a_lesson_goes_on_with_a_function_that_switches_gradients_off"
        ),
        "another setting of a session": f"{SESSION}::test_a_setting_of_the_session_is_put_back",
    },
    "wrong accepted": {
        "soft_lookup that overflows, sgd_step in a list": (
            f"{VERDICTS}::test_what_once_slipped_through_is_wrong_on_every_seed"
        ),
        "greedy_decode without the root": (
            f"{VERDICTS}::test_decoding_without_the_root_is_wrong_whatever_the_seed"
        ),
        "a list of numbers that are cut off": (
            f"{VERDICTS}::test_a_list_is_a_tensor_only_where_nothing_is_cut_off"
        ),
        "a slip of the hand": (
            "tests/exercises/test_mutants.py::test_every_mutant_is_caught_or_excused_by_its_own_text"
        ),
    },
    "right refused": {
        "batches that nobody announced": NO_BATCHES,
        "batches that a task speaks of": (
            "tests/exercises/test_files.py::test_a_task_that_is_tried_with_batches_says_so"
        ),
        "attention_entropy with an epsilon": RIGHT_NUMBERS,
        "whole numbers as floats": RIGHT_NUMBERS,
        "rounding, on some seed: training_step, contextual_similarity, average": RIGHT_NUMBERS,
        "sparse, in lists, NumPy's, in the grader": (
            "tests/tools/grading/judge/test_same_verdict.py::"
            "test_a_result_that_is_made_otherwise_is_as_right_on_both_sides"
        ),
        "on any of these seeds": ("tests/exercises/test_bank.py::test_a_right_answer_in_any_style_passes"),
    },
    "the answer given away": {
        "quiz_cross_shape, half of a shape": f"{VERDICTS}::test_no_half_of_a_shape_is_given_away",
        "every message of every question": (
            "tests/exercises/test_secrets.py::test_no_message_of_a_wrong_answer_holds_the_right_one"
        ),
    },
    "named falsely": {
        "order_the_heads, count_parameters, break_symmetry, real_head_weights": TRUE,
        "ablate_head with keys, scores, weights": TRUE,
        "masked_attention both ways, and with 1/n": TRUE,
        "choose_w_q_w_k turned, choose_recall_weights with two columns": TRUE,
        "scaled_dot_product_attention with -1e-9, -1e-4": TRUE,
        "sgd_step with a yield": (f"{VERDICTS}::test_a_generator_is_told_that_none_of_its_lines_has_run"),
        "nearest, by coincidence": f"{VERDICTS}::test_a_name_is_not_given_for_a_coincidence",
        "one and two slips": (
            "tests/exercises/test_never_false.py::test_one_or_two_slips_hear_nothing_false"
        ),
        "three slips": (
            "tests/exercises/test_never_false.py::test_three_things_wrong_at_once_hear_nothing_false"
        ),
    },
    "false sentences where nothing is named": {
        "your result does not depend on": NOT_OF_ONE_CASE,
        "what holds in one case only": ("tests/checking/test_probes.py::test_one_relation_is_found_and_said"),
        "plus 4 everywhere": NOT_OF_ONE_CASE,
        "torch.tensor(...) of tensors; as the inputs have; return a list": NOT_OF_ONE_CASE,
        "choose_w_q_w_k from NumPy needs 3 rows": RIGHT_NUMBERS,
        "got -1.077, expected -1.077": (
            f"{VERDICTS}::test_numbers_that_are_shown_differ_in_the_digits_that_are_shown"
        ),
        "of rows that are not equally long": (f"{VERDICTS}::test_rows_are_called_uneven_only_where_they_are"),
        "of a dimension that is not there": (
            "tests/checking/test_errors.py::test_a_dimension_that_is_offered_is_there"
        ),
        "what torch says badly": ("tests/checking/test_errors.py::test_an_error_is_said_in_plain_words"),
        "9 of 10 classic mistakes go with a name": (
            "tests/exercises/test_classics.py::test_nine_of_ten_classic_mistakes_are_named"
        ),
    },
    "what escapes": {
        "torch's own NotImplementedError": (
            f"{VERDICTS}::test_what_torch_has_not_implemented_is_an_error_and_no_missing_attempt"
        ),
        "half an attempt": f"{VERDICTS}::test_half_an_attempt_is_no_missing_one",
        "BaseException, GeneratorExit, CancelledError, silence": NOTHING_THROUGH,
        "nested, hostile, holding itself, a closed stdout": NOTHING_THROUGH,
        "a hostile __getattr__ or __name__": (
            f"{VERDICTS}::test_check_answers_to_objects_that_say_strange_things_of_themselves"
        ),
        "a hostile __class__ or metaclass, huge expanded tensors": (f"{SESSION}::test_no_value_escapes"),
        "a huge sparse tensor": (f"{VERDICTS}::test_a_sparse_result_of_a_wrong_shape_is_not_made_dense"),
        "a message and output without end": (f"{VERDICTS}::test_a_long_message_and_endless_output_are_cut"),
        "a lock, and sleep": f"{VERDICTS}::test_a_call_that_waits_is_woken",
        "a patched torch, in the notebook": (f"{VERDICTS}::test_a_patched_torch_is_noticed_and_put_back"),
        "a patched torch, in a function": (f"{VERDICTS}::test_a_function_that_patches_torch_gains_nothing"),
        "a text with its own strip": TRUE,
    },
}
