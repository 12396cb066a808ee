"""Merge parts of documents into ranked code: after the best code, or first for a question about documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ..query.query import Query
from ..text.logit import logit, sigmoid
from ..text.words import split_text, stem
from ..vectors.candidate_rows import CandidateRow
from .ranking import Ranked

#: Log-odds subtracted from documents if the question is about code, because documents describe code in similar words.
_PENALTY: Final = 3.0
#: Maximum number of document parts among the results of a question about code.
_MAX_DOCUMENTS: Final = 2
#: Minimum score of a part of a document that precedes all code if the question is about documents. The ranker was trained on
#: code.
_RELEVANT: Final = 0.4
#: The same for a part that lists settings if the question is about settings, and for a part that introduces the project.
_LISTED: Final = 0.15
#: Maximum number of parts of documents that are read for settings.
_MAX_READ: Final = 12
#: Minimum number of settings in such a part.
_MIN_SETTINGS: Final = 2
#: Minimum score of a part of a document that is shown after code. Documents so near to the question are rarely wrong.
_CERTAIN: Final = 0.65
#: Minimum number of words of a question that all occur in titles.
_MIN_TITLE_WORDS: Final = 2
_FORM: Final = re.compile(r"(?:^|/)(?:issue|pull_request|merge_request)_templates?(?:/|\.\w+$)", re.IGNORECASE)
#: Changelogs, which name settings of all times.
_PAST: Final = re.compile(r"(?:^|[/_.-])(?:change\w*|history|news|releases?|release[-_]?notes?)\b", re.IGNORECASE)
#: Words in questions about documents.
_ASKS_FOR_DOCUMENTS: Final = re.compile(
    r"\b(?:why|when (?:should|must|to)|rationale|motivation|decision|decided|docs?|documentation|documented|readme|changelog"
    r"|release notes|roadmap|guides?|guidelines?|conventions?|contribut\w+|install\w*|get(?:ting)? started|tutorials?|licen[cs]e"
    r"|architecture|requirements)\b",
    re.IGNORECASE,
)
#: Questions about settings, which documents list: "which environment variable sets the port", "how do I configure retries". A
#: question about the code that reads settings names the code: "which function reads the settings".
_ASKS_FOR_SETTINGS: Final = re.compile(
    r"^\W*(?:(?:which|what)(?: (?!(?:function|method|class|module|file|code|component|hook|type|test)s?\b)[\w-]+){0,3}?"
    r" (?:variables?|env ?vars?|settings?|options?|flags?|switch(?:es)?|keys?)\b"
    r"|(?:how|where) (?:do|can|should|could|must|to)(?: (?:i|we|you|one|users?))?(?: to)? "
    r"(?:configure|enable|disable|turn (?:on|off)|customi[sz]e|set(?: up)?)\b)",
    re.IGNORECASE,
)
#: Questions about what something is, and the documents at the root or in a folder of documents that introduce a project.
_ASKS_WHAT: Final = re.compile(r"^\W*what(?:'s| is| are| does)\b", re.IGNORECASE)
_INTRODUCTION: Final = re.compile(
    r"(?:^|^(?:docs?|documentation)/(?:[\w.-]+/)?)(?:readme|index|intro(?:duction)?|overview|about)\.\w+$", re.IGNORECASE
)
#: Questions about a task of the reader, whose steps a document may describe under a title that names the task.
_ASKS_HOW: Final = re.compile(r"^\W*how (?:to|(?:do|can|could|should|would|must) (?:i|we|you|one|users?))\b", re.IGNORECASE)
_DOING_WORDS: Final = (
    "a an and any are as at be by can could create creating define defining develop developing do for from get getting guide "
    "how i implement implementing in into is it its make making my new of on one or own provide providing set setting should "
    "the this to up use user users using we with would write writing you your build building add adding"
)
#: Words of such questions and titles that do not tell tasks apart, as stems.
_DOING: Final = frozenset(map(stem, _DOING_WORDS.split()))
#: Words in the title of a section that introduces a project, besides the name of the project.
_INTRODUCING: Final = frozenset(("about", "introduction", "overview", "what", "is", "the", "project", "readme"))
#: A setting in the text of a document: an environment variable, a flag, or a key of a configuration.
_SETTING: Final = re.compile(
    rb"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b|(?<![\w-])--[a-z][\w-]+|^[ \t]*[\w.-]+:(?=[ \t]|$)"
    rb"|^\|[ \t]*`?[\w.-]+`?[ \t]*\||`[\w-]+(?:[._-][\w-]+)+`",
    re.MULTILINE,
)


def with_documents(
    code: Sequence[Ranked],
    documents: Sequence[Ranked],
    query: Query,
    gate: float,
    text_of: Callable[[Sequence[CandidateRow]], Sequence[bytes]],
) -> list[Ranked]:
    """Return code and documents together, best first. Results with a score below `gate` are not shown.

    For a query that names code, documents are returned only if there is no code. `text_of` returns the texts of rows.
    """
    if not code or not documents:
        return [*code, *documents]
    if query.names_code:
        return list(code)
    best = code[0].score
    documents = sorted((_with_title(each, query, gate) for each in documents), key=lambda result: -result.score)
    if _ASKS_FOR_SETTINGS.match(query.text) is not None and (listing := _listing_settings(documents, text_of)):
        return _ahead([Ranked(each.chunk, max(each.score, best, gate)) for each in listing], code)
    if _ASKS_WHAT.match(query.text) and (introducing := [each for each in documents if _introduces(each, query)][:1]):
        return _ahead([Ranked(each.chunk, max(each.score, best, gate)) for each in introducing], code)
    if _ASKS_HOW.match(query.text) and (titled := _titled(documents, query)):
        return _ahead([Ranked(each.chunk, max(each.score, best, gate)) for each in titled], [*code, *documents])
    if _ASKS_FOR_DOCUMENTS.search(query.text):
        relevant = [each for each in documents if each.score >= _RELEVANT and not _is_form(each)][:_MAX_DOCUMENTS]
        first = [Ranked(each.chunk, max(each.score, best)) for each in relevant]
        return _ahead(first, [*(each for each in documents if each not in relevant), *code])
    if best < gate:  # no code answers the question
        return sorted([*documents[:_MAX_DOCUMENTS], *code], key=lambda result: -result.score)
    lowered = [Ranked(result.chunk, min(sigmoid(logit(result.score) - _PENALTY), best)) for result in documents[:_MAX_DOCUMENTS]]
    if documents[0].score >= _CERTAIN and not _is_form(documents[0]):
        lowered[0] = Ranked(documents[0].chunk, max(lowered[0].score, gate))
    return sorted([*code, *lowered], key=lambda result: -result.score)


def _ahead(first: Sequence[Ranked], others: Sequence[Ranked]) -> list[Ranked]:
    """Return the first results, which have the highest scores, and the others, best first.

    A part of a document that has the words of the question is among the code, too.
    """
    shown = {each.chunk.id for each in first}
    rest = [each for each in others if each.chunk.id not in shown]
    return sorted([*first, *rest], key=lambda result: -result.score)


def _listing_settings(documents: Sequence[Ranked], text_of: Callable[[Sequence[CandidateRow]], Sequence[bytes]]) -> list[Ranked]:
    """Return the best parts of documents that list settings."""
    listed = (each for each in documents if each.score >= _LISTED and not _is_form(each))
    read = [each for each in listed if _PAST.search(each.chunk.relative_path) is None][:_MAX_READ]
    texts = text_of([each.chunk for each in read])
    found = [each for each, text in zip(read, texts, strict=True) if len(set(_SETTING.findall(text))) >= _MIN_SETTINGS]
    return found[:_MAX_DOCUMENTS]


def _introduces(result: Ranked, query: Query) -> bool:
    """Return whether a part of a document introduces what a question names, by the title of the part."""
    chunk = result.chunk
    words = set(split_text(chunk.name))
    is_named = bool(words) and words <= _INTRODUCING.union(query.terms)
    return is_named and result.score >= _LISTED and _INTRODUCTION.search(chunk.relative_path) is not None


def _titled(documents: Sequence[Ranked], query: Query) -> list[Ranked]:
    """Return the best part of a document whose title names the task of a question, perhaps with the titles above it."""
    task = {stem(term) for term in query.terms} - _DOING
    if not task:
        return []
    for each in documents:
        if _is_form(each) or _PAST.search(each.chunk.relative_path) is not None:
            continue
        named = {stem(word) for word in split_text(each.chunk.name)} - _DOING
        around = {stem(word) for word in split_text(each.chunk.breadcrumb)}
        if named == task or (len(task) >= _MIN_TITLE_WORDS and named & task and task <= around):
            return [each]
    return []


def _with_title(result: Ranked, query: Query, gate: float) -> Ranked:
    """Return a part of a document with at least the score of the gate if its titles and its path have all words of a question."""
    words = set(split_text(result.chunk.breadcrumb))
    is_titled = len(query.terms) >= _MIN_TITLE_WORDS and words.issuperset(query.terms)
    return Ranked(result.chunk, max(result.score, gate)) if is_titled else result


def _is_form(result: Ranked) -> bool:
    """Return whether a document is a form for issues or pull requests, which says nothing about the project."""
    return _FORM.search(result.chunk.relative_path) is not None
