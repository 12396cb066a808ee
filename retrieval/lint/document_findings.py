"""Find mentions in documents of files, anchors, modules and members that do not exist. Uncertain cases are left out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from ...graphdb.database import GraphDatabase
from ...ingest.files.path_roles import is_test_path
from ...schema.languages import is_document_path, language_of
from ...schema.paths import parent_of
from ..text_search.indexed_text import IndexedTexts
from .drift.code_in_documents import PAST_OR_FUTURE_PATH, code_in_documents, is_kept_as_written
from .drift.code_words import words_of_code
from .drift.document_terms import bound_names
from .drift.images import FENCED, images_in_documents
from .drift.inclusions import included_documents
from .drift.lost_members import MissingMember, lost_members
from .model.checkout import Checkout
from .model.findings import Diagnostic
from .model.term_history import Mention, TermHistory

#: File extensions of pages and assets that a website build may create.
_BUILT: Final = re.compile(r"\.(?:html?|php|aspx?|xml|json|txt|svg|png|jpe?g|gif|webp|pdf|zip|tar|gz|css|ico)$", re.IGNORECASE)
#: File extensions of pages of a website.
_PAGE: Final = re.compile(r"\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
#: A relative path of a file, without marks of addresses and templates.
_OF_FILE: Final = re.compile(r"[^:{}$<>%|@*]*\.\w{1,8}")
_HAS_ENDING: Final = re.compile(r"[^/.][^/]*\.\w{1,8}$")
#: A label of MyST in front of a section: `(install)=`.
_LABEL: Final = re.compile(rb"^\([\w:.-]+\)=[ \t]*$", re.MULTILINE)
_ANCHOR: Final = re.compile(r"[\w-]+$")
#: The anchor that a forge gives to the text of a document on its page.
_OF_FORGE: Final = "readme"
#: Names of files that are placeholders for any file.
_PLACEHOLDER: Final = re.compile(
    r"(?:^|[/_.-])(?:foo|bar|baz|my\w*|your\w*|example\w*|some\w*|path|to|xxx?|name|file|template\w*|n+|\d{3,})(?:[/_.-]|$)",
    re.IGNORECASE,
)
#: Paths that most projects of a language have: `src/lib.rs`, `app/main.py`.
_OF_ANY_PROJECT: Final = re.compile(
    r"^(?:\./)*(?:src|lib|app|test|tests|config)/(?:lib|main|index|mod|app|setup|config|\w*test\w*)\.\w+$"
)
#: The configuration of a site of Docusaurus, without its extension.
_DOCUSAURUS: Final = "docusaurus.config."
#: Folders that most projects have.
_FOLDERS_OF_ANY_PROJECT: Final = frozenset(
    (
        "src",
        "lib",
        "app",
        "main",
        "core",
        "config",
        "support",
        "components",
        "pages",
        "utils",
        "models",
        "controllers",
        "initializers",
    )
)
#: Words in the paths of documents that people copy and complete.
_TEMPLATE: Final = re.compile(r"(?:^|[/_.-])templates?(?:[/_.-]|$)", re.IGNORECASE)
#: Names that are placeholders, such as `myCart` and `foo_bar`, but not `barcode`.
_PLACEHOLDER_NAME: Final = re.compile(r"(?i:my|your|some|(?:foo|bar|baz)+|example|xxx)(?![a-z])|.*_x[xyz]{2}$")
#: What a document does with a file, and the part of the document that does it, by the evidence of the mention.
_MENTIONS: Final = {"link": ("links to", "link"), "image": ("shows", "image")}
#: Kinds of evidence of mentions in code blocks.
_BLOCKS: Final = ("import", "call")
#: The generated list of contributors in a document. Its links lead to anchors that never exist.
_CONTRIBUTORS: Final = re.compile(rb"ALL-CONTRIBUTORS-LIST:START.*?ALL-CONTRIBUTORS-LIST:END", re.DOTALL)
#: Marks of templates outside of blocks of code. A program completes such a document, so its headings are not known.
_GENERATED: Final = (b"{%", b"{{", b"\n:::", b"<%", b"[[toc]]", b"{toc}", b"--8<--", b"{!", b"<!--@include", b"<!-- @include")


class _Row(NamedTuple):
    path: str
    evidence: str
    reason: str
    text: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]

    def without(self, lines: Container[int]) -> _Row:
        """Return the row without the places on some lines."""
        kept = [(line, column) for line, column in zip(self.lines, self.columns, strict=True) if line not in lines]
        return self._replace(lines=tuple(line for line, _ in kept), columns=tuple(column for _, column in kept))


def document_findings(
    graph: GraphDatabase,
    texts: Callable[[], IndexedTexts],
    checkout: Checkout,
    history: TermHistory | None,
    told: Container[tuple[str, int, str]] = (),
) -> list[Diagnostic]:
    """Return a warning for each mention of an unknown target. `told` are names that other warnings are about, with their places.

    Documents among tests are left out, because their links and names are often wrong on purpose, and so are documents about other
    times, versions and programs.
    """
    statement = """
        MATCH (s:Symbol)-[r:MENTIONS]->(o:UnresolvedSpecifier) WHERE r.reason IN ['file', 'anchor', 'member', 'module']
        RETURN s.relativePath, r.evidence, r.reason, o.specifier, r.lines, r.columns"""
    rows = [
        _Row(path, evidence, reason, text, tuple(lines), tuple(columns))
        for path, evidence, reason, text, lines, columns in graph.rows(statement)
    ]
    if history is not None:
        images = images_in_documents(texts())
        rows += (_Row(image.path, "image", "file", image.target, (image.line,), (image.column,)) for image in images)
    rows = [row for row in rows if not (is_test_path(row.path) or is_kept_as_written(row.path))]
    if not rows:
        return []
    included = texts().once(included_documents)
    rows = [row for row in rows if row.path not in included or row.reason not in ("file", "anchor")]
    files = [row for row in rows if row.reason == "file"]
    links = [row for row in files if row.evidence in ("link", "image")]
    found = list(_missing_links(graph, [row for row in links if row.evidence == "link"], checkout, history))
    if history is not None:
        removed = {row: (place,) for row in links if (place := _place_of_removed(row, checkout))}
        found += _removed_paths(removed, history)
    found += _missing_paths([row for row in files if row not in links], checkout.exists, history)
    found += [each for row in rows if row.reason == "anchor" for each in _missing_anchor(row, texts())]
    found += _missing_names([row for row in rows if row.reason in ("member", "module")], graph, texts, history, told)
    return sorted(set(found), key=lambda each: (each.file, each.line, each.column, each.message))


def _warnings(row: _Row, message: str) -> Iterator[Diagnostic]:
    for line, column in zip(row.lines, row.columns, strict=True):
        yield Diagnostic(row.path, line, "warning", message, "documents", column)


def _missing_links(
    graph: GraphDatabase, rows: Iterable[_Row], checkout: Checkout, history: TermHistory | None
) -> Iterator[Diagnostic]:
    """Yield a warning for each link to a missing file, unless a build may write the file.

    A site may consist of the documents of several repositories. A link therefore only counts in two cases: another folder has a
    file of that name, or the history has the file.
    """
    missing = {row: place for row in rows if (place := _missing_place(row, checkout))}
    if not missing:
        return
    names = {path.rpartition("/")[2] for (path,) in graph.rows("MATCH (f:File) RETURN f.relativePath")}
    if any(name.startswith(_DOCUSAURUS) for name in names):
        missing = {row: place for row, place in missing.items() if not _is_in_outer_folder(row, checkout)}
    unknown = sorted({place for place in missing.values() if posixpath.basename(place) not in names})
    removed = history.removed_files(unknown) if history is not None else {}
    foreign = {place for place in unknown if place not in removed} if history is not None else set()
    built = checkout.ignored(sorted(set(missing.values())))
    for row, place in missing.items():
        if place not in built and place not in foreign:
            message = f'The target of the link, "{_source_target(row)}", does not exist. Correct or remove the link.'
            yield from _warnings(row, message)


def _is_in_outer_folder(row: _Row, checkout: Checkout) -> bool:
    """Return whether a folder around a document has the file of a link. Docusaurus looks in the root of the documents, too.

    https://docusaurus.io/docs/markdown-features/links
    """
    target, folder = _source_target(row), parent_of(row.path)
    if target.startswith("."):
        return False
    while folder:
        folder = parent_of(folder)
        if folder and checkout.exists(f"{folder}/{target}"):
            return True
    return False


def _missing_place(row: _Row, checkout: Checkout) -> str:
    """Return the path of a missing file that a document links to; "" if the file exists, or may exist elsewhere."""
    target = _source_target(row)
    beside = posixpath.normpath(posixpath.join(parent_of(row.path), target))
    if not target or beside.startswith("..") or not checkout.exists(parent_of(beside) or "."):
        return ""  # a missing folder may be built, or belong to another checkout
    places = (posixpath.normpath(posixpath.join(folder, target)) for folder in checkout.folders_of(row.path))
    return "" if any(checkout.exists(place) for place in places) else beside


def _place_of_removed(row: _Row, checkout: Checkout) -> str:
    """Return the path of a missing file that a commit may have removed, and that `_missing_place` leaves out: its folder is gone,
    or a build may write such a file. "" for other files, for pages, and if a file of the same name is elsewhere.
    """
    target = _target(row)
    if (
        target.startswith("/")
        or _OF_FILE.fullmatch(target) is None
        or _PAGE.search(target) is not None
        or _is_example(row, target)
    ):
        return ""
    names = checkout.names()
    if not names or posixpath.basename(target) in names or (row.evidence == "link" and _missing_place(row, checkout)):
        return ""
    places = [posixpath.normpath(posixpath.join(folder, target)) for folder in checkout.folders_of(row.path)]
    return "" if any(place.startswith("..") or checkout.exists(place) for place in places) else places[0]


def _missing_paths(rows: list[_Row], exists: Callable[[str], bool], history: TermHistory | None) -> Iterator[Diagnostic]:
    """Yield a warning for each path, in a span of code or in a diagram, whose file a commit removed.

    Without a history, a path counts if its innermost folder exists and does not have a name that any project may use. Any other
    path may belong to a project of the reader, such as `src/main.js`.
    """
    missing = {row: places for row in rows if (places := _missing_places(row, exists))}
    if history is not None:
        yield from _removed_paths(missing, history)
        return
    for row, places in missing.items():
        target = _source_target(row)
        folders = parent_of(posixpath.normpath(target)).split("/")
        is_own = len(folders) > 1 and folders[-1] not in _FOLDERS_OF_ANY_PROJECT and not is_test_path(target)
        if is_own and any(exists(parent_of(place)) for place in places):
            yield from _warnings(row, f'The document names "{target}", and there is no such file. Correct or remove the name.')


def _removed_paths(missing: Mapping[_Row, Sequence[str]], history: TermHistory) -> Iterator[Diagnostic]:
    """Yield a warning for each missing path that a commit removed, if the document was not changed later."""
    removed = history.removed_files(sorted({place for places in missing.values() for place in places}))
    removals = {
        row: removal
        for row, places in missing.items()
        if (removal := next((removed[place] for place in places if place in removed), None)) is not None
    }
    if not removals:
        return
    mentions = [Mention((row.path, line), removal, False) for row, removal in removals.items() for line in row.lines]
    outdated = set(history.outdated(mentions))
    for row, removal in removals.items():
        younger = {line for line in row.lines if Mention((row.path, line), removal, False) not in outdated}
        does, what = _MENTIONS.get(row.evidence, ("names", "name"))
        message = f'The document {does} "{_target(row)}", which was removed by {removal}. Correct or remove the {what}.'
        yield from _warnings(row.without(younger), message)


def _missing_places(row: _Row, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the places where a file that a document names could be; none if the file exists, or may be any file."""
    target = _source_target(row)
    beside = posixpath.normpath(posixpath.join(parent_of(row.path), target))
    at_root = posixpath.normpath(target)
    if not target or PAST_OR_FUTURE_PATH.search(row.path) or _OF_ANY_PROJECT.search(target):
        return ()
    if any(place.startswith("..") or exists(place) for place in (at_root, beside)):
        return ()
    return at_root, beside


