"""Read literal values from Python code, which is never run."""

from __future__ import annotations

import ast
import warnings

#: Maximum length of a chain of names that is followed from one value.
_MAX_STEPS = 20


class Unknown(Exception):
    """Raised for a value that is not a literal."""


def parse_code(source: bytes) -> ast.Module:
    """Parse a file. Raises SyntaxError for text that Python cannot parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file may cause warnings, such as for a backslash in a string
            return ast.parse(source)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error) or type(error).__name__) from error


def constants_of(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the values of the names that a file assigns exactly once at its root."""
    found: dict[str, ast.expr] = {}
    again: set[str] = set()
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign | ast.AugAssign):
            targets = [statement.target]
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                if target.id in found or isinstance(statement, ast.AugAssign):
                    again.add(target.id)
                elif statement.value is not None:
                    found[target.id] = statement.value
    return {name: value for name, value in found.items() if name not in again}


class Literals:
    """Evaluates literals, and names to which the root of a file assigns literals."""

    def __init__(self, constants: dict[str, ast.expr]) -> None:
        self._constants = constants

    def text(self, node: ast.expr | None) -> str:
        """Return a string; "" for any other value."""
        value = self.value(node)
        return value if isinstance(value, str) else ""

    def texts(self, node: ast.expr | None) -> list[str]:
        """Return the strings of a list, or the lines of a string."""
        return strings(self.value(node))

    def value(self, node: ast.expr | None) -> object:
        """Return a value; None if it is not a literal."""
        try:
            return self._evaluated(node, _MAX_STEPS) if node is not None else None
        except (Unknown, RecursionError):
            return None

    def _evaluated(self, node: ast.expr, steps: int) -> object:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id in self._constants and steps:
            return self._evaluated(self._constants[node.id], steps - 1)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [self._literal_or_none(item, steps) for item in node.elts]
        if isinstance(node, ast.Dict):
            return self._dictionary(node, steps)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
            return {entry.arg: self._literal_or_none(entry.value, steps) for entry in node.keywords if entry.arg is not None}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._evaluated(node.left, steps), self._evaluated(node.right, steps)
            if isinstance(left, list) and isinstance(right, list):
                return [*left, *right]
            if isinstance(left, str) and isinstance(right, str):
                return left + right
        raise Unknown

    def _dictionary(self, node: ast.Dict, steps: int) -> dict[object, object]:
        found: dict[object, object] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            known = self._literal_or_none(key, steps) if key is not None else None
            if isinstance(known, str):
                found[known] = self._literal_or_none(value, steps)
        return found

    def _literal_or_none(self, node: ast.expr, steps: int) -> object:
        """Return a part of a value; None for a part that is not a literal. The other parts are kept."""
        try:
            return self._evaluated(node, steps)
        except Unknown:
            return None


def strings(value: object) -> list[str]:
    """Return the strings of a list, or the lines of a string; empty for another value."""
    if isinstance(value, str):
        return [line for line in map(str.strip, value.splitlines()) if line]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
