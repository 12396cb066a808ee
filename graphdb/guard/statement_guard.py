"""Admit only Cypher statements that read, by an allow-list for tokens.

A read-only database is not enough: the engine still runs LOAD FROM, COPY TO, EXPORT and ATTACH, which read and write files.
So a statement passes only if each word is a reading clause, an operator, a name or an allowed function in a valid position. A
statement, and each part after UNION, must begin with a reading clause, and only an allowed keyword may follow a complete operand.
So an unknown clause cannot begin anywhere.

The guard also refuses statements that are known to crash the engine and thus the process: a WHERE with only constants, NULL as an
argument, and functions such as any() over lists of relationships. The list of such statements is not complete, so run users'
statements in a separate process.
"""

from __future__ import annotations

from enum import Enum

from ...schema.errors import QueryRejected
from .cypher_tokens import Token, tokenize

#: Maximum length in characters. Longer texts can exhaust the engine's parser.
MAX_LENGTH = 10_000
#: Maximum number of nested brackets. The engine's parser recurses, and a few hundred nested brackets end the process.
MAX_DEPTH = 40
#: Maximum number of nested CASE expressions. The engine's time doubles with each further level.
MAX_CASE_DEPTH = 8


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLAUSES = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"})
#: Words before a statement that request its plan. The guard also checks the statement after these words.
PLANS = frozenset({"EXPLAIN", "PROFILE"})
#: Words that begin or belong to writing, file, session and schema statements; a name spelled like one needs backquotes.
_REFUSED = _words(
    "ALTER ATTACH BEGIN CHECKPOINT COMMENT COMMIT COPY CREATE DATABASE DBTYPE DELETE DETACH DROP EXPLAIN EXPORT EXTENSION"
    " FOREACH GLOB HINT IMPORT INSTALL LOAD MACRO MERGE PROFILE REMOVE RENAME ROLLBACK SEQUENCE SET TRANSACTION UNINSTALL"
    " UPDATE USE"
)
_QUANTIFIERS = frozenset({"ANY", "ALL", "NONE", "SINGLE"})
TABLE_FUNCTIONS = frozenset({"SHOW_TABLES", "TABLE_INFO", "SHOW_CONNECTION", "DB_VERSION"})
#: Functions without side effects whose cost is bounded by their input. RANGE, REPEAT and the padding functions are omitted
#: because they can fill the memory. The quantifiers, the splitting functions, REGEXP_FULL_MATCH, REGEXP_REPLACE and INITCAP are
#: omitted because they crash the engine for some arguments.
FUNCTIONS = _words(
    "COUNT COLLECT SUM AVG MIN MAX"
    " ID LABEL LABELS OFFSET KEYS PROPERTIES START_NODE END_NODE NODES RELS RELATIONSHIPS LENGTH IS_TRAIL IS_ACYCLIC"
    " COALESCE IFNULL NULLIF CAST STRING TO_STRING TO_INT64 TO_DOUBLE TO_BOOL TYPEOF"
    " LOWER UPPER TOLOWER TOUPPER LCASE UCASE TRIM LTRIM RTRIM LEFT RIGHT REVERSE SUBSTRING SUBSTR SPLIT_PART"
    " CONCAT CONCAT_WS CONTAINS PREFIX SUFFIX STARTS_WITH ENDS_WITH LEVENSHTEIN"
    " REGEXP_MATCHES REGEXP_EXTRACT REGEXP_EXTRACT_ALL"
    " SIZE LIST_EXTRACT LIST_ELEMENT LIST_CONTAINS LIST_HAS LIST_HAS_ALL LIST_POSITION LIST_INDEXOF LIST_SLICE LIST_SORT"
    " LIST_REVERSE_SORT LIST_REVERSE LIST_DISTINCT LIST_UNIQUE LIST_ANY_VALUE LIST_SUM LIST_PRODUCT LIST_CONCAT LIST_CAT"
    " LIST_APPEND LIST_PREPEND LIST_TO_STRING LIST_FILTER LIST_TRANSFORM LIST_REDUCE"
    " ABS CEIL CEILING FLOOR ROUND SIGN SQRT POW LN LOG LOG2 LOG10 GREATEST LEAST"
    " MAP MAP_KEYS MAP_VALUES MAP_EXTRACT STRUCT_PACK STRUCT_EXTRACT DATE TIMESTAMP"
)


