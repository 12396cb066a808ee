"""Translate a chain into one Cypher statement.

After each step, the nodes are made distinct. A step of several hops becomes one join for each hop, and the nodes are made
distinct after each join. A hop over 75,000 symbols takes 8 ms, and over 970,180 symbols 190 ms, because the engine reads the
properties of all nodes that a join may reach.

If a chain begins at one key, such as the path of a file, its first hops are recursive relationships, for which the engine reads
only reached nodes. Such a hop takes 12 µs for each node at its beginning, however large the graph is.

The statement contains no text of users: values are parameters, and names come from tables in this package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from ...schema.errors import UsageError
from .conditions import ConditionWriter, Resolver
from .fields import COLUMNS, EDGES_OF_PARTS, FIELDS, KEYS, ORDER, TABLES, WHOLES
from .plan import Combine, Condition, Exclude, Hubs, Kind, Named, Operation, Plan, Slice, Sort, Step, TableNamed, Test, Where
from .steps import StepRule, step_rule

#: Maximum number of operations of a chain. One statement contains all operations.
MAX_OPERATIONS = 40
#: Maximum number of recursive relationships in a statement. With three, the engine begins some of them at all nodes, which takes
#: 10 s for 75,000 symbols.
_MAX_RECURSIVE = 2
#: Maximum number of hops of a recursive relationship in the engine.
_MAX_RECURSION = 30
#: Kinds of nodes that have few neighbors. A module or package may have all files as neighbors.
_NARROW_TABLES = ("File", "Symbol")
#: Maximum number of values of a field that are read for a suggestion.
_MAX_VALUES = 20_000


class Statement(NamedTuple):
    """A statement with its parameters."""

    text: str
    parameters: dict[str, Any]


def rows_of(plan: Plan, resolve: Resolver) -> Statement:
    """Return the statement whose rows have the default columns of the chain's last kind."""
    writer = _writer_of(plan, resolve)
    return writer.returning(COLUMNS[writer.kind])


def fields_of(plan: Plan, names: Sequence[str], resolve: Resolver) -> Statement:
    """Return the statement whose rows have some fields."""
    return _writer_of(plan, resolve).returning(names)


def values_of(plan: Plan, field: str, resolve: Resolver) -> Statement:
    """Return the statement whose rows are the distinct values of a field, up to the number that a suggestion needs."""
    return _writer_of(plan, resolve).distinct(field)


def keys_of(plan: Plan, resolve: Resolver) -> Statement:
    """Return the statement whose rows have only the primary key."""
    return _writer_of(plan, resolve).returning_keys()


def offsets_of(plan: Plan, resolve: Resolver) -> Statement:
    """Return the statement whose rows have only the internal offset, in any order."""
    return _writer_of(plan, resolve).returning_offsets()


def count_of(plan: Plan, resolve: Resolver) -> Statement:
    """Return the statement whose only value is the number of nodes."""
    return _writer_of(plan, resolve).counting()


def paths_between(start: Plan, end: Plan, edges: str, depth: int, limit: int, resolve: Resolver) -> Statement:
    """Return the statement for the shortest paths from the nodes of one chain to the nodes of another.

    Raises UsageError if a chain has operations other than filters: the engine would begin at every node, which takes minutes.
    """
    if not (only_filters(start) and only_filters(end)):
        raise UsageError("`path_to` joins two scopes without steps, such as symbol('one').path_to(symbol('other')).")
    if kind_after(start) != kind_after(end):
        raise UsageError(f"`path_to` joins nodes of one kind, not {kind_after(start)} and {kind_after(end)}.")
    return _Writer(resolve).paths(start, end, edges, depth, limit)


def edges_within(plan: Plan, edges: str, resolve: Resolver) -> Statement:
    """Return the statement of the edges from nodes of a chain: primary keys of both ends, and the label.

    `edges` is a pattern with `{r}` for the variable of the edge.
    """
    return _writer_of(plan, resolve).edges(edges)


def diamonds_below(plan: Plan, edges: str, limit: int, resolve: Resolver) -> Statement:
    """Return the statement of the diamonds whose upper node is in a chain: upper and lower node, and the nodes between them."""
    return _writer_of(plan, resolve).diamonds(edges, limit)


def only_filters(plan: Plan) -> bool:
    """Return whether all operations of a chain are filters."""
    return all(isinstance(operation, Where | Exclude) for operation in plan.operations)


def _file_of(plan: Plan) -> str:
    """Return the path of the only file whose symbols a chain begins with; "" if there may be several files."""
    if TABLES[plan.source] != "Symbol":
        return ""
    return next((path for each in _first_conditions(plan) if (path := _path_in(each))), "")


