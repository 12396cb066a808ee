"""The fields that requests and fragments of GraphQL select: https://spec.graphql.org/October2021/#sec-Selection-Sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .declarations import ContractSyntaxError, FieldSelection
from .tokens import TokenReader

#: The types of the fields that requests select first, by the first word of the request.
ROOTS: Final = {"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}
#: Maximum number of fields around a field that are followed.
_MAX_DEPTH: Final = 12


class _Level(NamedTuple):
    """The type at which a path begins, and the fields from the type to a selection."""

    root: str
    path: tuple[str, ...] = ()


def read_selections(reader: TokenReader, root: str) -> Iterator[FieldSelection]:
    """Yield the fields in the braces at the next token, each with its path from the type `root`.

    A fragment with a type, `... on Boat { name }`, begins a path of its own. Fields at great depth, and the fields of the schema
    of schemas such as `__typename`, are left out. Raises ContractSyntaxError.
    """
    line = reader.line
    levels: list[_Level] = []
    inner = _Level(root)
    while True:
        if reader.take("{"):
            levels.append(inner)
        elif reader.take("}"):
            levels.pop()
        elif reader.kind == "name":
            written = reader.next()
            if written.text.startswith("..."):
                inner = _spread(reader, written.text, levels[-1])
                continue
            name = reader.expect("name", "the name of a field").text if reader.take(":") else written.text
            reader.skip_group("(", ")")
            _skip_directives(reader)
            outer = levels[-1]
            inner = _Level(outer.root, (*outer.path, name))
            if len(inner.path) <= _MAX_DEPTH and not name.startswith("__"):
                yield FieldSelection(inner.root, ".".join(inner.path), written.line)
        else:
            raise ContractSyntaxError(reader.line, f"expected a field, but found {reader.text[:40] or 'the end'!r}")
        if not levels:
            return
        if reader.is_done:
            raise ContractSyntaxError(line, "`{` has no `}`")


def _spread(reader: TokenReader, written: str, outer: _Level) -> _Level:
    """Read what follows the dots of a fragment. Return the level of its braces."""
    word = written.removeprefix("...")
    is_typed = word == "on" or (not word and reader.take_word("on") != "")
    root = reader.expect("name", "the name of a type").text if is_typed else ""
    if not is_typed and not word and reader.kind == "name" and not reader.text.startswith("..."):
        reader.next()  # the name of a fragment after a space
    _skip_directives(reader)
    return _Level(root) if root else outer


def _skip_directives(reader: TokenReader) -> None:
    while reader.take("@"):
        reader.expect("name", "the name of a directive")
        reader.skip_group("(", ")")
