"""The ways to break code for a benchmark: one declaration is changed so that a compiler refuses some of its uses.

A declaration is renamed or taken away, or loses its `export`; a function gains or loses a parameter (`longer`, `shorter`), or
returns something else (`returns`); a type demands one member more (`demands`) or takes one argument more (`generic`); a union
of texts loses one of them (`narrowed`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from astrolabe.schema.languages import language_of
from astrolabe.schema.records import Symbol

#: Kinds of symbols that are changed.
BREAKABLE: Final = frozenset(("function", "method", "class", "interface", "type", "const", "variable"))
_CALLED: Final = ("function", "method")
_TYPES: Final = ("class", "interface", "type")
_EXPORT: Final = re.compile(r"^export (?:default )?(?=function|class|interface|const|async|abstract|enum|type)")
#: A parameter that breaks calls, by language.
_ADDED: Final = {"go": "added int", "java": "int added", "python": "added", "typescript": "added: number", "javascript": ""}
#: Parameters for the receiver of a method, which stay the first.
_RECEIVERS: Final = ("self", "cls", "this", "&self")
_GO_RESULT: Final = re.compile(r"\)\s*(?P<result>\([^()]*\)|[\w.*\[\]]+)?\s*\{\s*$")
_JAVA_RESULT: Final = r"(?P<result>[\w.]+(?:<[^()]*>)?(?:\[\])*)\s+{name}\s*\("
_NUMBERS: Final = ("int", "long", "short", "byte", "char", "double", "float", "boolean")
_TEXT: Final = r"'[^'\n]*'|\"[^\"\n]*\""
_MEMBER_OF_UNION: Final = re.compile(rf"\s*\|\s*(?:{_TEXT})(?=\s*(?:[|;]|$))")
_ABSTRACT_PYTHON: Final = re.compile(r"@(?:abc\.)?abstractmethod\b")


class Break(NamedTuple):
    """A change of one file that may break others. The lines are those of the declaration in the new text."""

    path: str
    name: str
    way: str
    lines: range
    text: str


def breakable_symbols(data: bytes, path: str) -> list[Symbol]:
    """Return the symbols of a file that can be broken."""
    facts = extract_facts(data, language_of(path) or "")
    return [each for each in file_symbols(path, facts.symbols) if each.kind in BREAKABLE and each.name.isidentifier()]


def mixed_by_way(found: list[Break], chance: random.Random) -> Iterator[Break]:
    """Yield breaks in random order, so that no way comes first because it has more breaks than others."""
    of_ways: dict[str, list[Break]] = {}
    for each in chance.sample(found, len(found)):
        of_ways.setdefault(each.way, []).append(each)
    while of_ways:
        for way in chance.sample(sorted(of_ways), len(of_ways)):
            yield of_ways[way].pop()
            if not of_ways[way]:
                del of_ways[way]


def breaks_of(path: str, symbol: Symbol, lines: list[str]) -> Iterator[Break]:
    """Yield the ways to break a declaration."""
    span = range(symbol.declaration_line, symbol.end_line + 1)
    head = lines[span.start - 1]
    renamed = re.sub(rf"\b{re.escape(symbol.name)}\b", f"{symbol.name}Renamed", head, count=1)
    if renamed == head:
        return
    language = language_of(path) or ""
    changed = [("renamed", renamed), ("unexported", _EXPORT.sub("", head))]
    if symbol.kind in _CALLED:
        changed += resigned(head, symbol.name, _ADDED.get(language, ""))
        changed.append(("returns", _with_other_result(head, symbol.name, language)))
    if symbol.kind in _TYPES:
        changed.append(("generic", _with_type_parameter(head, symbol, language)))
        changed.append(("demands", _with_member(lines, symbol, language)))
    for way, line in changed:
        if line != head:
            inserted = line.count("\n")
            text = "\n".join([*lines[: span.start - 1], line, *lines[span.start :]])
            yield Break(path, symbol.qualified_name, way, range(span.start, span.stop + inserted), text)
    if symbol.kind in _CALLED:
        text = "\n".join(lines[: span.start - 1] + lines[span.stop - 1 :])
        yield Break(path, symbol.qualified_name, "removed", span, text)
    if symbol.kind in ("type", "interface") and language in ("typescript", "tsx"):
        for line in span:
            narrowed = _MEMBER_OF_UNION.sub("", lines[line - 1], count=1)
            if narrowed.strip() and narrowed != lines[line - 1] and ("'" in narrowed or '"' in narrowed):
                text = "\n".join([*lines[: line - 1], narrowed, *lines[line:]])
                yield Break(path, symbol.qualified_name, "narrowed", span, text)


def resigned(head: str, name: str, added: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to change the parameters of a function whose list of parameters is on one line, each with the new line."""
    found = re.search(rf"\b{re.escape(name)}(?:<[^<>()]*>)?\((?P<list>[^()]*)\)", head)
    if found is None or not added:
        return
    parameters = [each.strip() for each in found["list"].split(",")] if found["list"].strip() else []
    receiver = parameters[:1] if parameters and parameters[0].partition(":")[0] in _RECEIVERS else []
    own = parameters[len(receiver) :]
    start, end = found.span("list")
    is_named = not own or " " in own[-1] or " " not in added
    if is_named:
        yield "longer", head[:start] + ", ".join([*receiver, added, *own]) + head[end:]
    if own and is_named and own[-1] not in ("*", "/"):
        yield "shorter", head[:start] + ", ".join([*receiver, *own[:-1]]) + head[end:]


