"""Run programs given as Python source, and write down their results: under torch and in the page.

This file runs in both places, so it uses only torch and the standard library.
"""

import json
import math
import warnings


def outcomes(programs):
    """Return what each program of a list (as JSON) leaves in `result`, as JSON."""
    return json.dumps([outcome(program) for program in json.loads(programs)])


def outcome(program):
    import torch

    # Each program runs as if it were the first.
    torch.manual_seed(0)
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    names = {"torch": torch, "math": math, "nn": torch.nn, "F": torch.nn.functional}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(program, names)
            return written(names.get("result"), torch)
    except Exception as error:
        return {"error": [kind.__name__ for kind in type(error).__mro__], "message": str(error)}


def written(value, torch):
    if isinstance(value, torch.Tensor):
        flat = value.detach()
        if flat.dtype.is_complex:
            flat = torch.view_as_real(flat)
        return {
            "dtype": str(value.dtype),
            "shape": list(value.shape),
            "strides": list(value.stride()),
            "requires_grad": value.requires_grad,
            "numbers": [number_written(number) for number in flat.reshape(-1).tolist()],
        }
    if isinstance(value, dict):
        return {"parts": [written(part, torch) for part in value.values()]}
    if isinstance(value, (list, tuple)):
        return {"parts": [written(part, torch) for part in value]}
    if isinstance(value, (bool, str)) or value is None:
        return {"plain": value}
    if isinstance(value, (int, float)):
        return {"number": number_written(value), "whole": isinstance(value, int)}
    return {"plain": str(value)}


def number_written(number):
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    return number
