"""Statements that code makes with LINQ and contexts: `context.Orders.Where(order => order.Total > 10).ToListAsync()`.

C# is not resolved. A receiver is a set if the file declares the type of its context, a variable or property with a type such as
`IQueryable<Order>`, or a repository of an entity.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import WrittenQuery, WrittenUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from .declarations import Declarations
from .names import ENTITY, SET

#: A variable, a parameter, a field or a property with its type: `ShopContext context`, `IRepository<Order> _orders`.
_VARIABLE: Final = re.compile(
    r"\b(?P<type>[A-Z]\w*)(?:\s*<\s*(?:\w+\s*\.\s*)*(?P<argument>\w+)(?:\s*,[\w\s,]{0,60})?\s*>)?\??\s+(?P<name>[A-Za-z_]\w*)\s*"
    r"(?=[,;)=]|\{\s*get\b|\bin\b)"
)
#: A member of a receiver on which code calls a method: `.Orders.Where(`.
_OF_SET: Final = re.compile(r"\.\s*(?P<set>[A-Z]\w*)\s*!?\s*\??\.\s*(?P<verb>[A-Z]\w*)\s*(?:<[\w\s,.?<>]{0,80}>\s*)?(?=\()")
#: A set in a query expression: `from order in context.Orders`.
_IN_SET: Final = re.compile(
    r"\b(?:from|join)\s+(?:[A-Z]\w*\s+)?(?P<variable>\w+)\s+in\s+(?P<receiver>\w+)\s*\.\s*(?P<set>[A-Z]\w*)\b(?!\s*[.(])"
)
_TYPED_SET: Final = re.compile(r"\.\s*Set\s*<\s*(?:\w+\s*\.\s*)*(?P<entity>\w+)\s*>\s*\(\s*\)")
#: A call on a variable.
_CALL: Final = re.compile(
    r"(?<![\w.])(?:this\s*\.\s*)?(?P<name>[a-z_]\w*)\s*\??\.\s*(?P<verb>[A-Z]\w*)\s*(?:<[\w\s,.?]{0,80}>\s*)?(?=\()"
)
_RECEIVER: Final = re.compile(r"(?P<name>\w+)\s*(?:\(\s*\)\s*)?[!?]?\s*$")
#: Names of contexts whose type a base class in another file declares.
_CONTEXT_NAME: Final = re.compile(r"_?(?:db|\w*(?:[dD]b|[dD]ata|[dD]atabase|[sS]tore)?[cC]ontext|_?\w*[dD]b)")
_FOLLOWING: Final = re.compile(r"\s*[!?]?\s*\.\s*(?P<verb>[A-Z]\w*)\s*(?:<[\w\s,.?<>]{0,120}>\s*)?(?=\()")
_SETS: Final = frozenset(("DbSet", "IQueryable", "IOrderedQueryable", "IIncludableQueryable"))
_REPOSITORY: Final = re.compile(r"I?(?:Generic|Async|Base|Ef|EfCore|Read|ReadOnly|Crud|Basic)*Repository\w*")
#: Statements by the method that makes them. Other methods of sets are queries.
_STATEMENTS: Final = {
    **dict.fromkeys(("Add", "AddAsync", "AddRange", "AddRangeAsync"), "insert"),
    **dict.fromkeys(("Update", "UpdateRange", "ExecuteUpdate", "ExecuteUpdateAsync"), "update"),
    **dict.fromkeys(("Remove", "RemoveRange", "ExecuteDelete", "ExecuteDeleteAsync"), "delete"),
    "AddOrUpdate": "merge",
}
#: Methods of sets without a statement.
_SILENT: Final = frozenset(
    ("Attach", "AttachRange", "Entry", "AsNoTracking", "Local", "GetType", "ToString", "Equals", "GetHashCode")
)
#: Statements by the first word of a method of a repository.
_REPOSITORY_VERBS: Final = {
    **dict.fromkeys(("Add", "Insert", "Create"), "insert"), "Update": "update", "Edit": "update",
    **dict.fromkeys(("Remove", "Delete"), "delete"),
    **dict.fromkeys(
        ("Get", "Find", "List", "First", "Single", "Any", "Count", "Query", "All", "Where", "Table", "Fetch", "Exists", "Load"),
        "select",
    ),
}  # fmt: skip
_VERB: Final = re.compile(rf"(?:{'|'.join(_REPOSITORY_VERBS)})(?![a-z])")
#: Methods after which the items are no entities.
_PROJECTIONS: Final = frozenset(
    ("Select", "SelectMany", "GroupBy", "ProjectTo", "Join", "GroupJoin", "ToDictionary", "ToDictionaryAsync")
)
_SINGLE: Final = re.compile(r"(?:First|Single|Last|Find|GetById|ElementAt)\w*")
_INCLUDES: Final = ("Include", "ThenInclude")
#: A lambda, and the path from its parameter: `order => order.Customer.Name`.
_LAMBDA: Final = re.compile(r"\b(?P<name>[a-z_]\w*)\s*(?:,\s*\w+\s*)?\)?\s*=>")
_PATH: Final = re.compile(
    r"(?<![\w.])(?P<name>[a-z_]\w*)(?P<path>(?:\s*[!?]?\s*\.\s*[A-Z]\w*){1,6})(?P<call>\s*(?:<[\w\s,.?]{0,60}>\s*)?\()?"
)
#: The variable that gets a row, or the loop over rows.
_ASSIGNED: Final = re.compile(
    r"(?:\b(?P<name>[a-z_]\w*)\s*=|\bforeach\s*\(\s*[\w<>?.]+\s+(?P<item>[a-z_]\w*)\s+in)\s*(?:await\s+)?(?:this\s*\.\s*)?$"
)
_WRITTEN: Final = re.compile(r"\s*(?:=(?![=>])|[-+*/|&?]{1,2}=)")
_SET_PROPERTY: Final = re.compile(r"\bSetProperty\s*\(\s*\w+\s*=>\s*\w+\s*\.\s*([A-Z]\w*)")
_NEW: Final = re.compile(r"\s*new\s+(?:\w+\s*\.\s*)*(?P<entity>[A-Z]\w*)\s*(?=[({])")
_INITIAL: Final = re.compile(r"[{,]\s*([A-Z]\w*)\s*=(?![=>])")
_BEFORE_NAME: Final = re.compile(r"[\s(]*")
_NAMED: Final = re.compile(r"\s*(?P<name>[a-z_]\w*)\s*[,)]")
#: Maximum number of characters before a statement with its receiver and its variable.
_BEFORE: Final = 160
#: Maximum number of characters of a statement.
_MAX_STATEMENT: Final = 20_000
#: Maximum number of calls of a chain.
_MAX_CALLS: Final = 60


class _Member(NamedTuple):
    """A path from a variable: `order.Customer.Name`."""

    start: int
    path: list[str]
    #: Offset after the path.
    end: int
    #: Whether the last name of the path is a method.
    is_call: bool

    @property
    def read(self) -> list[str]:
        """The path without a method."""
        return self.path[:-1] if self.is_call else self.path


class _Row(NamedTuple):
    """A variable that holds a row of an entity from an offset on, up to the end of a function."""

    start: int
    owner: int
    names: list[str]
    #: Whether the context saves what code assigns to the row.
    is_tracked: bool


class _Call(NamedTuple):
    """A call of a chain: its method, and the range of its arguments."""

    verb: str
    start: int
    end: int


class _Found(NamedTuple):
    """The beginning of a statement, and the names of its entity."""

    start: int
    names: list[str]
    calls: list[_Call]
    of_repository: bool = False

    @property
    def end(self) -> int:
        return self.calls[-1].end if self.calls else self.start


def add_statements(facts: FileFacts, declared: Declarations) -> None:
    """Add the statements of a file to its facts about data."""
    written = [each for each in _Reading(facts, declared).statements() if each.symbol >= 0]
    if written:
        facts.own_data().written += written


class _Reading:
    def __init__(self, facts: FileFacts, declared: Declarations) -> None:
        self._declared = declared
        self._code = declared.code
        self._owners = symbols_of_lines(facts.symbols, facts.lines)
        self._types: dict[str, tuple[str, str] | None] = {}
        for found in _VARIABLE.finditer(self._code):
            of_name = (found["type"], found["argument"] or "")
            self._types[found["name"]] = of_name if self._types.get(found["name"], of_name) == of_name else None
        self._members: dict[str, list[_Member]] = {}
        for found in _PATH.finditer(self._code):
            path = [each.strip(" \t\r\n!?") for each in found["path"].split(".")[1:]]
            member = _Member(found.start(), path, found.end("path"), found["call"] is not None)
            self._members.setdefault(found["name"], []).append(member)

    def _owner(self, offset: int) -> int:
        line = self._declared.line(offset)
        return self._owners[line] if line < len(self._owners) else -1

    def _query(self, offset: int, statement: str, uses: list[WrittenUse]) -> WrittenQuery:
        return WrittenQuery(self._owner(offset), self._declared.line(offset), statement, uses)

    def statements(self) -> Iterator[WrittenQuery]:
        """Yield the statements of the file, and the uses of the rows that they return."""
        rows: dict[str, list[_Row]] = {}
        for found in sorted(self._found(), key=lambda each: each.start):
            yield from self._of_chain(found)
            name = self._row_name(found)
            if name:
                is_tracked = all(each.verb != "AsNoTracking" for each in found.calls)
                rows.setdefault(name, []).append(_Row(found.end, self._owner(found.start), found.names, is_tracked))
        for name, of_name in rows.items():
            following = [each.start for each in of_name[1:]]
            for row, end in zip(of_name, (*following, len(self._code)), strict=True):
                yield from self._of_row(name, row, end)
        yield from self._in_queries()
        yield from self._of_contexts()

    def _row_name(self, found: _Found) -> str:
        """Return the variable that holds a row of a statement; "" if there is none."""
        assigned = _ASSIGNED.search(self._code, max(0, found.start - _BEFORE), found.start)
        if assigned is None or any(each.verb in _PROJECTIONS for each in found.calls):
            return ""
        is_single = bool(found.calls) and _SINGLE.fullmatch(found.calls[-1].verb) is not None
        return assigned["item"] or (assigned["name"] if is_single else "")

    # ------------------------------------------------------------------ beginnings

    def _found(self) -> Iterator[_Found]:
        code = self._code
        for found in _OF_SET.finditer(code):
            receiver = _RECEIVER.search(code, max(0, found.start() - _BEFORE), found.start())
            names = self._set_names(receiver["name"], found["set"]) if receiver is not None else []
            if receiver is not None and names:
                yield _Found(receiver.start(), names, self._calls(found.end("set")))
        for found in _TYPED_SET.finditer(code):
            receiver = _RECEIVER.search(code, max(0, found.start() - _BEFORE), found.start())
            start = receiver.start() if receiver is not None else found.start()
            yield _Found(start, [f"{ENTITY}{found['entity']}"], self._calls(found.end()))
        for found in _CALL.finditer(code):
            kind = self._types.get(found["name"])
            if kind is None or not kind[1]:
                continue
            if kind[0] in _SETS or _REPOSITORY.fullmatch(kind[0]) is not None:
                names = [f"{ENTITY}{kind[1]}"]
                yield _Found(found.start(), names, self._calls(found.end("name")), kind[0] not in _SETS)

    def _set_names(self, receiver: str, name: str) -> list[str]:
        """Return the names of a set of a context."""
        kind = self._types.get(receiver)
        if kind is not None:
            return [f"{SET}{kind[0]}.{name}"] if not kind[1] else []
        return [f"{SET}{name}"] if _CONTEXT_NAME.fullmatch(receiver) is not None else []

    def _calls(self, at: int) -> list[_Call]:
        """Return the calls of a chain that begins at an offset."""
        calls: list[_Call] = []
        while len(calls) < _MAX_CALLS and (found := _FOLLOWING.match(self._code, at)) is not None:
            at = self._declared.groups.end(found.end(), len(self._code))
            calls.append(_Call(found["verb"], found.end(), at))
        return calls

    # ------------------------------------------------------------------ uses

    def _of_chain(self, found: _Found) -> Iterator[WrittenQuery]:
        statement = self._statement(found)
        if not statement:
            return
        read, included = self._columns(found.calls)
        if statement == "select":
            uses = [WrittenUse(found.names, False, [], read)]
        else:
            written = [[name] for each in found.calls for name in self._assigned(each)]
            uses = [WrittenUse(found.names, True, [], written)]
            if read:
                uses.append(WrittenUse(found.names, False, [], read, True))
        uses += [WrittenUse(found.names, False, path) for path in included]
        yield self._query(found.start, statement, uses)

    def _statement(self, found: _Found) -> str:
        """Return the kind of a statement; "" if the calls make none."""
        if found.of_repository:
            verb = _VERB.match(found.calls[0].verb) if found.calls else None
            return _REPOSITORY_VERBS[verb[0]] if verb is not None else ""
        if not found.calls or found.calls[-1].verb in _SILENT:
            return ""
        return next((_STATEMENTS[each.verb] for each in (found.calls[0], found.calls[-1]) if each.verb in _STATEMENTS), "select")

    def _assigned(self, call: _Call) -> list[str]:
        """Return the properties that a call assigns."""
        if call.verb.startswith("ExecuteUpdate"):
            return _SET_PROPERTY.findall(self._code, call.start, call.end)
        new = _NEW.match(self._code, call.start + 1, call.end)
        if new is None:
            return []
        opened = self._code.find("{", new.end(), call.end)
        return _INITIAL.findall(self._code, opened, call.end) if opened >= 0 else []

    def _columns(self, calls: Sequence[_Call]) -> tuple[list[list[str]], list[list[str]]]:
        """Return the paths of the columns that lambdas read, and the relations whose rows are read, too."""
        read: dict[tuple[str, ...], None] = {}
        included: list[list[str]] = []
        for call in calls:
            of_items: list[str] = included[-1] if call.verb == "ThenInclude" and included else []
            if call.verb in _INCLUDES:
                path = next(
                    (each.read for each in self._in(call, _LAMBDA.match(self._code, self._argument(call.start), call.end))), []
                )
                included += [[*of_items, *path]] if path else []
                continue
            if not call.verb.startswith("ExecuteUpdate"):
                read.update(dict.fromkeys(map(tuple, self._paths(call))))
            if call.verb in _PROJECTIONS:
                break
        return [list(each) for each in read], included

    def _in(self, call: _Call, function: re.Match[str] | None) -> Iterator[_Member]:
        """Yield the paths from the parameter of a lambda in a call."""
        if function is not None:
            yield from self._between(function["name"], function.end(), min(call.end, function.end() + _MAX_STATEMENT))

    def _between(self, name: str, start: int, end: int) -> Iterator[_Member]:
        """Yield the paths from a variable in a range of code."""
        members = self._members.get(name, [])
        place = bisect_left(members, start, key=lambda each: each.start)
        while place < len(members) and members[place].start < end:
            yield members[place]
            place += 1

    def _paths(self, call: _Call) -> Iterator[list[str]]:
        """Yield the paths that the lambdas of a call read. A lambda behind a path through a relation continues this path."""
        starts: dict[str, list[str]] = {}
        behind: dict[int, list[str]] = {}
        for function in _LAMBDA.finditer(self._code, call.start, call.end):
            name = function["name"]
            if name in starts:
                continue
            starts[name] = behind.get(function.start(), [])
            for each in self._in(call, function):
                whole = [*starts[name], *each.read]
                if each.is_call:
                    behind[self._argument(each.end)] = whole
                if whole:
                    yield whole

    def _argument(self, at: int) -> int:
        """Return the offset of the first name in the arguments of a call whose method ends at an offset."""
        opened = self._code.find("(", at)
        found = _BEFORE_NAME.match(self._code, opened)
        return found.end() if found is not None else opened

    def _of_row(self, name: str, row: _Row, end: int) -> Iterator[WrittenQuery]:
        """Yield what code does with the columns of a row, up to the end of the function."""
        for each in self._between(name, row.start, end):
            if self._owner(each.start) != row.owner:
                return
            if not each.is_call and _WRITTEN.match(self._code, each.end) is not None:
                if row.is_tracked and len(each.path) == 1:
                    yield self._query(each.start, "update", [WrittenUse(row.names, True, [], [each.path])])
            elif each.read:
                yield self._query(each.start, "select", [WrittenUse(row.names, False, [], [each.read], True)])

    def _in_queries(self) -> Iterator[WrittenQuery]:
        """Yield the sets of query expressions, with the columns that the expression reads through the variable."""
        for found in _IN_SET.finditer(self._code):
            names = self._set_names(found["receiver"], found["set"])
            if not names:
                continue
            end = self._code.find(";", found.end(), found.end() + _MAX_STATEMENT)
            paths = {tuple(each.read): None for each in self._between(found["variable"], found.end(), end)}
            yield self._query(found.start(), "select", [WrittenUse(names, False, [], [list(each) for each in paths if each])])

    def _of_contexts(self) -> Iterator[WrittenQuery]:
        """Yield the rows that code gives to a context: `context.Add(order)`, `context.Remove(new Order { Id = id })`."""
        for found in _CALL.finditer(self._code):
            statement = _STATEMENTS.get(found["verb"])
            kind = self._types.get(found["name"])
            is_context = kind[0].endswith("Context") if kind is not None else _CONTEXT_NAME.fullmatch(found["name"]) is not None
            if statement is None or not is_context:
                continue
            call = _Call(found["verb"], found.end(), self._declared.groups.end(found.end(), len(self._code)))
            new, named = _NEW.match(self._code, call.start + 1), _NAMED.match(self._code, call.start + 1)
            of_name = self._types.get(named["name"]) if named is not None else None
            entity = new["entity"] if new is not None else of_name[0] if of_name is not None and not of_name[1] else ""
            if entity:
                fields = [[name] for name in self._assigned(call)]
                yield self._query(found.start(), statement, [WrittenUse([f"{ENTITY}{entity}"], True, [], fields)])
