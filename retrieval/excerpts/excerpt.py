"""The excerpt of one file: the targets in full, and the declarations of the file to which the targets refer.

The excerpt consists of lines of the file, in order, and is valid source. A nested target is shown inside the lines that open and
close its enclosing declarations. Imports are reduced to the used names. Omitted lines between symbols leave no mark.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from ...graphdb.queries.answers import ImportUses
from ...schema.languages import BY_NAME, language_of_indexed
from ...schema.records import SymbolRef
from ...schema.source_regions import Role
from ...schema.symbol_kinds import MEMBER_KINDS, SECTION_KINDS
from ..source.import_reduction import reduced_import_comment, reduced_imports
from ..source.regions import beginning, body_of, has_bodiless_form, holds_statements, is_closed, path_to
from ..source.source_lines import SourceLines
from ..source.source_syntax import SourceSyntax
from .enclosing_scope import shell_of, statement_line

#: Kind of a stub that replaces arbitrary lines of a symbol.
_LINES = "lines"
#: Kind of a stub without a mark.
_NOTHING = "nothing"
#: Kind of a statement that is not a symbol.
STATEMENT = "statement"
#: Kind of a comment that imports types.
IMPORT_COMMENT = "import comment"
#: Maximum number of characters of a line that is not longer than a mark.
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Stub:
    """A nested symbol of a collapsed target, and the lines that replace it."""

    symbol: SymbolRef
    #: Signature that replaces the body; "" where a signature is not valid source, as in a function or an object.
    signature: str
    #: First line of the stub: the line after the doc comment, or the first line of an omitted doc comment.
    first_line: int
    #: Whether the stub hides lines that did not fit the budget.
    is_end: bool = False

    @classmethod
    def of_member(cls, symbol: SymbolRef, signature: str, source: SourceLines) -> Stub:
        """Return the stub of a member or a root function.

        In `save = () => { … }`, only the body collapses.
        """
        is_bodiless = has_bodiless_form(source, symbol.declaration_line, symbol.end_line)
        return cls(symbol, signature if is_bodiless else "", symbol.declaration_line)

    @classmethod
    def of_lines(cls, symbol: SymbolRef, first: int, last: int) -> Stub:
        """Return a stub that replaces a range of lines of a symbol."""
        lines = msgspec.structs.replace(symbol, kind=_LINES, start_line=first, declaration_line=first, end_line=last)
        return cls(lines, "", first)

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line that the stub covers."""
        return self.first_line, self.symbol.end_line

    @property
    def is_of_lines(self) -> bool:
        """Whether the stub replaces all lines of its range, not only a body."""
        return self.symbol.kind in (_LINES, _NOTHING)

    @property
    def leaves_no_mark(self) -> bool:
        """Whether the lines before and after the stub can be shown without a mark between them."""
        return self.symbol.kind == _NOTHING

    @classmethod
    def of_nothing(cls, symbol: SymbolRef, first: int, last: int) -> Stub:
        """Return a stub without a mark, for a comment in a symbol or for unused variables in a statement."""
        lines = msgspec.structs.replace(symbol, kind=_NOTHING, start_line=first, declaration_line=first, end_line=last)
        return cls(lines, "", first)


@dataclass(frozen=True, slots=True, eq=False)
class ShownSymbol:
    """A symbol or statement that an excerpt shows, with the symbols around it, outermost first. Compared by identity."""

    symbol: SymbolRef
    enclosing: Sequence[SymbolRef]
    #: Local names of an import statement that are kept; an empty set keeps the statement unchanged.
    names: frozenset[str] = frozenset()
    #: Collapsed parts in source order; a symbol without stubs is shown whole.
    stubs: Sequence[Stub] = ()
    #: First line of the omitted doc comment; 0 if no doc comment is omitted.
    begins: int = 0


