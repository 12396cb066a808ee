"""Ambient declarations: in `declare global` and `declare module` blocks, and in declaration files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.projects import AmbientSymbol, ambient_blocks, ambient_declarations, blocks_that_augment
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.records import Symbol
from .signature import declaration_signature
from .subject import Analysis, EmptyReason, FileSubject, Subject, counted

_NO_DECLARATIONS = frozenset(("comment", "expression", "import", "export", "re-export"))


@dataclass(frozen=True, slots=True)
class AmbientMember:
    """A declaration in an ambient block or at the root of a declaration file."""

    name: str
    #: function, const, variable, interface, type, class, enum or namespace.
    kind: str
    file: str
    line: int
    signature: str
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class AmbientBlock:
    """A `declare global { … }` or `declare module "x" { … }`."""

    #: "global", or the specifier of the module.
    name: str
    file: str
    line: int
    end_line: int
    #: The declarations in the block, in source order.
    members: tuple[AmbientMember, ...]
    #: Whether the block extends an existing scope: a `declare global`, or a `declare module` in a file that is a module.
    is_augmentation: bool
    #: The file of the repository that the block extends; None for packages, and for modules that the block declares.
    target: str | None

    @property
    def is_global(self) -> bool:
        """Whether the block is a `declare global`."""
        return self.name == "global"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambients(Analysis):
    """Ambient declarations, by file and line."""

    global_blocks: tuple[AmbientBlock, ...] = ()
    module_blocks: tuple[AmbientBlock, ...] = ()
    #: Declarations of declaration files that all files can use.
    declarations: tuple[AmbientMember, ...] = ()
    #: Declarations of declaration files that other files must import.
    exported_declarations: tuple[AmbientMember, ...] = ()

    @property
    def title(self) -> str:
        blocks = counted(len(self.global_blocks) + len(self.module_blocks), "ambient block")
        return f"{self.subject.label}: {blocks}, {counted(len(self.declarations), 'ambient declaration')}"

    def lines(self) -> list[str]:
        """Return lines for the blocks with their members, then for the declarations of declaration files."""
        lines = [line for block in (*self.global_blocks, *self.module_blocks) for line in _lines(block)]
        return lines + [f"  {each.file}:{each.line} {_text(each)}" for each in self.declarations]


def ambients(graph: GraphDatabase) -> Ambients:
    """Return all ambient declarations of the workspace."""
    blocks = _blocks(graph, ambient_blocks(graph))
    declared = ambient_declarations(graph)
    found = bool(blocks or declared)
    empty = EmptyReason("none", "Nothing is ambient here: no declare global, no declare module, no declaration files.")
    return Ambients(
        subject=Subject("the workspace", ()),
        global_blocks=tuple(block for block in blocks if block.is_global),
        module_blocks=tuple(block for block in blocks if not block.is_global),
        declarations=tuple(_member(each.symbol) for each in declared if not each.in_module),
        exported_declarations=tuple(_member(each.symbol) for each in declared if each.in_module),
        nothing=None if found else empty,
    )


def augmentations(graph: GraphDatabase, subject: FileSubject) -> Ambients:
    """Return the `declare module` blocks that extend a file."""
    if subject.nothing is not None:
        return Ambients(subject=subject, nothing=subject.nothing)
    blocks = tuple(_blocks(graph, blocks_that_augment(graph, subject.paths)))
    empty = EmptyReason("none", "No `declare module` block adds to this file.")
    return Ambients(subject=subject, module_blocks=blocks, nothing=None if blocks else empty)


def _blocks(graph: GraphDatabase, found: Iterable[AmbientSymbol]) -> list[AmbientBlock]:
    blocks = list(found)
    inside = symbols_of(graph).children(block.symbol.id for block in blocks)
    return [
        AmbientBlock(
            block.symbol.name,
            block.symbol.relative_path,
            block.symbol.declaration_line,
            block.symbol.end_line,
            tuple(_member(symbol) for symbol in inside.get(block.symbol.id, ()) if symbol.kind not in _NO_DECLARATIONS),
            block.in_module or block.symbol.signature == "declare global",
            block.augments or None,
        )
        for block in blocks
    ]


def _member(symbol: Symbol) -> AmbientMember:
    signature = declaration_signature(symbol).signature
    return AmbientMember(symbol.name, symbol.kind, symbol.relative_path, symbol.name_line, signature, symbol)


def _lines(block: AmbientBlock) -> list[str]:
    what = "declare global" if block.is_global else f'declare module "{block.name}"'
    target = f" → {block.target}" if block.target else ""
    return [f"  {block.file}:{block.line} {what}{target}", *(f"    {each.line}: {_text(each)}" for each in block.members)]


def _text(member: AmbientMember) -> str:
    """Return a signature that begins with the keyword of the declaration."""
    return f"function {member.signature}" if member.kind == "function" else member.signature or f"{member.kind} {member.name}"
