"""Write the conditions of a chain: filters, and whether another chain contains a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ...schema.errors import UsageError
from ...schema.symbol_kinds import DOCUMENT_KINDS
from .fields import KEYS, PARTS, TABLES, condition_of, field_of
from .plan import (
    Condition,
    DerivesFrom,
    Exclude,
    Given,
    Kind,
    Named,
    Operation,
    Plan,
    Step,
    TableNamed,
    Test,
    Titled,
    Untested,
    Where,
    Wired,
    Within,
)
from .steps import StepRule, step_rule

#: Maximum number of steps in the second chain of a set operation.
MAX_COMBINED_STEPS = 3
_TEST_USES = "CALLS|REFERENCES|WIRED"


class Resolver(Protocol):
    """Provides the data that a statement needs besides the chain."""

    def members(self, given: Given) -> Sequence[str]:
        """Return the members of a set that is computed outside of the graph: paths of files, places of symbols, or keys of
        nodes.
        """

    def symbol_depth(self) -> int:
        """Return the greatest depth of a symbol in the graph; 0 if all symbols are at the roots of their files."""


class ConditionWriter:
    """Writes conditions on nodes as Cypher, with values as parameters."""

    def __init__(self, resolve: Resolver) -> None:
        self._resolve = resolve
        self._parameters: dict[str, Any] = {}
        self._names = 0

    def _membership(self, plan: Plan, node: str) -> str:
        """Return the condition that a node is in the result of a chain.

        Raises UsageError for a chain that no condition can express.
        """
        steps = [operation for operation in plan.operations if isinstance(operation, Step)]
        if (
            any(not isinstance(operation, Where | Exclude | Step) for operation in plan.operations)
            or len(steps) > MAX_COMBINED_STEPS
        ):
            raise UsageError(
                f"The second part of a set operation has filters and at most {MAX_COMBINED_STEPS} steps, "
                "without order, limits and further set operations. Put the longer part first."
            )
        if any(step.depth > 1 for step in steps):
            raise UsageError("In the second part of a set operation a step has depth 1. Put the deeper part first.")
        moves = [step for step in self._rules(plan) if not step.is_same_node]
        if moves:
            return self._existing_chain(plan, len(moves), node)
        conditions, kind = self._part(plan.source, node), plan.source
        for operation in plan.operations:
            if isinstance(operation, Step):
                kind = step_rule(kind, operation.name).target
                conditions += self._part(kind, node)
            else:
                conditions.append(self._operation(operation, node, kind))
        return " AND ".join(conditions) if conditions else f"{node}.{KEYS[plan.source]} IS NOT NULL"

    def _rules(self, plan: Plan) -> list[StepRule]:
        rules, kind = [], plan.source
        for operation in plan.operations:
            if isinstance(operation, Step):
                rules.append(step_rule(kind, operation.name))
                kind = rules[-1].target
        return rules

    def _part(self, kind: Kind, node: str) -> list[str]:
        """Return the condition for a kind whose table also has nodes of other kinds; an empty list for all other kinds."""
        return [PARTS[kind].format(n=node)] if kind in PARTS else []

    def _part_after(self, rule: StepRule, before: str, after: str) -> list[str]:
        """Return the condition that the end of a step has the target kind of the step; an empty list if all ends have it."""
        return [f"id({after}) <> id({before})"] if rule.leads_to_kind else self._part(rule.target, after)

    def _existing_chain(self, plan: Plan, moves: int, node: str) -> str:
        """Return the condition that a node is in the result of a chain with steps to other nodes.

        Conditions on the node are outside of the subquery, because the engine fails on some conditions in two nested subqueries.
        """
        kind, current = plan.source, self._new_name("e")
        patterns, inside, outside = [f"({current}:{TABLES[kind]})"], self._part(kind, current), list[str]()
        for operation in plan.operations:
            conditions = outside if current == node else inside
            if not isinstance(operation, Step):
                conditions.append(self._operation(operation, current, kind))
                continue
            rule = step_rule(kind, operation.name)
            before, kind = current, rule.target
            if rule.is_same_node:
                conditions += self._part(kind, current)
                continue
            moves -= 1
            current = node if moves == 0 else self._new_name("e")
            named = f"({current})" if moves == 0 else f"({current}:{TABLES[kind]})"
            if rule.pattern:
                patterns.append(f"({before}){rule.pattern.format(n=current)}{named}")
                inside += self._along(rule, current)
            else:
                patterns += [] if moves == 0 else [named]
                inside.append(f"{current}.relativePath = {before}.relativePath")
            reached = outside if current == node else inside
            reached += [*self._part(kind, current), *self._kept(rule, current)]
        where = f" WHERE {' AND '.join(inside)}" if inside else ""
        return " AND ".join([f"EXISTS {{ MATCH {', '.join(patterns)}{where} }}", *outside])

    def _along(self, rule: StepRule, node: str) -> list[str]:
        """Return the condition on the nodes between the ends of a step; `node` is the last node."""
        return [rule.along.format(n=node)] if rule.along else []

    def _kept(self, rule: StepRule, node: str) -> list[str]:
        """Return the conditions on the nodes at the end of a step."""
        tests = [self._in_file(node, "{f}.isTest")] if rule.in_tests else []
        return [*tests, rule.keeps.format(n=node)] if rule.keeps else tests

    def _operation(self, operation: Operation, node: str, kind: Kind) -> str:
        """Return a filter as a condition on a node."""
        if not isinstance(operation, Where | Exclude):
            raise TypeError(f"not a filter: {operation}")
        joined = " AND ".join(self._condition(each, node, kind) for each in operation.conditions)
        return f"NOT ({joined})" if isinstance(operation, Exclude) else f"({joined})"

    def _condition(self, condition: Condition, node: str, kind: Kind) -> str:
        match condition:
            case Test():
                return self._test(condition, node, kind)
            case Named():
                return self._named(condition, node)
            case DerivesFrom(edge, name):
                return self._derived_type_condition(edge, name, node)
            case TableNamed(name, file):
                return self._table_named(name, file, node)
            case Titled(title, after_colon):
                return self._titled(title, after_colon, node)
            case Within(module):
                return self._within(module, node)
            case Wired(role):
                value, edge = self._parameter(role), self._new_name("w")
                return f"EXISTS {{ MATCH ({node})<-[{edge}:WIRED]-() WHERE {edge}.role = {value} }}"
            case Given():
                return self._given(condition, node, kind)
            case Untested(depth):
                return self._untested(depth, node)

    def _test(self, test: Test, node: str, kind: Kind) -> str:
        field = field_of(kind, test.field)
        other = self._new_name("f") if field.pattern else ""
        condition = condition_of(test, field.type, field.expression.format(n=node, o=other), self._parameter)
        if not field.pattern:
            return condition
        joined = f"{field.joined_by.format(n=node, o=other)} AND {condition}" if field.joined_by else condition
        return f"EXISTS {{ MATCH {field.pattern.format(n=node, o=other)} WHERE {joined} }}"

    def _in_file(self, node: str, flag: str) -> str:
        """Return the condition that a symbol's file has a flag."""
        file = self._new_name("f")
        condition = flag.format(f=file)
        return f"EXISTS {{ MATCH ({file}:File) WHERE {file}.relativePath = {node}.relativePath AND {condition} }}"

    def _derived_type_condition(self, edge: str, name: str, node: str) -> str:
        value = self._parameter(name)
        inside, outside = self._new_name("b"), self._new_name("b")
        named = (
            f"{outside}.name = {value} OR {outside}.name ENDS WITH concat('.', {value}) "
            f"OR concat({outside}.package, '.', {outside}.name) = {value}"
        )
        package, _, member = name.rpartition(".")
        if package:
            # `React.Component` matches the exports `default.Component` and `Component` of the package `npm:react`.
            of_package = [
                f"lower({outside}.package) ENDS WITH {self._parameter(f'{mark}{package.lower()}')}" for mark in (":", "/")
            ]
            last = self._parameter(member)
            exported = f"{outside}.name = {last} OR {outside}.name = concat('default.', {last})"
            named += f" OR ({' OR '.join(of_package)}) AND ({exported})"
        return (
            f"(EXISTS {{ MATCH ({node})-[:{edge}]->({inside}:Symbol) WHERE {inside}.name = {value} "
            f"OR {inside}.qualifiedName = {value} }} OR EXISTS {{ MATCH ({node})-[:{edge}]->({outside}:External) "
            f"WHERE {named} }})"
        )

    def _table_named(self, name: str, file: str, node: str) -> str:
        value, event = self._parameter(name.lower()), self._new_name("e")
        renamed = f"EXISTS {{ MATCH ({node})-[{event}:CHANGED_IN]->(:File) WHERE lower({event}.name) = {value} }}"
        named = f"(lower({node}.name) = {value} OR lower({node}.qualifiedName) = {value} OR {renamed})"
        return f"{named} AND {node}.relativePath = {self._parameter(file)}" if file else named

    def _titled(self, title: str, after_colon: bool, node: str) -> str:
        value = self._parameter(title.lower())
        same = f"lower({node}.name) = {value}"
        return f"({same} OR lower({node}.name) ENDS WITH concat(': ', {value}))" if after_colon else same

    def _named(self, named: Named, node: str) -> str:
        written = self._parameter(named.written)
        parts = f"{node}.name = {written} OR {node}.qualifiedName = {written}"
        if len(named.names) > 1:
            joined, last = self._parameter(".".join(named.names)), self._parameter(named.names[-1])
            inner = f"{node}.qualifiedName = {joined} OR {node}.qualifiedName ENDS WITH concat('.', {joined})"
            parts = f"{parts} OR {node}.name = {last} AND ({inner})"
        elif named.names:
            parts = f"{parts} OR {node}.name = {self._parameter(named.names[0])}"
        if named.file:
            return f"({parts}) AND {node}.relativePath = {self._parameter(named.file)}"
        return f"({parts})"

    def _within(self, module: str, node: str) -> str:
        value = self._parameter(module)
        outer, file = self._new_name("m"), self._new_name("f")
        inside = f"{outer}.id = '.' OR {file}.relativePath STARTS WITH concat({outer}.id, '/')"
        return (
            f"EXISTS {{ MATCH ({outer}:Module), ({file}:File) WHERE ({outer}.name = {value} OR {outer}.id = {value}) "
            f"AND ({inside}) AND {file}.relativePath = {node}.relativePath }}"
        )

    def _given(self, given: Given, node: str, kind: Kind) -> str:
        members = list(self._resolve.members(given))
        if not members:
            return f"{node}.{KEYS[kind]} IS NULL"
        if given.members == "keys" or (given.members == "paths" and TABLES[kind] == "File"):
            return f"{node}.{KEYS[kind]} IN {self._parameter(members)}"
        if given.members == "paths":
            return self._in_file(node, "{f}.relativePath IN " + self._parameter(members))
        paths = self._parameter(sorted({member.rpartition(":")[0] for member in members}))
        places = f"concat({node}.relativePath, ':', string({node}.nameLine)) IN {self._parameter(members)}"
        return f"{self._in_file(node, '{f}.relativePath IN ' + paths)} AND {places}"

    def _untested(self, depth: int, node: str) -> str:
        reached = []
        for hops in range(1, depth + 1):
            users = [self._new_name("u") for _ in range(hops)]
            chain = "".join(f"<-[:{_TEST_USES}]-({user}:Symbol)" for user in users)
            file = self._new_name("f")
            inside = f"{file}.isTest AND {file}.relativePath = {users[-1]}.relativePath"
            reached.append(f"NOT EXISTS {{ MATCH ({node}){chain}, ({file}:File) WHERE {inside} }}")
        no_text = f"NOT {node}.kind IN {sorted(DOCUMENT_KINDS)}"
        return " AND ".join([no_text, *reached, f"NOT {self._in_file(node, '{f}.isTest')}"])

    def _parameter(self, value: object) -> str:
        name = f"p{len(self._parameters)}"
        self._parameters[name] = list(value) if isinstance(value, tuple) else value
        return f"${name}"

    def _new_name(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"