def shown_lines(symbol: SymbolRef, stubs: Iterable[Stub]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each shown range of a symbol, up to the first mark."""
    at = symbol.start_line
    for stub in stubs:
        if at < stub.first_line:
            yield at, stub.first_line - 1
        if not stub.leaves_no_mark:
            return
        at = max(at, stub.symbol.end_line + 1)
    if at <= symbol.end_line:
        yield at, symbol.end_line


@dataclass(frozen=True, slots=True)
class _Piece:
    """Consecutive lines of the file, or their replacement."""

    first: int
    last: int
    lines: tuple[str, ...]
    #: "import", "opening", "closing", `STATEMENT` or "".
    role: str = ""
    #: First line of the omitted doc comment; 0 if no doc comment is omitted.
    begins: int = 0
    #: Last line whose text is shown, if the text of later lines is replaced; -1 if all text is shown.
    last_shown: int = -1
    #: Stub of a mark that replaces all lines of the piece; None for other pieces.
    mark: Stub | None = None

    @property
    def shown_source(self) -> tuple[int, int]:
        """First and last line of the file whose text the piece shows."""
        return self.first, self.last if self.last_shown < 0 else self.last_shown


def snapshot(path: str, shown: Iterable[ShownSymbol], source: SourceLines, imports: ImportUses | None = None) -> str:
    """Return the text of a file's excerpt. A symbol inside a wholly shown symbol is not repeated.

    `imports` are the uses of imports in the whole file. An import statement is shown if a shown line uses it.
    """
    pieces: dict[tuple[int, int], _Piece] = {}
    required: list[ShownSymbol] = []
    for symbol in _outermost(shown):
        if symbol.names and symbol.symbol.kind != IMPORT_COMMENT:
            required.append(symbol)
            continue
        for piece in _pieces_of(symbol, source):
            pieces.setdefault((piece.first, piece.last), piece)
    for needed in _needed_imports(_disjoint(pieces.values(), source), imports or ImportUses(), required):
        for piece in _own_pieces(needed, source):
            pieces.setdefault((piece.first, piece.last), piece)
    return "\n".join([f"// {path}", "", *_joined(_disjoint(pieces.values(), source), source)])


def path_of(text: str) -> str:
    """Return the path of the file that an excerpt shows."""
    return text.split("\n", 1)[0].removeprefix("// ")


def _needed_imports(pieces: Sequence[_Piece], imports: ImportUses, others: Iterable[ShownSymbol]) -> Iterable[ShownSymbol]:
    """Yield the import statements that the lines of the pieces use, with the used names.

    `others` are import statements that are always needed, with the needed names.
    """
    needed: dict[tuple[str, int, int], tuple[SymbolRef, set[str]]] = {}
    for other in others:
        lines = (other.symbol.kind, other.symbol.declaration_line, other.symbol.end_line)
        needed.setdefault(lines, (other.symbol, set()))[1].update(other.names)
    for piece in pieces:
        for use in imports.between(*piece.shown_source):
            # Statements on the same lines are shown together.
            lines = (use.statement.kind, use.statement.declaration_line, use.statement.end_line)
            needed.setdefault(lines, (use.statement, set()))[1].add(use.name)
    for statement, names in needed.values():
        # A comment above imports is left out, because it describes the file or only the first import.
        yield ShownSymbol(msgspec.structs.replace(statement, start_line=statement.declaration_line), (), frozenset(names))


def _outermost(shown: Iterable[ShownSymbol]) -> list[ShownSymbol]:
    """Return the symbols without duplicates, and without symbols inside a wholly shown symbol."""
    whole: list[tuple[int, int]] = []
    kept: dict[str, ShownSymbol] = {}
    for candidate in sorted(shown, key=lambda item: (item.symbol.start_line, -item.symbol.end_line)):
        first, last = candidate.symbol.start_line, candidate.symbol.end_line
        if any(start <= first and last <= end for start, end in whole):
            continue
        earlier = kept.get(candidate.symbol.id)
        kept[candidate.symbol.id] = candidate if earlier is None else _merged(earlier, candidate)
        # Other targets may need further names of the same import statement.
        if not candidate.stubs and not candidate.names and candidate.symbol.kind not in ("import", IMPORT_COMMENT):
            whole.append((first, last))
    return list(kept.values())


def _merged(one: ShownSymbol, other: ShownSymbol) -> ShownSymbol:
    # An import statement without names is shown unchanged.
    names = one.names | other.names if one.names and other.names else frozenset()
    # A line is left out only if both symbols leave it out.
    both = {stub.lines: stub for stub in other.stubs if _is_left_out(stub, one.stubs)}
    both |= {stub.lines: stub for stub in one.stubs if _is_left_out(stub, other.stubs)}
    return ShownSymbol(one.symbol, one.enclosing, names, [both[lines] for lines in sorted(both)], one.begins)


def _is_left_out(stub: Stub, stubs: Iterable[Stub]) -> bool:
    first, last = stub.lines
    return any(other.first_line <= first and last <= other.symbol.end_line for other in stubs)


def representative(shown: ShownSymbol, source: SourceLines) -> ShownSymbol:
    """Return the symbol, or the enclosing symbol if the symbol cannot be shown by itself, such as a callback.

    Outer symbols that begin on a separate line remain as enclosing scopes. A section of a document is shown by itself: no line of
    the sections around it opens or closes it, and its name contains their titles.
    """
    if shown.symbol.kind in SECTION_KINDS:
        return replace(shown, enclosing=())
    enclosing = _with_lines_of_their_own(shown.enclosing)
    inner, found = shown.symbol, replace(shown, enclosing=enclosing)
    for depth in reversed(range(len(enclosing))):
        outer = enclosing[depth]
        if shell_of(source, outer, inner) is None or not _is_closed(inner, outer, source):
            found = ShownSymbol(outer, enclosing[:depth])
        inner = outer
    return found


def _is_closed(inner: SymbolRef, outer: SymbolRef, source: SourceLines) -> bool:
    """Return whether the lines of a symbol close all brackets that they open.

    The lines of a callback may end before the end of its call.
    """
    return outer.kind in MEMBER_KINDS or is_closed(source, inner.declaration_line, inner.end_line)


def declaring_lines(symbol: SymbolRef, source: SourceLines) -> SymbolRef:
    """Return the symbol, or, for a property that a constructor or another method declares, the lines of the method."""
    if symbol.kind != "property":
        return symbol
    steps = path_to(source, symbol.declaration_line, symbol.end_line)
    member = next((step.part for step in reversed(steps) if step.region.role is Role.MEMBERS), None)
    if member is None or (member.first, member.last) == (symbol.declaration_line, symbol.end_line):
        return symbol
    return msgspec.structs.replace(symbol, start_line=member.first, declaration_line=member.first, end_line=member.last)


def _with_lines_of_their_own(enclosing: Sequence[SymbolRef]) -> list[SymbolRef]:
    """Return the enclosing symbols that begin on different lines, outermost first.

    `describe("x", () => {` begins a call and a callback on one line, and the shell of the call is enough for both.
    """
    kept: list[SymbolRef] = []
    for symbol in enclosing:
        if not kept or symbol.start_line > kept[-1].declaration_line:
            kept.append(symbol)
    return kept


def _pieces_of(shown: ShownSymbol, source: SourceLines) -> list[_Piece]:
    # The result is cached, because an answer is composed several times from the same symbols.
    return source.once((_pieces, shown), lambda: _pieces(shown, source))


def _pieces(shown: ShownSymbol, source: SourceLines) -> list[_Piece]:
    pieces = _own_pieces(shown, source)
    inner = shown.symbol
    if (begun := statement_line(source, inner)) < inner.start_line:
        pieces.append(_lines(begun, inner.start_line - 1, source))
    for outer in reversed(shown.enclosing):
        shell = shell_of(source, outer, inner)
        if shell is not None:
            pieces += [_lines(*lines, source, "opening", outer.start_line) for lines in shell.opening]
            pieces += [_lines(*lines, source, "closing") for lines in shell.closing]
        inner = outer
    return pieces


def _own_pieces(shown: ShownSymbol, source: SourceLines) -> list[_Piece]:
    symbol = shown.symbol
    if symbol.kind == IMPORT_COMMENT:
        comment = "\n".join(source.between(symbol.start_line, symbol.end_line))
        reduced = reduced_import_comment(comment, shown.names)
        return [_Piece(symbol.start_line, symbol.end_line, tuple(reduced.split("\n")), "import")]
    if symbol.kind == "import":
        return [_reduced(symbol, shown.names, source, "import")]
    if shown.names:
        return [_reduced(symbol, shown.names, source)]
    if symbol.kind == STATEMENT and not shown.stubs:
        return [_lines(symbol.start_line, symbol.end_line, source, STATEMENT)]
    pieces: list[_Piece] = []
    at = symbol.start_line
    for stub in shown.stubs:
        if stub.first_line < at:
            continue
        if stub.first_line > at:
            pieces.append(_lines(at, stub.first_line - 1, source, begins=0 if pieces else shown.begins))
        if stub.symbol.kind == _LINES:
            pieces.append(_marked(stub, stub.first_line, stub.symbol.end_line, source))
        else:
            pieces.append(_Piece(stub.first_line, stub.symbol.end_line, *_stub_lines(stub, source)))
        at = stub.symbol.end_line + 1
    if at <= symbol.end_line:
        pieces.append(_lines(at, symbol.end_line, source, begins=0 if pieces else shown.begins))
    return pieces


def _reduced(statement: SymbolRef, names: frozenset[str], source: SourceLines, role: str = "") -> _Piece:
    first, last = statement.declaration_line, statement.end_line
    text = "\n".join(source.between(first, last))
    # A statement without names is shown unchanged.
    reduced = reduced_imports(text, source.imports(first, last), names) if names else text
    return _Piece(first, last, tuple(reduced.split("\n")), role)


def _stub_lines(stub: Stub, source: SourceLines) -> tuple[tuple[str, ...], str, int, int]:
    """Return the lines that replace a body: a signature if the stub has one, else the lines that open and close the body.

    The result has the fields of a `_Piece` after `last`.
    """
    place = stub.symbol
    if stub.leaves_no_mark:
        return (), "", 0, 0
    first, last = place.declaration_line, place.end_line
    line, tree = source.line(first), source.tree(first)
    indentation = _indentation(line)
    body = body_of(source, first, last)
    if stub.signature:
        exported = "".join(word + " " for word in ("export", "default", "declare") if f"{word} " in line.split("(")[0])
        prefix = exported if place.depth == 0 else ""
        signature = stub.signature.rstrip("; ")
        return (f"{indentation}{prefix}{signature}{tree.bodiless}",), "", 0, body.first if body else last
    if body is None or not body.inner:
        return tuple(source.between(first, last)), "", 0, -1
    deeper = indentation + ("\t" if indentation.startswith("\t") else "  ")
    marker = _marker(len(body.inner), place.relative_path, tree.empty_statement)
    closing = source.between(body.last, last) if body.is_closed else ()
    return (*source.between(first, body.first), deeper + marker, *closing), "", 0, body.first


def _marked(stub: Stub, first: int, last: int, source: SourceLines) -> _Piece:
    """Return a mark for some of the lines that a stub covers."""
    begun = next((text for text in source.between(first, last) if text), "")
    empty = source.tree(first).empty_statement if holds_statements(source, first, last) else ""
    mark = _end_marker if stub.is_end else _marker
    text = mark(last - first + 1, stub.symbol.relative_path, empty)
    return _Piece(first, last, (_indentation(begun) + text,), last_shown=0, mark=stub)


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _end_marker(hidden: int, path: str, empty: str = "") -> str:
    lines = "line does" if hidden == 1 else "lines do"
    return _comment(f"… {hidden} further {lines} not fit the token budget", path, empty)


def _marker(hidden: int, path: str, empty: str = "") -> str:
    return _comment(f"… {hidden} line{'' if hidden == 1 else 's'}", path, empty)


def _comment(text: str, path: str, empty: str) -> str:
    """Return a comment in the language of a file, after an empty statement if a block must not be empty."""
    language = BY_NAME.get(language_of_indexed(path) or "")
    comment = f"{language.comment if language else '//'} {text}"
    return f"{empty}  {comment}" if empty else comment


def _lines(first: int, last: int, source: SourceLines, role: str = "", begins: int = 0) -> _Piece:
    return _Piece(first, last, tuple(source.between(first, last)), role, begins)


def _disjoint(pieces: Iterable[_Piece], source: SourceLines) -> list[_Piece]:
    """Return the pieces in source order. If pieces overlap, such as scopes around several symbols, the first and longest piece
    stays.

    A mark does not cover lines that another piece shows, because a target may contain lines that another target leaves out.
    """
    kept: list[_Piece] = []
    marks: list[_Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.first, -piece.last)):
        if piece.mark is not None:
            marks.append(piece)
        elif not kept or piece.first > kept[-1].last:
            kept.append(piece)
    for piece in marks:
        kept += _uncovered(piece, kept, source)
        kept.sort(key=lambda piece: piece.first)
    return kept


def _uncovered(mark: _Piece, pieces: Sequence[_Piece], source: SourceLines) -> Iterable[_Piece]:
    """Yield marks for the lines of a mark that no other piece covers."""
    at = mark.first
    for piece in pieces:
        if at <= piece.last and piece.first <= mark.last:
            if mark.mark is not None and at < piece.first:
                yield _marked(mark.mark, at, piece.first - 1, source)
            at = piece.last + 1
    if at == mark.first:
        yield mark
    elif mark.mark is not None and at <= mark.last:
        yield _marked(mark.mark, at, mark.last, source)


def _joined(pieces: Sequence[_Piece], source: SourceLines) -> list[str]:
    lines: list[str] = []
    for before, piece in zip([None, *pieces], pieces, strict=False):
        if before is not None and _is_parted(before, piece, source):
            lines.append("")
        lines += piece.lines
    return lines


def _is_parted(before: _Piece, piece: _Piece, source: SourceLines) -> bool:
    """Return whether a blank line separates two pieces: the file has a blank line, or root symbols between them are left out."""
    if piece.first == before.last + 1 or before.role == "opening" or piece.role == "closing":
        return False
    if before.role == piece.role == "import":
        return False
    between = (piece.begins or piece.first) - 1
    if before.role == piece.role == STATEMENT:  # statements, such as imports, between which statements may be left out
        return "" in source.between(before.last + 1, between)
    return source.line(between) == "" or not source.share_root(between, (before.last, piece.first))


def nothing_but_path(path: str, hidden: int) -> str:
    """Return the excerpt of a file if not even the first lines of a target fit."""
    return f"// {path}\n\n{_end_marker(hidden, path)}"


def first_lines(text: str, characters: int, syntax: SourceSyntax) -> str:
    """Return the first lines of an excerpt that exceeds the budget, and marks for the other lines, as valid source."""
    path = path_of(text)
    heading, lines = text.split("\n")[:2], text.split("\n")[2:]
    source = SourceLines.of_text("\n".join(lines), path, syntax)
    place = SymbolRef(path, path, path, STATEMENT, path, 0, 1, len(lines), 1, 1, (), False)

    def cut(last: int) -> str:
        kept = beginning(source, 1, len(lines), last)
        pieces = [_lines(line, line, source) for line in sorted(kept)]
        stubs = [replace(stub, is_end=number == 0) for number, stub in enumerate(gaps(place, kept, source))]
        pieces += [_marked(stub, *stub.lines, source) for stub in stubs]
        return "\n".join([*heading, *(line for piece in sorted(pieces, key=lambda piece: piece.first) for line in piece.lines)])

    fitting = bisect_right(range(1, len(lines)), characters, key=lambda last: len(cut(last)))
    return cut(fitting) if fitting else nothing_but_path(path, len(lines))


def gaps(outer: SymbolRef, shown: Collection[int], source: SourceLines) -> Iterator[Stub]:
    """Yield the lines of a symbol that the shown lines leave out.

    Single lines that are not longer than a mark are always shown.
    """
    at = outer.declaration_line
    for line in [*sorted(shown), outer.end_line + 1]:
        if line - at > 1 or (line - at == 1 and len(source.line(at).strip()) > _SHORT):
            yield Stub.of_lines(outer, at, line - 1)
        at = line + 1
