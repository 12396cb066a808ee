"""Find members and exports that a document names, that their owner does not have, and that a commit removed.

Other code may still contain the name: in a comment, or as a member of another package.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from ....graphdb.database import GraphDatabase
from ..model.findings import Diagnostic
from ..model.term_history import Place, Term, TermHistory
from .code_in_documents import CodeInDocument
from .document_terms import name_term
from .lost_terms import declared_names, removed_mentions


class MissingMember(NamedTuple):
    """A place in a document that names a member which its owner does not have."""

    place: Place
    column: int
    name: str


def lost_members(
    members: Iterable[MissingMember], graph: GraphDatabase, history: TermHistory, past_or_future: Container[Place]
) -> Iterator[Diagnostic]:
    """Yield a warning for each such member whose name no code declares. `past_or_future` are lines about other times."""
    mentions: dict[Term, list[CodeInDocument]] = {}
    for place, column, name in members:
        if (term := name_term(name)) is not None:
            code = CodeInDocument(*place, column, name, None, place in past_or_future, False)
            mentions.setdefault(term, []).append(code)
    if not mentions:
        return
    declared = declared_names({term.name for term in mentions}, graph)
    undeclared = {term: places for term, places in mentions.items() if term.name not in declared}
    yield from (each.diagnostic() for each in removed_mentions(undeclared, history))
