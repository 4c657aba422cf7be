"""Right answers with one small thing changed: what a slip of the hand would make of them."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import Any

from qkvlib.calling import call
from qkvlib.checking.cases import expected_of
from qkvlib.checking.verdicts import complaint
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Case, Exercise

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A program, the right answer it was made of, and the change: `before => after`.

    `within` is the expression around what was changed.
    """

    program: Callable[..., Any]
    origin: str
    change: str
    within: str


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """One after the other, from the reference and from the right answers in other styles."""
    for answer in (exercise.reference, *exercise.alternatives):
        function = inspect.unwrap(answer)
        if isinstance(function, FunctionType) and function.__name__ != "<lambda>":
            yield from _mutants_of_function(function)


def survives(exercise: Exercise, program: Callable[..., Any], seed: int) -> bool:
    """Whether the cases of this seed take the program for right."""
    seconds = 0.5 if exercise.name == "greedy_decode" else None  # the only loop without an end
    for case, expected in _drawn(exercise.name, seed):
        if complaint(exercise, case, call(program, case.inputs, seconds), expected):
            return False
    return True


@lru_cache
def _drawn(name: str, seed: int) -> list[tuple[Case, Any]]:
    exercise = EXERCISES[name]
    cases = exercise.draw(seed)
    return [(case, expected_of(exercise, exercise.reference, case)) for case in cases]


def _mutants_of_function(function: FunctionType) -> Iterator[Mutant]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = [
        one for one in definition.decorator_list if "no_grad" in ast.unparse(one)
    ]
    seen = {ast.unparse(tree)}
    places = _places(definition)
    for number, (node, within) in enumerate(places):
        for make in range(len(_changes(node, definition))):
            changed = copy.deepcopy(tree)
            target, _ = _places(changed.body[0])[number]
            after = _changes(target, changed.body[0])[make]
            _replace(changed, target, after)
            ast.fix_missing_locations(changed)
            source = ast.unparse(changed)
            if source in seen:
                continue
            seen.add(source)
            names = dict(function.__globals__)
            exec(compile(source, f"<mutant of {function.__name__}>", "exec"), names)
            change = f"{ast.unparse(node)} => {ast.unparse(after)}"
            yield Mutant(names[function.__name__], function.__name__, change, within)


def _places(definition: ast.AST) -> list[tuple[ast.AST, str]]:
    """The parts of a function that may be changed, in order, each with what is around it.

    Annotations and refusals are left out.
    """
    found: list[tuple[ast.AST, str]] = []

    def visit(node: ast.AST, around: str) -> None:
        if _is_refusal(node) or isinstance(node, (ast.arguments, ast.Assert)):
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        found.append((node, around))
        inner = ast.unparse(node) if isinstance(node, (ast.expr, ast.keyword)) else ""
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "func", "slice_", "type_params"):
                if name == "func" and isinstance(value, ast.Attribute):
                    visit(value.value, inner)
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child, inner)

    for statement in definition.body:  # type: ignore[attr-defined]
        visit(statement, "")
    return found


def _is_refusal(node: ast.AST) -> bool:
    """A check of shapes and what it raises: the cases never break the rules it keeps."""
    if isinstance(node, ast.If):
        return any(isinstance(inner, ast.Raise) for inner in node.body)
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith("need_")


def _changes(node: ast.AST, definition: ast.AST) -> list[ast.AST]:
    """All that the node may become."""
    if isinstance(node, ast.BinOp):
        return _of_operation(node)
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Compare):
        return [
            ast.Compare(node.left, [_OTHER[type(op)]() for op in node.ops], node.comparators)
        ] if all(type(op) in _OTHER for op in node.ops) else []  # fmt: skip
    if isinstance(node, ast.Constant):
        return [ast.Constant(value) for value in _other_constants(node.value)]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        names = [a.arg for a in definition.args.args]  # type: ignore[attr-defined]
        return [ast.Name(n, ast.Load()) for n in names if n != node.id and node.id in names]
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return [node.value]
    if isinstance(node, ast.Call):
        return _of_call(node)
    if isinstance(node, ast.If):
        return [ast.If(ast.Constant(False), node.body, node.orelse)]
    if isinstance(node, (ast.AugAssign, ast.Expr)):
        return [ast.Pass()]
    return []


def _of_operation(node: ast.BinOp) -> list[ast.AST]:
    other: list[ast.AST] = [node.left, node.right]
    if type(node.op) in _OTHER:
        other.append(ast.BinOp(node.left, _OTHER[type(node.op)](), node.right))  # type: ignore[arg-type]
    if isinstance(node.op, (ast.MatMult, ast.Sub, ast.Div)):
        other.append(ast.BinOp(node.right, node.op, node.left))
    return other


def _other_constants(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    return [value * 2, -value] if isinstance(value, float) else []


def _of_call(node: ast.Call) -> list[ast.AST]:
    """The call without its method, without a keyword, with two arguments changed."""
    found: list[ast.AST] = []
    if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) not in _MODULES:
        found.append(node.func.value)
    for i in range(len(node.keywords)):
        found.append(ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :]))
    for i in range(len(node.args) - 1):
        if not any(isinstance(arg, ast.Starred) for arg in node.args[i : i + 2]):
            swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
            found.append(ast.Call(node.func, swapped, node.keywords))
    return found


_MODULES = ("torch", "F", "math", "torch.special", "attention", "many", "masks", "positions")


def _replace(tree: ast.AST, target: ast.AST, after: ast.AST) -> None:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is target:
                setattr(node, name, after)
                return
            if isinstance(value, list):
                for i, child in enumerate(value):
                    if child is target:
                        value[i] = after
                        return
