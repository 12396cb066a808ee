"""Read the declarations in blocks of code of a document.

Documents show declarations of a repository, such as the fields of a configuration, and declare names of their own in examples.
What a block shows tells them apart: a shown type has members of the declared type, and a shown constant has the declared value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .block_languages import code_of, extension_of
from .data_keys import FIELD
from .sections import CodeBlock, Reference

#: Form of a mention that is a declaration in a block.
SHOWN: Final = "shown"
#: Form of a mention that is a member of a type in a block which derives from another type. The names are the member and the
#: ancestors of the type.
OVERRIDING: Final = "overriding"
#: Form of a mention that is a class in a block which derives from other types. The names are the class and its ancestors.
DERIVED: Final = "derived"
#: Maximum number of characters of a block, of a line, and of members of a type that are read.
_MAX_BLOCK: Final = 100_000
_MAX_LINE: Final = 400
_MAX_MEMBERS: Final = 60

_MODIFIERS: Final = (
    r"(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|static|async|override|virtual|data|open"
    r"|pub|readonly|optional|partial|inline|suspend)[ \t]+){0,6}"
)
#: The head of a type with members.
_TYPE_HEAD: Final = re.compile(
    rf"[ \t]*{_MODIFIERS}(?:type[ \t]+(?P<go>[A-Z]\w*)(?:\[[^\]\n]{{0,80}}\])?[ \t]+(?:struct|interface)[ \t]*\{{"
    r"|(?:class|interface|struct|enum|trait|record|type)[ \t]+(?P<name>[A-Z]\w*))"
)
#: The ancestors of a type, after its name: `(Store)` of Python, `< Store` of Ruby, `extends Store`, `: Store()`.
_ANCESTORS: Final = re.compile(r"(?:<[^()\n]{0,80}>)?[ \t]*(?:\(|:|<[ \t]|extends\b|implements\b)(?P<rest>[^{\n]{1,200})")
#: A method of Ruby, whose name may end with a sign.
_METHOD_OF_RUBY: Final = re.compile(r"[ \t]*def[ \t]+(?:self\.)?(?P<name>[A-Za-z_]\w*[?!]?)")
#: A value of a type whose members are in braces: `new Store() {` of Java, `object : Store {` of Kotlin.
_ANONYMOUS: Final = re.compile(
    r"(?:\bnew[ \t]+(?P<name>[A-Z][\w.]*)(?:<[^()\n]{0,80}>)?[ \t]*\([^()\n]{0,200}\)"
    r"|\bobject[ \t]*:(?P<rest>[^{\n]{1,200}))[ \t]*\{$"
)
_ANONYMOUS_LANGUAGES: Final = (".java", ".kt", ".cs")
_CAPITALIZED: Final = re.compile(r"(?<![\w])(?:\w+\.){0,6}([A-Z]\w*)")
#: Maximum number of ancestors of a type.
_MAX_ANCESTORS: Final = 4
#: Members that a type does not take from its ancestor.
_OWN_MEMBERS: Final = frozenset(("constructor", "__init__", "init", "initialize"))
_FUNCTION: Final = re.compile(rf"[ \t]*{_MODIFIERS}(?:def|func|fn|fun|function)[ \t]+(?P<name>[A-Za-z_]\w*)(?=[ \t]*[(<\[])")
#: A value: the name, perhaps with a type, and what is assigned to it.
_VALUE: Final = re.compile(
    rf"[ \t]*{_MODIFIERS}(?:(?:const|var|let|val|type)[ \t]+)?(?P<name>[A-Za-z_]\w*)(?:[ \t]*:[ \t]*[\w.\[\], |]{{1,80}})?"
    r"[ \t]*=(?![=>])[ \t]*(?P<value>[^\n]{1,200})"
)
#: A member of a type, by the ending of the files of the language; "" for the others.
_MEMBERS: Final = {
    ".py": re.compile(r"[ \t]*(?:(?:async[ \t]+)?def[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*[:=(]"),
    ".go": re.compile(r"[ \t]*(?P<name>[A-Z]\w*)(?:[ \t]*\(|[ \t]+[*\[\w])"),
    **dict.fromkeys(
        (".java", ".cs", ".cpp"),
        re.compile(
            rf"[ \t]*{_MODIFIERS}(?:<[^()\n]{{1,80}}>[ \t]+)?"
            r"[A-Za-z_][\w.:<>\[\]?,&* ]{0,80}[ \t&*](?P<name>[A-Za-z_]\w*)[ \t]*[;=({]"
        ),
    ),
    "": re.compile(
        rf"[ \t]*{_MODIFIERS}(?:(?:fun|fn|func|val|var|let|def|get|set)[ \t]+)?(?P<name>[A-Za-z_$][\w$]*)[?!]?[ \t]*"
        r"(?:[:(=;,<{]|$)"
    ),
}
_OVERRIDES: Final = re.compile(r"[ \t]*(?:[a-z]+[ \t]+){0,3}override[ \t]")
#: Maximum number of characters after the name of a member that tell whether it has a value.
_MAX_SIGN: Final = 120
#: The end of the name of a value in a class of Python: `size = 3`, `size: int = 3`.
_ASSIGNED: Final = re.compile(r"[ \t]*(?::[^=\n]+)?=(?!=)")
#: Inner classes of Python whose values are options of the class around them.
_OF_OPTIONS: Final = frozenset(("Meta", "Config", "Options"))
_SET: Final = re.compile(r"[ \t]*(?P<name>[a-z_]\w*)[ \t]*(?::[^=\n]{1,80})?=(?!=)")
_COMMENT: Final = re.compile(r"[ \t]*(?://|/\*|\*|#|--|@|\"\"\")")
_TRAILING: Final = re.compile(r"[ \t]+(?://|#|/\*).*")
_NO_MEMBERS: Final = frozenset(
    ("return", "if", "for", "while", "else", "pass", "self", "this", "yield", "await", "raise", "throw", "new", "super", "print")
)
_SPACES: Final = re.compile(r"\s+")


class _Line(NamedTuple):
    """A line of a block."""

    number: int
    text: str
    indent: int


def shown_declarations(blocks: Iterable[CodeBlock]) -> Iterator[Reference]:
    """Yield the declarations in blocks, in order.

    The names of a reference are the declared name, then the type and the members that the block shows of it.
    The text is "" for a type or a member. For a value, it is the value, and for a function, the declaration from the name on.
    A member may stand without its type at the beginning of a block.
    """
    for block in blocks:
        extension = extension_of(block.language, block.text)
        if not extension or not block.text:
            continue
        code = code_of(block.text) if extension == ".py" else block.text[:_MAX_BLOCK]
        lines = [
            _Line(block.line + place, text, _indentation(text))
            for place, line in enumerate(code.split("\n"))
            if (text := line[:_MAX_LINE].rstrip())
        ]
        place = 0
        while place < len(lines):
            line = lines[place]
            place += 1
            if _COMMENT.match(line.text) is not None:
                continue
            if (head := _TYPE_HEAD.match(line.text)) is not None:
                inner = _inside(lines, place)
                yield from _type(head["go"] or head["name"], line, inner, extension)
                above = _ANCESTORS.match(line.text, head.end()) if head["name"] else None
                if above is not None:
                    ancestors = _ancestors(above["rest"])
                    if ancestors:
                        yield Reference(DERIVED, "", line.number, 1, (head["name"], *ancestors), extension)
                    yield from _overriding(ancestors, inner, extension)
                elif head["name"] in _OF_OPTIONS and line.indent and extension == ".py":
                    yield from _options(inner, extension)
                continue
            if extension in _ANONYMOUS_LANGUAGES and (made := _ANONYMOUS.search(line.text)) is not None:
                yield from _overriding(_ancestors(made["name"] or made["rest"]), _inside(lines, place), extension)
                continue
            found = _FUNCTION.match(line.text)
            if found is not None:
                written = without_spaces(line.text[found.start("name") :])
                yield Reference(SHOWN, written, line.number, found.start("name") + 1, (found["name"],), extension)
            elif (value := _VALUE.match(line.text)) is not None:
                written = without_spaces(_TRAILING.sub("", value["value"]))
                yield Reference(SHOWN, written, line.number, value.start("name") + 1, (value["name"],), extension)
            elif place == 1 and (member := _MEMBERS.get(extension, _MEMBERS[""]).match(line.text)) is not None:
                yield Reference(SHOWN, "", line.number, member.start("name") + 1, (member["name"],), extension)


def _options(inner: list[_Line], extension: str) -> Iterator[Reference]:
    """Yield the options that an inner class of Python sets: `class Meta: model = Cart`."""
    found = [(member["name"], line) for line in inner if (member := _SET.match(line.text)) is not None]
    names = tuple(dict.fromkeys(name for name, _ in found))
    for name, line in found:
        yield Reference(FIELD, name, line.number, line.text.find(name) + 1, names, extension)


def _indentation(text: str) -> int:
    return len(text[: len(text) - len(text.lstrip())].expandtabs(4))


def _inside(lines: list[_Line], start: int) -> list[_Line]:
    """Return the lines directly inside of the declaration before a line: those with the indentation of the first one."""
    outer = lines[start - 1].indent
    first = next((line for line in lines[start : start + 1] if line.indent > outer), None)
    found: list[_Line] = []
    if first is None:
        return found
    for line in lines[start:]:
        if line.indent <= outer:
            break
        if line.indent == first.indent:
            found.append(line)
    return found


def _type(name: str, head: _Line, inner: list[_Line], extension: str) -> Iterator[Reference]:
    members: dict[str, _Line] = {}
    pattern = _MEMBERS.get(extension, _MEMBERS[""])
    for line in inner:
        member = pattern.match(line.text) if _COMMENT.match(line.text) is None else None
        if member is not None and member["name"] not in _NO_MEMBERS:
            members.setdefault(member["name"], line)
    shown = tuple(members)[:_MAX_MEMBERS]
    column = head.text.find(name) + 1
    yield Reference(SHOWN, "", head.number, column, (name, name, *shown), extension)
    for each in shown:
        line = members[each]
        yield Reference(SHOWN, "", line.number, line.text.find(each) + 1, (each, name, *shown), extension)


def _ancestors(written: str) -> list[str]:
    """Return the names of the types in a list of ancestors, without the arguments of types."""
    plain = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", written))
    return list(dict.fromkeys(_CAPITALIZED.findall(plain)))[:_MAX_ANCESTORS]


def _overriding(ancestors: list[str], inner: list[_Line], extension: str) -> Iterator[Reference]:
    """Yield the functions in a type that may override those of an ancestor, the properties that do, and values of Python."""
    is_ruby = extension == ".rb"
    pattern = _METHOD_OF_RUBY if is_ruby else _MEMBERS.get(extension, _MEMBERS[""])
    for line in inner if ancestors else ():
        member = pattern.match(line.text) if _COMMENT.match(line.text) is None else None
        if member is None or member["name"] in _NO_MEMBERS or member["name"] in _OWN_MEMBERS:
            continue
        after = line.text[member.end("name") : member.end("name") + _MAX_SIGN]
        is_value = extension == ".py" and _ASSIGNED.match(after) is not None
        if is_ruby or "(" in after[:3] or is_value or _OVERRIDES.match(line.text) is not None:
            column = member.start("name") + 1
            yield Reference(OVERRIDING, "", line.number, column, (member["name"], *ancestors), extension)


def without_spaces(code: str) -> str:
    """Return a piece of code without spaces and without what ends a declaration."""
    return _SPACES.sub("", code).rstrip("{:;,")
