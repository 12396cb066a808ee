"""Run the statement of a chain, find the sets that are not in the graph, and say why a chain gives nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ....graphdb.queries.calls import UnresolvedSites, unresolved_sites_named
from ....graphdb.scopes.fields import TABLES
from ....graphdb.scopes.plan import Combine, Exclude, Given, Kind, Named, Plan, Slice, Step, Test, Where
from ....graphdb.scopes.statement import Statement, count_of, fields_of, keys_of, kind_after
from ....graphdb.scopes.steps import step_rule
from ....retrieval.analyses.subject import unresolved_note
from ....retrieval.lookup.lookup import names_near
from ....schema.languages import PARTLY_RESOLVED, WITH_KNOWN_USES, language_of

if TYPE_CHECKING:
    from ....graphdb.database import GraphDatabase
    from ..workspace import Workspace

#: Values that a message suggests.
_SUGGESTED = 12
#: Symbols whose names are asked for, to learn whether they have one name.
_FEW = 50


class Nothing(msgspec.Struct, frozen=True, rename="camel"):
    """Why a chain gives nothing."""

    #: The part of the chain behind which nothing is left.
    after: str
    #: none: the code has no such thing. unresolved: there may be some, which are not known. filtered: no node fulfils the filter.
    #: absent: what the chain begins with does not exist.
    reason: str
    message: str


class Written(msgspec.Struct, frozen=True):
    """A call of a chain as it is written, and how many operations the chain has with it."""

    text: str
    operations: int


Builder = Callable[[Callable[[Given], Sequence[str]]], Statement]


class Runner:
    """Runs the statements of one chain on one generation. A set from outside of the graph is found once."""

    def __init__(self, workspace: Workspace, graph: GraphDatabase) -> None:
        self._workspace = workspace
        self._graph = graph
        self._known: dict[Given, Sequence[str]] = {}

    def run(self, build: Builder) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        text, parameters = build(self.members)
        return self._graph.query(text, parameters, timeout=self._workspace.settings.query_timeout).rows

    def count(self, plan: Plan) -> int:
        """Return the number of nodes of a chain."""
        return int(self.run(lambda resolve: count_of(plan, resolve))[0][0])

    def members(self, given: Given) -> Sequence[str]:
        """Return the members of a set that is not in the graph."""
        if given not in self._known:
            from .given_sets import members_of

            self._known[given] = members_of(self._workspace, self._graph, given)
        return self._known[given]

    def nothing(self, plan: Plan, written: Sequence[Written]) -> Nothing:
        """Return why a chain without nodes has none: the first part behind which nothing is left."""
        for place, part in enumerate(written):
            shorter = Plan(plan.source, plan.operations[: part.operations])
            if place == len(written) - 1 or not self.count(shorter):
                before = Plan(plan.source, plan.operations[: written[place - 1].operations]) if place else Plan(plan.source)
                added = plan.operations[len(before.operations) : part.operations]
                return self._reason(part.text, before, shorter, added, is_first=place == 0)
        raise ValueError("a chain without parts")

    def _reason(self, text: str, before: Plan, plan: Plan, added: Sequence[object], *, is_first: bool) -> Nothing:
        kind = kind_after(before)
        if self._total(kind) == 0:
            return Nothing(text, "absent", f"The index has no {kind}s.")
        stepped = [operation for operation in added if isinstance(operation, Step)]
        if stepped:
            return self._no_edges(text, before, stepped[0])
        tests = [test for each in added if isinstance(each, Where) for test in each.conditions if isinstance(test, Test)]
        unknown = next((test for test in tests if self._unknown_value(kind, test)), None)
        if unknown is not None:
            known = self._values(kind, unknown.field)
            return Nothing(text, "absent", f"No {kind} has the {unknown.field} {unknown.value!r}. There are: {', '.join(known)}.")
        if isinstance(added[0] if added else None, Combine):
            return Nothing(text, "none", f"{text} leaves nothing of {self.count(before):,} {kind}s.")
        if isinstance(added[0] if added else None, Exclude):
            return Nothing(text, "filtered", f"{text} excludes all {self.count(before):,} {kind}s.")
        named = [each for where in added if isinstance(where, Where) for each in where.conditions if isinstance(each, Named)]
        if named and is_first:
            near = names_near(self._graph, (named[0].names or (named[0].written,))[-1])
            hint = " or ".join(f'"{symbol.qualified_name}" ({symbol.relative_path}:{symbol.start_line})' for symbol in near)
            return Nothing(text, "absent", f"No symbol has this name: {text}.{f' Did you mean {hint}?' if hint else ''}")
        which = f"No {kind} of the index" if is_first else f"None of the {self.count(before):,} {kind}s before it"
        return Nothing(text, "absent" if is_first else "filtered", f"{which} fulfils {text}.")

    def _no_edges(self, text: str, before: Plan, step: Step) -> Nothing:
        """Return why a step leads nowhere: of code that is not resolved, a missing edge means nothing."""
        kind = kind_after(before)
        rule = step_rule(kind, step.name)
        count = self.count(before)
        of = f"of the {kind}" if count == 1 else f"of the {count:,} {kind}s"
        if not rule.is_resolved:
            return Nothing(text, "none", f"There are no {rule.noun} {of}.")
        if (sites := self._unresolved_sites(before, step.name)) is not None:
            return Nothing(text, "unresolved", f"No {rule.noun} {of} are known. {unresolved_note(sites)}")
        languages = {language_of(path) or "" for path in self._paths(before)} - WITH_KNOWN_USES - {""}
        if not languages:
            return Nothing(text, "none", f"There are no {rule.noun} {of}: all uses in its language are known.")
        named = " and ".join(sorted(languages))
        if languages <= PARTLY_RESOLVED:
            return Nothing(
                text, "unresolved", f"No {rule.noun} {of} are known, but there may be some: {named} is resolved in part."
            )
        return Nothing(text, "unresolved", f"No {rule.noun} {of} are known: of {named} the index has an outline, without edges.")

    def _unresolved_sites(self, plan: Plan, step: str) -> UnresolvedSites | None:
        """Return the call sites of a symbol's name that are not resolved, and may be what a step did not find."""
        if step not in ("callers", "dependants", "tests"):
            return None
        found = self.run(lambda resolve: fields_of(plan.then(Slice(_FEW, 0)), ("name",), resolve))
        names = {name for (name,) in found}
        return unresolved_sites_named(self._graph, names).get(names.pop()) if len(names) == 1 else None

    def _paths(self, plan: Plan) -> list[str]:
        files = plan.then(Step("file"))
        return [path for (path,) in self.run(lambda resolve: keys_of(files, resolve))]

    def _total(self, kind: Kind) -> int:
        return int(self._graph.query(f"MATCH (n:{TABLES[kind]}) RETURN count(*)").rows[0][0])

    def _unknown_value(self, kind: Kind, test: Test) -> bool:
        return test.field in ("kind", "language") and test.operator == "eq" and test.value not in self._values(kind, test.field)

    def _values(self, kind: Kind, field: str) -> list[str]:
        table = "File" if field == "language" else TABLES[kind]
        rows = self._graph.query(f"MATCH (n:{table}) RETURN n.{field}, count(*) AS c ORDER BY c DESC, n.{field}").rows
        return [value for value, _ in rows][: _SUGGESTED if field == "language" else None]
