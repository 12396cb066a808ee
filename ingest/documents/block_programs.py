"""The programs that the blocks of code of a document form together, one for each language.

A reader runs the blocks of a page one after another, so a later block may use what an earlier one imports or defines:

    from shop import Cart          from shop import Cart
                                   cart = Cart()
    cart = Cart()
                                   cart.add("tea")
    cart.add("tea")

In TypeScript, each block is nested in the block before, so that it may declare a name again. Imports come first.

Blocks are made valid without ellipses (`connect(...)`), placeholders (`decode(data, <type>)`), markup of components and
paragraphs with errors. A comment that is an option, such as `// size: 3,`, counts as code.
What remains keeps its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ..facts.document_facts import BlockFact, MentionFact
from .block_languages import code_of, extension_of
from .sections import CodeBlock

#: Languages, by the ending of their files, whose engine resolves blocks, with the name of the language.
ENGINES: Final = {".py": "python", ".ts": "tsx"}
#: Maximum number of characters of the blocks of a document that are resolved.
_MAX_PROGRAM: Final = 300_000
_MAX_BLOCK: Final = 100_000
#: Maximum number of blocks that are nested in each other.
_MAX_DEPTH: Final = 40
_IMPORT: Final = re.compile(
    r"^[ \t]*import\b[ \t]*(?:[\w$\s,{}*]{0,2000}?\bfrom\b[ \t]*)?['\"][^'\"\n]+['\"][ \t]*;?", re.MULTILINE
)
#: A name for a whole module that a script requires: `const shop = require("shop");`.
_REQUIRED: Final = re.compile(
    r"^[ \t]*(?:const|let|var)[ \t]+(?P<name>[A-Za-z_$][\w$]*)[ \t]*=[ \t]*require\([ \t]*"
    r"(?P<module>'[^'\n]+'|\"[^\"\n]+\")[ \t]*\)[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")


#: A name at the beginning of an expression, with the sign of a call or a member after it.
_FIRST: Final = re.compile(r"(?<![\w$.\"'`/@-])(?P<name>[A-Za-z_$][\w$]*)(?=[ \t]*(?P<sign>[.(]?))")
#: A name that a block binds: it imports, declares or assigns the name.
_BOUND: Final = re.compile(
    r"\b(?:def|class|function|const|let|var|as|for|interface|type|enum)[ \t]+(?P<declared>[A-Za-z_$][\w$]*)"
    r"|(?<![\w$.:])(?<!:[ \t])(?P<assigned>[A-Za-z_$][\w$]*)[ \t]*(?::[^=\n,(){}]{1,80})?=(?![=>])"
    r"|\b(?:import|from|const|let|var)\b(?P<several>[^\n=;]{1,300})"
)


#: The parameters of a test in Python, and the name of a parameter.
_TEST: Final = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+test\w*\((?P<parameters>[^()\n]{1,400})\)", re.MULTILINE)
_PARAMETER: Final = re.compile(r"(?:^|,)[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*(?=[,:]|$)")
#: A keyword of a call, a string, or a bracket.
_IN_CALL: Final = re.compile(r"[\"'()\[\]{}]|(?<=[(,\s])(?P<keyword>[A-Za-z_]\w*)=(?!=)")
#: Maximum number of lines and signs of a call that are read for its keywords.
_MAX_CALL_LINES: Final = 40
_MAX_SIGNS: Final = 400


#: A member of a value in the text of a document, perhaps called.
_MEMBER: Final = re.compile(
    r"(?P<path>(?P<value>[A-Za-z_$][\w$]*)(?:\.[A-Za-z_$][\w$]*){1,6})(?:(?P<call>\([^()\n]{0,120}\)))?;?$", re.ASCII
)


#: An ellipsis that stands for left out code, and one that stands for a value.
_ELLIPSIS: Final = re.compile(r"\.\.\.(?=[ \t]*(?:[)\]},;]|/[/*]|$))", re.MULTILINE)
_LEFT_OUT_VALUE: Final = re.compile(r"(?<=[:=>][ \t])(?:\.\.\.|…)")
_ELLIPSIS_SIGN: Final = re.compile("…")
#: A placeholder in angle brackets: `<type>`. In TypeScript, it would be markup.
_PLACEHOLDER: Final = re.compile(r"<(?P<name>[A-Za-z_][\w-]{0,40})>")
_SCRIPT: Final = re.compile(r"<script\b[^<>]{0,200}>")
_END_OF_SCRIPT: Final = "</script>"
_COMPONENT: Final = re.compile(r"<(?:template|script|style)\b")
_NO_BREAK: Final = re.compile(r"[^\n]")
#: A comment that is an option of an object or of a call, with the sign of the comment.
_OPTION: Final = {
    ".ts": re.compile(
        r"^[ \t]*(?P<sign>//)(?=[ \t]*(?:[A-Za-z_$][\w$]*[ \t]*:[^\n]{0,160}[,{\[][ \t]*$|[}\]],?[ \t]*$))", re.MULTILINE
    ),
    ".py": re.compile(r"^[ \t]*(?P<sign>#)(?=[ \t]*[A-Za-z_]\w*=[^=\n]{1,120},[ \t]*$)", re.MULTILINE),
}
#: Maximum number of paragraphs of a block that are looked at one by one.
_MAX_PARAGRAPHS: Final = 40


class Expression(NamedTuple):
    """A member of a value in the text of a document, with its place: `cart.items`."""

    text: str
    line: int
    column: int
    #: The section around the expression, as an index among the symbols of the document.
    section: int


class Implied(NamedTuple):
    """What a document leaves to the reader about the imports of its blocks in a language."""

    #: Imports that the program needs, and that the document does not show.
    imports: Sequence[str] = ()
    #: Modules whose default export is what a script gets that requires them.
    defaults: frozenset[str] = frozenset()
    #: The expressions in the text of the document, which the program has after its blocks.
    expressions: Sequence[Expression] = ()


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
        if extension in ENGINES and block.text.strip() and len(block.text) <= _MAX_BLOCK:
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
            if size > _MAX_PROGRAM:
                break
            taken.append(_Taken(block.line, valid, indent))
    if not taken:
        return Program("", [], {})
    shown = [(each.text, each.line, each.column - 1) for each in implied.expressions]
    found = _sequence(taken, shown) if extension == ".py" else _nested(taken, shown, implied.defaults)
    return found._replace(
        text="\n".join([*implied.imports, found.text]), places=[*((0, 0) for _ in implied.imports), *found.places]
    )


def expressions_in(mentions: Iterable[MentionFact], blocks: Sequence[BlockFact], extension: str) -> Iterator[Expression]:
    """Yield the members in the text of a document whose value or module has a name that the blocks in a language use."""
    known: set[str] | None = None
    for mention in mentions:
        found = _MEMBER.match(mention.text) if mention.form == "code" and not mention.extension else None
        if found is None:
            continue
        if known is None:
            known = {name for block in blocks if block.extension == extension for name in _NAME.findall(block.text)}
        if found["value"] in known:
            yield Expression(found["path"] + ("()" if found["call"] else ""), mention.line, mention.column, mention.symbol)


def free_names(blocks: Sequence[BlockFact], extension: str) -> dict[str, bool]:
    """Return the names that the blocks in a language may use without binding them, each with whether a block calls it."""
    found: dict[str, bool] = {}
    bound: set[str] = set()
    for block in blocks:
        if block.extension != extension:
            continue
        for each in _FIRST.finditer(block.text):
            if each["sign"] or each["name"][:1].isupper():
                found[each["name"]] = found.get(each["name"], False) or each["sign"] == "("
        for each in _BOUND.finditer(block.text):
            if each["several"] is not None:
                bound.update(_NAME.findall(each["several"]))
            else:
                bound.add(each["declared"] or each["assigned"])
    return {name: is_called for name, is_called in found.items() if name not in bound}


def fixtures_of(block: BlockFact) -> Iterator[tuple[str, int, int]]:
    """Yield the names that tests in a block of Python take from fixtures, each with line and column of a use."""
    names = {found["name"] for test in _TEST.finditer(block.text) for found in _PARAMETER.finditer(test["parameters"])} - {"self"}
    if not names or block.extension != ".py":
        return
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(names))})(?![\w=])")
    for number, line in enumerate(block.text.split("\n"), block.line):
        yield from ((found[0], number, found.start() + 1) for found in pattern.finditer(line))


def keywords_of(lines: Sequence[str], line: int, column: int) -> Iterator[tuple[str, int, int]]:
    """Yield the keywords of the call of a name, each with its line and column. Lines and columns are from 1."""
    depth = signs = 0
    quote = ""
    at = _NAME.match(lines[line - 1], column - 1)
    start = at.end() if at is not None else column
    if lines[line - 1][start : start + 1] != "(":
        return
    for number in range(line, min(line + _MAX_CALL_LINES, len(lines) + 1)):
        for found in _IN_CALL.finditer(lines[number - 1], start):
            signs += 1
            sign = found[0]
            if signs > _MAX_SIGNS:
                return
            if sign in "\"'":
                quote = "" if quote == sign else quote or sign
            elif quote:
                continue
            elif found["keyword"] is not None:
                if depth == 1:
                    yield found["keyword"], number, found.start() + 1
            else:
                depth += 1 if sign in "([{" else -1
                if not depth:
                    return
        start, quote = 0, ""


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
            kept += [text[at : found.start()], re.sub(r"[^\n]", " ", found[0])]
            at = found.end()
        kept.append(text[at:])
        if depth == _MAX_DEPTH:
            rest.append(("}" * depth, 0, 0))
            depth = 0
        depth += 1
        rest.append(("{", 0, 0))
        rest += [(each, number, indent) for number, each in enumerate("".join(kept).split("\n"), block.line)]
    rest += [*shown, ("}" * depth, 0, 0)]
    lines = [*first, *rest]
    places = [(number, indent) for _, number, indent in lines]
    return Program("\n".join(line for line, _, _ in lines), places, repeated)


# ------------------------------------------------------------------ repairs


def repaired(text: str, extension: str, is_valid: Callable[[str], bool]) -> str:
    """Return the valid code of a block; "" for a block without any."""
    if extension == ".ts" and _COMPONENT.search(text) is not None and not is_valid(text):
        text = _scripts(text)
        if not text.strip():
            return ""
    shown = _with_options(text, extension)
    for each in (shown, _without_placeholders(shown, extension)) if shown != text else ():
        if is_valid(each):
            return each
    if is_valid(text):
        return text
    text = _without_placeholders(text, extension)
    return text if is_valid(text) else _valid_paragraphs(text, is_valid)


def _scripts(text: str) -> str:
    """Return the scripts of a component, with blanks in place of its markup."""
    parts, at = [], 0
    for found in _SCRIPT.finditer(text):
        end = text.find(_END_OF_SCRIPT, found.end()) if found.start() >= at else -1
        if end >= 0:
            parts += [_blank(text[at : found.end()]), text[found.end() : end]]
            at = end
        elif found.start() >= at:
            break
    return "".join([*parts, _blank(text[at:])])


def _with_options(text: str, extension: str) -> str:
    """Return a block in which comments that are options count as code."""
    return _OPTION[extension].sub(lambda found: _blanked(found, "sign"), text)


def _without_placeholders(text: str, extension: str) -> str:
    text = _ELLIPSIS_SIGN.sub(" ", _LEFT_OUT_VALUE.sub(lambda found: "0".ljust(len(found[0])), text))
    if extension == ".py":
        return _PLACEHOLDER.sub(lambda found: f"_{found['name'].replace('-', '_')}_", text)
    return _ELLIPSIS.sub("   ", text)


def _valid_paragraphs(text: str, is_valid: Callable[[str], bool]) -> str:
    """Return the paragraphs of a block that are valid on their own, with blanks in place of the others."""
    paragraphs = re.split(r"(\n[ \t]*(?=\n))", text)
    if not 1 < len(paragraphs) <= 2 * _MAX_PARAGRAPHS:
        return ""
    kept = [each if place % 2 or is_valid(each) else _blank(each) for place, each in enumerate(paragraphs)]
    found = "".join(kept)
    return found if found.strip() and is_valid(found) else ""


def _blank(text: str) -> str:
    return _NO_BREAK.sub(" ", text)


def _blanked(found: re.Match[str], group: str) -> str:
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    return f"{found[0][:start]}{' ' * (end - start)}{found[0][end:]}"
