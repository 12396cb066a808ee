"""The rules of excerpts for a grammar, as a record that each language fills in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import Role

if TYPE_CHECKING:
    from tree_sitter import Node

#: No node types.
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ExcerptSyntax:
    """Types of syntax nodes, grouped by their meaning for excerpts.

    Children of nodes of other types belong to the region around them.
    """

    #: Role of each type of node that is a region.
    roles: Mapping[str, Role]
    #: Types of declarations whose blocks are bodies, so that excerpts may show only the signatures.
    declarations: Collection[str] = NONE
    #: Types of regions whose delimiters belong to the parent node: blocks of Python, bodies in Ruby.
    bare: Collection[str] = NONE
    #: Types of regions that may have no brackets, such as elements of markup; such a region has the lines of its node. Other
    #: regions without brackets are skipped, so their contents belong to the enclosing region.
    unbracketed: Collection[str] = NONE
    #: Types of regions that begin after a colon and end where the next region begins: cases of a `switch`.
    labelled: Collection[str] = NONE
    #: Types of nodes that end with an expression. The expression may begin on a later line.
    tails: Collection[str] = NONE
    #: Types of nodes that belong to the next node: decorators and attributes.
    prefixes: Collection[str] = NONE
    #: Types of nodes whose children are parts of the enclosing region.
    wrappers: Collection[str] = NONE
    #: Types of the nodes of single variables in a statement with the role `DECLARATORS`.
    declarators: Collection[str] = NONE
    #: Types of nodes with plain text and blanks.
    texts: Collection[str] = NONE
    #: Types of regions whose parts may be separated only by line ends.
    line_separated: Collection[str] = NONE
    #: Text after a signature that replaces the body of a declaration.
    bodiless: str = ";"
    #: A statement that does nothing; "" if a block may be empty.
    empty_statement: str = ""
    #: Reads the import statements in a tree and its bytes; None if excerpts show import statements unchanged.
    imports: Callable[[Node, bytes], Iterable[ImportClause]] | None = None
    #: Text that is put before a part of a file, so that the grammar can read the part.
    preamble: str = ""


#: Rules for a language without roles of nodes, whose statements excerpts show completely.
SHOWN_WHOLE = ExcerptSyntax({})


def roles(
    *,
    blocks: str = "",
    members: str = "",
    lists: str = "",
    groups: str = "",
    fixed: str = "",
    declarators: str = "",
) -> dict[str, Role]:
    """Return the role of each type of node. Each argument lists types of nodes, separated by spaces."""
    named = {
        Role.BLOCK: blocks,
        Role.MEMBERS: members,
        Role.LIST: lists,
        Role.GROUP: groups,
        Role.FIXED: fixed + " ERROR",
        Role.DECLARATORS: declarators,
    }
    return {name: role for role, names in named.items() for name in names.split()}
