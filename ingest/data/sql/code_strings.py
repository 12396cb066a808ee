"""Find the texts of SQL in code of any language: joined strings, with the values of constants that the same file declares."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

#: An opening quote, before which no word may stand. Raw strings of Rust begin with `r#"`, and a command in a string has `\\"`.
QUOTE: Final = r"(?P<quote>(?<!\w)r\#{1,3}\"|\\[\"']|\"\"\"|'''|[\"'`])"
#: Blank space, and comments of SQL, before the first word of a statement.
BLANK: Final = r"(?:\s|\\\r?\n|\\n|--[^\n]{0,200}+\n)*+"
#: Maximum length of a statement, in characters.
MAX_LENGTH: Final = 20_000
#: The content of a string up to its closing quote, by the opening quote.
_CONTENT: Final = {
    'r#"': re.compile(r'(?:[^"]++|"(?!#))*+', re.DOTALL),
    'r##"': re.compile(r'(?:[^"]++|"(?!##))*+', re.DOTALL),
    'r###"': re.compile(r'(?:[^"]++|"(?!###))*+', re.DOTALL),
    '"': re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]++|\\.)*+", re.DOTALL),
    # A value in a template of JavaScript may contain a template: `… ${name ? `WHERE name = ${name}` : ""} …`.
    "`": re.compile(
        r"(?:[^`\\$]++|\\.|\$\{(?:[^{}`]{1,300}+|`(?:[^`\\]|\\.){0,600}+`|\{[^{}`]{0,300}+\}){0,12}+\}|\$)*+", re.DOTALL
    ),
    '\\"': re.compile(r'(?:[^"\\]++|\\[^"])*+', re.DOTALL),
    "\\'": re.compile(r"(?:[^'\\]++|\\[^'])*+", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+", re.DOTALL),
}
#: The code between two joined strings: an operator or nothing, and the beginning of the second string.
_JOINT: Final = re.compile(r"\s*+(?:[+.\\]\s*+)?[rbfuRBFU]?(?P<quote>\"\"\"|'''|[\"'`])")
#: The code before the first string of a list in brackets, which other code may join to one text.
_LIST: Final = re.compile(r"(?:\[|\bstring\{|\bString\[\]\s?\{|\bjoin\((?:\s*\[|\s*\(|\s*\"\s*\",)?)\s*+[rbfuRBFU]?\Z")
#: Number of characters before a string in which the beginning of a list is searched.
_MAX_BEFORE: Final = 60
#: The code between two strings of such a list, and the first word of the second string.
_ITEM_JOINT: Final = re.compile(
    r"\s*+,\s*+(?:(?:\#|//)[^\n]{0,200}+\n\s*+)*+[rbfuRBFU]?(?P<quote>\"\"\"|\'\'\'|[\"\'`])(?=\s*+(?P<word>\w*+))"
)
#: Words with which a statement begins, and what is before the end of an unfinished statement in front of such a word.
_VERBS: Final = re.compile(
    r"SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|PRAGMA|BEGIN|COMMIT|MERGE|TRUNCATE|SET|VACUUM", re.IGNORECASE
)
_UNFINISHED: Final = re.compile(r"(?:\(|;|\b(?:AS|UNION|ALL|EXCEPT|INTERSECT|DO|FOR|KEY|ON|BEGIN|THEN))\Z", re.IGNORECASE)
_ROWS: Final = re.compile(r"\b(?:SELECT|VALUES)\b", re.IGNORECASE)
#: The name to which code assigns a text or a list of texts.
_ASSIGNED: Final = re.compile(r"\b(?P<name>[A-Za-z_]\w*+)(?:\s*+:\s*+\w++)?\s*+:?=\s*+[\[(]?\s*+[rbfuRBFU]?\Z")
#: Number of characters after an assignment in which code that adds to the text is searched.
_MAX_GROWTH: Final = 3_000
#: A name between two joined strings: `" FROM " + Users.TABLE + " WHERE "`.
_NAME_JOINT: Final = re.compile(
    r"\s*+[+.]\s*+(?P<name>(?:\w++\s*+(?:\.|::|->)\s*+)*+[A-Za-z_]\w*+)(?!\s*+[(\[.\w]|\s*+(?:::|->))"
)
#: The code between a string and a value that is known only at run time.
_DYNAMIC: Final = re.compile(r"\s*+(?:[+.%]\s*+\w|\|\|)")
#: Values in a text that may be more than a parameter: a table, a list of columns, a condition.
_OPEN_HOLE: Final = re.compile(r"\$\{|#\{|\{\w|%[vq]")
#: An escape, or a hole with a name in it.
_SPECIAL: Final = re.compile(
    r"\\(?P<escape>n|t|r|\n|[\"'`\\])|(?:[$#]?\{(?P<path>[\w.:]++)\}|(?<![\w$])\$(?P<name>[A-Za-z_]\w*+)(?!\$))"
)
#: The beginning of a constant: a name in upper case, or a declaration with a word that forbids assignments.
_CONSTANT: Final = re.compile(
    r"(?:(?:\b(?:const|final|val|readonly|static)\b[^=\n;{}()\"'`]{0,80}?)?\b(?P<name>[A-Za-z_]\w*+)"
    r"(?:[ \t]*+(?::[ \t]*+[\w.&'<>?]++[ \t]*+)?:?=\s*+)|\#[ \t]*+define[ \t]++(?P<macro>\w++)[ \t]++)"
    r"(?:[rbfuRBFU@]?(?P<quote>\"\"\"|\'\'\'|[\"'`])|(?P<first>(?:\w++\.)*+[A-Za-z_]\w*+)(?=\s*+[+.]\s*+[\w\"'`]))"
)
_FIXED: Final = re.compile(r"\b(?:const|final|val|readonly|static|define)\b|\b[A-Z][A-Z0-9_]*+\s*$")
#: The beginning of a block of constants in Go.
_BLOCK: Final = re.compile(r"\bconst\s*\(")
#: Maximum length of the text of a constant, in characters, and maximum number of constants of which a constant consists.
_MAX_CONSTANT: Final = 4_000
_MAX_DEPTH: Final = 5
#: Maximum number of strings that are joined to one text.
_MAX_PARTS: Final = 200


class CodeText(NamedTuple):
    """The text of several joined strings in code."""

    text: str
    #: Offset in the code of the first word, which may be behind comments of SQL.
    start: int
    #: Offset in the code after the last closing quote.
    end: int
    is_dynamic: bool
    #: Offsets in the text at which pieces begin, and the offsets of the pieces in the code.
    pieces: tuple[list[int], list[int]]

    def offset(self, at: int) -> int:
        """Return the offset in the code of an offset in the text."""
        starts, origins = self.pieces
        place = max(0, bisect_right(starts, at) - 1)
        return origins[place] + at - starts[place]

    def behind(self, at: int) -> CodeText:
        """Return the part of the text behind an offset in the text."""
        made = _Builder()
        made.copy(self, at, len(self.text))
        return self._replace(text=self.text[at:], start=self.offset(at), pieces=(made.starts, made.origins))

    def filled(self, hole: re.Pattern[str], value: str) -> CodeText:
        """Return the text with a value in place of everything that a pattern matches."""
        return self.replaced((*match.span(), value) for match in hole.finditer(self.text))

    def replaced(self, parts: Iterable[tuple[int, int, str]]) -> CodeText:
        """Return the text with other texts in place of parts. Each part has its start, its end and the other text."""
        made, at = _Builder(), 0
        for start, end, value in parts:
            made.copy(self, at, start)
            made.add(value, self.offset(start))
            at = end
        made.copy(self, at, len(self.text))
        return self._replace(text="".join(made.parts), pieces=(made.starts, made.origins))


class CodeStrings:
    """The strings of a file of code."""

    def __init__(self, text: str) -> None:
        self._text = text
        #: The beginning of each constant, by name; None if several constants have the name.
        self._beginnings: Mapping[str, re.Match[str] | None] | None = None
        #: The texts of constants by name; None for other values.
        self._values: dict[str, str | None] = {}
        self._depth = 0
        #: Beginning and end of the last code without a closing quote, by opening quote and limit.
        self._unclosed: dict[tuple[str, int], tuple[int, int]] = {}

    def joined(self, match: re.Match[str], first: int, limit: int = MAX_LENGTH) -> CodeText | None:
        """Return a string, with the following strings that are joined to it; None for a text that is unclosed or too long.

        The groups of the match contain the opening `quote`, and `first` is the offset of the first word. `limit` is the maximum
        length of each string.
        """
        made = _Builder()
        start = match.start("quote")
        is_list = _LIST.search(self._text, max(0, start - _MAX_BEFORE), start) is not None
        end = self._join(made, match["quote"], match.end("quote"), limit, is_list=is_list)
        if end < 0:
            return None
        whole = "".join(made.parts)
        is_open = _DYNAMIC.match(self._text, end) is not None or _OPEN_HOLE.search(whole) is not None
        is_open = is_open or self._grows(start, end)
        return CodeText(whole, first, end, is_open, (made.starts, made.origins))

    def _grows(self, start: int, end: int) -> bool:
        """Return whether code adds to the text after the assignment: `query += " LIMIT 1"`, `parts.append("LIMIT 1")`."""
        assigned = _ASSIGNED.search(self._text, max(0, start - _MAX_BEFORE), start)
        if assigned is None:
            return False
        grown = re.compile(rf"\b{assigned['name']}(?:\s*+\+=|\.append\(|\s*+=\s*+{assigned['name']}\s*+[+\[])")
        return grown.search(self._text, end, end + _MAX_GROWTH) is not None

    def _join(self, made: _Builder, quote: str, begin: int, limit: int, *, is_list: bool = False) -> int:
        """Add joined strings to a text, from the content of the first string. Return their end; -1 if the first is unclosed.

        In a list, the strings behind commas belong to the text, too, up to one that begins another statement.

        A name between two strings that is no constant becomes `${name}`.
        """
        text = self._text
        last = -1
        for _ in range(_MAX_PARTS):
            end = self._end(quote, begin, limit)
            closing = _closing(quote)
            if not text.startswith(closing, end):
                return begin if last >= 0 else -1
            self._add(made, begin, end, quote)
            last = end + len(closing)
            if quote[0] == "\\":
                break  # the string around it goes on
            last, joint = self._names(made, last)
            if joint is None and is_list:
                joint = self._next_item(made, last)
            if joint is None:
                break
            quote, begin = joint["quote"], joint.end()
        return last

    def _next_item(self, made: _Builder, at: int) -> re.Match[str] | None:
        """Add a blank for the comma in a list. Return the beginning of the next string; None if it begins another statement."""
        joint = _ITEM_JOINT.match(self._text, at)
        if joint is None:
            return None
        if _VERBS.fullmatch(joint["word"]) is not None and not made.is_unfinished():
            return None
        made.add(" ", at)
        return joint

    def _names(self, made: _Builder, at: int) -> tuple[int, re.Match[str] | None]:
        """Add the values of names after a string. Return their end, and the beginning of the next string."""
        waiting: list[tuple[str, int]] = []
        end = at
        while (joint := _JOINT.match(self._text, at)) is None:
            named = _NAME_JOINT.match(self._text, at)
            if named is None:
                return end, None  # unknown values at the end are left out
            value = self._constant(named["name"])
            waiting.append((f"${{{named['name']}}}" if value is None else value, named.start("name")))
            at = named.end()
            if value is not None:
                made.add_all(waiting)
                waiting, end = [], at
        made.add_all(waiting)
        return at, joint

    def _end(self, quote: str, begin: int, limit: int) -> int:
        """Return the end of the content of a string. Code without a closing quote is searched only once."""
        first, last = self._unclosed.get((quote, limit), (0, 0))
        if first <= begin < last:
            return begin
        content = _CONTENT[quote].match(self._text, begin, begin + limit)
        end = content.end() if content is not None else begin
        if not self._text.startswith(_closing(quote), end):
            self._unclosed[quote, limit] = begin, end
        return end

    def _add(self, made: _Builder, begin: int, end: int, quote: str) -> None:
        """Add a part of the code to a text, without escapes and with the values of constants.

        In double quotes, `$name` may be a value, as in Kotlin and PHP; it becomes `${name}`.
        """
        text, at = self._text, begin
        for special in _SPECIAL.finditer(text, begin, end):
            if special["escape"]:
                value: str | None = {"n": "\n", "t": "\t", "r": "\r"}.get(special["escape"], special["escape"])
            elif special["path"]:
                value = self._constant(special["path"])
            else:
                is_value = quote in ('"', '"""')
                value = self._constant(special["name"]) or f"${{{special['name']}}}" if is_value else None
            if value is not None:
                made.add(text[at : special.start()], at)
                made.add(value, special.start())
                at = special.end()
        made.add(text[at:end], at)

    def _constant(self, name: str) -> str | None:
        """Return the text of a constant of the file, such as `Users.TABLE`; None if there is none, or more than one."""
        if self._beginnings is None:
            self._beginnings = _beginnings(self._text)
        own = re.split(r"\W+", name)[-1]
        if own not in self._values:
            match = self._beginnings.get(own)
            self._values[own] = None  # a constant that contains itself has no value
            if match is not None and self._depth < _MAX_DEPTH:
                self._depth += 1
                self._values[own] = self._value(match)
                self._depth -= 1
        return self._values[own]

    def _value(self, match: re.Match[str]) -> str | None:
        made = _Builder()
        if match["quote"]:
            end = self._join(made, match["quote"], match.end("quote"), _MAX_CONSTANT)
        else:
            first = self._constant(match["first"])
            end, joint = self._names(made, match.end("first"))
            if first is None:
                return None
            made.parts.insert(0, first)
            if joint is not None:
                end = self._join(made, joint["quote"], joint.end(), _MAX_CONSTANT)
        whole = "".join(made.parts)
        is_known = end >= 0 and len(whole) <= _MAX_CONSTANT and _DYNAMIC.match(self._text, end) is None
        return whole if is_known else None


