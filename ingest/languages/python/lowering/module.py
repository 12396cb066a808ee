"""Lower a whole file."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import Reach
from ....symbols.lowering_state import LoweringState
from .added_items import keep_added
from .context import PythonContext
from .load_effects import load_effects
from .statements import lower_statement
from .type_comments import has_type_comments


def lower_module(around: LoweringState, root: Node) -> PythonContext:
    """Return the lowered code of a file. `around` is the lowering state that has the symbols of the file."""
    cx = PythonContext(around)
    _lower(cx, root)
    cx.side_effects = load_effects(cx, root)
    return cx


def lower_declarations(around: LoweringState, root: Node) -> PythonContext:
    """Return the lowered code of a file, without the bodies of functions that show no types."""
    cx = PythonContext(around)
    cx.reads_declarations = True
    _lower(cx, root)
    return cx


def _lower(cx: PythonContext, root: Node) -> None:
    scope = cx.py_scope
    cx.has_type_comments = has_type_comments(cx.data)
    cx.names_in_expressions = b":=" in cx.data or root.has_error
    scope.bound = cx.bound(root)
    cx.fill_scope(scope)
    cx.scopes[0].names = scope.names
    roots = sorted(
        ((state.start, state.end, index) for index, state in enumerate(cx.symbols) if state.parent < 0),
        key=lambda each: (each[0], -each[1]),
    )
    place = 0
    for statement in root.named_children:
        while place < len(roots) and roots[place][1] <= statement.start_byte:
            place += 1
        if place < len(roots) and roots[place][0] <= statement.start_byte:
            cx.own(roots[place][2])
        lower_statement(cx, statement)
    cx.own(-1)
    cx.end_scope(scope.names)
    keep_added(cx)
    _forget_skipped(cx)


def _forget_skipped(cx: PythonContext) -> None:
    """Remove declarations that never run from bindings with other declarations."""
    for binding in cx.bindings:
        reached = [index for index in binding.decls if cx.decls[index].c != Reach.NEVER]
        if reached and len(reached) < len(binding.decls):
            binding.decls[:] = reached
