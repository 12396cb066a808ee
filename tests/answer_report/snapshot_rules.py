"""The rules of a snapshot, held against the file that it is of.

A rule gives one sentence for each violation. All it knows is two texts and the lines of the targets, so that it shares no
mistake with the code that composes snapshots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from astrolabe.ingest.facts.model import SymbolFact
from astrolabe.schema.languages import BY_NAME, language_of

from .names import NamesOf

#: What stands for lines that a snapshot leaves out, and at the end of one that was cut.
MARK = re.compile(r"\s*(?:(?:\.\.\.|:)  )?(?://|#|--) … \d[\d,]* (?:further )?lines?")
#: How a signature ends that stands for a declaration without its body.
_BODILESS = (";", ": ...", "; end", "{ :; }")
#: A `require` that is taken apart on one line, at the root.
_REQUIRED = re.compile(r"(?:const|let|var) *\{([^{}()]*)\} *= *require\b")
_IMPORT = "import"
#: Root statements that declare nothing which could be referred to.
_NAMELESS = frozenset(("comment", "import", "expression", "re-export", "export"))


@dataclass(frozen=True, slots=True)
class Target:
    """A symbol that a snapshot is to show: its name and its lines in the file, both included."""

    name: str
    first: int
    last: int


class Shown:
    """A snapshot, its file, and what both declare and use."""

    def __init__(self, path: str, file_text: str, text: str, targets: Iterable[Target]) -> None:
        self.path = path
        self.file_lines = file_text.split("\n")
        self.text = text
        self.lines = text.split("\n")
        self.targets = tuple(targets)
        self.file = NamesOf(file_text, path)
        self.snapshot = NamesOf(_as_source(text, path), path)

    @cached_property
    def is_cut(self) -> bool:
        """Whether it was too long for the budget and ends where that ended."""
        return bool(re.search(r"(?://|#|--) … [\d,]+ further lines? do(?:es)? not fit", self.text))

    @cached_property
    def is_class_view(self) -> bool:
        """Whether a target is a class or an interface, whose methods may be collapsed to their signatures."""
        return any(
            symbol.start_line == target.first and symbol.kind in ("class", "interface", "namespace")
            for target in self.targets
            for symbol in self.file.symbols
        )

    @cached_property
    def words_of_documented_types(self) -> set[str]:
        """Names in the types of doc comments above signatures: in JavaScript the parser finds no method there to tell them of."""
        typed = (re.findall(r"\{.*\}", line) for line in self.lines if re.match(r"\s*/?\*+\s*@(?!import)", line))
        return {word for types in typed if self.is_class_view for text in types for word in re.findall(r"[\w$]+", text)}

    @cached_property
    def words_of_file(self) -> str:
        """The file's words alone, with and without its comments: where they stand on lines makes no difference."""
        text = "\n".join(self.file_lines)
        return re.sub(r"\W+", "", text) + "\n" + re.sub(r"\W+", "", re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL))

    @cached_property
    def is_collapsed(self) -> bool:
        """Whether lines may have been taken out of a target."""
        return any(map(MARK.match, self.lines)) or any(_is_signature(line, self) for line in self.lines)

    @cached_property
    def place(self) -> dict[int, int]:
        """For lines of the file that are shown, their lines in the snapshot: many lines of a file read alike."""
        file_lines = [line.removesuffix("\r") for line in self.file_lines]
        found: dict[int, int] = {}
        for target in self.targets:
            lines = file_lines[target.first - 1 : target.last]
            starts = (start for start in range(len(self.lines)) if self.lines[start : start + len(lines)] == lines)
            begins = next(starts, -1)
            found.update({target.first + at: begins + at + 1 for at in range(len(lines)) if begins >= 0})
        if not found:
            blocks = SequenceMatcher(None, file_lines, self.lines, autojunk=False).get_matching_blocks()
            found = {block.a + at + 1: block.b + at + 1 for block in blocks for at in range(block.size)}
        return found

    @cached_property
    def target_lines(self) -> set[int]:
        """The lines of the snapshot that are those of a target."""
        lines = (line for target in self.targets for line in range(target.first, target.last + 1))
        return {self.place[line] for line in lines if line in self.place}

    @cached_property
    def bound_lines(self) -> set[int]:
        """The lines of the snapshot that declare what the targets, and what is shown around them, use."""
        roots = (range(symbol.start_line, symbol.end_line + 1) for symbol in self.snapshot.symbols if symbol.depth == 0)
        # What `module.exports` is, is what a target uses that says more of it.
        exported = {number for number, line in enumerate(self.lines, 1) if line.startswith("module.exports = ")}
        context = {line for lines in roots if self.target_lines.isdisjoint(lines) for line in lines}
        context -= self.target_lines | exported
        return {line for use in self.snapshot.uses if use.line not in context for line in use.declared}

    @cached_property
    def taken_apart(self) -> dict[int, set[str]]:
        """By line of the snapshot, the names that it takes of a `require`: only those that are used are shown."""
        return {
            number: {name.partition("=")[0].rpartition(":")[2].strip() for name in found[1].split(",") if name.strip()}
            for number, line in enumerate(self.lines, 1)
            if (found := _REQUIRED.match(line)) and "..." not in line
        }

    def in_targets(self, line: int) -> bool:
        """Whether a line of the file is one of a target's."""
        return any(target.first <= line <= target.last for target in self.targets)

    def is_whole(self, symbol: SymbolFact) -> bool:
        """Whether all lines of a symbol of the file are shown."""
        return "\n".join(self.file_lines[symbol.declaration_line - 1 : symbol.end_line]) in self.text

    @cached_property
    def whole_lines(self) -> set[int]:
        """The lines of the snapshot that are those of a whole symbol around a target: what cannot stand without it."""
        found: set[int] = set()
        for head in self.heads:
            lines = self.file_lines[head.declaration_line - 1 : head.end_line]
            before, there, _ = self.text.partition("\n".join(lines))
            if there:
                first = before.count("\n") + 1
                found.update(range(first, first + len(lines)))
        return found

    @cached_property
    def heads(self) -> list[SymbolFact]:
        """Symbols of the file around a target."""
        return [
            symbol
            for symbol in self.file.symbols
            if any(symbol.start_line <= target.first and target.last <= symbol.end_line for target in self.targets)
        ]

    @cached_property
    def needed(self) -> set[str]:
        """Names that the targets, and the first lines of what is around them, use."""
        lines = {line for target in self.targets for line in range(target.first, target.last + 1)}
        for head in self.heads:
            inner = min(target.first for target in self.targets if head.start_line <= target.first <= head.end_line)
            lines.update(range(head.start_line, (head.end_line if self.is_whole(head) else inner) + 1))
        names = {use.name for use in self.file.uses if use.line in lines}
        return names | {name for name, line in self.file.member_uses if line in lines}


