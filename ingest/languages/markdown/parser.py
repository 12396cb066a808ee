"""The parser of documents: markdown-it-py, which tries only the rules that can begin with a character.

markdown-it tries each rule at each line, and at each of 23 characters of a text. Most characters begin no rule, so a third of its
time is calls of rules that return at once. The rules themselves are those of markdown-it, and the tokens are equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Final, NamedTuple

from markdown_it import MarkdownIt, helpers, rules_block, rules_inline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

_BlockRule = Callable[[StateBlock, int, int, bool], bool]
_InlineRule = Callable[[StateInline, bool], bool]

#: The characters at which a rule for text begins, and the end of a link's text. An underscore between letters or digits is text,
#: because emphasis within words needs asterisks.
_SPECIAL: Final = re.compile(r"[\n!&*<\[\\\]_`~](?:(?<!_)|(?<![^\W_]_)|(?![^\W_]))")
INLINE_RULES: Final[Mapping[str, Sequence[_InlineRule]]] = {
    "\n": [rules_inline.newline],
    "\\": [rules_inline.escape],
    "`": [rules_inline.backtick],
    "~": [rules_inline.strikethrough.tokenize],
    "*": [rules_inline.emphasis.tokenize],
    "_": [rules_inline.emphasis.tokenize],
    "[": [rules_inline.link],
    "!": [rules_inline.image],
    "<": [rules_inline.autolink, rules_inline.html_inline],
    "&": [rules_inline.entity],
    "]": [],
}
#: The end of a link's target without parentheses and escapes.
_PLAIN_TARGET: Final = re.compile(r"[^\x00-\x20\x7f()<\\][^\x00-\x20\x7f()\\]*(?=[ \n)])")

#: The rules for blocks in the order in which they are tried, with the characters at which they begin: None for all characters.
BLOCK_RULES: Final[Sequence[tuple[str, _BlockRule, str | None]]] = [
    ("table", rules_block.table, None),
    ("code", rules_block.code, None),
    ("fence", rules_block.fence, "~`"),
    ("blockquote", rules_block.blockquote, ">"),
    ("hr", rules_block.hr, "*-_"),
    ("list", rules_block.list_block, "*+-0123456789"),
    ("reference", rules_block.reference, "["),
    ("html_block", rules_block.html_block, "<"),
    ("heading", rules_block.heading, "#"),
    ("lheading", rules_block.lheading, None),
    ("paragraph", rules_block.paragraph, None),
]
#: The rules that end a block, by the name of markdown-it for the block.
_ENDING: Final = {
    "paragraph": ("table", "fence", "blockquote", "hr", "list", "html_block", "heading"),
    "reference": ("table", "fence", "blockquote", "hr", "list", "html_block", "heading"),
    "blockquote": ("fence", "blockquote", "hr", "list", "html_block", "heading"),
    "list": ("fence", "blockquote", "hr"),
}
_TABLE_LINE: Final = "|-:"


class _Target(NamedTuple):
    """The target of a link, with the names that markdown-it gives to its parts."""

    ok: bool
    pos: int
    str: str


class _Parser(MarkdownIt):
    """Leaves the targets of links as they are written, because their readers would unquote them again."""

    def normalizeLink(self, url: str) -> str:
        return url


def document_parser() -> MarkdownIt:
    """Return the parser of all documents: CommonMark with tables and text that is struck through."""
    parser = _Parser("commonmark", {"maxNesting": 60})
    parser.helpers = SimpleNamespace(  # type: ignore[assignment]  # markdown-it has a module here
        parseLinkLabel=helpers.parseLinkLabel, parseLinkDestination=_target, parseLinkTitle=helpers.parseLinkTitle
    )
    parser.core.ruler.at("normalize", _normalize)
    inline = parser.inline
    inline.ruler.enableOnly([])
    inline.ruler.push("by_character", _begin_inline)
    inline.ruler2.enableOnly([])
    inline.ruler2.push("pairs", _pairs)
    block = parser.block.ruler
    block.enableOnly([])
    block.push("by_character", _by_character([name for name, _, _ in BLOCK_RULES]))
    for name, rules in _ENDING.items():
        block.push(f"end_of_{name}", _by_character(rules), {"alt": [name]})
    block.push("code", rules_block.code)  # never tried here, but without its name, no line counts as indented code
    return parser


def _normalize(state: StateCore) -> None:
    """Write each end of a line as a line feed. markdown-it replaces line feeds by line feeds, too."""
    if "\r" in state.src:
        state.src = state.src.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in state.src:
        state.src = state.src.replace("\0", "\ufffd")


def _begin_inline(state: StateInline, silent: bool) -> bool:
    """Read the text up to the next special character, and then what begins with this character."""
    position = state.pos
    special = _SPECIAL.search(state.src, position)
    start = special.start() if special is not None else state.posMax
    if start > position:
        state.pos = start
        if silent:
            return True  # the caller looks at each special character
        state.append_pending(state.src[position:start])
        if start >= state.posMax:
            return True
    for rule in INLINE_RULES[state.src[start]]:
        if rule(state, silent):
            return True
    return start > position


def _pairs(state: StateInline) -> None:
    """Join the signs of emphasis to pairs, if there are any."""
    if state.delimiters or any(state.tokens_meta):
        rules_inline.link_pairs(state)
        rules_inline.strikethrough.postProcess(state)
        rules_inline.emphasis.postProcess(state)
        rules_inline.fragments_join(state)


def _target(string: str, pos: int, maximum: int) -> object:
    plain = _PLAIN_TARGET.match(string, pos, maximum)
    if plain is None or "&" in plain[0]:
        return helpers.parseLinkDestination(string, pos, maximum)
    return _Target(ok=True, pos=plain.end(), str=plain[0])


def _by_character(names: Sequence[str]) -> _BlockRule:
    """Return a rule that tries some rules, in their order, as far as they begin with the first character of the line."""
    rules = [(name, rule, begins) for name, rule, begins in BLOCK_RULES if name in names]
    characters = {character for _, _, begins in rules for character in begins or ""}

    def at(character: str, *, table: bool) -> list[_BlockRule]:
        return [rule for name, rule, begins in rules if (begins is None or character in begins) and (table or name != "table")]

    # An empty string is in each string, so another character is the key for all other characters.
    with_table, without = ({each: at(each, table=table) for each in [*characters, "a"]} for table in (True, False))
    for_all = with_table["a"], without["a"]

    def read(state: StateBlock, startLine: int, endLine: int, silent: bool) -> bool:
        source, starts, indents = state.src, state.bMarks, state.tShift
        position = starts[startLine] + indents[startLine]
        character = source[position : position + 1]
        below = startLine + 1
        if below < endLine and source[starts[below] + indents[below] : starts[below] + indents[below] + 1] in _TABLE_LINE:
            tried = with_table.get(character, for_all[0])
        else:
            tried = without.get(character, for_all[1])
        return any(rule(state, startLine, endLine, silent) for rule in tried)

    return read