def _path_in(condition: Condition) -> str:
    match condition:
        case Test("path", "eq", str(path)):
            return path
        case Named(file=path) | TableNamed(file=path):
            return path
    return ""


def _begins_at_key(plan: Plan) -> bool:
    """Return whether a chain begins with the node that has a primary key."""
    name = next((name for name, field in FIELDS[plan.source].items() if field.expression == f"{{n}}.{KEYS[plan.source]}"), "")
    is_narrow = TABLES[plan.source] in _NARROW_TABLES
    return is_narrow and any(isinstance(each, Test) and each[:2] == (name, "eq") for each in _first_conditions(plan))


def _first_conditions(plan: Plan) -> Iterator[Condition]:
    """Yield the conditions on the nodes with which a chain begins; none if a union adds other nodes to these nodes."""
    first = list(takewhile(lambda operation: not isinstance(operation, Step | Slice | Hubs), plan.operations))
    if any(isinstance(operation, Combine) and operation.how == "union" for operation in first):
        return
    for operation in first:
        if isinstance(operation, Where):
            yield from operation.conditions


def first_of_many(plan: Plan, most: int) -> tuple[Plan, int, int] | None:
    """Return a chain without its last limit and the offset before it, and the numbers of kept and of skipped nodes, if the chain
    keeps at most `most` of possibly many symbols in the default order; else None.
    """
    operations = list(plan.operations)
    last = operations.pop() if operations else None
    if not isinstance(last, Slice) or last.limit is None or last.limit > most or TABLES[kind_after(plan)] != "Symbol":
        return None
    skipped = last.offset
    while operations and isinstance(offset := operations[-1], Slice) and offset.limit is None:
        skipped += offset.offset
        operations.pop()
    before = Plan(plan.source, tuple(operations))
    is_ordered = any(isinstance(operation, Sort | Hubs) for operation in operations)
    steps = sum(isinstance(operation, Step) for operation in operations)
    begins_at_few = steps < _MAX_RECURSIVE and (_begins_at_key(before) or bool(_file_of(before)))
    return None if is_ordered or begins_at_few else (before, last.limit, skipped)


def kind_after(plan: Plan) -> Kind:
    """Return the kind of a chain's last nodes. Raises UsageError for an unknown step."""
    kind = plan.source
    for operation in plan.operations:
        if isinstance(operation, Step):
            kind = step_rule(kind, operation.name).target
    return kind


def check_joined(kind: Kind, other: Kind) -> None:
    """Raise UsageError unless the nodes of the kind `other` are also nodes of the kind `kind`."""
    if other != kind and WHOLES.get(other) != kind:
        raise UsageError(f"A set operation needs nodes of one kind: these are of {kind} and {other}.")


def _check_length(plan: Plan) -> None:
    """Raise UsageError for a chain with too many operations."""
    if len(plan.operations) > MAX_OPERATIONS:
        raise UsageError(f"A chain has at most {MAX_OPERATIONS} operations, not {len(plan.operations)}.")


