"""Find names, flags, settings, scripts and paths in documents that a commit removed from the code.

A term that the code never contained may belong to another program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, NamedTuple

from ....graphdb.database import GraphDatabase
from ....schema.languages import is_document_path
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import Diagnostic
from ..model.term_history import (
    ENDPOINT,
    FLAG,
    LONE_SETTING,
    SCRIPT,
    SETTING,
    SYMBOL,
    WORD,
    Mention,
    Place,
    Removal,
    Term,
    TermHistory,
    spellings,
)
from .code_in_documents import CodeInDocument, code_in_documents
from .code_words import UncommentedWords, words_of_code
from .document_terms import COMPOUND, NAME, bound_names, shell_variables, terms_of, used_names

_IMPORT: Final = re.compile(r"^(?:>>> )?(?:import|from|use|using)\b|\bfrom ['\"]|\brequire\(")
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
#: First words of settings that belong to other programs.
_FOREIGN: Final = (
    "AWS AZURE GCP GOOGLE GITHUB GITLAB GIT CI NPM NODE PYTHON PIP JAVA JDK GO RUST CARGO DOCKER KUBE HTTP HTTPS NO SSL TLS SSH "
    "LD LC PATH HOME CC CXX CMAKE XDG DATABASE POSTGRES PG MYSQL REDIS OPENAI ANTHROPIC VITE NEXT REACT "
)
#: Maximum number of terms that are searched in the history.
_MAX_TERMS: Final = 300


class LostTerm(NamedTuple):
    """A place where a document names a term that a commit removed."""

    code: CodeInDocument
    term: Term
    removal: Removal

    def diagnostic(self) -> Diagnostic:
        return Diagnostic(
            self.code.path, self.code.line, "warning", _message(self.term, self.removal), "documents", self.code.column
        )


def lost_terms(graph: GraphDatabase, texts: IndexedTexts, history: TermHistory) -> list[LostTerm]:
    """Return the mentions of terms that a commit removed."""
    written = code_in_documents(texts)
    settings = [word for word in texts.once(words_of_code) if "_" in word and word.isupper()]
    mentions: dict[Term, list[CodeInDocument]] = {}
    for term, code in _mentions(written, _own_imports(graph)):
        known = term if term.kind != SETTING or _has_siblings(term, settings) else Term(LONE_SETTING, term.name)
        mentions.setdefault(known, []).append(code)
    absent = _absent(mentions, graph, texts)
    if not absent:
        return []
    present = history.present(sorted({spelling for term in absent for spelling in spellings(term)}), texts)
    gone = [term for term in absent if present.isdisjoint(spellings(term))][:_MAX_TERMS]
    calls, is_foreign = _calls(written), cache(partial(_is_foreign_member, texts))  # a name searches the texts of all files
    gone = [term for term in gone if not all(_is_beside_foreign(code, calls, is_foreign) for code in absent[term])]
    return removed_mentions({term: absent[term] for term in gone}, history)


def _absent(
    mentions: Mapping[Term, list[CodeInDocument]], graph: GraphDatabase, texts: IndexedTexts
) -> dict[Term, list[CodeInDocument]]:
    """Return the mentions of terms that no indexed code has. Comments and sentences may still have a name."""
    found: dict[Term, list[CodeInDocument]] = {}
    words = texts.once(words_of_code)
    own = {term: places for term, places in mentions.items() if not (is_of_other_programs(term) or _became_public(term, words))}
    declared = declared_names({term.name for term in own if term.kind in (SYMBOL, WORD)}, graph)
    uncommented = texts.once(UncommentedWords)
    for term, places in own.items():
        if not is_in_code(term, texts):
            found[term] = places
        elif term.kind in (SYMBOL, WORD) and term.name not in declared and term.name not in uncommented:
            # A comment may also be about a key of another program, so the name counts only if a statement declared it.
            found[Term(WORD, term.name)] = places
    return found


def _became_public(term: Term, words: Container[str]) -> bool:
    """Return whether code has a name with a capital: `intervalMs` is `IntervalMs` in Go once other packages may use it."""
    return term.kind == SYMBOL and term.name[0].islower() and f"{term.name[0].upper()}{term.name[1:]}" in words


def declared_names(names: Iterable[str], graph: GraphDatabase) -> set[str]:
    """Return the names that code declares."""
    statement = "MATCH (s:Symbol) WHERE s.name IN $names RETURN DISTINCT s.name, s.relativePath"
    return {name for name, path in graph.rows(statement, {"names": sorted(names)}) if not is_document_path(path)}


def removed_mentions(mentions: Mapping[Term, Sequence[CodeInDocument]], history: TermHistory) -> list[LostTerm]:
    """Return the mentions of terms that a commit removed after the lines of the mentions were written."""
    removals = history.removals(list(mentions))
    found = {
        LostTerm(code, term, removals[term]): Mention((code.path, code.line), removals[term], code.is_past_or_future)
        for term, places in mentions.items()
        if term in removals
        for code in places
    }
    outdated = set(history.outdated(list(found.values()))) if found else set()
    return [lost for lost, mention in found.items() if mention in outdated]


def _own_imports(graph: GraphDatabase) -> set[Place]:
    """Return the lines of documents that import code of the repository, according to the resolution of their blocks."""
    found: set[Place] = set()
    for target in ("Symbol", "File", "UnresolvedSpecifier"):
        statement = "MATCH (s:Symbol)-[r:MENTIONS {evidence: 'import'}]->(:%s) RETURN s.relativePath, r.lines"
        found.update((path, line) for path, lines in graph.rows(statement % target) for line in lines)
    return found


def _mentions(written: Sequence[CodeInDocument], own_imports: Container[Place]) -> Iterator[tuple[Term, CodeInDocument]]:
    """Yield the terms in the code of documents, first those in spans and commands.

    Names that documents import from other packages are left out, and in blocks also the names that the blocks bind.
    """
    imported = {
        word
        for code in written
        if code.language and _IMPORT.search(code.text) and (code.path, code.line) not in own_imports
        for word in _WORD.findall(code.text)
    }
    present = [code for code in written if not code.is_about_change]
    variables = shell_variables(written)
    for code in present:
        for term in terms_of(code):
            if term.name not in imported and not (term.kind == SETTING and (code.path, term.name) in variables):
                yield term, code
    bound = bound_names(written)
    for code in present:
        for term in used_names(code, imported, is_own_import=(code.path, code.line) in own_imports):
            if term.name not in imported and term.name not in bound[code.path]:
                yield term, code


def _calls(written: Iterable[CodeInDocument]) -> dict[tuple[str, int], list[str]]:
    """Return the names that spans of code call, by document and line."""
    found: dict[tuple[str, int], list[str]] = {}
    for code in written:
        named = NAME.fullmatch(code.text) if code.language is None and code.text.endswith("()") else None
        if named is not None:
            found.setdefault((code.path, code.line), []).append(named["last"])
    return found


def _is_beside_foreign(
    code: CodeInDocument, calls: Mapping[tuple[str, int], list[str]], is_foreign: Callable[[str], bool]
) -> bool:
    """Return whether a call stands beside calls of methods that the code uses and does not declare, as those of a type of another
    package. The repository may have removed a type that implemented it.
    """
    if code.language is not None or not code.text.endswith("()"):
        return False
    beside = (name for line in (code.line - 1, code.line, code.line + 1) for name in calls.get((code.path, line), ()))
    return any(map(is_foreign, beside))


def _is_foreign_member(texts: IndexedTexts, name: str) -> bool:
    """Return whether code has a name of several words, and only as a member of a value."""
    if COMPOUND.fullmatch(name) is None:
        return False
    places = [
        found
        for found in re.finditer(rb"(?<![\w$])%s(?![\w$])" % re.escape(name).encode(), texts.block)
        if not is_document_path(texts.paths[texts.number_at(found.start())])
    ]
    return bool(places) and all(texts.block[found.start() - 1 : found.start()] in (b".", b">", b":") for found in places)


def is_in_code(term: Term, texts: IndexedTexts) -> bool:
    """Return whether a file other than a document contains a term in any spelling."""
    words = texts.once(words_of_code)
    if term.kind in (SCRIPT, ENDPOINT):
        # Code may compose the path of an endpoint, so only the last constant part is searched.
        literal = next((part for part in reversed(term.name.split("/")) if part and part[0] not in "{:<"), term.name)
        return _has_text(texts, literal if term.kind == ENDPOINT else term.name)
    if any(each in words or ("-" in each and _has_text(texts, each)) for each in spellings(term)):
        return True
    # A program may put a prefix before all of its flags or settings: `"sp-"`, then `"count-all"`; `"SHOP_"`, then `"PORT"`.
    mark = "-" if term.kind == FLAG else "_"
    first, _, rest = term.name.partition(mark)
    if term.kind == FLAG:
        return mark in rest and _has_string(texts, first + mark) and _has_text(texts, rest)
    return term.kind in (SETTING, LONE_SETTING) and _has_string(texts, first + mark) and _has_string(texts, rest)


def _has_string(texts: IndexedTexts, text: str) -> bool:
    """Return whether a file other than a document contains a string."""
    return any(_has_text(texts, f"{quote}{text}{quote}") for quote in ('"', "'"))


def _has_text(texts: IndexedTexts, text: str) -> bool:
    """Return whether a file other than a document contains a text of one line."""
    wanted = text.encode()
    at = texts.block.find(wanted)
    while at >= 0:
        number = texts.number_at(at)
        if not is_document_path(texts.paths[number]):
            return True
        at = texts.block.find(wanted, texts.starts[number + 1])
    return False


def is_of_other_programs(term: Term) -> bool:
    """Return whether a setting begins with the first word of the settings of a well-known program."""
    return term.kind in (SETTING, LONE_SETTING) and f" {_first_word(term)} " in f" {_FOREIGN}"


def _first_word(setting: Term) -> str:
    return setting.name.partition("_")[0]


def _has_siblings(setting: Term, settings: Sequence[str]) -> bool:
    """Return whether at least two settings of the code begin with the same word as this setting."""
    first = _first_word(setting)
    return len(first) >= 3 and sum(each.startswith(f"{first}_") for each in settings) >= 2


def _message(term: Term, removal: Removal) -> str:
    what = {
        SYMBOL: f'"{term.name}"',
        WORD: f'"{term.name}"',
        FLAG: f'"--{term.name}"',
        SETTING: f'the setting "{term.name}"',
        LONE_SETTING: f'the setting "{term.name}"',
        SCRIPT: f'the script "{term.name}"',
        ENDPOINT: f'the endpoint "{term.name}"',
    }[term.kind]
    done = f'renamed to "{removal.replacement}"' if removal.replacement else "removed"
    return f"The document names {what}, which was {done} by {removal}. Correct or remove the name."
