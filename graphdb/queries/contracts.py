"""The code that implements the operations of contracts, and the operations that a function implements."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids


class ContractLink(msgspec.Struct, frozen=True, gc=False):
    """An operation of a contract and the code that implements it.

    `IMPLEMENTED_BY` in `graph.cypher` documents the last properties.
    """

    symbol_id: str
    #: Whether the requested symbol is the operation; otherwise it is the implementer.
    is_operation: bool
    #: Name, path and line of the symbol at the other end.
    other: str
    other_path: str
    other_line: int
    framework: str
    evidence: str
    text: str
    path: str
    line: int

    @property
    def sentence(self) -> str:
        """A sentence that names the symbol at the other end, with its path and line."""
        verb = "Implemented by" if self.is_operation else "Implements"
        place = f"{self.path}:{self.line}" if self.line else self.path
        return (
            f"{verb} {self.other} ({self.other_path}:{self.other_line}): {self.framework}, {self.text} ({place}, {self.evidence})"
        )


def contract_links(database: GraphDatabase, ids: Iterable[str]) -> list[ContractLink]:
    """Return the implementers of each symbol that is an operation, and the operations that each other symbol implements.

    The links are sorted by path and line of the symbol at the other end.
    """
    wanted = list(ids)
    found: list[ContractLink] = []
    for arrow, is_operation in (("-[i:IMPLEMENTED_BY]->", True), ("<-[i:IMPLEMENTED_BY]-", False)):
        statement = f"""
            MATCH (s:Symbol){arrow}(o:Symbol) WHERE s.id IN $ids
            RETURN s.id, o.qualifiedName, o.relativePath, o.declarationLine, i.framework, i.evidence, i.text, i.path, i.line"""
        found += [ContractLink(row[0], is_operation, *row[1:]) for row in rows_for_ids(database, statement, wanted)]
    return sorted(found, key=lambda link: (link.other_path, link.other_line))
