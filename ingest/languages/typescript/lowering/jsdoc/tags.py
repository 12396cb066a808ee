"""Read the tags of JSDoc comments and the types in them.

The TypeScript grammar parses all types of a file at once. The text for the grammar is as long as the file. It has `type _ =T;` in
place of each `{T}`, and spaces elsewhere, so the nodes of all types have the offsets of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node, Tree

from .....symbols.byte_ranges import between
from ...parsing.parse import ParsedSource, parse_source
from .syntax import balanced_end, rewritten_type

_TAG: Final = re.compile(rb"(?<=[\s*])@([A-Za-z]+)")
#: Tags that contribute types. A comment without such a tag is ignored.
_TYPE_TAGS: Final = re.compile(
    rb"@(?:param|arg|argument|returns?|type|typedef|callback|template|this|extends|augments|implements|satisfies|overload|import"
    rb"|property|prop|enum)\b"
)
_SAME_TAG: Final = {"arg": "param", "argument": "param", "return": "returns", "augments": "extends", "prop": "property"}
_TYPED: Final = frozenset(
    (
        *("param", "returns", "type", "typedef", "template", "this", "extends", "implements", "satisfies", "property"),
        *("callback", "enum"),
    )
)
#: Names of tags that have a name after their type.
_NAMING: Final = frozenset(("param", "property", "typedef", "callback", "template"))
#: White space, which may contain one line end and the star of the next line.
_GAP: Final = re.compile(rb"[ \t]*(?:\r?\n[ \t]*\*?(?!/)[ \t]*)?")
_LABEL: Final = re.compile(rb"(\[?)[ \t]*((?:[\w$.#-]|\[\]|[^\x00-\x7f])+)")
_TEMPLATE_NAME: Final = re.compile(rb"[ \t]*,?[ \t]*(?:const[ \t]+)?((?:[\w$]|[^\x00-\x7f])+)")
_TEMPLATE_DEFAULT: Final = re.compile(rb"\[[ \t]*(?:const[ \t]+)?((?:[\w$]|[^\x00-\x7f])+)[ \t]*=[ \t]*")
_IMPORT: Final = re.compile(rb"""import\b[^'"@]*?\bfrom[\s*]*(?:'[^'\n]*'|"[^"\n]*")""")
#: Tags whose type needs no braces.
_BARE: Final = frozenset(("type", "this", "extends", "implements", "enum"))
#: A type without braces: a name with its type arguments.
_BARE_TYPE: Final = re.compile(rb"(?:import\([^()\n]*\)\.)?[A-Za-z_$][\w$.]*(?:<[^\n]*>)?(?:\[\])*")
_PREDICATE: Final = re.compile(rb"\s*(?:asserts\s+[\w$]+|[\w$]+\s+is\s)")
_STAR: Final = re.compile(rb"(?<=\n)[ \t]*\*")
_ALIAS: Final = b"type _ ="
#: Table for `bytes.translate` that blanks everything but line ends.
_BLANK: Final = bytes(code if code in b"\r\n" else 0x20 for code in range(256))


@dataclass(slots=True)
class Tag:
    """One tag. Offsets are offsets in the file."""

    name: str
    position: int
    #: The text in braces, or "" if there is no type.
    text: bytes = b""
    #: The node of the type, or None if there is none or it has errors.
    type: Node | None = None
    #: The names in the tag, such as `options.name`, with their offsets; several for `@template`.
    labels: list[tuple[str, int]] = field(default_factory=list)
    optional: bool = False
    #: True for `{...T}`.
    rest: bool = False
    #: Start and end of the text for the grammar; -1 without a type.
    start: int = -1
    end: int = -1
    #: The text for the grammar, which replaces the source between the start and the end.
    source: bytes = b""

    @property
    def label(self) -> str:
        """The first name, or ""."""
        return self.labels[0][0] if self.labels else ""


@dataclass(slots=True)
class Comment:
    """A JSDoc comment with tags that contribute types."""

    start: int
    end: int
    tags: list[Tag]

    def tag(self, name: str) -> Tag | None:
        """Return the first tag of a name that has a type."""
        return next((tag for tag in self.tags if tag.name == name and tag.text), None)

    def has(self, *names: str) -> bool:
        """Return whether one of the tags is present."""
        return any(tag.name in names for tag in self.tags)


def find_comments(data: bytes, tree: Tree) -> list[Comment]:
    """Return the JSDoc comments with type tags, in source order. The types of the tags are not parsed yet."""
    found = []
    position = data.find(b"/**")
    while position >= 0:
        end = data.find(b"*/", position + 3)
        if end < 0:
            break
        after = position + 3
        if _TYPE_TAGS.search(data, position, end) is not None:
            node = tree.root_node.descendant_for_byte_range(position, position + 3)
            if node is not None and node.type == "comment" and node.start_byte == position:
                found.append(Comment(position, end + 2, list(_tags(data, position, end))))
                after = end
        position = data.find(b"/**", after)
    return found


def _tags(data: bytes, start: int, end: int) -> Iterator[Tag]:
    resume = start
    for match in _TAG.finditer(data, start, end):
        if match.start() < resume:
            continue
        name = match.group(1).decode()
        tag = Tag(_SAME_TAG.get(name, name), match.start())
        resume = match.end()
        if tag.name == "import":
            resume = _read_import(data, tag, end)
        elif tag.name in _TYPED:
            resume = _read_tag(data, tag, match.end(), end)
        yield tag