class _Expected(Enum):
    """The kind of token that may come next in a statement."""

    CLAUSE = "a reading clause (MATCH, OPTIONAL MATCH, WITH, UNWIND, RETURN or CALL)"
    OPERAND = "a name, a value or a pattern"
    OPERATOR = "an operator, a keyword or the end"
    END = "nothing: one statement at a time"


#: Keywords that may follow in each state, and the state after them. Any other word is a name if an operand is expected, and an
#: error elsewhere.
_AFTER: dict[_Expected, dict[str, _Expected]] = {
    _Expected.CLAUSE: dict.fromkeys(CLAUSES, _Expected.OPERAND),
    _Expected.OPERAND: {
        **dict.fromkeys(("NULL", "TRUE", "FALSE"), _Expected.OPERATOR),
        **dict.fromkeys(("NOT", "DISTINCT", "CASE", "EXISTS", "SHORTEST", "TRAIL", "ACYCLIC", "ALL"), _Expected.OPERAND),
        "WSHORTEST": _Expected.OPERAND,
    },
    _Expected.OPERATOR: {
        **dict.fromkeys(CLAUSES, _Expected.OPERAND),
        **dict.fromkeys(("WHERE", "ORDER", "SKIP", "LIMIT", "YIELD", "AS", "AND", "OR", "XOR", "IN"), _Expected.OPERAND),
        **dict.fromkeys(("WHEN", "THEN", "ELSE", "CONTAINS", "STARTS", "ENDS", "IS"), _Expected.OPERAND),
        **dict.fromkeys(("ASC", "ASCENDING", "DESC", "DESCENDING", "END"), _Expected.OPERATOR),
        "UNION": _Expected.CLAUSE,
    },
    _Expected.END: {},
}
#: Pairs of keywords whose second keyword is not allowed without the first keyword, and the state after the pair.
_PAIRS: dict[tuple[str, str], _Expected] = {
    ("OPTIONAL", "MATCH"): _Expected.OPERAND,
    ("ORDER", "BY"): _Expected.OPERAND,
    ("STARTS", "WITH"): _Expected.OPERAND,
    ("ENDS", "WITH"): _Expected.OPERAND,
    ("IS", "NOT"): _Expected.OPERAND,
    ("UNION", "ALL"): _Expected.CLAUSE,
    ("CASE", "WHEN"): _Expected.OPERAND,
    ("{", "MATCH"): _Expected.OPERAND,
    ("|", "WHERE"): _Expected.OPERAND,
}
#: Keywords that only the named keyword may follow.
_MUST_FOLLOW = {"OPTIONAL": "MATCH", "ORDER": "BY", "STARTS": "WITH", "ENDS": "WITH"}
#: Refused keywords that are allowed as labels in a pattern, because tables have these names.
_LABELS = frozenset({"COMMIT"})
_CLOSING = {")": "(", "]": "[", "}": "{"}
#: Clauses that produce rows. A WHERE on constants before the first such clause crashes the engine.
_SOURCES = frozenset({"MATCH", "UNWIND", "CALL"})
#: List look-ups. As the only condition between WHEN and THEN, they give wrong answers for some rows in kuzu 0.11.3. With a
#: connective, the answers are right.
_LOOKS_UP = frozenset({"IN", "LIST_CONTAINS", "LIST_HAS", "ARRAY_CONTAINS", "ARRAY_HAS"})
_CONNECTIVES = frozenset({"NOT", "AND", "OR", "XOR"})
#: Tokens that NULL may follow. NULL as an argument of a function has no type and crashes the engine.
_BEFORE_NULL = frozenset({"IS", "NOT", "THEN", "ELSE", "RETURN"})


