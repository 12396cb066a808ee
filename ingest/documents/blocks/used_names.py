"""Find names that blocks of code and the text around them use: free names, fixtures, keywords, and members of values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from ...facts.document_facts import BlockFact, MentionFact
from .programs import Expression

_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_CAPITALIZED: Final = re.compile(r"(?<![\w$])[A-Z][\w$]*")
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
#: A name that is neither a member nor a keyword of a call.
_VALUE: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*+(?!=)")
#: A keyword of a call, a string, or a bracket.
_IN_CALL: Final = re.compile(r"[\"'()\[\]{}]|(?<=[(,\s])(?P<keyword>[A-Za-z_]\w*)=(?!=)")
#: Maximum number of lines and signs of a call that are read for its keywords.
_MAX_CALL_LINES: Final = 40
_MAX_SIGNS: Final = 400
#: A member of a value in the text of a document, perhaps called.
_MEMBER: Final = re.compile(
    r"(?P<path>(?P<value>[A-Za-z_$][\w$]*)(?:\.[A-Za-z_$][\w$]*){1,6})(?:(?P<call>\([^()\n]{0,120}\)))?;?$", re.ASCII
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


def capitalized_names(block: BlockFact) -> set[str]:
    """Return the names in a block that begin with a capital: types of Java, and what packages of Go export."""
    return set(_CAPITALIZED.findall(block.text))


def names_in_block(block: BlockFact) -> set[str]:
    """Return all names in a block."""
    return set(_NAME.findall(block.text))


def words_of_blocks(blocks: Sequence[BlockFact], extensions: Collection[str]) -> set[str]:
    """Return all names in the blocks in some languages."""
    return {name for block in blocks if block.extension in extensions for name in names_in_block(block)}


def fixtures_of(block: BlockFact) -> Iterator[tuple[str, int, int]]:
    """Yield the names that tests in a block of Python take from fixtures, each with line and column of a use."""
    names = {found["name"] for test in _TEST.finditer(block.text) for found in _PARAMETER.finditer(test["parameters"])} - {"self"}
    if not names or block.extension != ".py":
        return
    for number, line in enumerate(block.text.split("\n"), block.line):
        yield from ((found[0], number, found.start() + 1) for found in _VALUE.finditer(line) if found[0] in names)


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