def _source_target(row: _Row) -> str:
    """Return the path that a document names; "" for a page or an asset that may be built, and for a placeholder."""
    target = _target(row)
    if target.startswith("/") or _HAS_ENDING.search(target) is None or _BUILT.search(target) is not None:
        return ""
    return "" if _is_example(row, target) else target


def _target(row: _Row) -> str:
    return unquote(row.text.partition("#")[0].partition("?")[0])


def _is_example(row: _Row, target: str) -> bool:
    return _TEMPLATE.search(row.path) is not None or _PLACEHOLDER.search(target) is not None


def _missing_anchor(row: _Row, texts: IndexedTexts) -> Iterable[Diagnostic]:
    path, _, anchor = row.text.partition("#")
    target = posixpath.normpath(posixpath.join(parent_of(row.path), unquote(path).lstrip("/"))) if path else row.path
    if _ANCHOR.match(anchor) is None or anchor == _OF_FORGE or target not in texts:
        return ()
    if any(language_of(each) != "markdown" for each in (row.path, target)):  # other formats have other rules for anchors
        return ()
    text = texts[target].text
    outside = b"\n" + FENCED.sub(b"", text)
    if any(sign in outside for sign in _GENERATED):
        return ()
    if not path:
        if texts.once(_has_labels):
            return ()
        row = _without_contributors(row, text)
    where = f'"{path}"' if path else "this document"
    return _warnings(row, f'The link names the heading "#{anchor}" of {where}, which does not exist. Correct or remove the link.')