class _Writer(ConditionWriter):
    """Writes one statement. `_node` is the name of the variable for the current nodes."""

    def __init__(self, resolve: Resolver) -> None:
        super().__init__(resolve)
        self.kind: Kind = "symbol"
        self._clauses: list[str] = []
        self._node = ""
        #: Conditions of the last MATCH.
        self._conditions: list[str] = []
        #: Whether rows may repeat a node.
        self._repeats = False
        #: Requested order, if it is not written yet.
        self._order: tuple[Sort, ...] = ()
        #: Number of further hops that may be recursive relationships.
        self._recursive_hops = 0
        #: Whether the first clause selects only symbols of one file.
        self._begins_in_file = False
        #: Cypher variable with the number of neighbors, by which the nodes are ordered; "" without such an order.
        self._degree = ""

    def run(self, plan: Plan, file: str) -> None:
        """Write the clauses of a chain, which begins at the symbols of one file unless `file` is ""."""
        _check_length(plan)
        self.kind = plan.source
        recursive = _MAX_RECURSIVE - self._recursive_steps(plan)
        inside = self._to_symbols() if file and recursive > 0 else ""
        if inside:
            begin = self._new_name("f")
            self._match(f"MATCH ({begin}:File){inside}({self._new_node()}:Symbol)", repeats=True)
            self._conditions.append(f"{begin}.relativePath = {self._parameter(file)}")
            self._close()
            self._conditions += self._part(self.kind, self._node)
        else:
            self._begin_at_all()
        self._begins_in_file = bool(inside)
        self._recursive_hops = max(0, recursive - bool(inside)) if inside or _begins_at_key(plan) else 0
        for operation in plan.operations:
            self._apply(operation)

    def _begin_at_all(self) -> None:
        """Write the clause that selects all nodes of the current kind."""
        begin, table = self._new_node(), TABLES[self.kind]
        if self.kind not in EDGES_OF_PARTS:
            self._match(f"MATCH ({begin}:{table})", repeats=False)
            self._conditions += self._part(self.kind, begin)
            return
        end = self._new_name("e")
        self._match(f"MATCH ({begin}:{table}){EDGES_OF_PARTS[self.kind]}({end}:{table})", repeats=True)
        self._conditions.append(f"id({end}) <> id({begin})")

    def _recursive_steps(self, plan: Plan) -> int:
        """Return the number of steps of a chain, and of the chains in its set operations, that are recursive relationships."""
        others = [operation.other for operation in plan.operations if isinstance(operation, Combine)]
        return sum("*" in rule.pattern for each in (plan, *others) for rule in self._rules(each))

    def _to_symbols(self) -> str:
        """Return the relationship from a file to its symbols; "" if the engine cannot follow the relationship to the deepest
        symbols.
        """
        hops = self._resolve.symbol_depth() + 1
        return f"-[:CONTAINS*1..{hops}]->" if hops <= _MAX_RECURSION else ""

    def _apply(self, operation: Operation) -> None:
        match operation:
            case Where(conditions):
                self._conditions += [self._condition(each, self._node, self.kind) for each in conditions]
            case Exclude():
                self._conditions.append(self._operation(operation, self._node, self.kind))
            case Step(name, depth):
                self._step(step_rule(self.kind, name), depth)
            case Combine(how, other):
                self._combine(how, other)
            case Sort():
                self._order = (operation, *(sort for sort in self._order if sort.field != operation.field))
            case Slice(limit, offset):
                self._close()
                self._clauses.append(f"WITH {self._carried()}{self._ordered()}{self._sliced(limit, offset)}")
            case Hubs(step, limit):
                self._hubs(step_rule(self.kind, step), limit)

    def _step(self, rule: StepRule, depth: int) -> None:
        if rule.is_same_node:
            self.kind = rule.target
            self._conditions += self._part(self.kind, self._node)
            return
        self._close()
        self._order, self._degree = (), ""
        before = self._node
        after = self._new_node()
        self.kind = rule.target
        label = TABLES[rule.target]
        hops = self._recursive_hops if "{" not in rule.pattern else 0
        self._recursive_hops = max(0, hops - depth) if label in _NARROW_TABLES else 0
        inside = self._to_symbols() if hops and not rule.pattern and label == "Symbol" else ""
        if inside:
            self._follow(f"({before}){inside}({after}:{label})")
            self._conditions += [*self._part(self.kind, after), *self._kept(rule, after)]
            return
        if not rule.pattern:
            path = self._new_name("x")
            # Paths are made distinct first: a join of the nodes takes a second for 40,000 symbols.
            self._clauses.append(f"WITH DISTINCT {before}.relativePath AS {path}")
            self._match(f"MATCH ({after}:{label})", repeats=False)
            self._conditions += [f"{after}.relativePath = {path}", *self._part(self.kind, after), *self._kept(rule, after)]
            return
        if hops:
            self._follow(f"({before}){rule.pattern.replace(']', '*1..1]')}({after}:{label})")
            self._conditions += self._part(self.kind, after)
        else:
            self._match(f"MATCH ({before}){rule.pattern.format(n=after)}({after}:{label})", repeats=True)
            self._conditions += self._part_after(rule, before, after)
        self._conditions += self._along(rule, after)
        for hop in range(1, depth):
            if hop < hops:
                self._add_near_hop(rule.pattern, label)
            else:
                self._add_next_hop(rule.pattern, label)
        self._conditions += self._kept(rule, self._node)

    def _add_next_hop(self, pattern: str, label: str) -> None:
        """Add the nodes that are one hop further away to the current nodes."""
        self._close()
        before, further, both = self._node, self._new_name("m"), self._new_name("x")
        self._clauses.append(
            f"OPTIONAL MATCH ({before}){pattern}({further}:{label}) UNWIND [id({before}), id({further})] AS {both} "
            f"WITH DISTINCT {both}"
        )
        self._go_on_from(both, label)

    def _add_near_hop(self, pattern: str, label: str) -> None:
        """Add the nodes that are one hop further away to the current nodes, which are few."""
        self._close()
        before = self._node
        self._follow(f"({before}){pattern.replace(']', '*0..1]')}({self._new_node()}:{label})")
        self._conditions += self._part(self.kind, self._node)

    def _go_on_from(self, ids: str, label: str) -> None:
        """Make the nodes with the collected ids the current nodes."""
        after = self._new_node()
        self._match(f"MATCH ({after}:{label})", repeats=False)
        self._conditions += [f"id({after}) = {ids}", *self._part(self.kind, after)]

    def _hubs(self, rule: StepRule, limit: int) -> None:
        if not rule.pattern:
            raise UsageError("`hubs` counts neighbors along edges: give it a step such as `callers`.")
        self._close()
        near, degree = self._new_name("m"), self._new_name("d")
        node = self._node
        conditions = [*self._part_after(rule, node, near), *self._along(rule, near), *self._kept(rule, near)]
        kept = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        self._clauses.append(
            f"MATCH ({node}){rule.pattern.format(n=near)}({near}:{TABLES[rule.target]}){kept} "
            f"WITH {node}, count(DISTINCT {near}) AS {degree}"
        )
        self._order, self._degree = (), degree
        self._clauses.append(f"WITH {self._carried()}{self._ordered()} LIMIT {self._parameter(limit)}")

    def _combine(self, how: str, other: Plan) -> None:
        check_joined(self.kind, kind_after(other))
        if how == "union":
            self._add_chain(other)
        else:
            member = self._membership(other, self._node)
            self._conditions.append(member if how == "intersect" else f"NOT ({member})")

    def _add_chain(self, other: Plan) -> None:
        """Add the nodes of another chain, which may only have filters: the statement cannot begin a second chain of steps."""
        if not only_filters(other):
            raise UsageError(
                "The second part of a union may only filter. Put the part with steps first, or ask for both parts one by one."
            )
        if len(self._clauses) == 1 and not self._order and not self._begins_in_file:
            here = f"({' AND '.join(self._conditions)})" if self._conditions else f"{self._key()} IS NOT NULL"
            self._conditions = [f"({here} OR ({self._membership(other, self._node)}))"]
            return
        self._close()
        self._degree, self._recursive_hops = "", 0
        first, second, part, both = (self._new_name(letter) for letter in "lllx")
        self._clauses.append(f"WITH collect(id({self._node})) AS {first}")
        node = self._new_node()
        # Without OPTIONAL, an empty second chain would make the result empty.
        self._clauses.append(
            f"OPTIONAL MATCH ({node}:{TABLES[self.kind]}) WHERE {self._membership(other, node)} "
            f"WITH {first}, collect(id({node})) AS {second} "
            f"UNWIND [{first}, {second}] AS {part} UNWIND {part} AS {both} WITH DISTINCT {both}"
        )
        self._go_on_from(both, TABLES[self.kind])

    def returning(self, columns: Sequence[str]) -> Statement:
        """End the statement with columns."""
        self._close()
        fields = FIELDS[self.kind]
        named = ", ".join(f"{self._field(fields[name].expression)} AS {name}" for name in columns)
        return self._ended(f"RETURN {named}{self._ordered()}")

    def returning_keys(self) -> Statement:
        """End the statement with the primary key."""
        self._close()
        return self._ended(f"RETURN {self._key()} AS key")

    def returning_offsets(self) -> Statement:
        """End the statement with the internal offset."""
        self._close()
        return self._ended(f"RETURN offset(id({self._node})) AS node")

    def distinct(self, field: str) -> Statement:
        """End the statement with the distinct values of a field."""
        self._close()
        value = self._field(FIELDS[self.kind][field].expression)
        return self._ended(f"RETURN DISTINCT {value} AS value ORDER BY value LIMIT {_MAX_VALUES}")

    def counting(self) -> Statement:
        """End the statement with the number of nodes."""
        self._close()
        return self._ended("RETURN count(*) AS nodes")

    def edges(self, edges: str) -> Statement:
        """End the statement with the edges that begin at the nodes and lead to nodes of the same table."""
        self._close()
        other, edge = self._new_name("m"), self._new_name("r")
        table = TABLES[self.kind]
        self._clauses.append(f"MATCH ({self._node}){edges.format(r=edge)}({other}:{table})")
        return self._ended(f"RETURN DISTINCT {self._key()} AS start, {other}.{KEYS[self.kind]} AS finish, label({edge}) AS label")

    def paths(self, start: Plan, end: Plan, edges: str, depth: int, limit: int) -> Statement:
        """Return the statement of the shortest paths between the nodes of two chains that have only filters."""
        way, walked, table = self._new_name("p"), self._new_name("r"), TABLES[start.source]
        self.kind = kind_after(start)
        begin, target = self._filtered(start), self._filtered(end)
        where = f" WHERE {' AND '.join(self._conditions)}" if self._conditions else ""
        walk = f"[{walked}:{edges}* SHORTEST 1..{depth}]"
        self._clauses = [f"MATCH {way} = ({begin}:{table})-{walk}->({target}:{table}){where}"]
        self._conditions = []
        return self._ended(
            f"RETURN properties(nodes({way}), '{KEYS[self.kind]}') AS nodes, length({walked}) AS hops "
            f"ORDER BY hops, list_to_string(',', nodes) LIMIT {self._parameter(limit)}"
        )

    def _filtered(self, plan: Plan) -> str:
        """Add the conditions of a chain that has only filters. Returns the variable of its nodes."""
        _check_length(plan)
        node = self._new_node()
        self._conditions += self._part(plan.source, node)
        self._conditions += [self._operation(operation, node, plan.source) for operation in plan.operations]
        return node

    def diamonds(self, edges: str, limit: int) -> Statement:
        """End the statement with pairs of nodes that several paths of two edges connect, and the nodes between them."""
        self._close()
        side, end = self._new_name("m"), self._new_name("m")
        table, key = TABLES[self.kind], KEYS[self.kind]
        apart = " AND ".join(f"id({one}) <> id({other})" for one, other in ((self._node, side), (side, end), (self._node, end)))
        self._clauses.append(
            f"MATCH ({self._node})-[:{edges}]->({side}:{table})-[:{edges}]->({end}:{table}) WHERE {apart} "
            f"WITH {self._key()} AS top, {end}.{key} AS bottom, list_sort(collect(DISTINCT {side}.{key})) AS sides "
            f"WHERE size(sides) > 1"
        )
        return self._ended(f"RETURN top, bottom, sides ORDER BY size(sides) DESC, top, bottom LIMIT {self._parameter(limit)}")

    def _ended(self, returned: str) -> Statement:
        return Statement("\n".join([*self._clauses, returned]), self._parameters)

    def _match(self, clause: str, *, repeats: bool) -> None:
        self._clauses.append(clause)
        self._repeats = repeats

    def _follow(self, pattern: str) -> None:
        """Follow a recursive relationship to the new current nodes. Conditions on these nodes come after a WITH: with such
        conditions in its MATCH, the engine would begin at all nodes that meet the conditions. If a statement used no property of
        the nodes, the engine would begin at all nodes, too.
        """
        self._match(f"MATCH {pattern}", repeats=True)
        self._close()
        self._conditions.append(f"{self._key()} IS NOT NULL")

    def _close(self) -> None:
        """Finish the last MATCH: write its conditions, and make its nodes distinct."""
        if self._conditions:
            ordered = sorted(self._conditions, key=lambda condition: "regexp_matches" in condition)  # slow conditions last
            self._clauses[-1] += f" WHERE {' AND '.join(ordered)}"
            self._conditions = []
        if self._repeats:
            self._clauses.append(f"WITH DISTINCT {self._carried()}")
            self._repeats = False

    def _ordered(self) -> str:
        """Return the requested order followed by the default order, which makes the order unique."""
        fields = FIELDS[self.kind]
        keys = [f"{self._field(fields[sort.field].expression)}{' DESC' if sort.descending else ''}" for sort in self._order]
        keys += [f"{self._degree} DESC"] if self._degree else []
        keys += [self._field(fields[name].expression) for name in ORDER[self.kind]]
        return f" ORDER BY {', '.join(dict.fromkeys(keys))}"

    def _sliced(self, limit: int | None, offset: int) -> str:
        skipped = f" SKIP {self._parameter(offset)}" if offset else ""
        return skipped + (f" LIMIT {self._parameter(limit)}" if limit is not None else "")

    def _field(self, expression: str) -> str:
        return expression.format(n=self._node)

    def _carried(self) -> str:
        """Return the variables that a WITH passes on."""
        return f"{self._node}, {self._degree}" if self._degree else self._node

    def _key(self) -> str:
        return f"{self._node}.{KEYS[self.kind]}"

    def _new_node(self) -> str:
        self._node = self._new_name("n")
        return self._node


def _writer_of(plan: Plan, resolve: Resolver) -> _Writer:
    """Return a writer with all clauses of a chain except the last clause."""
    writer = _Writer(resolve)
    writer.run(plan, _file_of(plan))
    return writer
