"""Resolves the links in doc comments: `{@link Cart.total}`, `:func:`, `[text](name)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...schema.languages import language_of
from ...schema.paths import common_start, parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS, TYPE_KINDS
from ..documents.names import CodeName, read_name
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from .member_types import MemberTypes
from .mentioned import Target, ambiguous
from .named_declarations import NamedDeclarations, is_named

_CONSTRUCTOR: Final = "constructor"


def commented(
    mention: MentionFact,
    path: str,
    facts: FileFacts,
    symbols: Sequence[Symbol],
    names: NamedDeclarations,
    types: MemberTypes,
) -> Iterator[Target]:
    """Yield the target of a link in a doc comment: the nearest declaration with the name.

    A link to something outside of the repository yields nothing.
    """
    name = read_name(mention.text.replace("#", ".").strip("."))
    if name is None:
        return
    parts = tuple(part for part in name.parts if part not in ("crate", "self", "super", "Self"))
    if not parts:
        return
    own = [each for each in symbols if each.kind not in STATEMENTS and is_named(each, parts)]
    if any(each.kind in TYPE_KINDS for each in own) and not mention.text.startswith("#"):
        own = [each for each in own if each.kind != _CONSTRUCTOR]
    around = symbols[mention.symbol].qualified_name.split(".")
    best = max((_common_names(each.qualified_name.split("."), around) for each in own), default=0)
    near = [each for each in own if _common_names(each.qualified_name.split("."), around) == best]
    if not near:
        found = names.candidates(CodeName(parts, True))
        if found is None:
            return
        beside = [each for each in found if parent_of(each.relative_path) == parent_of(path)]
        imported = [each for each in found if _is_imported(each, facts)]
        near = beside or imported or (found if len(parts) > 1 or name.has_compound_end else [])
        near = [each for each in near if language_of(each.relative_path) == language_of(path)]
    if not near and (member := _inherited(parts, symbols[mention.symbol], names, types)) is not None:
        near = [member]
    distinct = {each.qualified_name: each for each in near}
    if len(distinct) == 1:
        [(_, symbol)] = distinct.items()
        yield Target(symbol.id, "symbol", "link")
    elif distinct:
        yield ambiguous(".".join(parts), "link", near)


def _inherited(parts: Sequence[str], around: Symbol, names: NamedDeclarations, types: MemberTypes) -> Symbol | None:
    """Return the inherited member that a link names: of the type before the member, or of the type around the link."""
    if len(parts) > 1:
        owner = types.type_named(parts[-2], around)
    else:
        owner = around if around.kind in TYPE_KINDS else names.owner(around)
    return types.inherited(owner, parts[-1]) if owner is not None and owner.kind in TYPE_KINDS else None


def _common_names(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many enclosing names two qualified names share, counted from the outermost name."""
    return common_start(one[:-1], other)


def _is_imported(symbol: Symbol, facts: FileFacts) -> bool:
    """Return whether a file imports a symbol, or the module that declares the symbol, by its dotted name."""
    module = symbol.relative_path.rpartition(".")[0].replace("/", ".")
    names = {entry.specifier.strip(".").replace("/", ".") for entry in facts.imports if entry.specifier.strip(".")}
    return any(f".{module}".endswith((f".{name}", f".{name}.{symbol.name}")) for name in names)
