"""Find names, flags, settings, scripts and paths in documents that a commit removed from the code.

A term that the code never contained may belong to another program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Final

from ....schema.languages import is_document_path
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import Diagnostic
from ..model.term_history import ENDPOINT, FLAG, SCRIPT, SETTING, SYMBOL, Removal, Term, TermHistory, spellings
from .code_in_documents import CodeInDocument, code_in_documents
from .code_words import words_of_code

_NAME: Final = re.compile(r"(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*(?P<last>[A-Za-z_$][\w$]*)(?:\([^()\n]*\))?;?", re.ASCII)
_COMPOUND: Final = re.compile(r"[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z][a-z0-9]*_[a-z0-9_]+")
_FLAG: Final = re.compile(r"(?<![\w-])--(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?![\w-])")
_SETTING: Final = re.compile(r"(?<![\w.])\$?\{?(?P<name>[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\}?(?![\w*])")
_SCRIPT: Final = re.compile(r"(?:^|[\s;&|(])(?:npm|pnpm|yarn|bun) run (?P<name>[a-zA-Z][\w:.-]*)")
_ENDPOINT: Final = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE) (?P<name>/[\w{}:<>/.-]{4,})(?:\s|$)")
_IMPORT: Final = re.compile(r"^(?:>>> )?(?:import|from|use|using|export)\b|\bfrom ['\"]|\brequire\(")
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
#: First words of settings that belong to other programs.
_FOREIGN: Final = (
    "AWS AZURE GCP GOOGLE GITHUB GITLAB GIT CI NPM NODE PYTHON PIP JAVA JDK GO RUST CARGO DOCKER KUBE HTTP HTTPS NO SSL TLS SSH "
    "LD LC PATH HOME CC CXX CMAKE XDG DATABASE POSTGRES PG MYSQL REDIS OPENAI ANTHROPIC VITE NEXT REACT "
)
#: Languages of code blocks with commands and settings.
_SHELLS: Final = ("", "sh", "bash", "shell", "console", "zsh", "text", "txt", "env", "dotenv", "ini")
#: Minimum number of characters of a name that is searched in the history. Shorter names have many meanings.
_MIN_LENGTH: Final = 7
#: Maximum number of terms that are searched in the history.
_MAX_TERMS: Final = 300


def lost_terms(texts: IndexedTexts, history: TermHistory) -> list[Diagnostic]:
    """Return a warning for each mention of a term that a commit removed."""
    written = code_in_documents(texts)
    # `document_findings` checks imported names by their module.
    imported = {word for code in written if code.language and _IMPORT.search(code.text) for word in _WORD.findall(code.text)}
    mentions: dict[Term, list[CodeInDocument]] = {}
    for code in written:
        if not code.is_past_or_future:
            for term in terms_of(code):
                if term.name not in imported:
                    mentions.setdefault(term, []).append(code)
    words = texts.once(words_of_code)
    absent = [term for term in mentions if not is_in_code(term, texts)]
    absent = [term for term in absent if term.kind != SETTING or _is_own_setting(term, words)]
    if not absent:
        return []
    present = history.present(sorted({spelling for term in absent for spelling in spellings(term)}))
    gone = [term for term in absent if present.isdisjoint(spellings(term))][:_MAX_TERMS]
    calls, is_foreign = _calls(written), cache(partial(_is_foreign_member, texts))  # a name searches the texts of all files
    gone = [term for term in gone if not all(_is_beside_foreign(code, calls, is_foreign) for code in mentions[term])]
    removals = history.removals(gone)
    found = [(code, term, removals[term]) for term in gone if term in removals for code in mentions[term]]
    outdated = history.outdated(((code.path, code.line), removal) for code, _, removal in found) if found else set()
    return [
        Diagnostic(code.path, code.line, "warning", _message(term, removal), "documents", code.column)
        for code, term, removal in found
        if (code.path, code.line) in outdated
    ]


def _calls(written: Iterable[CodeInDocument]) -> dict[tuple[str, int], list[str]]:
    """Return the names that spans of code call, by document and line."""
    found: dict[tuple[str, int], list[str]] = {}
    for code in written:
        named = _NAME.fullmatch(code.text) if code.language is None and code.text.endswith("()") else None
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
    if _COMPOUND.fullmatch(name) is None:
        return False
    places = [
        found
        for found in re.finditer(rb"(?<![\w$])%s(?![\w$])" % re.escape(name).encode(), texts.block)
        if not is_document_path(texts.paths[texts.number_at(found.start())])
    ]
    return bool(places) and all(texts.block[found.start() - 1 : found.start()] in (b".", b">", b":") for found in places)


def terms_of(code: CodeInDocument) -> Iterator[Term]:
    if code.language is None:
        named = _NAME.fullmatch(code.text)
        if named is not None:
            last = named["last"]
            if len(last) >= _MIN_LENGTH and _COMPOUND.fullmatch(last):
                yield Term(SYMBOL, last)
        for found in _ENDPOINT.finditer(code.text):
            yield Term(ENDPOINT, found["name"].rstrip("/."))
    if code.language is None or code.language in _SHELLS:
        for kind, pattern in ((FLAG, _FLAG), (SETTING, _SETTING), (SCRIPT, _SCRIPT)):
            for found in pattern.finditer(code.text):
                if len(found["name"]) >= _MIN_LENGTH or kind == SCRIPT:
                    yield Term(kind, found["name"])


def is_in_code(term: Term, texts: IndexedTexts) -> bool:
    """Return whether a file other than a document contains a term in any spelling."""
    words = texts.once(words_of_code)
    if term.kind in (SCRIPT, ENDPOINT):
        # Code may compose the path of an endpoint, so only the last constant part is searched.
        literal = next((part for part in reversed(term.name.split("/")) if part and part[0] not in "{:<"), term.name)
        return _has_text(texts, literal if term.kind == ENDPOINT else term.name)
    if any(each in words or ("-" in each and _has_text(texts, each)) for each in spellings(term)):
        return True
    first, _, rest = term.name.partition("-")
    # A program may put a prefix before all of its flags: `"sp-"`, then `"count-all"`.
    has_prefix = term.kind == FLAG and "-" in rest and any(_has_text(texts, f"{mark}{first}-{mark}") for mark in ('"', "'"))
    return has_prefix and _has_text(texts, rest)


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
    return term.kind == SETTING and f" {_first_word(term)} " in f" {_FOREIGN}"


def _first_word(setting: Term) -> str:
    return setting.name.partition("_")[0]


def _is_own_setting(setting: Term, words: frozenset[str]) -> bool:
    """Return whether at least two settings in the code begin with the same word as this setting."""
    first = _first_word(setting)
    if is_of_other_programs(setting) or len(first) < 3:
        return False
    return sum(word.startswith(f"{first}_") and word.isupper() for word in words) >= 2


def _message(term: Term, removal: Removal) -> str:
    what = {
        SYMBOL: f'"{term.name}"',
        FLAG: f'"--{term.name}"',
        SETTING: f'the setting "{term.name}"',
        SCRIPT: f'the script "{term.name}"',
        ENDPOINT: f'the endpoint "{term.name}"',
    }[term.kind]
    done = f'renamed to "{removal.replacement}"' if removal.replacement else "removed"
    return f"The document names {what}, which was {done} by {removal}. Correct or remove the name."
