"""The programs that the blocks of code of a document form together, one for each language.

A reader runs the blocks of a page one after another, so a later block may use what an earlier one imports or defines:

    from shop import Cart          from shop import Cart
                                   cart = Cart()
    cart = Cart()
                                   cart.add("tea")
    cart.add("tea")

In TypeScript, each block is nested in the block before, so that it may declare a name again. Imports come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from ....schema.blank_text import blanked
from ...facts.document_facts import BlockFact
from ..block_languages import code_of, extension_of
from ..sections import CodeBlock
from .repairs import repaired

#: Languages, by the ending of their files, whose engine resolves blocks, with the name of the language.
ENGINES: Final = {".py": "python", ".ts": "tsx", ".go": "go", ".java": "java"}
#: Languages whose blocks are kept although they have no engine: in Kotlin, the lambdas around a call tell what it means.
_KEPT: Final = frozenset((".kt",))
#: Languages whose files belong to packages, which share one scope.
OF_PACKAGES: Final = frozenset((".go", ".java"))
#: Maximum number of characters of the blocks of a document that are resolved.
MAX_PROGRAM: Final = 300_000
_MAX_BLOCK: Final = 100_000
#: Maximum number of blocks that are nested in each other.
MAX_DEPTH: Final = 40
_IMPORT: Final = re.compile(
    r"^[ \t]*import\b[ \t]*(?:[\w$\s,{}*]{0,2000}?\bfrom\b[ \t]*)?['\"][^'\"\n]+['\"][ \t]*;?", re.MULTILINE
)
#: A name for a whole module that a script requires: `const shop = require("shop");`.
_REQUIRED: Final = re.compile(
    r"^[ \t]*(?:const|let|var)[ \t]+(?P<name>[A-Za-z_$][\w$]*)[ \t]*=[ \t]*require\([ \t]*"
    r"(?P<module>'[^'\n]+'|\"[^\"\n]+\")[ \t]*\)[ \t]*;?[ \t]*$",
    re.MULTILINE,
)


#: A function that code passes on with options, as in Fastify: `app.register(shop, { open: true })`.
_PLUGIN: Final = re.compile(r"\.(?:register|use)\(\s{0,40}(?P<name>[A-Za-z_$][\w$]{0,60}(?:\.[\w$]{1,60}){0,3}),\s{0,40}(?=\{)")
_BRACES: Final = re.compile(r"[{}]")
#: Maximum number of characters of such options, and of the line before them.
_MAX_OPTIONS: Final = 4_000
_MAX_LINE: Final = 400


class Expression(NamedTuple):
    """A member of a value in the text of a document, with its place: `cart.items`."""

    text: str
    line: int
    column: int
    #: The section around the expression, as an index among the symbols of the document.
    section: int


class NamedImport(NamedTuple):
    """An import that the document does not show, with the name that it binds."""

    name: str
    code: str


class Implied(NamedTuple):
    """What a document leaves to the reader about the imports of its blocks in a language."""

    #: Imports that the program needs, and that the document does not show.
    imports: Sequence[str] = ()
    #: Modules whose default export is what a script gets that requires them.
    defaults: frozenset[str] = frozenset()
    #: The expressions in the text of the document, which the program has after its blocks.
    expressions: Sequence[Expression] = ()
    #: Imports that a program has unless one of its blocks imports the name.
    named: Sequence[NamedImport] = ()
    #: The names of imported packages of the repository, which may differ from the last parts of their paths.
    packages: Mapping[str, str] = MappingProxyType({})


class Program(NamedTuple):
    """The code of the blocks of a document in one language."""

    text: str
    #: The line of the document for each line of the text, and the columns by which the text is moved to the left. The line is 0
    #: for a line that the document does not have.
    places: list[tuple[int, int]]
    #: The lines of the document with the same import as another line, by the number of the other line. They are left out.
    repeated: dict[int, list[int]]


def engine_blocks(blocks: Sequence[CodeBlock], section_at: Callable[[int], int]) -> list[BlockFact]:
    """Return the blocks of a document whose language has an engine for them. `section_at` returns the section around a line."""
    found = []
    for block in blocks:
        extension = extension_of(block.language, block.text)
        if (extension in ENGINES or extension in _KEPT) and block.text.strip() and len(block.text) <= _MAX_BLOCK:
            text = code_of(block.text) if extension == ".py" else block.text
            section = section_at(block.line)
            if text.strip() and section >= 0:
                found.append(BlockFact(section, extension, block.line, text))
    return found


def program_of(blocks: Sequence[BlockFact], extension: str, implied: Implied, is_valid: Callable[[str], bool]) -> Program:
    """Return the program of the blocks in a language, which begins with the implied imports.

    A block with a syntax error is repaired, or left out. `is_valid` tells whether code has none.
    """
    taken = []
    size = 0
    for block in blocks:
        if block.extension != extension:
            continue
        text, indent = dedented(block.text)
        valid = repaired(text, extension, is_valid)
        if valid:
            size += len(valid)
            if size > MAX_PROGRAM:
                break
            taken.append(_Taken(block.line, valid, indent))
    if not taken:
        return Program("", [], {})
    shown = [(each.text, each.line, each.column - 1) for each in implied.expressions]
    found = _sequence(taken, shown) if extension == ".py" else _nested(taken, shown, implied.defaults)
    return found._replace(
        text="\n".join([*implied.imports, found.text]), places=[*((0, 0) for _ in implied.imports), *found.places]
    )


def dedented(text: str) -> tuple[str, int]:
    """Return a text without the indentation that all its lines have, and the number of removed columns."""
    lines = text.split("\n")
    indent = min((len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()), default=0)
    return ("\n".join(line[indent:] for line in lines), indent) if indent else (text, 0)


class _Taken(NamedTuple):
    """The valid code of a block, without the indentation that all its lines have."""

    line: int
    text: str
    indent: int


def _sequence(blocks: Sequence[_Taken], shown: Sequence[tuple[str, int, int]]) -> Program:
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    for block in blocks:
        for number, line in enumerate(block.text.split("\n"), block.line):
            lines.append(line)
            places.append((number, block.indent))
    lines += [text for text, _, _ in shown]
    places += [(line, indent) for _, line, indent in shown]
    return Program("\n".join(lines), places, {})


def required_modules(blocks: Sequence[BlockFact], extension: str) -> dict[str, set[str]]:
    """Return the modules that the blocks of scripts require as a whole, each with the names for them."""
    found: dict[str, set[str]] = {}
    for block in blocks:
        for each in _REQUIRED.finditer(block.text) if block.extension == extension else ():
            found.setdefault(each["module"][1:-1], set()).add(each["name"])
    return found


def is_namespace(name: str, members: Collection[str], blocks: Sequence[BlockFact], extension: str) -> bool:
    """Return whether blocks use only some members of a name, and never call or construct what has the name."""
    pattern = re.compile(rf"(?<![\w$.]){re.escape(name)}[ \t]*(?:\.(?P<member>[A-Za-z_$][\w$]*)|\()")
    uses = [found["member"] for each in blocks if each.extension == extension for found in pattern.finditer(each.text)]
    return bool(uses) and all(member in members for member in uses)


def _with_default(text: str, defaults: Collection[str]) -> str:
    """Return a script in which the names for modules with a default export import this export. Columns may change."""

    def imported(found: re.Match[str]) -> str:
        return f"import {found['name']} from {found['module']}" if found["module"][1:-1] in defaults else found[0]

    return _REQUIRED.sub(imported, text) if defaults else text


def _nested(blocks: Sequence[_Taken], shown: Sequence[tuple[str, int, int]], defaults: Collection[str]) -> Program:
    first: list[tuple[str, int, int]] = []
    rest: list[tuple[str, int, int]] = []
    known: dict[str, int] = {}
    repeated: dict[int, list[int]] = {}
    depth = 0
    for block in blocks:
        text, indent = _with_default(block.text, defaults), block.indent
        kept, at = [], 0
        for found in _IMPORT.finditer(text):
            written = found[0].strip()
            line = block.line + text.count("\n", 0, found.start())
            if written in known:
                repeated.setdefault(known[written], []).append(line)
            else:
                known[written] = line
                first += [(each, number, indent) for number, each in enumerate(found[0].split("\n"), line)]
            kept += [text[at : found.start()], blanked(found)]
            at = found.end()
        kept.append(text[at:])
        if depth == MAX_DEPTH:
            rest.append(("}" * depth, 0, 0))
            depth = 0
        depth += 1
        rest.append(("{", 0, 0))
        code = "".join(kept)
        rest += [(each, number, indent) for number, each in enumerate(code.split("\n"), block.line)]
        rest += [line for plugin in plugins_in(code) for line in _call_of_plugin(code, plugin, block.line, indent)]
    rest += [*shown, ("}" * depth, 0, 0)]
    lines = [*first, *rest]
    places = [(number, indent) for _, number, indent in lines]
    return Program("\n".join(line for line, _, _ in lines), places, repeated)


class _Plugin(NamedTuple):
    """A function that code passes on with options: its name, the place of the options, and the number of lines before them."""

    name: str
    start: int
    end: int
    lines: int


def plugins_in(code: str) -> Iterator[_Plugin]:
    """Yield the functions that code passes on together with their options.

    `app.register(shop, { open: true })` calls `shop(app, { open: true })`.
    """
    lines = at = end = 0
    for found in _PLUGIN.finditer(code):
        if found.end() < end:
            continue
        lines += code.count("\n", at, found.end())
        at = found.end()
        depth = 0
        for sign in _BRACES.finditer(code, at, at + _MAX_OPTIONS):
            depth += 1 if sign[0] == "{" else -1
            if not depth:
                end = sign.end()
                yield _Plugin(found["name"], at, end, lines)
                break
        else:
            return


def _call_of_plugin(code: str, plugin: _Plugin, first: int, indent: int) -> list[tuple[str, int, int]]:
    """Return the lines of the call of a plugin with its options, each with its line and its indentation in the document."""
    line = first + plugin.lines
    column = plugin.start - code.rfind("\n", max(0, plugin.start - _MAX_LINE), plugin.start) - 1
    head, *others = code[plugin.start : plugin.end].split("\n")
    options = [(head, line, indent + column), *((each, number, indent) for number, each in enumerate(others, line + 1))]
    return [(f";{plugin.name}(undefined,", 0, 0), *options, (")", 0, 0)]