def _as_source(text: str, path: str) -> str:
    """A snapshot as its language reads it: the line with the path is a comment there."""
    language = BY_NAME[language_of(path) or "typescript"]
    opening = "<?php " if language.name == "php" else ""
    return opening + text.replace("// ", f"{language.comment} ", 1) + "\n"


def _parses(shown: Shown) -> Iterator[str]:
    if shown.snapshot.problems and not shown.file.problems:
        yield f"does not parse: line {shown.snapshot.problems[0]}"


def _has_its_path(shown: Shown) -> Iterator[str]:
    if shown.lines[0] != f"// {shown.path}":
        yield f"begins with {shown.lines[0]!r}"


def _shows_lines_of_the_file_in_order(shown: Shown) -> Iterator[str]:
    imports = {
        line
        for symbol in shown.snapshot.symbols
        if symbol.kind == _IMPORT
        for line in range(symbol.start_line, symbol.end_line + 1)
    }
    imports |= shown.snapshot.imports_in_comments | shown.taken_apart.keys()
    rest = iter(shown.file_lines)
    for number, line in enumerate(shown.lines[1:], 2):
        if number in imports or not line.strip() or MARK.match(line) or _is_signature(line, shown):
            continue
        if not any(line == other.removesuffix("\r") for other in rest):
            yield f"line {number} is none of the file, or not in its order: {line.strip()!r}"
            return


def _is_signature(line: str, shown: Shown) -> bool:
    """What stands for a method of a collapsed class: the words of its declaration, on one line."""
    words = re.sub(r"\W+", "", line.removesuffix("; end"))
    return shown.is_class_view and line.endswith(_BODILESS) and words in shown.words_of_file


def _shows_targets_whole(shown: Shown) -> Iterator[str]:
    if shown.is_collapsed or shown.is_cut:
        return
    for target in shown.targets:
        lines = [line.removesuffix("\r") for line in shown.file_lines[target.first - 1 : target.last]]
        if "\n".join(lines) not in shown.text:
            yield f"{target.name} is not whole"


