"""Makes a folder that the ranker can learn from, of a repository in any language that is read.

    python tests/benchmarks/repository_questions.py documents SOURCES FOLDER
    python tests/benchmarks/repository_questions.py changes GIT FOLDER

`documents` copies the sources of a work tree with the doc comments of declarations blanked out, lines staying in place; their
first sentences are the questions. Tests, examples, what programs wrote and copies of other projects are left out.

`changes` takes the subjects of commits, each with the files and declarations that it touched, asked of the sources as they were
before all of them. GIT is the repository with its history. No question is about tests and the like.

Both write FOLDER/src and FOLDER/queries.jsonl, as the training program reads them.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from astrolabe.ingest.facts.model import SymbolFact
from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.retrieval.ranking.ranker.features import is_example
from astrolabe.schema.languages import is_document_path, language_of

from training.embedding.doc_comments import describes_code, first_sentence
from training.embedding.outlined_comments import ROLE
from training.ranker.questions import Line, Span

_COPIED = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[_-]?party|thirdparty|external|extern|deps|node_modules|Pods|Carthage|dist|fuzz|benches"
    r"|fixtures?|website)(?:/|$)"
)
_MAX_SIZE = 1_000_000
#: What holds a project's settings: which folders are output, and what its modules are called.
_MANIFESTS = frozenset(
    (
        "package.json", "tsconfig.json", "go.mod", "Cargo.toml", "composer.json", "pom.xml", "build.gradle", "build.gradle.kts",
        "settings.gradle.kts", "setup.cfg", "pyproject.toml", "Package.swift", "CMakeLists.txt", ".gitignore",
    )
)  # fmt: skip

#: Kinds of declarations that doc comments are asked for, and those that hold what is asked for rather than being it.
_DESCRIBED = frozenset(
    ("function", "method", "class", "interface", "type", "enum", "namespace", "const", "component", "extension")
)
_NO_DECLARATIONS = frozenset(("import", "re-export", "export", "expression", "comment"))
_CONTAINERS = frozenset(("class", "interface", "enum", "namespace", "extension"))

#: A string literal: what stands before its quotes with these, what it says, and the quotes at the end.
_LITERAL = re.compile(rb"([A-Za-z]*(\"\"\"|'''|\"|'))(.*)(\2)", re.DOTALL)
#: In comments: a link of Rust or Kotlin, a word that only leads to the description, and what ends it
#: besides what ends those of TypeScript.
_LINK = re.compile(r"\[`?([\w:.#]+?)(?:\(\))?`?\](?![(\[])")
_BRIEF = re.compile(r"^\s*[\\@]brief\s+")
_SECTION = re.compile(
    r"^\s*(?:[\\]\w+|:\w+[^:\n]*:|(?:Args|Arguments|Parameters?|Returns?|Raises|Yields|Examples?|Notes?|Panics|Errors|Safety"
    r"|Usage|Throws)\s*:?\s*$|\.\. \w|- (?:Parameters?|Returns|Throws)\b|=+\s*$|-{3,}\s*$)",
    re.MULTILINE,
)
#: What follows the name of what a sentence is about; the end of a sentence that has lost the name it ended with.
_SAYS = r"(?:[a-z]+s|will|can|would|may|must|should)\b"
_BROKEN_OFF = re.compile(r"\b(?:to|of|by|for|with|from|and|or|an?|the|on|in|at|as|call-seq:.*)$")
_MIN_WORDS, _LONGEST = 5, 300

#: Commits that are looked at, changes that are kept, files and declarations that one may touch, words of its subject.
_COMMITS, _MAX_CHANGES, _MAX_FILES, _MAX_SYMBOLS, _SUBJECT_WORDS = 300, 60, 3, 10, 4
_CONVENTIONAL = re.compile(
    r"^(feat|feature|fix|hotfix|bugfix|refactor|perf|refact|chore|docs?|tests?|style|ci|build|deps|revert)\s*(?:\(([^)]*)\))?\s*!?:\s*(.+)$",
    re.IGNORECASE,
)
_OF_CODE = frozenset(("feat", "feature", "fix", "hotfix", "bugfix", "refactor", "perf", "refact"))
#: Subjects that say nothing of the code they change.
_NO_SUBJECT = re.compile(
    r"\b(?:typos?|lint(?:ing|er)?|changelog|bump(?:s|ed)?|deps|dependenc\w+|releases?|readme|docs?|documentation|docstrings?"
    r"|revert(?:s|ed)?|jsdoc|javadoc|eslint|prettier|clippy|rustfmt|gofmt|rubocop|phpstan|psalm|mypy|formatting|whitespace"
    r"|cherry[- ]pick\w*|copyright|comments?|spelling|warnings?|regress)\b|^(?:merge|wip|prepare|version|tests?)\b|^\W*v?\d+\.\d",
    re.IGNORECASE,
)
_LINKS = re.compile(r"\[([^\]]*)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|https?://\S+")
_ISSUES = re.compile(
    r"(?:\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|followup to|github issue|issue)\b:?\s*)?"
    r"(?:(?:[\w.-]+/[\w.-]+)?#|\bgh-|issue )\d+,?",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"[`*_]{2,}|\([\s,]*\)|\[[\s,]*\]")
_HANGING = re.compile(r"(?:[\s,]+(?:after|in|from|of|by|for|since|and|with|introduced|github|issue))+$")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def is_asked_about(path: str) -> bool:
    """Whether a path is one of sources that people wrote for this project, and that are its work itself."""
    aside = is_test_path(path) or is_example(path) or _COPIED.search(path)
    return not aside and language_of(path) is not None and not is_document_path(path)


# ---------------------------------------------------------------------- doc comments


def make_documents(sources: Path, folder: Path) -> int:
    """Copies sources without the doc comments of declarations, and asks for what these say; the number of questions."""
    lines: dict[str, Line] = {}
    for path in _source_paths(sources):
        data = (sources / path).read_bytes()
        blanked, found = document_questions(data, path)
        target = folder / "src" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(blanked)
        for line in found:
            lines.setdefault(line.query.lower(), line)
    return _write(folder, list(lines.values()))


def _source_paths(sources: Path) -> Iterator[str]:
    for where, folders, files in os.walk(sources):
        folders[:] = sorted(name for name in folders if not name.startswith(".") or name == ".github")
        for name in sorted(files):
            file = Path(where, name)
            path = file.relative_to(sources).as_posix()
            if is_asked_about(path) and not file.is_symlink() and file.stat().st_size <= _MAX_SIZE:
                yield path


def document_questions(data: bytes, path: str) -> tuple[bytes, list[Line]]:
    """A file without the doc comments of its declarations, and the questions that these make."""
    language = language_of(path) or ""
    symbols = extract_facts(data, language).symbols
    if not any(symbol.doc for symbol in symbols):
        return data, []
    blanked = _without_docstrings(data) if language == "python" else data
    rows = blanked.split(b"\n")
    for symbol in symbols:
        if symbol.doc:
            for number in range(symbol.start_line - 1, min(symbol.declaration_line - 1, len(rows))):
                rows[number] = b""
    blanked = b"\n".join(rows)
    # A comment beside its declaration stays.
    bare = {_place(symbol): symbol for symbol in extract_facts(blanked, language).symbols if not symbol.doc}
    found = []
    for symbol in symbols:
        left = bare.get(_place(symbol))
        if symbol.doc and left is not None and left.is_chunk and symbol.kind in _DESCRIBED:
            query = described(symbol.doc, symbol.name)
            if query:
                found.append(Line(query, file=path, start_line=left.start_line))
    return blanked, found


def _place(symbol: SymbolFact) -> tuple[str, str, int]:
    return symbol.name, symbol.kind, symbol.name_line


def described(doc: str, name: str) -> str:
    """The first sentence of a doc comment as a question, without the name that comments of some languages begin with.

    Empty where it makes none.
    """
    text = _SECTION.split(_BRIEF.sub("", doc))[0]
    sentence = first_sentence(_LINK.sub(r"\1", ROLE.sub(r"\1", text)))
    own = re.match(rf"(?:(?:The|An?)\s+)?{re.escape(name)}\b(?:\(\))?\s+(?:(?:is|are)\s+(?=\w)|(?={_SAYS}))", sentence)
    if own:
        sentence = sentence[own.end() :]
        sentence = sentence[:1].upper() + sentence[1:]
    words = re.findall(r"[A-Za-z][\w$]*", sentence)
    is_whole = len(words) >= _MIN_WORDS and len(sentence) <= _LONGEST and not _BROKEN_OFF.search(sentence)
    return sentence if is_whole and describes_code(sentence) else ""


def _without_docstrings(data: bytes) -> bytes:
    """Python whose docstrings say nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError):
            return data
    starts = [0]
    for row in data.split(b"\n"):
        starts.append(starts[-1] + len(row) + 1)
    spans = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(node, clean=False):
            said = node.body[0]
            if said.end_lineno is not None and said.end_col_offset is not None:
                spans.append((starts[said.lineno - 1] + said.col_offset, starts[said.end_lineno - 1] + said.end_col_offset))
    for start, end in sorted(spans, reverse=True):
        literal = _LITERAL.fullmatch(data[start:end])
        if literal:
            empty = re.sub(rb"[^\r\n]", b" ", literal[3])
            data = data[:start] + literal[1] + empty + literal[4] + data[end:]
    return data


