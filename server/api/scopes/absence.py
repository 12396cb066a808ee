"""Reasons why a chain has no result: the first part without results, and the kind of the reason."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeGuard

from ....graphdb.queries.calls import UnresolvedSites, unresolved_sites_named
from ....graphdb.scopes.fields import TABLES
from ....graphdb.scopes.plan import Combine, Condition, Exclude, Kind, Named, Plan, Slice, Step, TableNamed, Test, Titled, Where
from ....graphdb.scopes.statement import fields_of, kind_after, values_of
from ....graphdb.scopes.steps import step_rule
from ....retrieval.analyses.subject import unresolved_note
from ....retrieval.lookup.lookup import names_near
from ....schema.languages import PARTLY_RESOLVED, WITH_KNOWN_USES, language_of_indexed
from .running import Nothing, Written

if TYPE_CHECKING:
    from .running import Runner

#: Maximum number of values that a message suggests.
_SUGGESTED = 12
#: Maximum number of similar names that a message suggests.
_NEAR = 3
#: Maximum number of nodes that are examined for a name that all of them have, or for ambiguous names.
_MAX_EXAMINED = 50


def nothing(runner: Runner, plan: Plan, written: Sequence[Written]) -> Nothing:
    """Return the reason why a chain has no nodes."""
    for place, part in enumerate(written):
        shorter = Plan(plan.source, plan.operations[: part.operations])
        if place == len(written) - 1 or not runner.count(shorter):
            before = Plan(plan.source, plan.operations[: written[place - 1].operations]) if place else Plan(plan.source)
            return _Reasons(runner, part.text, is_first=place == 0).of(before, shorter)
    raise ValueError("a chain without parts")


class _Reasons:
    """Finds the reason for one call of a chain."""

    def __init__(self, runner: Runner, text: str, *, is_first: bool) -> None:
        self._runner = runner
        self._text = text
        self._is_first = is_first

    def of(self, before: Plan, plan: Plan) -> Nothing:
        """Return the reason why a call has no result, if the chain before the call has nodes."""
        kind = kind_after(before)
        if not self._runner.count(Plan(kind)):
            return self._is("absent", f"The index has no {kind}s.")
        added = plan.operations[len(before.operations) :]
        for operation in added:
            if not isinstance(operation, Step):
                break
            reached = before.then(operation)
            if not self._runner.count(reached):
                return self._no_edges(before, operation)
            before = reached
        return self._no_match(before, plan.operations[len(before.operations) :])

    def _is(self, reason: str, message: str) -> Nothing:
        return Nothing(self._text, reason, message)

    # Filters and sets

    def _no_match(self, before: Plan, added: Sequence[object]) -> Nothing:
        kind = kind_after(before)
        conditions = [each for where in added if isinstance(where, Where) for each in where.conditions]
        for test in conditions:
            if isinstance(test, Test) and self._has_unknown_value(kind, test):
                known = ", ".join(self._values(kind, test.field))
                return self._is("absent", f"No {kind} has the {test.field} {test.value!r}. There are: {known}.")
        if added and isinstance(added[0], Combine):
            return self._is("none", f"{self._text} leaves nothing of {self._runner.count(before):,} {kind}s.")
        if added and isinstance(added[0], Exclude):
            return self._is("filtered", f"{self._text} excludes all {self._runner.count(before):,} {kind}s.")
        for condition in conditions:
            if (called := self._no_such_name(before, condition)) is not None:
                return called
        which = f"No {kind} of the index" if self._is_first else f"None of the {self._runner.count(before):,} {kind}s before it"
        hint = "".join(
            _similar_names_question(self._similar_values(before, "path", str(each.value)))
            for each in conditions
            if _is_path(each, kind)
        )
        return self._is("absent" if self._is_first else "filtered", f"{which} fulfils {self._text}.{hint}")

    def _no_such_name(self, before: Plan, condition: Condition) -> Nothing | None:
        """Return the reason "no node has this name", with similar names as suggestions; None if the condition has no name."""
        kind = kind_after(before)
        if isinstance(condition, Named) and self._is_first:
            symbols = names_near(self._runner.graph, (condition.names or (condition.written,))[-1])
            near = [f'"{symbol.qualified_name}" ({symbol.relative_path}:{symbol.start_line})' for symbol in symbols]
            return self._has_no_name(kind, near)
        if isinstance(condition, TableNamed):
            return self._has_no_name(kind, self._similar_values(before, "name", condition.name))
        if isinstance(condition, Titled):
            return self._has_no_name(kind, self._similar_values(before, "name", condition.title))
        return None

    def _has_no_name(self, kind: Kind, near: Sequence[str]) -> Nothing:
        return self._is("absent", f"No {kind} has this name: {self._text}.{_similar_names_question(near)}")

    def _similar_values(self, plan: Plan, field: str, wanted: str) -> list[str]:
        """Return the values of a field that are similar to a text, in quotes."""
        rows = self._runner.run(lambda resolve: values_of(plan, field, resolve))
        values = {str(value).lower(): str(value) for (value,) in rows}
        lowered = wanted.lower()
        same_end = [key for key in values if key.endswith(f"/{lowered.rpartition('/')[2]}")] if field == "path" else []
        found = dict.fromkeys([*sorted(same_end, key=len), *get_close_matches(lowered, list(values), _NEAR)])
        return [f'"{values[key]}"' for key in list(found)[:_NEAR]]

    def _has_unknown_value(self, kind: Kind, test: Test) -> bool:
        return test.field in ("kind", "language") and test.operator == "eq" and test.value not in self._values(kind, test.field)

    def _values(self, kind: Kind, field: str) -> list[str]:
        table = "File" if field == "language" else TABLES[kind]
        rows = self._runner.graph.query(f"MATCH (n:{table}) RETURN n.{field}, count(*) AS c ORDER BY c DESC, n.{field}").rows
        return [value for value, _ in rows][: _SUGGESTED if field == "language" else None]

    # Steps

    def _no_edges(self, before: Plan, step: Step) -> Nothing:
        """Return the reason why a step has no result. In unresolved code, a missing edge is no evidence."""
        kind = kind_after(before)
        rule = step_rule(kind, step.name)
        count = self._runner.count(before)
        of = f"of the {kind}" if count == 1 else f"of the {count:,} {kind}s"
        if rule.partly_known:
            return self._is("unresolved", f"No {rule.noun} {of} are known. {rule.partly_known}")
        if "MENTIONS" in rule.pattern and (names := self._ambiguous_names(before)):
            listed = ", ".join(f"`{name}`" for name in names)
            note = f"Several symbols have a name that is written there: {listed}."
            return self._is("unresolved", f"No {rule.noun} {of} are known. {note}")
        if not rule.is_resolved:
            return self._is("none", f"There are no {rule.noun} {of}.")
        if (sites := self._unresolved_sites(before, step.name)) is not None:
            return self._is("unresolved", f"No {rule.noun} {of} are known. {unresolved_note(sites)}")
        languages = {language_of_indexed(path) or "" for path in self._runner.paths(before)} - WITH_KNOWN_USES - {""}
        if not languages:
            return self._is("none", f"There are no {rule.noun} {of}: all uses in its language are known.")
        named = " and ".join(sorted(languages))
        if languages <= PARTLY_RESOLVED:
            return self._is("unresolved", f"No {rule.noun} {of} are known, but there may be some: {named} is resolved in part.")
        return self._is("unresolved", f"No {rule.noun} {of} are known: of {named} the index has an outline, without edges.")

    def _ambiguous_names(self, plan: Plan) -> list[str]:
        """Return a few ambiguous names from the selected parts of documents: names that several symbols have."""
        if TABLES[kind_after(plan)] != "Symbol":
            return []
        keys = self._runner.keys(plan.then(Slice(_MAX_EXAMINED, 0)))
        text = (
            "MATCH (n:Symbol)-[m:MENTIONS]->(u:UnresolvedSpecifier) WHERE n.id IN $keys AND m.reason = 'ambiguous' "
            f"RETURN DISTINCT u.specifier ORDER BY u.specifier LIMIT {_NEAR}"
        )
        return [name for (name,) in self._runner.graph.query(text, {"keys": keys}).rows]

    def _unresolved_sites(self, plan: Plan, step: str) -> UnresolvedSites | None:
        """Return the unresolved call sites with the name of the symbol; each may stand for a missing edge of the step."""
        if step not in ("callers", "dependants", "tests"):
            return None
        found = self._runner.run(lambda resolve: fields_of(plan.then(Slice(_MAX_EXAMINED, 0)), ("name",), resolve))
        names = {name for (name,) in found}
        return unresolved_sites_named(self._runner.graph, names).get(names.pop()) if len(names) == 1 else None


def _similar_names_question(near: Sequence[str]) -> str:
    """Return a question that suggests similar names; "" if there are none."""
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _is_path(condition: Condition, kind: Kind) -> TypeGuard[Test]:
    """Return whether a condition compares the path of a file."""
    is_path = isinstance(condition, Test) and condition.field == "path" and condition.operator == "eq"
    return is_path and TABLES[kind] == "File"