def _declares_what_targets_use(shown: Shown) -> Iterator[str]:
    if shown.is_cut:
        return
    told = set()
    unbound = {(use.name, use.line) for use in shown.snapshot.uses if not use.declared}
    for use in shown.file.uses:
        is_unbound = (use.name, shown.place.get(use.line)) in unbound
        if is_unbound and use.declared and shown.in_targets(use.line) and use.name not in told:
            told.add(use.name)
            yield f"{use.name} (line {use.line}) is declared at line {use.declared[0]}, and that is not shown"


def _declares_members_that_targets_use(shown: Shown) -> Iterator[str]:
    if shown.is_cut:
        return
    missing = {(use.owner, use.name) for use in shown.snapshot.own_members if not use.is_declared}
    told = set()
    for use in shown.file.own_members:
        key = (use.owner, use.name)
        if use.is_declared and key in missing and shown.in_targets(use.line) and key not in told:
            told.add(key)
            yield f"this.{use.name} (line {use.line}) is declared in {use.owner}, and that is not shown"


def _shows_nothing_unreferenced(shown: Shown) -> Iterator[str]:
    wanted = {target.name for target in shown.targets}
    heads = {head.name for head in shown.heads}
    symbols = shown.snapshot.symbols
    inner: dict[int, set[str]] = {}
    for symbol in symbols:
        # What names `key` may use the member `[key]`.
        inner.setdefault(_root(symbols, symbol), set()).update((symbol.name, symbol.name.strip("[]")))
    for place, symbol in enumerate(symbols):
        if symbol.depth > 0 or symbol.kind in _NAMELESS or symbol.name in heads or inner[place] & wanted:
            continue
        if _is_bound(shown, symbol) or (inner[place] - {symbol.name} | _collapsed_members(shown, symbol)) & shown.needed:
            continue
        if not _brings_something(shown, symbol, inner[place]) and not _is_what_is_exported(shown, symbol):
            yield f"{symbol.kind} {symbol.name} is not used by any target"


def _collapsed_members(shown: Shown, symbol: SymbolFact) -> set[str]:
    """Names of the members of a class that stands for them: its head and a mark are shown."""
    inside = shown.lines[symbol.declaration_line : symbol.end_line - 1]
    if symbol.kind != "class" or len(inside) != 1 or not MARK.match(inside[0]):
        return set()
    declared = [place for place, other in enumerate(shown.file.symbols) if other.name == symbol.name and other.depth == 0]
    return {other.name for other in shown.file.symbols if other.parent in declared}


def _is_bound(shown: Shown, symbol: SymbolFact) -> bool:
    """Whether a target, or what is shown around one, uses a root symbol: by its binding, where the parser reads all of it."""
    if shown.snapshot.problems or shown.is_class_view:
        return symbol.name in shown.needed | shown.words_of_documented_types
    # `app.enabled = …` declares a member, which no binding leads to.
    is_member = re.match(rf"[\w$.]+\.{re.escape(symbol.name)}\s*=", shown.lines[symbol.declaration_line - 1])
    if is_member and symbol.name in shown.needed:
        return True
    return not shown.bound_lines.isdisjoint(range(symbol.start_line, symbol.end_line + 1))


def _brings_something(shown: Shown, symbol: SymbolFact, names: set[str]) -> bool:
    """Whether it is a `require`, which any line that is shown may need as it does an import."""
    lines = shown.lines[symbol.start_line - 1 : symbol.end_line]
    others = {use.name for use in shown.snapshot.uses if not symbol.start_line <= use.line <= symbol.end_line}
    return "require(" in "\n".join(lines) and bool(names & others)


def _is_what_is_exported(shown: Shown, symbol: SymbolFact) -> bool:
    """Whether it is `module.exports = …`, and a target says more of `module.exports`."""
    begins = shown.lines[symbol.declaration_line - 1].startswith("module.exports")
    return begins and any("module.exports" in shown.lines[line - 1] for line in shown.target_lines)


def _root(symbols: list[SymbolFact], symbol: SymbolFact) -> int:
    place = symbols.index(symbol)
    while symbols[place].parent >= 0:
        place = symbols[place].parent
    return place