# ---------------------------------------------------------------------- changes


class Hunk(NamedTuple):
    """Lines of a file that others take the place of: first line and number of both; what is added stands behind its first."""

    old: int
    old_count: int
    new: int
    new_count: int


class History:
    """A repository with its commits."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository

    def _git(self, *arguments: str) -> bytes:
        return subprocess.run(["git", "-C", str(self._repository), *arguments], capture_output=True, check=True).stdout

    def text(self, *arguments: str) -> str:
        """What git prints."""
        return self._git(*arguments).decode("utf-8", "replace")

    def before(self, commits: int) -> str:
        """The commit that so many others follow on the main line."""
        line = self.text("rev-list", "--first-parent", f"--max-count={commits + 1}", "HEAD").split()
        return line[-1]

    def subjects_since(self, commit: str) -> list[tuple[str, str]]:
        """The commits since one, the oldest first, with their subjects; no merges."""
        told = self.text("log", "--reverse", "--topo-order", "--no-merges", "--format=%H %s", f"{commit}..HEAD").splitlines()
        return [(line[:40], line[41:]) for line in told]

    def changed_files(self, commit: str) -> list[tuple[str, str]]:
        """What happened to which file, as git calls it: `M` for a change alone."""
        told = self.text("diff-tree", "-r", "-z", "--no-commit-id", "--name-status", "--no-renames", commit).split("\0")
        return list(zip(told[::2], told[1::2], strict=False))

    def files(self, commit: str) -> dict[str, tuple[str, int]]:
        """The objects and sizes of all files, by path."""
        found = {}
        for line in self.text("ls-tree", "-r", "-l", "-z", commit).split("\0"):
            if line:
                about, path = line.split("\t", 1)
                mode, kind, name, size = about.split()
                # Git has no size of an object that a partial copy lacks, and says so in a word.
                if kind == "blob" and mode != "120000" and size.isdigit():
                    found[path] = (name, int(size))
        return found

    def content(self, commit: str, path: str) -> bytes:
        """A file as it was."""
        return self._git("show", f"{commit}:{path}")

    def contents(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Objects by their names; None for one that is not there."""
        command = ["git", "-C", str(self._repository), "cat-file", "--batch"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            if process.stdin is None or process.stdout is None:
                raise RuntimeError("git has no pipes")
            for name in names:
                process.stdin.write(name.encode() + b"\n")
                process.stdin.flush()
                head = process.stdout.readline().split()
                if len(head) < 3:
                    yield None
                    continue
                yield process.stdout.read(int(head[2]))
                process.stdout.read(1)
            process.stdin.close()

    def hunks(self, old: str, new: str, path: str) -> list[Hunk]:
        """What of a file changed between two commits."""
        told = self.text("diff-tree", "-p", "-U0", "--no-renames", old, new, "--", path)
        return [Hunk(int(a), int(n or 1), int(b), int(m or 1)) for a, n, b, m in _HUNK.findall(told)]


def make_changes(repository: Path, folder: Path, commits: int = _COMMITS) -> int:
    """Writes sources as they were so many commits ago, and asks for what later commits changed; the number of questions."""
    history = History(repository)
    before = history.before(commits)
    files = history.files(before)
    lines: dict[str, Line] = {}
    for commit, subject in history.subjects_since(before):
        query = change_question(subject)
        if query and query.lower() not in lines and len(lines) < _MAX_CHANGES:
            with suppress(subprocess.CalledProcessError):  # a file of the commit may be missing
                line = _change(history, before, files, commit, query)
                if line is not None:
                    lines[query.lower()] = line
    wanted = [
        (path, name) for path, (name, size) in files.items()
        if size <= _MAX_SIZE and (language_of(path) is not None or path.rpartition("/")[2] in _MANIFESTS)
    ]  # fmt: skip
    for (path, _), data in zip(wanted, history.contents([name for _, name in wanted]), strict=True):
        if data is not None:
            target = folder / "src" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return _write(folder, list(lines.values()))


def change_question(subject: str) -> str:
    """The subject of a commit as a question; empty where it makes none."""
    scope, rest = "", subject
    conventional = _CONVENTIONAL.match(subject)
    if conventional:
        kind, scope, rest = conventional[1].lower(), conventional[2] or "", conventional[3]
        if kind not in _OF_CODE:
            return ""
    if _NO_SUBJECT.search(rest) or _NO_SUBJECT.search(scope):
        return ""
    rest = _LEFT_OVER.sub(" ", _ISSUES.sub(" ", _LINKS.sub(r"\1", rest)))
    rest = _HANGING.sub("", " ".join(rest.split()).strip(" -:,;."))
    scope = " ".join(re.findall(r"\w+", scope))
    if len(rest.split()) < _SUBJECT_WORDS:
        return ""
    return f"{scope}: {rest}" if scope else rest


def _change(history: History, before: str, files: Mapping[str, tuple[str, int]], commit: str, query: str) -> Line | None:
    """A question about what a commit changed, where all of it was there before."""
    changed = [(what, path) for what, path in history.changed_files(commit) if is_asked_about(path)]
    if not 1 <= len(changed) <= _MAX_FILES:
        return None
    if any(what != "M" or path not in files or files[path][1] > _MAX_SIZE for what, path in changed):
        return None
    spans: list[Span] = []
    for _, path in changed:
        language = language_of(path) or ""
        data = history.content(f"{commit}^", path)
        then = Declarations(extract_facts(history.content(before, path), language).symbols)
        old = Declarations(extract_facts(data, language).symbols)
        rows = data.split(b"\n")
        for name, symbol in old.touched(history.hunks(f"{commit}^", commit, path), rows).items():
            namesakes = then.named.get(name, [])
            if not namesakes:
                return None
            best = min(namesakes, key=lambda one, own=symbol: _difference(one, own))  # type: ignore[misc]
            is_container = best.kind in _CONTAINERS and any(other.startswith(name + ".") for other in then.named)
            spans.append(Span(path, best.start_line, best.end_line, is_container))
    if not 1 <= len(spans) <= _MAX_SYMBOLS:
        return None
    return Line(query, kind="change", files=sorted(path for _, path in changed), symbols=spans)


def _difference(one: SymbolFact, other: SymbolFact) -> tuple[int, int]:
    lengths = (each.end_line - each.start_line for each in (one, other))
    return abs(next(lengths) - next(lengths)), abs(one.start_line - other.start_line)


class Declarations:
    """The declarations of a file that are found by search, by their names with those around them."""

    def __init__(self, symbols: Sequence[SymbolFact]) -> None:
        self.named: dict[str, list[SymbolFact]] = defaultdict(list)
        names: list[str] = []
        for symbol in symbols:
            outer = names[symbol.parent] if 0 <= symbol.parent < len(names) else symbol.owner
            names.append(f"{outer}.{symbol.name}" if outer else symbol.name)
            if symbol.is_chunk and symbol.kind not in _NO_DECLARATIONS:
                self.named[names[-1]].append(symbol)

    def touched(self, hunks: Sequence[Hunk], rows: Sequence[bytes]) -> dict[str, SymbolFact]:
        """The innermost ones that some changes are within, by name; changes of blank lines count for nothing."""
        found: dict[str, SymbolFact] = {}
        for hunk in hunks:
            spans = [(line, line) for line in range(hunk.old, hunk.old + hunk.old_count) if rows[line - 1].strip()]
            for first, last in spans if hunk.old_count else [(hunk.old, hunk.old + 1)]:
                around = [
                    (symbol.end_line - symbol.declaration_line, name, symbol)
                    for name, symbols in self.named.items() for symbol in symbols
                    if symbol.declaration_line <= first and last <= symbol.end_line
                ]  # fmt: skip
                if around:
                    _, name, symbol = min(around, key=lambda one: one[0])
                    found[name] = symbol
        return found


def _write(folder: Path, lines: Sequence[Line]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "queries.jsonl").write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return len(lines)


def main() -> None:
    """Entry point of the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["documents", "changes"])
    parser.add_argument("repository", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commits", type=int, default=_COMMITS)
    options = parser.parse_args()
    if options.what == "documents":
        count = make_documents(options.repository, options.folder)
    else:
        count = make_changes(options.repository, options.folder, options.commits)
    print(f"{options.folder}: {count} questions")


if __name__ == "__main__":
    main()
