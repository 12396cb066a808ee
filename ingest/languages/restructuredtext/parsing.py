"""reStructuredText by its lines: titles with underlines, lists, tables, roles, links, images and blocks of code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from ...documents.described_objects import DIRECTIVE, DescribedObjects, roles_in
from ...documents.line_lists import ListReader, Marker
from ...documents.sections import CodeBlock, Document, Heading, Reference
from .tables import read_table

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_LABEL: Final = re.compile(r"[ \t]*\.\. _`?(?P<label>[^:`]+)`?:[ \t]*(?P<target>\S*)")
_LITERAL: Final = re.compile(r"``(?P<text>[^`\n]+)``")
#: Text in the default role, which many documents use for names of code, and a name behind such a text: `open <shop.Cart.open>`.
_DEFAULT: Final = re.compile(r"(?<![`:\w])`[~.!]?(?P<text>[A-Za-z_][\w.]*(?:\([^()`<\n]{0,120}\))?)`(?![`_\w])")
_DEFAULT_NAMED: Final = re.compile(r"(?<![`:\w])`[^`<\n]+<[~.!]?(?P<text>[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?)>`(?![`_\w])")
_LINK: Final = re.compile(r"(?<![`:\w])`[^`<\n]*<(?P<target>[^`>\n]+)>`__?")
#: The role before the backtick of a role's text, and what must not stand before the backtick of a link.
_ROLE_BEFORE: Final = re.compile(r"(?<![`\w]):[\w:+.-]+:\Z")
_NO_LINK_BEFORE: Final = re.compile(r"[`:\w]\Z")
#: Maximum number of characters of a role in front of a text that ends in the next line.
_MAX_ROLE: Final = 80
#: The rest of the text of a role or link that began in the line before.
_REST: Final = re.compile(r"[ \t]*(?P<rest>[^`\n]+`_{0,2})")
_INCLUDES: Final = frozenset(("include", "literalinclude", "image", "figure"))
_CODE: Final = frozenset(("code", "code-block", "sourcecode", "code-cell", "code-tab", "ipython"))
#: Directives whose text is code in Python.
_TESTS: Final = frozenset(("doctest", "testcode", "testsetup"))
#: Directives whose text is a diagram, and the language of the diagram.
_DIAGRAMS: Final = {"mermaid": "mermaid", "graphviz": "dot", "uml": "plantuml"}
#: Maximum number of lines at the head of a document that may be its fields.
_MAX_HEAD: Final = 60
_OPTION: Final = re.compile(r"[ \t]+:[\w-]+:")
_FIELD: Final = re.compile(r":(?P<name>[^:\s][^:\n]{0,60}):(?:[ \t]+(?P<value>\S.*))?$")
_MARKER: Final = re.compile(
    r"[ \t]*(?P<mark>[-*+\u2022]|\(?(?:(?P<number>\d{1,6})|(?P<auto>#)|(?P<letter>[A-Za-z]))[.)])[ \t]+(?=\S)"
)
_PROMPT: Final = re.compile(r"[ \t]*>>> ")
_NO_ID: Final = re.compile(r"[^a-z0-9]+")


def parse(text: str) -> Document:
    """Return the content of a document. Never raises because of the text."""
    document = Document()
    lines = [line.rstrip("\r") for line in text.split("\n")]
    for heading in _headings(lines):
        document.headings.append(heading)
        document.anchors.setdefault(heading.anchor, heading.line)
    _read_lines(document, lines)
    for line in lines[:_MAX_HEAD]:
        field = _FIELD.match(line)
        if field is not None:
            document.fields.setdefault(field["name"].lower(), (field["value"] or "").strip())
        elif line.strip():
            break
    return document


def _headings(lines: list[str]) -> Iterator[Heading]:
    styles: dict[tuple[str, bool], int] = {}
    used: dict[str, int] = {}
    for place in range(1, len(lines)):
        title, under = lines[place - 1], lines[place]
        if not title.strip() or not under or under[0].isspace() or _ADORNMENT.match(under) is None:
            continue
        over = lines[place - 2] if place >= 2 else ""
        is_overlined = bool(over.strip()) and over.rstrip() == under.rstrip()
        if (not is_overlined and (title[0].isspace() or over.strip())) or len(under.rstrip()) < min(len(title.strip()), 4):
            continue
        if _ADORNMENT.match(title) is not None or (len(under.rstrip()) < len(title.strip()) and len(under.rstrip()) < 4):
            continue
        level = styles.setdefault((under[0], is_overlined), len(styles) + 1)
        name = title.strip().replace("``", "").replace("`", "")
        base = _NO_ID.sub("-", name.lower()).strip("-") or "section"
        used[base] = used.get(base, 0) + 1
        anchor = base if used[base] == 1 else f"{base}-{used[base]}"
        yield Heading(place - 1 if is_overlined else place, place, level, name, anchor)


def _read_lines(document: Document, lines: list[str]) -> None:
    lists = ListReader(_marker, _ends_list)
    objects = DescribedObjects()
    titles = {each for heading in document.headings for each in range(heading.line, heading.title_line + 2)}
    language = ""
    place = 0
    while place < len(lines):
        line = lines[place]
        directive = DIRECTIVE.match(line)
        name = directive["name"].lower() if directive is not None else ""
        block = None
        if directive is not None:
            if name in _INCLUDES and directive["argument"]:
                form = "image" if name in ("image", "figure") else "link"
                document.references.append(Reference(form, directive["argument"].strip(), place + 1, 1))
            elif (described := objects.reference(directive, place + 1)) is not None:
                document.references.append(described)
            elif name == "highlight":
                language = directive["argument"].strip()
            elif name in _CODE:
                # A tab has its title after the language: `.. code-tab:: python Using a decorator`.
                block = (directive["argument"].split() or [language])[0]
            elif name in _TESTS:
                block = "python"
            elif name in _DIAGRAMS and not directive["argument"]:
                block = _DIAGRAMS[name]
        elif _PROMPT.match(line) is not None:
            block = "pycon"
        elif line.rstrip().endswith("::") and place + 1 < len(lines) and not lines[place + 1].strip():
            block = language
        if block is not None:
            is_session = directive is None and block == "pycon"
            if not is_session and directive is None:
                lists.line(place + 1, line)
                document.references += _references(line, place + 1)
            end = _session(document, lines, place) if is_session else _code(document, lines, place, block)
            lists.block(line, end)
            place = end
            continue
        table_end = read_table(document, lines, place, name)
        if table_end > place:
            for number in range(place, table_end):
                document.references += _references(lines[number], number + 1)
            lists.block(line, table_end)
            place = table_end
            continue
        if place + 1 in titles:
            lists.end()
        elif directive is None:
            lists.line(place + 1, line)
        if directive is None and ":" in line:
            document.references += objects.members(line, place + 1)
        label = _LABEL.match(line)
        if label is not None:
            document.anchors.setdefault(_NO_ID.sub("-", label["label"].lower()).strip("-"), place + 1)
        elif "`" in line:
            document.references += _references(line, place + 1)
            document.references += _split_references(lines, place)
        place += 1
    lists.end()
    document.items += lists.items


def _marker(line: str) -> Marker | None:
    found = _MARKER.match(line)
    if found is None or (found["letter"] and not found["letter"].isascii()):
        return None
    indent = found.start("mark")
    if found["letter"]:
        number = ord(found["letter"].lower()) - ord("a") + 1
    else:
        number = -1 if found["auto"] else int(found["number"] or 0)
    return Marker(indent, number, found.end())


def _ends_list(marker: Marker, line: str) -> bool:
    """Return whether a line is indented less than the text of an item."""
    return len(line) - len(line.lstrip()) < marker.text_at


def _session(document: Document, lines: list[str], place: int) -> int:
    """Add a session of Python, which ends at a blank line. Return the index of the line after the session."""
    end = place
    while end < len(lines) and lines[end].strip():
        end += 1
    document.code.append(CodeBlock(place + 1, "pycon", "\n".join(line.strip() for line in lines[place:end])))
    return end


def _code(document: Document, lines: list[str], place: int, language: str) -> int:
    """Add the indented block of code below a line. Return the index of the line after the block."""
    indent = len(lines[place]) - len(lines[place].lstrip())
    end = place + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    first = place + 1
    while first < end and (not lines[first].strip() or _OPTION.match(lines[first]) is not None):
        first += 1
    if first < end:
        document.code.append(CodeBlock(first + 1, language, textwrap.dedent("\n".join(lines[first:end]).rstrip("\n"))))
    return end


def _split_references(lines: list[str], place: int) -> Iterator[Reference]:
    """Yield the reference that begins in a line and ends in the next one."""
    line = lines[place]
    tick = line.rfind("`")
    rest = _REST.match(lines[place + 1]) if 0 <= tick < len(line) - 1 and place + 1 < len(lines) else None
    if rest is None:
        return
    role = _ROLE_BEFORE.search(line, max(0, tick - _MAX_ROLE), tick)
    if role is None and _NO_LINK_BEFORE.search(line, max(0, tick - 1), tick):
        return
    start = tick if role is None else role.start()
    if line.count("`", 0, start) % 2:
        return
    for each in _references(f"{line[start:].rstrip()} {rest['rest']}", place + 1):
        yield each._replace(column=start + each.column)


def _references(line: str, number: int) -> Iterator[Reference]:
    for found in _LITERAL.finditer(line):
        yield Reference("code", found["text"], number, found.start("text") + 1)
    for pattern in (_DEFAULT, _DEFAULT_NAMED):
        for found in pattern.finditer(line):
            yield Reference("code", found["text"], number, found.start("text") + 1)
    yield from roles_in(line, number)
    for found in _LINK.finditer(line):
        if found["target"].endswith("_"):  # the name of another target in the document
            continue
        yield Reference("link", found["target"], number, found.start() + 1)
