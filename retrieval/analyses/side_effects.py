"""Side effects of a module: effects of loading the module other than declarations."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.effects import load_effects
from .subject import Analysis, FileSubject, counted, none_of


@dataclass(frozen=True, slots=True)
class SideEffect:
    """One effect of loading the file."""

    #: import (of a module without names), call, iife, assignment (to a name that the file does not declare) or await.
    kind: str
    line: int
    #: First line of the source.
    text: str
    #: Name that is called, assigned to, awaited or imported; None for an immediately invoked function.
    target_name: str | None
    #: Whether the effect is conditional: inside if, a loop, switch or try, or after && or ?.
    is_conditional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEffects(Analysis):
    """The effects of loading a file, in source order."""

    subject: FileSubject
    effects: tuple[SideEffect, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(len(self.effects), 'side effect')} when it is loaded"

    def lines(self) -> list[str]:
        return [
            f"  {each.line}: {each.kind}{', conditional' if each.is_conditional else ''}: {each.text}" for each in self.effects
        ]


def side_effects(graph: GraphDatabase, subject: FileSubject) -> SideEffects:
    """Return the effects of loading a file. The bodies of functions do not count."""
    if subject.nothing is not None:
        return SideEffects(subject=subject, nothing=subject.nothing)
    effects = tuple(
        SideEffect(each.kind, each.line, each.text, each.target or None, each.conditional)
        for each in load_effects(graph, subject.paths)
    )
    empty = none_of(subject, "Loading it only declares. Calls that give names of the file their values do not count.")
    return SideEffects(subject=subject, effects=effects, nothing=None if effects else empty)