def check_read_only(statement: str) -> None:
    """Raise QueryRejected, which names the forbidden part, unless the statement only reads the graph."""
    if len(statement) > MAX_LENGTH:
        raise QueryRejected(f"The query is longer than {MAX_LENGTH:,} characters. Pass long lists as parameters.", MAX_LENGTH)
    tokens = tokenize(statement)
    if tokens and tokens[0].keyword in PLANS:
        tokens = tokens[1:]
    if not tokens:
        raise QueryRejected("The query is empty.")
    _Reading(tokens).check()


class _Reading:
    """One pass over the tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._expected = _Expected.CLAUSE
        self._open: list[str] = []
        #: For each open CASE, whether its WHENs contain conditions; False if they contain values, as in `CASE value WHEN …`.
        self._tests: list[bool] = []
        #: Positions of the WHENs whose THEN is not read yet.
        self._whens: list[int] = []
        self._has_rows = False
        self._position = 0

    def check(self) -> None:
        for position, token in enumerate(self._tokens):
            self._position = position
            if self._expected is _Expected.END:
                raise self._refusal(token)
            self._expected = self._symbol(token) if token.kind == "symbol" else self._other(token)
        if self._open:
            raise QueryRejected(f"The query does not close its {self._open[-1]!r}.", self._end)
        if self._expected in (_Expected.CLAUSE, _Expected.OPERAND):
            raise QueryRejected(f"The query ends where {self._expected.value} is expected.", self._end)

    def _other(self, token: Token) -> _Expected:
        before = self._previous()
        if token.kind in ("word", "quoted"):
            if before == "CALL":
                return self._call(token)
            if before == ".":
                return self._name(token)
            word = token.keyword
            if word in _REFUSED and not (word in _LABELS and before in (":", "|") and self._open):
                raise QueryRejected(
                    f"{word} is not allowed: queries only read the graph. (A name spelled so is written in backquotes.)",
                    token.start,
                )
            following = self._keyword(word, before)
            if following is not None:
                return following
        if before == "CALL" or before in _MUST_FOLLOW or self._expected is not _Expected.OPERAND:
            raise self._refusal(token)
        return self._name(token)

    def _keyword(self, word: str, before: str) -> _Expected | None:
        """Return the state after a keyword; None if the word is not a keyword here."""
        if before in _MUST_FOLLOW and _MUST_FOLLOW[before] != word:
            return None
        is_name = self._is_key() or (word in FUNCTIONS | _QUANTIFIERS and self._is_function(self._tokens[self._position]))
        if self._expected is _Expected.OPERAND and is_name:
            return None
        following = _PAIRS.get((before, word), _AFTER[self._expected].get(word))
        if following is not None:
            self._note(word, before)
        return following

    def _name(self, token: Token) -> _Expected:
        """Accept a value, a variable, a property, a label, or an allowed function."""
        if token.kind in ("word", "quoted") and self._is_function(token):
            name = token.text.upper() if token.text.isascii() else ""
            if name in _QUANTIFIERS:
                raise QueryRejected(
                    f"{token.text}() is not allowed in queries. Write size(list_filter(list, x -> ...)) > 0.", token.start
                )
            if name not in FUNCTIONS:
                raise QueryRejected(f"The function {token.text} is not allowed in queries.", token.start)
        return _Expected.OPERATOR

    def _call(self, token: Token) -> _Expected:
        name = token.text.upper() if token.text.isascii() else ""
        if name not in TABLE_FUNCTIONS or not self._is_function(token):
            raise QueryRejected(
                f"CALL {token.text} is not allowed: only {', '.join(sorted(TABLE_FUNCTIONS)).lower()} are.", token.start
            )
        return _Expected.OPERATOR

    def _symbol(self, token: Token) -> _Expected:
        text = token.text
        if text == ";":
            if self._expected is not _Expected.OPERATOR or self._open:
                raise self._refusal(token)
            return _Expected.END
        if self._expected is _Expected.CLAUSE or self._previous() in ("CALL", *_MUST_FOLLOW):
            raise self._refusal(token)
        if text in "([{":
            self._open.append(text)
            if len(self._open) > MAX_DEPTH:
                raise QueryRejected(f"The query nests more than {MAX_DEPTH} brackets.", token.start)
            return _Expected.OPERAND
        if text in _CLOSING:
            if not self._open or self._open.pop() != _CLOSING[text]:
                raise self._refusal(token)
            return _Expected.OPERATOR
        if text == "*" and self._expected is _Expected.OPERAND and self._previous() != "[":
            return _Expected.OPERATOR  # all columns, as in RETURN * and count(*)
        return _Expected.OPERAND

    def _note(self, word: str, before: str) -> None:
        """Update limited counts, such as the number of nested brackets, and enforce the limits."""
        if word == "CASE":
            self._tests.append(self._following_keyword() == "WHEN")
        elif word == "END":
            del self._tests[-1:]
        if len(self._tests) > MAX_CASE_DEPTH:
            raise QueryRejected(f"The query nests more than {MAX_CASE_DEPTH} CASE expressions.", self._start)
        if word == "WHEN":
            self._whens.append(self._position)
        elif word == "THEN" and self._whens:
            self._check_condition(self._whens.pop())
        self._has_rows = word != "UNION" and (self._has_rows or word in _SOURCES)
        if word == "WHERE" and not self._has_rows:
            raise QueryRejected("WHERE needs a MATCH, an UNWIND or a CALL before it.", self._start)
        if word == "NULL" and before not in _BEFORE_NULL:
            raise QueryRejected("NULL is allowed only in IS NULL, IS NOT NULL, and behind THEN, ELSE and RETURN.", self._start)

    def _check_condition(self, start: int) -> None:
        words = {token.keyword for token in self._tokens[start : self._position] if token.kind == "word"}
        if words & _LOOKS_UP and not words & _CONNECTIVES:
            raise QueryRejected(
                "The engine misreads a look-up in a list alone between WHEN and THEN. Write (… IN …) AND true.", self._start
            )
        named = [token for token in self._tokens[start + 1 : self._position] if token.text not in ("(", ")")]
        if self._tests[-1:] == [True] and _is_bare_name(named):
            name = "".join(token.text for token in named)
            raise QueryRejected(f"The engine misreads {name} alone between WHEN and THEN. Write {name} = true.", self._start)

    @property
    def _start(self) -> int:
        """Offset of the current token."""
        return self._tokens[self._position].start

    @property
    def _end(self) -> int:
        """Offset of the end of the last token."""
        last = self._tokens[-1]
        return last.start + len(last.text)

    def _previous(self) -> str:
        """Return the token before the current token: a keyword in capitals, a symbol unchanged, "" for any other token."""
        if self._position == 0:
            return ""
        token = self._tokens[self._position - 1]
        behind_dot = self._position > 1 and self._tokens[self._position - 2].text == "."
        return token.text if token.kind == "symbol" else "" if behind_dot else token.keyword

    def _following_keyword(self) -> str:
        following = self._tokens[self._position + 1 : self._position + 2]
        return following[0].keyword if following else ""

    def _next_is(self, text: str) -> bool:
        following = self._tokens[self._position + 1 : self._position + 2]
        return bool(following) and following[0].kind == "symbol" and following[0].text == text

    def _is_function(self, token: Token) -> bool:
        return token.kind in ("word", "quoted") and self._next_is("(")

    def _is_key(self) -> bool:
        """Return whether the current token is a key of a map or of a property pattern.

        Such a key may be spelled like a keyword.
        """
        return self._next_is(":") and self._previous() in ("{", ",")

    def _refusal(self, token: Token) -> QueryRejected:
        return QueryRejected(
            f"{token.text!r} at character {token.start + 1} is not allowed there: expected {self._expected.value}.", token.start
        )


def _is_bare_name(tokens: list[Token]) -> bool:
    """Return whether the tokens are exactly a variable or a property."""
    names, dots = tokens[::2], tokens[1::2]
    return (
        len(names) == len(dots) + 1
        and all(token.text == "." for token in dots)
        and all(token.kind in ("word", "quoted") and token.keyword not in ("TRUE", "FALSE", "NULL") for token in names)
    )