def _shows_no_member_unreferenced(shown: Shown) -> Iterator[str]:
    wanted = {target.name for target in shown.targets}
    whole = {target.name for target in shown.targets} | {head.name for head in shown.heads if shown.is_whole(head)}
    symbols = shown.snapshot.symbols
    constructors = [(symbol.start_line - 1, symbol.end_line) for symbol in symbols if symbol.kind == "constructor"]
    heads = {head.name for head in shown.heads}
    for symbol in symbols:
        outer = symbols[symbol.parent] if symbol.parent >= 0 else None
        is_shell = outer is not None and outer.kind == "class" and outer.name in heads and outer.name not in whole
        is_parameter = any(first < symbol.start_line <= last for first, last in constructors)
        # `[kState]` is used by what names `kState`, `[Message.kState]` by what names that.
        is_wanted = symbol.name.strip("[]").rpartition(".")[2] in shown.needed or symbol.name in wanted | heads
        # A decorator may be given functions.
        is_wanted = is_wanted or symbol.start_line in shown.target_lines
        # `this.abort = …` declares a member within a method.
        inside = {inner.name for inner in symbols if symbol.start_line <= inner.start_line and inner.end_line <= symbol.end_line}
        is_wanted = is_wanted or bool(inside & shown.needed)
        if is_shell and not is_parameter and not is_wanted and symbol.kind != "constructor":
            yield f"{symbol.kind} {outer.name if outer else ''}.{symbol.name} is not used by any target"


def _shows_no_local_unreferenced(shown: Shown) -> Iterator[str]:
    wanted = {line for use in shown.snapshot.uses for line in use.declared if use.line != line}
    wanted |= shown.target_lines | shown.whole_lines
    # What is shown of a function around a target is what the target uses; of another one it may be the whole.
    others = [
        range(symbol.start_line, symbol.end_line + 1)
        for symbol in shown.snapshot.symbols
        if shown.target_lines.isdisjoint(range(symbol.start_line, symbol.end_line + 1))
    ]
    for line, names in shown.snapshot.locals.items():
        # One that goes on below may hold the target.
        goes_on = re.match(r"\s*\??\.", "".join(shown.lines[line : line + 1]))
        is_statement = re.match(r"\s*(?:const|let|var)\s+[\w$].*[^\[({<>,]$", shown.lines[line - 1]) and not goes_on
        if is_statement and line not in wanted and not any(line in other for other in others):
            yield f"variable {', '.join(names)} is not used by any target"


def _imports_only_what_it_uses(shown: Shown) -> Iterator[str]:
    used = {use.name for use in shown.snapshot.uses} | shown.words_of_documented_types
    is_asked_for = any(target.name.startswith("import:") for target in shown.targets)
    # Of a line that holds other code too, as in a bundle, nothing can be left out.
    shared = {
        line for symbol in shown.snapshot.symbols if symbol.kind != _IMPORT for line in (symbol.start_line, symbol.end_line)
    }
    for name, line in sorted(shown.snapshot.imported.items()):
        if name not in used and line not in shown.target_lines | shared and not is_asked_for:
            yield f"import of {name}, which nothing uses"
    for line, names in shown.taken_apart.items():
        elsewhere = {use.name for use in shown.snapshot.uses if use.line != line} | shown.words_of_documented_types
        for name in sorted(names - elsewhere) if line not in shown.target_lines else ():
            yield f"{name} of a require, which nothing uses"


def _repeats_nothing(shown: Shown) -> Iterator[str]:
    for target in shown.targets:
        lines = [line.removesuffix("\r") for line in shown.file_lines[target.first - 1 : target.last]]
        whole = "\n".join(lines)
        if len(lines) > 2 and shown.text.count(whole) > max("\n".join(shown.file_lines).count(whole), 1):
            yield f"{target.name} is shown twice"


RULES: dict[str, Callable[[Shown], Iterator[str]]] = {
    "the header is the path": _has_its_path,
    "the text parses": _parses,
    "lines of the file, in order": _shows_lines_of_the_file_in_order,
    "targets are whole": _shows_targets_whole,
    "what targets use is declared": _declares_what_targets_use,
    "members that targets use are declared": _declares_members_that_targets_use,
    "nothing unreferenced": _shows_nothing_unreferenced,
    "no member unreferenced": _shows_no_member_unreferenced,
    "no local variable unreferenced": _shows_no_local_unreferenced,
    "no import unused": _imports_only_what_it_uses,
    "nothing twice": _repeats_nothing,
}


def violations(shown: Shown) -> Iterator[tuple[str, str]]:
    """Each violated rule with a sentence."""
    for name, rule in RULES.items():
        for sentence in rule(shown):
            yield name, sentence