class _Builder:
    """A text that is made of pieces of code."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.origins: list[int] = []
        self._length = 0

    def add(self, part: str, origin: int) -> None:
        """Add a piece that stands at an offset of the code."""
        if part or not self.starts:
            self.parts.append(part)
            self.starts.append(self._length)
            self.origins.append(origin)
            self._length += len(part)

    def add_all(self, parts: Iterable[tuple[str, int]]) -> None:
        """Add several pieces, each with its offset."""
        for part, origin in parts:
            self.add(part, origin)

    def is_unfinished(self) -> bool:
        """Return whether a following verb belongs to the same statement, such as the `SELECT` of `INSERT INTO boats (name)`."""
        whole = "".join(self.parts).rstrip()
        is_insert = whole.lstrip()[:6].upper() == "INSERT" and _ROWS.search(whole) is None
        return is_insert or whole.count("(") > whole.count(")") or _UNFINISHED.search(whole) is not None

    def copy(self, code: CodeText, start: int, end: int) -> None:
        """Add a part of another text."""
        starts = code.pieces[0]
        cuts = [start, *starts[bisect_right(starts, start) : bisect_right(starts, end - 1)], end]
        for first, last in itertools.pairwise(cuts):
            self.add(code.text[first:last], code.offset(first))


def _closing(quote: str) -> str:
    return f'"{quote[1:-1]}' if quote[0] == "r" else quote


def _beginnings(text: str) -> dict[str, re.Match[str] | None]:
    """Return the beginnings of the constants in a file by name; None for a name of several constants."""
    blocks: list[tuple[int, int]] = []
    for opening in _BLOCK.finditer(text):
        if blocks and opening.start() < blocks[-1][1]:
            continue
        end = text.find("\n)", opening.end())
        if end < 0:
            break
        blocks.append((opening.end(), end))
    found: dict[str, re.Match[str] | None] = {}
    for match in _CONSTANT.finditer(text):
        place = bisect_right(blocks, (match.start(), len(text))) - 1
        is_in_block = place >= 0 and match.start() < blocks[place][1]
        name = match["name"] or match["macro"]
        if is_in_block or _FIXED.search(text, match.start(), max(match.end("name"), match.end("macro"))) is not None:
            found[name] = match if name not in found else None
    return found
