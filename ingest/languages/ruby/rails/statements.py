"""The models that a file of Ruby declares, and the statements that calls of models make: `User.where(name: name).order(:age)`.

A model is known by its constant; the constants of all files decide whether it is one.
See https://guides.rubyonrails.org/active_record_querying.html and https://guides.rubyonrails.org/association_basics.html.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from .....schema.blank_text import blanked
from ....facts.data import WrittenQuery, WrittenUse
from ....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from ....facts.uncovered_lines import line_offsets
from ....symbols.code_groups import Groups
from .inflection import camelized, singular
from .models import FRAMEWORK, NAME, ROOTS

_HIDDEN: Final = re.compile(
    r"(?<![^\s(\[{,])#[^\n{][^\n]*+|(?<![^\s(\[{,])#$|^=begin\b.*?^=end\b|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'",
    re.MULTILINE | re.DOTALL,
)
_CLASS: Final = re.compile(r"^class\s+([\w:]+)\s*<\s*(?:::)?([\w:]+)")
#: Bases of classes that are no models.
_OTHERS: Final = re.compile(
    r"(?:Error|Exception|Controller|Job|Mailer|Test|TestCase|Case|Policy|Serializer|Worker|Component|Struct)$"
)
_ASSOCIATION: Final = re.compile(
    r"^[ \t]*(belongs_to|has_many|has_one|has_and_belongs_to_many)[ \t(]+:(\w+)((?:[^\n]*,[ \t]*(?:#[^\n]*)?\n)*[^\n]*)",
    re.MULTILINE,
)
_CLASS_NAME: Final = re.compile(r"\bclass_name:\s*[\"']:?:?([\w:]+)|\bclass_name:\s*(?:::)?([A-Z][\w:]*)")
_FOREIGN_KEY: Final = re.compile(r"\bforeign_key:\s*[\"':](\w+)")
_SOURCE: Final = re.compile(r"\bsource:\s*[\"':](\w+)")
_TABLE: Final = re.compile(r"^[ \t]*self\.table_name\s*=\s*[\"':]([\w.]+)", re.MULTILINE)
_ABSTRACT: Final = re.compile(r"^[ \t]*(?:self\.abstract_class\s*=\s*true|primary_abstract_class)\b", re.MULTILINE)
_SCOPE: Final = re.compile(r"^[ \t]*scope[ \t(]+:(\w+[?!]?)", re.MULTILINE)
_KINDS: Final = {
    "select": "all where find find_by find_by! find_sole_by sole find_each find_in_batches in_batches first first! last last!"
    " take take! second third pluck pick ids count sum average minimum maximum exists? any? many? joins left_joins"
    " left_outer_joins includes preload eager_load references order reorder limit offset group having distinct select rewhere"
    " unscoped lock not or find_or_initialize_by find_signed in_order_of excluding without",
    "insert": "create create! insert insert! insert_all insert_all!",
    "merge": "upsert upsert_all find_or_create_by find_or_create_by! create_or_find_by create_or_find_by! first_or_create"
    " first_or_create!",
    "update": "update update! update_all update_columns update_column update_attribute update_attributes update_attributes!"
    " update_counters increment! decrement! increment_counter decrement_counter touch touch_all toggle!",
    "delete": "delete delete_all delete_by destroy destroy! destroy_all destroy_by",
}
_VERBS: Final = {verb: kind for kind, verbs in _KINDS.items() for verb in verbs.split()}
#: Calls whose symbols and keys are columns, and calls whose symbols are relations.
_COLUMNS: Final = (
    "where", "find_by", "find_by!", "find_sole_by", "rewhere", "not", "exists?", "find_or_initialize_by",
    "find_or_create_by", "find_or_create_by!", "create_or_find_by", "create_or_find_by!", "order", "reorder", "pluck",
    "pick", "sum", "average", "minimum", "maximum", "group", "select", "having", "delete_by", "destroy_by", "count",
)  # fmt: skip
_RELATIONS: Final = (
    "joins", "left_joins", "left_outer_joins", "includes", "preload", "eager_load",
)  # fmt: skip
_ASSIGNING: Final = (
    "create", "create!", "insert", "insert!", "update", "update!", "update_all", "update_columns", "update_attributes",
    "update_attributes!", "increment!", "decrement!", "toggle!", "update_attribute", "update_column", "find_or_create_by",
    "find_or_create_by!", "create_or_find_by", "create_or_find_by!", "first_or_create", "first_or_create!",
)  # fmt: skip
_CONSTANT: Final = re.compile(r"(?<![\w.:@$])((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)\s*\.\s*([a-z_]\w*[?!]?)")
#: Calls in a model without a receiver, in scopes and class methods.
_BARE: Final = re.compile(
    r"(?<![\w.:@$])(where|find_by|joins|left_joins|left_outer_joins|includes|preload|order|pluck|update_all)(?=\s*\(|\.not\s*\()"
)
_NEXT: Final = re.compile(r"[ \t]*(?=[({])|\s*&?\.\s*([a-z_]\w*[?!]?)")
_DYNAMIC: Final = re.compile(r"find_by_(\w+?)!?$")
_KEY: Final = re.compile(r"(?<![\w:?])([a-z_]\w*):(?!:)\s*(\{)?|(?<![\w:]):([a-z_]\w*)\s*(?:=>\s*(\{)?)?")
#: Methods that no scope has.
_NO_SCOPES: Final = frozenset(
    ("new", "name", "class", "call", "instance", "send", "to_s", "transaction", "table_name", "human_attribute_name")
)
#: Maximum length of a statement, in characters.
_MAX_STATEMENT: Final = 4_000
#: Maximum depth of conditions inside each other.
_MAX_NESTED: Final = 6


def plain_code(text: str) -> str:
    """Return code in which comments and texts are blank. Offsets stay the same."""
    return _HIDDEN.sub(blanked, text)


def add_models(facts: FileFacts, text: str) -> None:
    """Add the models and the statements of a file to its facts about data."""
    reading = _Reading(facts, text)
    models, written = list(reading.models()), list(reading.statements())
    if models or written:
        data = facts.own_data()
        data.models += models
        data.written += written


class _Reading:
    def __init__(self, facts: FileFacts, text: str) -> None:
        self._symbols = facts.symbols
        self._text = text
        self._code = plain_code(text)
        self._groups = Groups(self._code)
        self._starts = line_offsets(text)
        self._owners = symbols_of_lines(facts.symbols, facts.lines)
        #: The classes of the file that may be models, by symbol.
        self._classes = {
            place: found[2]
            for place, symbol in enumerate(facts.symbols)
            if symbol.kind == "class" and (found := _CLASS.match(symbol.signature)) is not None and not _OTHERS.search(found[2])
        }

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def _owner(self, offset: int) -> int:
        line = self._line(offset)
        return self._owners[line] if line < len(self._owners) else -1

    def _around(self, symbol: int) -> list[str]:
        """Return the modules and classes around a symbol and itself, the outermost first."""
        found: list[str] = []
        while symbol >= 0:
            if self._symbols[symbol].kind in ("class", "module", "namespace"):
                declared = re.match(r"(?:class|module)\s+([\w:]+)", self._symbols[symbol].signature)
                found.append(declared[1] if declared is not None else self._symbols[symbol].name)
            symbol = self._symbols[symbol].parent
        return found[::-1]

    def _class_of(self, symbol: int) -> int:
        while symbol >= 0 and symbol not in self._classes:
            symbol = self._symbols[symbol].parent
        return symbol

    def _candidates(self, written: str, around: Sequence[str]) -> list[str]:
        """Return the constants that a written name may denote, the most likely first."""
        if written.startswith("::"):
            return [written[2:]]
        return ["::".join([*around[:length], written]) for length in range(len(around), -1, -1)]

    # ------------------------------------------------------------------ models

    def models(self) -> Iterator[MappedModel]:
        """Yield the classes with a base, which may be models."""
        for place, base in self._classes.items():
            symbol = self._symbols[place]
            around = self._around(place)
            made = MappedModel(FRAMEWORK, "::".join(around), ModelKind.TABLE, place, symbol.declaration_line)
            made.bases = self._candidates(base, around[:-1])
            last = self._starts[symbol.end_line] if symbol.end_line < len(self._starts) else len(self._text)
            span = (self._starts[symbol.declaration_line - 1], last)
            table = _TABLE.search(self._text, *span)
            made.table = table[1] if table is not None else ""
            if _ABSTRACT.search(self._code, *span) is not None:
                made.options["abstract"] = "true"
            made.fields = list(self._associations(span, place, around))
            scopes = [found[1] for found in _SCOPE.finditer(self._code, *span)]
            if scopes:
                made.options["scopes"] = " ".join(dict.fromkeys(scopes))
            if made.fields or scopes or table is not None or base in ROOTS or not base.startswith("Active"):
                yield made

    def _associations(self, span: tuple[int, int], symbol: int, around: Sequence[str]) -> Iterator[MappedField]:
        for found in _ASSOCIATION.finditer(self._text, *span):
            macro, name, options = found[1], found[2], found[3]
            if self._class_of(self._owner(found.start(2))) != symbol:
                continue
            stated, key, source = _CLASS_NAME.search(options), _FOREIGN_KEY.search(options), _SOURCE.search(options)
            plain = source[1] if source is not None else name
            is_many = macro in ("has_many", "has_and_belongs_to_many")
            written = (
                (stated[1] or stated[2]) if stated is not None else camelized(singular(plain) if is_many or source else plain)
            )
            field = MappedField(name, symbol, self._line(found.start(2)), macro)
            field.kind = {"belongs_to": FieldKind.MANY_TO_ONE, "has_one": FieldKind.ONE_TO_ONE}.get(macro, FieldKind.ONE_TO_MANY)
            field.column = (key[1] if key is not None else f"{name}_id") if macro == "belongs_to" else ""
            is_open = "polymorphic: true" in options
            field.target_fields = [] if is_open else self._candidates(written, around)
            yield field

    # ------------------------------------------------------------------ statements

    def statements(self) -> Iterator[WrittenQuery]:
        """Yield the statements that chains of calls make."""
        end = 0
        for found in sorted([*_CONSTANT.finditer(self._code), *_BARE.finditer(self._code)], key=lambda each: each.start()):
            symbol = self._owner(found.start())
            if symbol < 0:
                continue
            if found.re is _BARE:
                owner = self._class_of(symbol)
                if owner < 0 or found.start() < end:
                    continue
                names, verb = ["::".join(self._around(owner))], found[1]
            else:
                names, verb = self._candidates(found[1], self._around(symbol)), found[2]
            if verb in _NO_SCOPES:
                continue
            names = [f"{NAME}{name}" for name in names]
            calls, last = self._chain(verb, found.end())
            is_known = verb in _VERBS or _DYNAMIC.match(verb) is not None
            end = max(end, last) if is_known else end
            kind, uses = self._uses(names if is_known else [f"{name}.{verb}" for name in names], calls)
            yield WrittenQuery(symbol, self._line(found.start()), kind, uses)

    def _chain(self, verb: str, at: int) -> tuple[list[tuple[str, int, int]], int]:
        """Return the calls of a chain, each with the range of its arguments, and the end of the chain."""
        code, limit = self._code, min(len(self._code), at + _MAX_STATEMENT)
        calls: list[tuple[str, int, int]] = []
        name, start, stop = verb, at, at
        while (following := _NEXT.match(code, at, limit)) is not None:
            if following[1] is not None:
                calls.append((name, start, stop))
                at = following.end()
                name, start, stop = following[1], at, at
                continue
            at = following.end()
            closed = self._groups.end(at, limit)
            if code[at] == "(":
                start, stop = at + 1, closed - 1
            at = closed
        if start == stop and code[at : at + 1] == " " and code[at + 1 : at + 2] in (":", *"abcdefghijklmnopqrstuvwxyz"):
            line_end = code.find("\n", at)
            words = code[at : line_end if line_end >= 0 else len(code)]
            if re.match(r" (?::\w+|\w+: )", words) is not None:  # arguments without parentheses
                start, stop = at, at + len(words)
        calls.append((name, start, stop))
        return calls, max(at, stop)

    def _uses(self, names: list[str], calls: Sequence[tuple[str, int, int]]) -> tuple[str, list[WrittenUse]]:
        kinds = [_VERBS[name] for name, _, _ in calls if name in _VERBS]
        kind = next((each for each in reversed(kinds) if each != "select"), "select")
        read: dict[tuple[str, ...], None] = {}
        written: dict[tuple[str, ...], None] = {}
        relations: dict[str, None] = {}
        for name, start, stop in calls:
            dynamic = _DYNAMIC.match(name)
            if dynamic is not None:
                read.update(dict.fromkeys((part,) for part in dynamic[1].split("_and_")))
            for path in self._keys(start, stop) if name in _COLUMNS or name in _ASSIGNING or name in _RELATIONS else ():
                if name in _RELATIONS:
                    relations[path[0]] = None
                elif name in _ASSIGNING and kind != "select":
                    written[path[:1]] = None
                else:
                    read[path] = None
        fields = [list(path) for path in read]
        if kind == "select":
            uses = [WrittenUse(names, False, [], fields)]
        else:
            uses = [WrittenUse(names, True, [], [list(path) for path in written])]
            if fields:
                uses.append(WrittenUse(names, False, [], fields, True))
        uses += [WrittenUse(names, False, [relation]) for relation in relations]
        return kind, uses

    def _keys(self, start: int, stop: int, nested: int = 0) -> Iterator[tuple[str, ...]]:
        """Yield the symbols and keys in the arguments of a call: `(:name)` or `(author: { name: "Ada" })`."""
        code, at = self._code, start
        while (found := _KEY.search(code, at, stop)) is not None:
            opened = min((place for place in (code.find(sign, at, found.start()) for sign in "({") if place >= 0), default=-1)
            if opened >= 0:
                at = self._groups.end(opened, stop)
                continue
            name = found[1] or found[3]
            brace = found.end() - 1 if found[2] or found[4] else -1
            at = found.end()
            if brace < 0:
                yield (name,)
                continue
            closed = self._groups.end(brace, stop)
            inside = list(self._keys(brace + 1, closed - 1, nested + 1)) if nested < _MAX_NESTED else []
            yield from ((name, *path) for path in inside)
            if not inside:
                yield (name,)
            at = closed
