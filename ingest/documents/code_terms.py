"""The terms of code that users write: settings that code reads, and flags and commands that code declares.

Each language has a pattern for the calls and annotations of its libraries. The patterns read the text, so they also apply to
languages without lowering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...schema.symbol_kinds import CALLABLE_KINDS, STATEMENTS
from ..facts.document_facts import TermFact
from ..facts.model import FileFacts, SymbolFact

SETTING: Final = "setting"
FLAG: Final = "flag"
COMMAND: Final = "command"

_FLAG: Final = re.compile(r"--(?P<negated>\[no-?\])?(?P<name>[A-Za-z][\w.-]*)")
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAME: Final = re.compile(r"[A-Za-z_][\w.:-]*$")
#: Maximum number of terms of a file.
_MAX_TERMS: Final = 5_000


@dataclass(frozen=True, slots=True)
class TermRules:
    r"""The notation of settings, flags and commands in a language.

    The name of the matching group says what its text is. `setting` and `command` are names. `flags` contains flags with dashes,
    and
    `flag` is a flag without dashes. The name of a `member`, in kebab case, is a flag. The name of the function after a
    `decorator`, in kebab case, is a command. Further groups with the same meaning have names such as `setting_of_field`.

    A search is ten times as fast if the pattern begins with a literal text or a set of characters, as in
    `environ(?<=\benviron)`.
    """

    pattern: re.Pattern[str]
    #: Every file with a match of the pattern contains at least one of these texts, so most files are not searched.
    hints: tuple[bytes, ...]
    #: Rules for other terms of the language.
    further: tuple[TermRules, ...] = ()


def term_key(kind: str, name: str = "") -> str:
    """Return the key under which a file declares a term. If the name is empty, return the key of all terms of the kind."""
    return f"{kind} {name}"


def add_terms(facts: FileFacts, data: bytes, rules: TermRules) -> None:
    """Add the settings, flags and commands of a file."""
    patterns = [each.pattern for each in (rules, *rules.further) if any(hint in data for hint in each.hints)]
    if not patterns:
        return
    found = list(_matches(data.decode("utf-8", "replace"), patterns))[:_MAX_TERMS]
    owners = _owners(facts.symbols, [line for _, line, _ in found])
    terms: dict[tuple[str, str, int], TermFact] = {}
    for (group, line, written), owner in zip(found, owners, strict=True):
        for kind, name in _terms(group, written, facts.symbols[owner].name if owner >= 0 else ""):
            terms.setdefault((kind, name, owner), TermFact(kind, name, owner, line))
    facts.terms = list(terms.values())


def _matches(text: str, patterns: Iterable[re.Pattern[str]]) -> Iterator[tuple[str, int, str]]:
    """Yield the group, the line and the text of each match, in the order of the text."""
    line, counted = 1, 0
    for found in sorted((found for each in patterns for found in each.finditer(text)), key=lambda found: found.start()):
        group = found.lastgroup or ""
        if not group:
            continue
        line += text.count("\n", counted, found.start())
        counted = found.start()
        yield group.partition("_")[0], line, found[group]


def _terms(group: str, written: str, owner: str) -> Iterator[tuple[str, str]]:
    if group == "flags":
        for flag in _FLAG.finditer(written):
            yield FLAG, f"--{flag['name'].rstrip('.-')}"
            if flag["negated"]:
                yield FLAG, f"--no-{flag['name']}"
    elif group == "flag":
        yield FLAG, f"--{written}"
    elif group == "member":
        yield FLAG, f"--{_kebab(written)}"
    elif group == "decorator":
        if owner:
            yield COMMAND, _kebab(owner)
    elif group in (SETTING, COMMAND) and _NAME.match(written):
        yield group, written


def _kebab(name: str) -> str:
    return _CAPITAL.sub("-", name.strip("_")).replace("_", "-").lower()


def _owners(symbols: Sequence[SymbolFact], lines: Sequence[int]) -> list[int]:
    """Return the innermost declaration around each of some ascending lines, or the outermost function around it; -1 for none."""
    order = sorted(
        (place for place, symbol in enumerate(symbols) if symbol.kind not in STATEMENTS),
        key=lambda place: (symbols[place].start_line, symbols[place].depth),
    )
    owners: list[int] = []
    around: list[int] = []
    at = 0
    for line in lines:
        while at < len(order) and symbols[order[at]].start_line <= line:
            while around and symbols[around[-1]].end_line < symbols[order[at]].start_line:
                around.pop()
            around.append(order[at])
            at += 1
        while around and symbols[around[-1]].end_line < line:
            around.pop()
        inside = [place for place in around if symbols[place].end_line >= line]
        function = next((place for place in inside if symbols[place].kind in CALLABLE_KINDS), None)
        owners.append(function if function is not None else inside[-1] if inside else -1)
    return owners
