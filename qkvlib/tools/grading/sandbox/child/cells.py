"""Decide which of a notebook's statements are run, even if its cells are in a bad state.

Definitions, imports and assignments are run; what only trains or shows something is left out at first. A
statement that fails is skipped, and tried once more at the end, because people whose answers are right
delete, duplicate and move cells.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from itertools import chain

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_BLOCKS = (ast.If, ast.Try, ast.With)
_NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)


def parsed(cells: Sequence[str]) -> Iterator[tuple[int, list[ast.stmt]]]:
    """Return each cell's number and statements; an indented cell continues the one before."""
    before = ""
    for number, source in enumerate(cells):
        tree = None
        if before and _is_indented(source):
            tree = parse(f"{before}\n{source}", number)  # the second half of a cell that was split
        tree = parse(source, number) if tree is None else tree
        before = source
        if tree is not None:
            yield number, tree


def _is_indented(source: str) -> bool:
    """Tell whether the first line that is not empty is indented."""
    first = next((line for line in source.splitlines() if line.strip()), "")
    return first[:1].isspace()


def parse(source: str, number: int) -> list[ast.stmt] | None:
    """Return the statements of a cell that may contain IPython's magics, or None."""
    name = file_name(number)
    for text in chain([source], _as_python(source)):
        try:
            statements = ast.parse(text, name).body
        except _NOT_PARSED:
            continue
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        return list(_unwrapped(statements))
    return None


def file_name(number: int) -> str:
    """Return the file name under which a cell's code is compiled, so that tracebacks can be told apart."""
    return f"<cell {number + 1}>"


def wanted(statement: ast.stmt, thorough: bool) -> bool:
    """Tell whether a statement is run: always if it defines something, and in any case if `thorough`."""
    if thorough or isinstance(statement, (*_DEFINITIONS, *_ASSIGNMENTS)):
        return True
    if isinstance(statement, _BLOCKS):
        return any(wanted(inner, False) for inner in statement.body)
    return False


def does_nothing(statement: ast.stmt) -> bool:
    """Whether a statement only shows something: a name or a text by itself, at a cell's end."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Name, ast.Constant))


def only_defines(statement: ast.stmt) -> bool:
    """Tell whether a statement is sure to end at once, unless someone intends it not to."""
    return isinstance(statement, _DEFINITIONS)


def _as_python(source: str) -> Iterator[str]:
    """Return the cell as IPython would run it."""
    try:
        from IPython.core.inputtransformer2 import TransformerManager

        yield TransformerManager().transform_cell(source)
    except Exception:  # a strange cell can raise anything; then it is not run
        return


def _unwrapped(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Return the statements, with those inside a magic such as %%time in place of the magic."""
    for statement in statements:
        inner = _inside_a_magic(statement)
        if inner is None:
            yield statement
        else:
            yield from inner


def _inside_a_magic(statement: ast.stmt) -> list[ast.stmt] | None:
    """Return the code that `get_ipython().run_cell_magic('time', '', code)` would run, or None."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(attr=runs), [ast.Constant(magic), *_, ast.Constant(str(code))])):
            if runs == "run_cell_magic" or (runs == "run_line_magic" and magic in ("time", "timeit")):
                try:
                    return ast.parse(code).body
                except _NOT_PARSED:
                    return []
    return None
