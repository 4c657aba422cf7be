"""Make mutants: right answers with one small change, like a typing slip."""

from __future__ import annotations

import ast
import copy
import inspect
import random
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from qkvlib.exercises.kit.exercise import Exercise

_OTHER_OPERATOR: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


@dataclass(frozen=True)
class Mutant:
    """A right answer, by its name, in which one line was changed; and the changed program.

    If the line opens a block, `before` and `after` are only the line, without its block.
    `above` is the line above it, in case the same line occurs twice in the program.
    """

    origin: str
    above: str
    before: str
    after: str
    program: Callable[..., Any]


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the mutants one by one, from the reference and from the right answers in other styles."""
    for answer in (exercise.reference, *exercise.alternatives):
        function = inspect.unwrap(answer)
        if isinstance(function, FunctionType) and function.__name__ != "<lambda>":
            yield from mutants_of_function(function)


@dataclass(frozen=True)
class _Place:
    """A node that may be changed, its line, and its position in the tree."""

    node: ast.AST
    line: ast.stmt
    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        """Replace the node here by another."""
        ast.fix_missing_locations(ast.copy_location(node, self.node))
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def mutants_of_function(function: FunctionType) -> Iterator[Mutant]:
    """Yield each mutant: the same tree, changed in one place, compiled, and changed back."""
    tree, definition = _tree_of(function)
    arguments = [argument.arg for argument in definition.args.args]
    places = list(_places(definition))
    lines = {place.line: line_alone(place.line) for place in places}
    above = dict(zip(lines, ["", *lines.values()], strict=False))
    seen = set(lines.items())
    for place in places:
        for changed in _changes(place.node, arguments):
            place.put(changed)
            line = place.line
            after = line_alone(changed if isinstance(changed, ast.stmt) else line)
            if (line, after) not in seen:
                seen.add((line, after))
                program = _compiled(tree, function)
                yield Mutant(function.__name__, above[line], lines[line], after, program)
            place.put(place.node)


def with_slips(function: FunctionType, how_many: int, drawn: random.Random) -> tuple[str, Callable[..., Any]]:
    """Return the program with this many slips, one after another: its text and its function."""
    tree, definition = _tree_of(function)
    arguments = [argument.arg for argument in definition.args.args]
    for _ in range(how_many):
        choices = [
            (place, changed) for place in _places(definition) for changed in _changes(place.node, arguments)
        ]
        if choices:
            place, changed = drawn.choice(choices)
            place.put(changed)
    return ast.unparse(definition), _compiled(tree, function)


def _tree_of(function: FunctionType) -> tuple[ast.Module, ast.FunctionDef]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = [
        one for one in definition.decorator_list if ast.unparse(one).startswith("torch.no_grad")
    ]
    return tree, definition


def _compiled(tree: ast.Module, function: FunctionType) -> Callable[..., Any]:
    names = dict(function.__globals__)
    exec(compile(tree, f"<mutant of {function.__name__}>", "exec"), names)
    program: Callable[..., Any] = names[function.__name__]
    return program


def line_alone(statement: ast.stmt) -> str:
    """Return a statement as text; if it opens a block, only the opening line."""
    alone = copy.copy(statement)
    for block in ("body", "orelse"):
        if hasattr(alone, block):
            setattr(alone, block, [])
    return ast.unparse(alone)


def _places(definition: ast.FunctionDef) -> Iterator[_Place]:
    """Yield the parts of a function that may be changed, in order.

    Annotations and argument checks are left out.
    """
    for index, statement in enumerate(definition.body):
        yield from _places_within(_Place(statement, statement, definition, "body", index))


def _places_within(place: _Place) -> Iterator[_Place]:
    node = place.node
    if _is_refusal(node) or isinstance(node, (ast.arguments, ast.Assert)):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    yield place
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "slice_", "type_params"):
            continue
        if field == "func":  # the called name stays, but not the object of a method call
            if isinstance(value, ast.Attribute):
                yield from _places_within(_Place(value.value, place.line, value, "value", None))
            continue
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if isinstance(child, ast.AST):
                line = child if isinstance(child, ast.stmt) else place.line
                where = index if isinstance(value, list) else None
                yield from _places_within(_Place(child, line, node, field, where))


def _is_refusal(node: ast.AST) -> bool:
    """Return whether this is a check of shapes that raises: the cases never violate what it checks."""
    if isinstance(node, ast.If):
        return any(isinstance(inner, ast.Raise) for inner in node.body)
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith("need_")


def _changes(node: ast.AST, arguments: list[str]) -> list[ast.AST]:
    """Return every change that the node allows."""
    if isinstance(node, ast.BinOp):
        return _of_operation(node)
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Compare):
        if not all(type(op) in _OTHER_COMPARISON for op in node.ops):
            return []
        others = [_OTHER_COMPARISON[type(op)]() for op in node.ops]
        return [ast.Compare(node.left, others, node.comparators)]
    if isinstance(node, ast.Constant):
        return [ast.Constant(value) for value in _other_constants(node.value)]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        names = arguments if node.id in arguments else []
        return [ast.Name(name, ast.Load()) for name in names if name != node.id]
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
    if type(node.op) in _OTHER_OPERATOR:
        other.append(ast.BinOp(node.left, _OTHER_OPERATOR[type(node.op)](), node.right))
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
    """Return the call without its method, without a keyword, or with two arguments swapped."""
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
