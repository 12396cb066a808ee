"""Statements that functions build with Exposed: `Users.selectAll().where { Users.name eq name }`, `User.new { name = "Ada" }`.

A table or an entity is known by its name in the file; the names of all files decide whether it is one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import WrittenQuery, WrittenUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from .code_names import plain_code
from .ktorm_statements import add_ktorm_statements
from .models import KTORM, LIBRARY, Declarations
from .tables import NAME

_KINDS: Final = {
    "select": "select selectAll slice innerJoin leftJoin rightJoin fullJoin crossJoin join alias exists selectBatched"
    " fetchBatchedResults find findById all get findWithCacheCondition wrapRow wrapRows",
    "insert": "insert insertAndGetId insertIgnore insertIgnoreAndGetId insertReturning batchInsert shardingBatchInsert new",
    "merge": "upsert batchUpsert upsertReturning replace batchReplace mergeFrom",
    "update": "update updateReturning findByIdAndUpdate findSingleByAndUpdate",
    "delete": "deleteWhere deleteAll deleteIgnoreWhere deleteReturning",
}
_VERBS: Final = {verb: kind for kind, verbs in _KINDS.items() for verb in verbs.split()}
#: Methods of tables, which are no methods of other classes in most code.
_INFIX: Final = "innerJoin|leftJoin|rightJoin|fullJoin|crossJoin"
_START: Final = re.compile(
    r"(?<![\w.])((?:[a-z]\w*\.)*[A-Z]\w*(?:\.[A-Z]\w*)*)\s*(?:(?:\.\s*("
    + "|".join(_VERBS)
    + r")\s*(?=[({<.\s])|\s("
    + _INFIX
    + r")\s))"
)
_NAMED: Final = re.compile(r"(?<![\w.])((?:[a-z]\w*\.)*[A-Z]\w*(?:\.[A-Z]\w*)*)\b(?:\.([a-z]\w*)\b(?!\s*[({]))?")
#: A column that a statement assigns: `it[name] = value`, `row[Users.name] = value`, `name = value` for an entity.
_ASSIGNED: Final = re.compile(
    r"\b[a-z]\w*\s*\[\s*(?:([\w.]+)\.)?([a-z]\w*)\s*\]\s*=(?!=)|\.\s*update\s*\(\s*(?:([\w.]+)\.)?([a-z]\w*)\s*\)"
)
_SET: Final = re.compile(r"(?:^|[\n;{])\s*(?:this\.)?([a-z]\w*)\s*=(?!=)")
_OPERAND: Final = re.compile(r"[\w.]+")
_WORD: Final = re.compile(r"(?<![\w.])([a-z]\w*)\b(?!\s*[({=.:])")
#: The continuation of a chain: a call, a block, a name, or an infix call.
_CHAIN: Final = re.compile(
    r"[ \t]*(?=[({])|\s*(?:\?|!!)?\.\s*\w+|[ \t]*<[\w.,?\s]*>(?=[({])|\s+(?:"
    + _INFIX
    + r"|union|unionAll|get)\s+[\w.]+|\s*\)(?=\s*\.)"
)
#: Maximum length of a statement, in characters.
_MAX_STATEMENT: Final = 20_000
#: Maximum number of statements inside a statement.
_MAX_INNER: Final = 200


class _Found(NamedTuple):
    start: int
    end: int
    name: str
    verb: str
    kind: str


def add_statements(facts: FileFacts, declared: Declarations, code: str) -> None:
    """Add the statements that the functions of a file build to its facts about data."""
    reading = _Reading(declared, code)
    owners = symbols_of_lines(facts.symbols, facts.lines)
    written: list[WrittenQuery] = []
    for at, kind, uses in reading.statements():
        line = declared.line(at)
        symbol = owners[min(line, facts.lines)] if facts.lines else -1
        if symbol >= 0 and uses and facts.symbols[symbol].kind != "import":
            written.append(WrittenQuery(symbol, line, kind, uses))
    if written:
        facts.own_data().written += written


class _Reading:
    def __init__(self, declared: Declarations, code: str) -> None:
        self._names = declared.names
        self._code = code
        self._groups = declared.groups
        self._is_declaring = declared.is_declaring
        self._uses_library = declared.names.uses(LIBRARY)

    def statements(self) -> Iterator[tuple[int, str, list[WrittenUse]]]:
        """Yield the offset, the kind and the uses of each statement."""
        found = [each for each in self._found() if not self._is_declaring(each.start)]
        for place, each in enumerate(found):
            inner = [other for other in found[place + 1 : place + 1 + _MAX_INNER] if other.start < each.end]
            yield each.start, each.kind, list(self._uses(each, inner))
        yield from self._columns_elsewhere(found)

    def _found(self) -> Iterator[_Found]:
        code = self._code
        for match in _START.finditer(code):
            name, verb = match[1], match[2] or match[3]
            if verb in ("get", "all", "find", "new", "findById") and match[2] is not None and not self._is_call(match.end()):
                continue
            yield _Found(match.start(), self._end(match), name, verb, _VERBS[verb])

    def _is_call(self, at: int) -> bool:
        return self._code[at : at + 1] in ("(", "{") or self._code[at : at + 2] == " {"

    def _end(self, match: re.Match[str]) -> int:
        code = self._code
        limit = min(len(code), match.start() + _MAX_STATEMENT)
        at = match.end()
        if match[3] is not None:
            operand = _OPERAND.match(code, at)
            at = operand.end() if operand is not None else at
        while at < limit:
            following = _CHAIN.match(code, at, limit)
            if following is None:
                break
            at = following.end()
            if code[at : at + 1] in ("(", "{"):
                at = self._groups.end(at, limit)
            elif following.end() == following.start():
                break
        return at

    def _candidates(self, written: str) -> list[str]:
        return [f"{NAME}{name}" for name in self._names.candidates(written)]

    def _uses(self, each: _Found, inner: Sequence[_Found]) -> Iterator[WrittenUse]:
        """Yield the uses of a statement. Statements inside it have their own uses."""
        code = self._code
        changing = [(other.start, other.end) for other in inner if other.kind != "select"]

        def is_own(at: int) -> bool:
            return not any(start <= at < end for start, end in changing)

        modifies = each.kind != "select"
        own: dict[str, None] = {}
        assigned: dict[str, None] = {}
        places: set[int] = set()
        if modifies and each.kind != "delete":
            for found in _ASSIGNED.finditer(code, each.start, each.end):
                if is_own(found.start()):
                    group = 2 if found[2] is not None else 4
                    assigned[found[group]] = None
                    places.add(found.start(group - 1) if found[group - 1] is not None else found.start(group))
            if each.verb in ("new", "findByIdAndUpdate", "findSingleByAndUpdate"):
                for found in _SET.finditer(code, each.start, each.end):
                    if is_own(found.start(1)):
                        assigned[found[1]] = None
        others: dict[str, dict[str, None]] = {}
        for named in _NAMED.finditer(code, each.start, each.end):
            if not is_own(named.start()) or named.start() in places:
                continue
            table, column = named[1], named[2]
            if table == each.name:
                own.update({column: None} if column and column not in _VERBS else {})
            elif column not in _VERBS:
                others.setdefault(table, {}).update({column: None} if column else {})
            else:
                others.setdefault(table, {})
        for word in _WORD.finditer(code, each.start, each.end):
            if is_own(word.start()) and word.start() not in places and word[1] not in assigned:
                own[word[1]] = None
        candidates = self._candidates(each.name)
        fields = [[name] for name in own]
        yield WrittenUse(candidates, modifies, [], [[name] for name in assigned] if modifies else fields)
        if modifies and fields:
            yield WrittenUse(candidates, False, [], fields, True)
        for table, columns in others.items():
            yield WrittenUse(self._candidates(table), False, [], [[name] for name in columns])

    def _columns_elsewhere(self, found: Sequence[_Found]) -> Iterator[tuple[int, str, list[WrittenUse]]]:
        """Yield the columns that code reads from rows, outside of statements: `row[Users.name]`."""
        if not self._uses_library:
            return
        covered = sorted((each.start, each.end) for each in found)
        last = 0
        spans: list[tuple[int, int]] = []
        for start, end in covered:
            if end > last:
                spans.append((max(start, last), end))
                last = end
        for named in _NAMED.finditer(self._code):
            at = named.start()
            place = bisect_right(spans, (at, len(self._code))) - 1
            if named[2] is None or (place >= 0 and at < spans[place][1]) or self._is_declaring(at):
                continue
            yield at, "select", [WrittenUse(self._candidates(named[1]), False, [], [[named[2]]], True)]


def add_exposed(facts: FileFacts, text: str) -> None:
    """Add the tables, the entities and the statements of Exposed or Ktorm in a file to its facts about data."""
    code = plain_code(text)
    declared = Declarations(facts, text, code)
    models = list(declared.models())
    if models:
        facts.own_data().models += models
    if declared.framework == KTORM:
        add_ktorm_statements(facts, declared, code)
    else:
        add_statements(facts, declared, code)