def _read_import(data: bytes, tag: Tag, end: int) -> int:
    match = _IMPORT.match(data, tag.position + 1, end)
    if match is None:
        return tag.position + 1
    tag.start, tag.end = match.span()
    tag.text = tag.source = _STAR.sub(lambda star: b" " * len(star.group()), match.group())
    return tag.end


def _read_tag(data: bytes, tag: Tag, position: int, end: int) -> int:
    position = _past_gap(data, position, end)
    first = _read_type(data, tag, position, end)
    if first == position and tag.name in _BARE:
        return _read_bare_type(data, tag, position, end)
    if tag.name not in _NAMING:
        return first
    position = _past_gap(data, first, end)
    if tag.name == "template":
        return _read_template_names(data, tag, position, end)
    label = _LABEL.match(data, position, end)
    if label is None:
        return first
    tag.optional = tag.optional or bool(label.group(1))
    tag.labels.append((label.group(2).decode("utf-8", "replace").replace("[]", ""), label.start(2)))
    if not tag.text and tag.name in ("param", "property"):
        return max(label.end(), _read_type(data, tag, _past_gap(data, label.end(), end), end))
    return label.end()


def _past_gap(data: bytes, position: int, end: int) -> int:
    match = _GAP.match(data, position, end)
    return match.end() if match is not None else position


def _read_type(data: bytes, tag: Tag, position: int, end: int) -> int:
    """Read a `{T}` and return the offset after it, or `position` if there is none."""
    if position >= end or data[position] != 0x7B:
        return position
    close = balanced_end(data, position, end)
    if close < 0:
        return position
    inner = _STAR.sub(lambda star: b" " * len(star.group()), between(data, position + 1, close))
    tag.text = inner.strip()
    rewritten = rewritten_type(inner)
    tag.rest, tag.optional = rewritten.rest, rewritten.optional
    head = _ALIAS + b"()=>" if tag.name == "returns" and _PREDICATE.match(inner) else _ALIAS
    tag.start, tag.end = position + 1 - len(head), close + 1
    tag.source = head + rewritten.text + b";"
    return close + 1


def _read_bare_type(data: bytes, tag: Tag, position: int, end: int) -> int:
    match = _BARE_TYPE.match(data, position, end)
    if match is None:
        return position
    tag.text = match.group()
    tag.start, tag.end = position - len(_ALIAS), match.end() + 1
    tag.source = _ALIAS + rewritten_type(tag.text).text + b";"
    return match.end()


def _read_template_names(data: bytes, tag: Tag, position: int, end: int) -> int:
    default = _TEMPLATE_DEFAULT.match(data, position, end)
    if default is not None:
        close = balanced_end(data, position, end)
        if close < 0:
            return position
        tag.labels.append((default.group(1).decode("utf-8", "replace"), default.start(1)))
        if tag.start < 0:
            tag.start, tag.source = default.end() - len(_ALIAS) - 1, _ALIAS + b"["
        else:  # constraint and default become a tuple: `type _ =[C, D]`
            gap = default.end() - tag.end
            tag.start -= 1
            tag.source = b"type _ =[" + between(tag.source, len(_ALIAS), len(tag.source) - 1) + b"," + b" " * gap
        tag.source += between(data, default.end(), close) + b"]"
        tag.end = close + 1
        tag.optional = True
        return tag.end
    while True:
        match = _TEMPLATE_NAME.match(data, position, end)
        if match is None or (tag.labels and b"," not in match.group()):
            return position
        tag.labels.append((match.group(1).decode("utf-8", "replace"), match.start(1)))
        position = match.end()


def read_types(data: bytes, comments: list[Comment]) -> ParsedSource | None:
    """Parse the types of all tags.

    The caller must keep the tree as long as it uses the nodes. A type with a syntax error stays None.
    """
    tags = _without_overlaps([tag for comment in comments for tag in comment.tags if tag.start >= 0])
    if not tags:
        return None
    parsed = parse_source(_type_text(data, tags), "typescript")
    if parsed.tree.root_node.has_error or parsed.problems:
        tags = [tag for tag in tags if _is_sound(tag.source)]
        parsed = parse_source(_type_text(data, tags), "typescript")
    by_offset = {tag.start: tag for tag in tags}
    for node in parsed.tree.root_node.named_children:
        tag = by_offset.get(node.start_byte)
        if tag is None:
            continue
        if node.type == "import_statement":
            tag.type = node
        elif node.type == "type_alias_declaration":
            value = node.child_by_field_name("value")
            is_predicate = value is not None and tag.source.startswith(_ALIAS + b"()=>")
            tag.type = value.child_by_field_name("return_type") if value is not None and is_predicate else value
    return parsed


def _without_overlaps(tags: list[Tag]) -> list[Tag]:
    """Return the tags whose texts do not overlap the texts of earlier tags."""
    found: list[Tag] = []
    for tag in tags:
        if not found or tag.start >= found[-1].end:
            found.append(tag)
    return found


def _is_sound(source: bytes) -> bool:
    parsed = parse_source(source, "typescript")
    root = parsed.tree.root_node
    return not parsed.problems and not root.has_error and root.named_child_count == 1


def _type_text(data: bytes, tags: list[Tag]) -> bytes:
    text = bytearray(data.translate(_BLANK))
    for tag in tags:
        text[tag.start : tag.end] = tag.source
    return bytes(text)
