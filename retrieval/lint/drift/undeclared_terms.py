"""Find flags and settings in documents that the code of the repository does not declare.

A flag is checked if the name of a program of the repository precedes it. A setting is checked if several settings in the code
begin with the same word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from ....graphdb.database import GraphDatabase
from ....schema.languages import is_document_path
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import Diagnostic
from ..model.term_history import FLAG, SETTING, Term, TermHistory, spellings
from .code_in_documents import code_in_documents, is_about_other_code
from .code_words import words_of_code
from .lost_terms import is_in_code, is_of_other_programs

_UNDECLARED: Final = """
    MATCH (s:Symbol)-[r:MENTIONS]->(o:UnresolvedSpecifier) WHERE r.reason IN ['flag', 'setting']
    RETURN s.relativePath, r.reason, o.specifier, r.lines, r.columns ORDER BY s.relativePath, o.specifier"""
_FLAG: Final = "--"
#: Code that composes the names of environment variables, or reads all variables: `AutomaticEnv()`, `env_prefix = "SHOP_"`.
_COMPOSED: Final = re.compile(
    rb"AutomaticEnv|[eE]nv(?:var)?_?[pP]refix|ENV_PREFIX|BaseSettings|ConfigurationProperties|AddEnvironmentVariables"
    rb"|range os\.Environ\(\)|environ\.(?:items|keys)|env::vars|Object\.(?:keys|entries)\(process\.env|[A-Z]_[\"'`%{$]"
)

#: A convention for the names of settings: `SHOP_<NAME>`, `SHOP_{NAME}`. The other names in the document may be examples of it.
_CONVENTION: Final = re.compile(rb"\b(?P<prefix>[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*)(?:\\?<|\$?\{|&lt;|\[)[A-Za-z]")


def undeclared_terms(
    graph: GraphDatabase, texts: Callable[[], IndexedTexts], history: TermHistory | None
) -> Iterator[Diagnostic]:
    """Yield a warning for each flag and each setting that only documents contain, in any spelling."""
    rows = [row for row in graph.rows(_UNDECLARED) if not is_about_other_code(row[0])]
    if not rows:
        return
    indexed = texts()
    terms = {(reason, name): Term(reason, name.removeprefix(_FLAG)) for _, reason, name, _, _ in rows}
    absent = {key: term for key, term in terms.items() if not is_of_other_programs(term) and not _is_written(term, indexed)}
    words = sorted({spelling for term in absent.values() for spelling in _spellings(term, indexed)})
    present = history.present(words, indexed) if history is not None and words else set()
    past_or_future = {(code.path, code.line) for code in code_in_documents(indexed) if code.is_past_or_future}
    conventions = cache(lambda path: _conventions(indexed[path].text))
    for path, reason, name, lines, columns in rows:
        term = absent.get((reason, name))
        if term is None or not present.isdisjoint(_spellings(term, indexed)) or _is_of_plugin(term, indexed):
            continue
        if reason == SETTING and name.startswith(conventions(path)):
            continue
        for line, column in zip(lines, columns, strict=True):
            if (path, line) not in past_or_future:
                yield Diagnostic(path, line, "warning", _message(term), "documents", column)


def _is_of_plugin(term: Term, texts: IndexedTexts) -> bool:
    """Return whether a setting begins with the name of a package that documents name and that is no file or folder of the
    repository: `SHOP_MAIL_TOKEN` of the plugin `shop-mail`.
    """
    package = "-".join(term.name.lower().split("_")[:2])
    return term.kind == SETTING and package.encode() in texts.block and not any(package in path for path in texts)


def _conventions(document: bytes) -> tuple[str, ...]:
    """Return the prefixes of settings whose names the reader chooses, as a document states them."""
    return tuple({found["prefix"].decode() for found in _CONVENTION.finditer(document)})


def _spellings(term: Term, texts: IndexedTexts) -> tuple[str, ...]:
    """Return the spellings of a term that code may contain.

    A setting has a single spelling unless code composes names of settings.
    """
    if term.kind != SETTING:
        return spellings(term)
    if not texts.once(_composes_settings):
        return (term.name,)
    return (*spellings(term), term.name.lower().partition("_")[2], term.name.lower().rpartition("_")[2])


def _is_written(term: Term, texts: IndexedTexts) -> bool:
    if term.kind == SETTING:
        return not texts.once(words_of_code).isdisjoint(_spellings(term, texts))
    return is_in_code(term, texts)


def _composes_settings(texts: IndexedTexts) -> bool:
    return any(_COMPOSED.search(text.text) for path, text in texts.items() if not is_document_path(path))


def _message(term: Term) -> str:
    if term.kind == FLAG:
        return f'The document uses the flag "--{term.name}", and no code declares it. Correct or remove the flag.'
    assert term.kind == SETTING
    return f'The document names the setting "{term.name}", and no code reads it. Correct or remove the name.'
