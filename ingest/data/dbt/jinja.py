"""Replace the Jinja in a dbt model by SQL of the same length, and collect the models and sources that the Jinja names.

    select id from {{ ref('orders') }}          becomes     select id from orders

No code of the template is run. The SQL has the length and the lines of the template, so that an offset in the SQL is an offset in
the file. The SQL contains only the first of several alternatives, and the body of a loop once. Names are collected from all
alternatives.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ....schema.blank_text import blank

#: A part of a template: a comment, a statement or an expression. An unclosed part extends to the end of the text.
_PART: Final = re.compile(r"\{#.*?(?:#\}|\Z)|\{%.*?(?:%\}|\Z)|\{\{.*?(?:\}\}|\Z)", re.DOTALL)
#: Parts that distinguish dbt templates from Go templates: calls, and blocks that define something.
_SIGN: Final = re.compile(
    rb"\{\{[-+]?\s*\w+(?:\.\w+)*+\s*\(|\{%[-+]?\s*(?:macro|test|snapshot|materialization|docs)\s+\w"
    rb"|\b(?:ref|source)\s*\(\s*['\"][\w.]+['\"]\s*[,)]"
)
#: A name in a call of `ref` or `source`, after the name of the package or the source.
_NAMED: Final = re.compile(
    r"\b(?P<call>ref|source)\s*\(\s*(?P<q1>['\"])(?P<first>[^'\"]+)(?P=q1)\s*"
    r"(?:,\s*(?P<q2>['\"])(?P<second>[^'\"]+)(?P=q2)\s*)?(?:,\s*(?:v|version)\s*=\s*['\"]?(?P<version>\w+)['\"]?\s*)?\)"
)
#: The name of a macro in a call. Macros of packages have the name of the package before them.
_CALLED: Final = re.compile(r"(?<![\w.])([A-Za-z_]\w*+)\s*+\(")
#: A call of the macro of a name that fits the warehouse, `default__NAME` if no other fits.
_DISPATCHED: Final = re.compile(r"\badapter\.dispatch\(\s*(?:macro_name\s*=\s*)?['\"]([\w.]+)['\"]")
_WORD: Final = re.compile(r"\{%[-+]?\s*(\w+)")
_NAME_BEHIND: Final = re.compile(r"\{%[-+]?\s*\w+\s+(\w+)")
_OPTION: Final = re.compile(r"\b(alias|materialized|schema)\s*=\s*['\"]([^'\"]*)['\"]")
_THIS: Final = re.compile(r"\{\{[-+]?\s*this\s*[-+]?\}\}")
_CONFIG: Final = re.compile(r"\{\{[-+]?\s*config\b")
#: A comma that remains after the body of a loop, because code omits it only in the last iteration.
_LAST_COMMA: Final = re.compile(r",(?=\s*+(?:from\b|\)|\Z))", re.IGNORECASE)
#: A word at the end of a text, and an opening bracket at the end of a text that begins a query.
_LAST_WORD: Final = re.compile(r"\w+$")
_OPENS_QUERY: Final = re.compile(r"\bas\s*\($", re.IGNORECASE)
#: SQL keywords before values.
_BEFORE_VALUES: Final = frozenset(
    (
        "select", "distinct", "from", "join", "where", "and", "or", "on", "by", "as", "then", "else", "when", "case", "not", "in",
        "having", "using", "between", "like", "ilike", "is", "over", "limit", "offset", "qualify", "interval", "union", "all",
        "except", "exclude", "values", "set", "into",
    )
)  # fmt: skip
_COMMENT: Final = re.compile(r"--[^\n]*")
#: Number of characters before an expression that determine its replacement.
_MAX_WORD: Final = 400
#: An expression is replaced by a whole query only if it is longer than this.
_MIN_QUERY: Final = 12
#: Blocks that add nothing to the SQL of their file.
_HIDDEN: Final = {"macro": "endmacro", "set": "endset", "test": "endtest", "materialization": "endmaterialization"}
_ASSIGNS: Final = re.compile(r"\{%[-+]?\s*set\b[^=]*=")
#: Tags that begin another alternative of a block.
_ALTERNATIVES: Final = frozenset(("elif", "else"))
_OPENING: Final = frozenset(("if", "for"))
_CLOSING: Final = frozenset(("endif", "endfor"))
#: The placeholder for a value that is only known at run time. Names that begin with the placeholder are also unknown.
VALUE: Final = "__v"
#: The placeholder for the table that the model creates.
THIS: Final = "__this"


class NamedRelation(NamedTuple):
    """A model or a source that a template names."""

    name: str
    #: The source, or "" for a model.
    source: str
    #: The package of a model, if the template names it.
    package: str
    offset: int


class Template(NamedTuple):
    """A template of Jinja as SQL."""

    text: str
    relations: list[NamedRelation]
    #: Options of `config(…)`: alias, materialized and schema.
    options: dict[str, str]
    #: Name and offset of each block that defines a snapshot.
    snapshots: list[tuple[str, int]]
    #: Name, first offset and end offset of each macro and each test in the file.
    macros: list[tuple[str, int, int]]
    #: The name in each call, also of functions of dbt itself, with the offset of the expression or statement around it.
    calls: list[tuple[str, int]]


def is_template(source: bytes) -> bool:
    """Return whether a file is a dbt template.

    Such a file names models, sets options, or contains a block that exists only in dbt.
    """
    return (b"{{" in source or b"{%" in source) and _SIGN.search(source) is not None


def read_template(text: str, *, with_conditions: bool = True) -> Template:
    """Return the SQL of a template, and the names in it. `with_conditions=False` leaves the contents of `if` blocks out."""
    return _TemplateReader(text, with_conditions=with_conditions).template()


def relations_in(text: str) -> list[NamedRelation]:
    """Return the models and sources that calls in a text name, such as `ref('orders')`."""
    found = (_relation(match, match.start()) for match in _NAMED.finditer(text))
    return [relation for relation in found if relation is not None]


class _TemplateReader:
    def __init__(self, text: str, *, with_conditions: bool) -> None:
        self._text = text
        self._with_conditions = with_conditions
        self._pieces: list[str] = []
        #: The last characters of the SQL so far, with shortened runs of spaces.
        self._before = ""
        self._found = Template("", [], {}, [], [], [])
        #: The tag that ends the current hidden block; "" outside of such a block.
        self._until = ""
        #: Name and first offset of the open macro.
        self._macro: tuple[str, int] | None = None
        #: Whether the first alternative of each open block has ended.
        self._over: list[bool] = []

    @property
    def _is_hidden(self) -> bool:
        return bool(self._until) or any(self._over)

    def template(self) -> Template:
        at = 0
        for part in _PART.finditer(self._text):
            self._keep(self._text[at : part.start()])
            self._part(part[0], part.start())
            at = part.end()
        self._keep(self._text[at:])
        made = "".join(self._pieces)
        return self._found._replace(text=_LAST_COMMA.sub(" ", made))

    def _add(self, piece: str) -> None:
        self._pieces.append(piece)
        shown = ("\n" if "\n" in piece else " ") if piece.isspace() else piece[-_MAX_WORD:]
        self._before = (self._before + shown)[-_MAX_WORD:]

    def _keep(self, text: str) -> None:
        self._add(blank(text) if self._is_hidden else text)

    def _part(self, text: str, offset: int) -> None:
        if text.startswith("{#"):
            self._add(blank(text))
            return
        self._names(text, offset)
        if text.startswith("{%"):
            self._statement(text, offset)
            self._add(blank(text))
        elif self._is_hidden:
            self._add(blank(text))
        else:
            self._add(self._expression(text, offset))

    def _names(self, text: str, offset: int) -> None:
        self._found.relations.extend(each._replace(offset=offset + each.offset) for each in relations_in(text))
        self._found.calls.extend((match[1], offset) for match in _CALLED.finditer(text))
        self._found.calls.extend((f"default__{match[1]}", offset) for match in _DISPATCHED.finditer(text))
        if "config" in text:
            self._found.options.update((match[1], match[2]) for match in _OPTION.finditer(text))

    def _statement(self, text: str, offset: int) -> None:
        word = _WORD.match(text)
        name = word[1] if word is not None else ""
        if self._until:
            if name == self._until:
                self._close(offset + len(text))
        elif name in _HIDDEN and not (name == "set" and _ASSIGNS.match(text) is not None):
            self._until = _HIDDEN[name]
            named = _NAME_BEHIND.match(text)
            self._macro = (named[1], offset) if named is not None and name in ("macro", "test") else None
        elif name == "snapshot" and (named := _NAME_BEHIND.match(text)) is not None:
            self._found.snapshots.append((named[1], offset))
        elif name in _OPENING:
            self._over.append(name == "if" and not self._with_conditions)
        elif name in _CLOSING and self._over:
            self._over.pop()
        elif name in _ALTERNATIVES and self._over:
            self._over[-1] = self._with_conditions  # the alternative replaces the omitted code

    def _close(self, end: int) -> None:
        self._until = ""
        if self._macro is not None:
            self._found.macros.append((*self._macro, end))
            self._macro = None

    def _expression(self, text: str, offset: int) -> str:
        """Return the replacement of an expression: the name if the whole expression is a relation, else a value or blanks."""
        match = _NAMED.search(text)
        if match is not None and not text[2 : match.start()].lstrip("-+").strip():
            relation = _relation(match, 0)
            if relation is not None and not text[match.end() :].rstrip("}").rstrip("-+").strip():
                return _padded(f"{relation.source}.{relation.name}" if relation.source else relation.name, text)
        if _THIS.match(text) is not None:
            return _padded(THIS, text)
        if _CONFIG.match(text) is not None:
            return blank(text)
        after = self._text[offset + len(text) : offset + len(text) + 1]
        before = self._text[max(offset - 1, 0) : offset]
        if _is_word(before) or _is_word(after):  # a part of a longer name
            return VALUE + "_" * (len(text) - len(VALUE)) if "\n" not in text else _padded(VALUE, text)
        return self._value(text)

    def _value(self, text: str) -> str:
        """Return the replacement of an expression by the SQL before it: blanks after a word that no value may follow."""
        last = _COMMENT.sub("", self._before).rstrip()
        word = _LAST_WORD.search(last)
        if not last or last[-1] == ";" or _OPENS_QUERY.search(last) is not None:
            is_long = len(text) - text.count("\n") > _MIN_QUERY
            return _padded(f"select {VALUE}", text) if is_long else blank(text)
        if (word is not None and word[0].lower() not in _BEFORE_VALUES) or last[-1] in ")'\"`":
            is_in_text = last.count("'") % 2 == 1
            return _padded(VALUE, text) if is_in_text else blank(text)
        return _padded(VALUE, text)


def _relation(match: re.Match[str], offset: int) -> NamedRelation | None:
    first, second = match["first"], match["second"] or ""
    if match["call"] == "source":
        return NamedRelation(second, first, "", offset) if second else None
    name = second or first
    if match["version"]:
        name = f"{name}_v{match['version'].removeprefix('v')}"
    return NamedRelation(name, "", first if second else "", offset)


def _is_word(text: str) -> bool:
    return text.isalnum() or text == "_"


def _padded(name: str, text: str) -> str:
    """Return a name padded to the length and the line ends of a text. A name is always shorter than its call."""
    breaks = text.count("\n")
    return name + " " * max(0, len(text) - len(name) - breaks) + "\n" * breaks
