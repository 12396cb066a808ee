"""The Details section: one block per result with its kind, signature, types, heritage and members."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from ...schema.languages import is_resolved_path
from ...schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS
from .result_context import GraphSymbol, ResultStructure, TypeName

INDENT = "    "
#: Maximum number of names in a list. Some functions have hundreds of callers.
MAX_NAMES = 12
MAX_MEMBERS = 30
#: Maximum number of characters of a signature. Some types are pages long.
MAX_SIGNATURE_LENGTH = 240
#: Matches a name or a type in a signature. A signature without names and types, such as `async () =>`, is not shown.
_TELLING = re.compile(r"\b(?!(?:async|function)\b)[A-Za-z_$][\w$]*")
#: Signature of an arrow function without a return type.
_ARROW_FUNCTION = re.compile(r"[^(]*\s=\s*(?:async\s*)?[<(].*\)$", re.DOTALL)
#: Minimum number of successive types of one file for which the list names the file only once.
_MIN_SAME_FILE = 3


def detail_block(result: ResultStructure, number: int | None) -> list[str]:
    """Return the lines about a result with its number, from 1.

    The number None means a single result, whose calls are listed, too.
    """
    heading = f"{result.symbol.label} — {result.place or result.symbol.path}"
    lines = [heading if number is None else f"[{number}] {heading}", INDENT + _traits(result)]
    if result.symbol.kind in CALLABLE_KINDS and _TELLING.search(result.signature):
        lines.append(f"{INDENT}Signature: {_shortened(_with_arrow(result.signature))}")
    if result.value:
        lines.append(f"{INDENT}Type: {result.value}")
    if result.state:
        lines.append(f"{INDENT}In the database: {result.state}")
    lines += named_list("Extends", (_type_text(base, result) for base in result.extends))
    lines += named_list("Implements", (_type_text(base, result) for base in result.implements))
    if number is None:
        lines += named_list("Calls", _calls(result))
        lines += named_list("Called by", dict.fromkeys(_symbol_text(caller, result) for caller in result.callers))
    lines += _type_flow(result)
    if result.symbol.kind in MEMBER_KINDS:
        lines += named_list("Members", result.members, MAX_MEMBERS)
    lines += _unknown(result)
    return lines


def _traits(result: ResultStructure) -> str:
    """Return the traits of a result, such as `async method | exported | refs: 8 files`."""
    parts = [" ".join((*result.modifiers, result.symbol.kind))]
    if result.exported:
        parts.append("exported")
    count = result.reference_files
    if count:
        parts.append(f"refs: {count} file{'' if count == 1 else 's'}")
    elif result.symbol.kind != "expression" and "callback" not in result.modifiers and is_resolved_path(result.symbol.path):
        # `refs: none` is left out for anonymous symbols and in syntax-only languages, where references are not known.
        parts.append("refs: none")
    return " | ".join(parts)


def _with_arrow(signature: str) -> str:
    """Append `=>` to an arrow function without a return type, so that `const load = (id)` does not look cut off."""
    return f"{signature} =>" if _ARROW_FUNCTION.match(signature) else signature


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SIGNATURE_LENGTH else text[:MAX_SIGNATURE_LENGTH].rstrip() + " …"


def named_list(title: str, items: Iterable[str], most: int = MAX_NAMES) -> list[str]:
    """Return the line `    Title: a, b, c, … 4 more`, or no line if there are no items."""
    names = list(items)
    if not names:
        return []
    shown = ", ".join(names[:most])
    more = len(names) - most
    return [f"{INDENT}{title}: {shown}{f', … {more} more' if more > 0 else ''}"]


def _calls(result: ResultStructure) -> Iterable[str]:
    found = [(use.line, use.column, _symbol_text(_class_of(use.target), result)) for use in result.uses if use.is_call]
    found += [(use.line, use.column, use.label) for use in result.external_uses]
    return dict.fromkeys(text for *_, text in sorted(found))


def _class_of(symbol: GraphSymbol) -> GraphSymbol:
    """Return the class of a constructor, because `new C()` reads as a call of C. Any other symbol is returned unchanged."""
    if symbol.kind != "constructor":
        return symbol
    return replace(symbol, label=symbol.label.removesuffix(".constructor"))


def _symbol_text(symbol: GraphSymbol, result: ResultStructure) -> str:
    """Return a symbol with its path, unless the result has the same path."""
    return symbol.label if symbol.path == result.symbol.path else f"{symbol.label} ({symbol.path})"


def _type_text(named: TypeName, result: ResultStructure) -> str:
    """Return a type with its origin, unless the origin is the file of the result."""
    return f"{named.name} ({named.origin})" if named.origin not in ("", result.symbol.path) else named.name


def _type_flow(result: ResultStructure) -> list[str]:
    flows = [("in", result.types_in), ("out", result.types_out)]
    parts = [f"Types {way}: {_listed(names, result)}" for way, names in flows if names]
    return [INDENT + " | ".join(parts)] if parts else []


def _listed(names: Sequence[TypeName], result: ResultStructure) -> str:
    more = len(names) - MAX_NAMES
    parts: list[str] = []
    for _, group in groupby(names[:MAX_NAMES], lambda named: named.origin):
        of_one_origin = list(group)
        if len(of_one_origin) < _MIN_SAME_FILE or not of_one_origin[0].id:
            parts += [_type_text(named, result) for named in of_one_origin]
        else:
            *others, last = of_one_origin
            parts += [", ".join(named.name for named in others), _type_text(last, result)]
    return ", ".join(parts) + (f", … {more} more" if more > 0 else "")


def _unknown(result: ResultStructure) -> list[str]:
    """Return a line with the number of unresolved calls of the result's name. Each of them may be a call of the result."""
    sites = result.unresolved
    if sites is None:
        return []
    calls = "call" if sites.sites == 1 else "calls"
    places = "place" if sites.callers == 1 else "places"
    return [f"{INDENT}Unknown: {sites.sites} unresolved {calls} of “{sites.name}” in {sites.callers} {places} may mean this one"]