def _with_other_result(head: str, name: str, language: str) -> str:
    """Return the head of a function with a result more or less in Go, or with a result of another type in Java."""
    if language == "go" and (found := _GO_RESULT.search(head)):
        results = [each.strip() for each in (found["result"] or "").strip("()").split(",") if each.strip()]
        if any(" " in each for each in results):
            return head
        others = results[:-1] if len(results) > 1 else [*results, "error"]
        return f"{head[: found.start() + 1]} ({', '.join(others)}) {{"
    if language == "java" and (found := re.search(_JAVA_RESULT.format(name=re.escape(name)), head)):
        result = found["result"]
        other = "String" if result in _NUMBERS else "Object"
        if result not in ("void", "Object", "return", "new"):
            return head[: found.start("result")] + other + head[found.end("result") :]
    return head


def _with_type_parameter(head: str, symbol: Symbol, language: str) -> str:
    """Return the head of a type with one type parameter more."""
    if language not in ("typescript", "tsx", "java", "go"):
        return head
    opening, added = ("[", "Added any") if language == "go" else ("<", "Added")
    start = re.search(rf"\b{re.escape(symbol.name)}(?P<list>{re.escape(opening)})?(?=[\s<{{])?", head)
    if start is None or (language == "java" and not start["list"]):
        return head  # Java accepts a type without its arguments
    if start["list"]:
        return f"{head[: start.end()]}{added}, {head[start.end() :]}"
    return f"{head[: start.end()]}{opening}{added}{']' if language == 'go' else '>'}{head[start.end() :]}"


def _with_member(lines: list[str], symbol: Symbol, language: str) -> str:
    """Return the head of an interface or an abstract class that demands one member more."""
    head = lines[symbol.declaration_line - 1]
    is_abstract = " abstract " in f" {head}"
    if language == "python":
        within = "\n".join(lines[symbol.declaration_line - 1 : symbol.end_line])
        marked = _ABSTRACT_PYTHON.search(within)
        if symbol.kind != "class" or not head.rstrip().endswith(":") or not (marked or "Protocol" in head):
            return head
        indent = " " * (len(head) - len(head.lstrip()) + 4)
        decorator = f"\n{indent}{marked[0]}" if marked else ""
        return f"{head}{decorator}\n{indent}def added_member(self) -> int: ..."
    if not head.rstrip().endswith("{") or "@interface" in head:
        return head
    if symbol.kind == "interface":
        member = {"go": "AddedMember() int", "java": "int addedMember();"}.get(language, "addedMember: number;")
        return f"{head.rstrip()} {member}"
    if symbol.kind == "class" and is_abstract:
        return f"{head.rstrip()} {'abstract int addedMember();' if language == 'java' else 'abstract addedMember(): number;'}"
    return f"{head.rstrip()} addedMember: number;" if symbol.kind == "type" and language == "typescript" else head
