"""Write the texts about a declaration: its signature (source up to the body), its modifiers and its doc comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tree_sitter import Node

from .byte_ranges import between, decoded
from .license_comments import without_licence
from .lowering_state import LoweringState
from .states import Placement, SymbolState

#: A string, which is kept, or a comment.
_STRING_OR_COMMENT = re.compile(
    r"""["'`/](?:(?<=")[^"\\\n]*(?:\\.[^"\\\n]*)*"|(?<=')[^'\\\n]*(?:\\.[^'\\\n]*)*'|(?<=`)[^`\\]*(?:\\.[^`\\]*)*`
    |(?<=/)\*[^*]*\*+(?:[^/*][^*]*\*+)*/|(?<=/)/[^\n]*)""",
    re.DOTALL | re.VERBOSE,
)
#: Text before a declaration that does not belong to its signature.
_EXPORT = re.compile(r"(?:@[\w.]+(?:\([^()]*\))?\s*)*(?:export\s+(?:default\s+)?)?(?:declare\s+)?")
_FIRST_STAR = re.compile(r"\s*\* ?")
_STAR = re.compile(r"\n\s*\* ?")
#: White space and commas that line breaks leave in a signature. Replacing them one by one is much faster than one regular
#: expression.
_TIGHT = (
    *((f"{bracket} ", bracket) for bracket in "(["),
    *((f" {mark}", mark) for mark in ")],;"),
    (",)", ")"),
    (",]", "]"),
    (", }", " }"),
)
#: Line ends inside `<…>`. Elsewhere `<` and `>` are comparison operators, and keep their spaces.
_ANGLES = re.compile(r"(?<=\w<)\s*\n\s*|,?\s*\n\s*(?=>(?! ?(?!extends\b|implements\b)[\w\"'`]))")
#: `_ANGLES` can match only if this pattern or `_CLOSED_AT_LINE_START` matches. A pattern with a fixed first character is
#: searched faster.
_OPENED_AT_LINE_END = re.compile(r"<\s*\n")
_CLOSED_AT_LINE_START = re.compile(r"\n\s*>")
#: Endings of the first line of a value that continues on further lines; longer endings come first.
_OPENERS = ("(()", "=>", "=", "(", "{", "[", "`", ",")

_LEADS = ("export", "declare", "@")
#: Characters that mark the word before them as a name: a field may be called `declare`.
_AFTER_NAMES = frozenset(("", "=", ":", ";", "?", "!", "("))
#: Endings of a header before its body.
_TAILS = ("=>", "=", "{")

#: Maximum length of the name of a statement, in characters.
MAX_NAME_LENGTH = 80

#: Maximum length of a signature, in characters: generated declarations can contain megabytes of types.
MAX_SIGNATURE_LENGTH = 2_000

_MODIFIERS_BEFORE = re.compile(
    rb"(?:(?:public|private|protected|override|async|static|abstract|readonly|declare|accessor|get|set)\s+|\*\s*)+$"
)

#: Keywords that are modifiers anywhere before a name.
MODIFIERS = frozenset(
    ("async", "static", "abstract", "readonly", "declare", "override", "accessor", "get", "set", "const", "default")
)


def header(cx: LoweringState, start: int, end: int, max_length: int = MAX_SIGNATURE_LENGTH) -> str:
    """Return the source between two offsets as one line, without comments, `export` and the start of the body."""
    text = decoded(cx.source, start, min(end, start + 4 * max_length))
    if "/" in text and ("//" in text or "/*" in text):
        text = _STRING_OR_COMMENT.sub(_without_comment, text)
    spans_lines = "\n" in text
    if spans_lines or "  " in text:
        if spans_lines and (_OPENED_AT_LINE_END.search(text) or _CLOSED_AT_LINE_START.search(text)):
            text = _ANGLES.sub("", text)
        text = " ".join(text.split())
        for loose, tight in _TIGHT:
            text = text.replace(loose, tight)
    text = text.strip()
    if text.startswith(_LEADS) and (lead := _EXPORT.match(text)):
        rest = text[lead.end() :]
        text = text if rest[:1] in _AFTER_NAMES else rest
    if text.endswith(_TAILS):
        text = text[: -2 if text.endswith("=>") else -1].rstrip()
    return text[:max_length] if len(text) > max_length else text


def _without_comment(found: re.Match[str]) -> str:
    text = found[0]
    return " " if text[0] == "/" else text


def value_header(cx: LoweringState, start: int, value: Node | None, end: int) -> str:
    """Return the header of a declaration with a value, such as a variable. Only the first line of the value counts."""
    return first_line(cx, start, value.start_byte if value is not None else end, end)


def first_line(cx: LoweringState, start: int, value: int, end: int) -> str:
    """Return the header up to the end of the line in which a value begins, without endings that open further lines."""
    newline = cx.source.find(b"\n", value, end)
    if newline < 0:
        return header(cx, start, end).rstrip("; ")
    text = header(cx, start, newline)
    return _without_openers(text) or text


def _without_openers(text: str) -> str:
    """Return a line without the text at its end that opens further lines."""
    while text.endswith(_OPENERS):
        text = text[: -3 if text.endswith("(()") else -2 if text.endswith("=>") else -1].rstrip()
    return text


def first_words(cx: LoweringState, node: Node) -> str:
    """Return the first line of a statement as its name, for a statement that declares no name."""
    text = " ".join(cx.text(node).split("\n", 1)[0].split())[:MAX_NAME_LENGTH]
    return text.rstrip("; ") or text


def keyword_modifiers(cx: LoweringState, node: Node) -> list[str]:
    """Return the modifier keywords among a node's tokens, in source order; `*` counts as "generator"."""
    found = []
    for child in node.children:
        kind = child.type
        if kind in MODIFIERS:
            found.append(kind)
        elif kind == "accessibility_modifier":
            found.append(cx.bytes_of(child).decode())
        elif kind == "override_modifier":
            found.append("override")
        elif kind == "*":
            found.append("generator")
        elif kind in ("statement_block", "class_body", "formal_parameters"):
            break
    return found


def written_modifiers(cx: LoweringState, node: Node, name_node: Node | None) -> list[str]:
    """Return the modifiers of a class member as written. The tree of repaired source may lack some of them."""
    if not cx.is_repaired or name_node is None:
        return keyword_modifiers(cx, node)
    before = _MODIFIERS_BEFORE.search(cx.source, max(0, node.start_byte - 60), name_node.start_byte)
    words = before.group().replace(b"*", b" * ").split() if before else []
    found = ["generator" if word == b"*" else word.decode() for word in words]
    return [word for index, word in enumerate(found) if word not in found[:index]]


def written_start(cx: LoweringState, node: Node, name_node: Node | None, start: int) -> int:
    """Return where a class member begins as written: at `start`, or at earlier modifiers that the tree lacks."""
    if not cx.is_repaired or name_node is None:
        return start
    before = _MODIFIERS_BEFORE.search(cx.source, max(0, node.start_byte - 60), name_node.start_byte)
    return min(start, before.start()) if before is not None else start


def doc_comment(cx: LoweringState, comments: Sequence[Node]) -> str:
    """Return the text of the last doc comment, or of the line comments if there is none, without licenses."""
    if not comments:
        return ""
    for comment in reversed(comments):
        text = cx.text(comment)
        if text.startswith("/**") and len(text) > 4:
            return without_licence(_doc_text(text))
    lines = (cx.text(comment) for comment in comments)
    return without_licence("\n".join(line.removeprefix("//").strip() for line in lines if line.startswith("//")))


def _doc_text(text: str) -> str:
    text = text[3:-2].rstrip()
    first = _FIRST_STAR.match(text)
    text = text[first.end() :] if first else text
    if text.count("\n *") == text.count("\n"):  # the usual layout, which is read faster
        return text.replace("\n *", "\n").replace("\n ", "\n").strip()
    return _STAR.sub("\n", text).strip()


def attached_comments(cx: LoweringState, comments: Sequence[Node], start: int) -> Sequence[Node]:
    """Return the comments that belong to the code at an offset.

    Only white space without a blank line may be between them; after a doc comment, one blank line is allowed, too.
    """
    if not comments:
        return ()
    first = len(comments)
    below = start
    for index in range(len(comments) - 1, -1, -1):
        comment = comments[index]
        gap = between(cx.source, comment.end_byte, below)
        is_doc = between(cx.source, comment.start_byte, comment.start_byte + 3) == b"/**"
        if gap.strip() or gap.count(b"\n") > (2 if is_doc and first == len(comments) else 1):
            break
        line_start = cx.source.rfind(b"\n", 0, comment.start_byte) + 1
        if between(cx.source, line_start, comment.start_byte).strip():
            break  # the comment trails the code before it
        first, below = index, comment.start_byte
    return comments[first:]


def place(cx: LoweringState, state: SymbolState, placement: Placement | None) -> None:
    """Widen a symbol to the code around its declaration: comments, `export`, the variable statement."""
    if placement is None:
        return
    outer = placement.node
    state.start = state.declaration = start = outer.start_byte
    state.end = max(state.end, outer.end_byte)
    if placement.comments:
        own = attached_comments(cx, placement.comments, start)
        state.start = own[0].start_byte if own else start
        state.doc = doc_comment(cx, own)
    state.exported = placement.exported
    if placement.exported or placement.modifiers:
        words = (placement.exported and "exported", placement.default and "default", *placement.modifiers)
        state.modifiers[:0] = [word for word in words if word]


def member_state(
    cx: LoweringState, kind: str, name: str, node: Node, name_node: Node | None, comments: Iterable[Node]
) -> SymbolState:
    """Return the state of a member of a class, interface, object or enum, with the comments before it."""
    own = attached_comments(cx, list(comments), node.start_byte)
    return SymbolState(
        name or (cx.text(name_node) if name_node is not None else "") or kind,  # such as `[""]() {}`
        kind,
        -1,
        own[0].start_byte if own else node.start_byte,
        node.end_byte,
        node.start_byte,
        (name_node or node).start_byte,
        doc=doc_comment(cx, own),
        modifiers=keyword_modifiers(cx, node),
        exported=cx.symbol >= 0 and cx.symbols[cx.symbol].exported,
    )