def _has_labels(texts: IndexedTexts) -> bool:
    """Return whether documents have labels of MyST: a link such as `#install` may lead to a label of any document, or to code."""
    return any(_LABEL.search(text.text) is not None for path, text in texts.items() if language_of(path) == "markdown")


def _without_contributors(row: _Row, text: bytes) -> _Row:
    found = _CONTRIBUTORS.search(text)
    if found is None:
        return row
    first, last = (text.count(b"\n", 0, at) + 1 for at in found.span())
    return row.without(range(first, last + 1))


def _missing_names(
    rows: list[_Row],
    graph: GraphDatabase,
    texts: Callable[[], IndexedTexts],
    history: TermHistory | None,
    told: Container[tuple[str, int, str]],
) -> Iterator[Diagnostic]:
    """Yield a warning for each missing member or module whose name occurs in no indexed code, or that a commit removed.

    Another member whose name occurs in code may be inherited or assigned.
    """
    rows = [row for row in rows if not PAST_OR_FUTURE_PATH.search(row.path)]
    names = {_last(row) for row in rows}
    if not names:
        return
    indexed = texts()
    # Tests may have longer names that contain the name: `TestCart`.
    code = [text.text for path, text in indexed.items() if not (is_document_path(path) or is_test_path(path))]
    words = indexed.once(words_of_code)
    stems = {part for path in indexed for part in re.split(r"[/.]", path)}
    absent = {name for name in names if name not in stems and name not in words}
    gone = {name for name in absent if not any(name.encode() in text for text in code)}
    written = code_in_documents(indexed)
    past_or_future = {(each.path, each.line) for each in written if each.is_past_or_future}
    about_change = {(each.path, each.line) for each in written if each.is_about_change}
    bound = bound_names(written)
    others: list[MissingMember] = []
    for row in rows:
        name = _last(row)
        if _PLACEHOLDER_NAME.match(name) or (row.evidence == "call" and name in bound.get(row.path, ())):
            continue
        row = row.without({line for line in row.lines if (row.path, line, name) in told})
        if name in gone:
            yield from _warnings(row.without({line for line in row.lines if (row.path, line) in past_or_future}), _absent(row))
        elif row.reason == "member":
            places = (MissingMember((row.path, line), column, name) for line, column in zip(row.lines, row.columns, strict=True))
            others += (each for each in places if each.place not in about_change)
    if history is not None:
        yield from lost_members(others, graph, history, past_or_future)


def _last(row: _Row) -> str:
    return row.text.rpartition(".")[2]


def _absent(row: _Row) -> str:
    owner, _, name = row.text.rpartition(".")
    if row.reason == "module":
        return f'The block imports from "{row.text}", and the package has no such module. Correct or remove the import.'
    if row.evidence == "import":
        return f'The block imports "{name}" from "{owner}", and no code has that name. Correct or remove the import.'
    if row.evidence == "call":
        return f'The block calls "{name}" of "{owner}", and no code has that name. Correct or remove the call.'
    return f'"{owner}" has no "{name}", and no code has that name. Correct or remove the name.'
