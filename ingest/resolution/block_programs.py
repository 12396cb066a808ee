"""Resolves the blocks of code of documents with the engines of their languages, as if each page were a file of a program."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ...schema.graph_content import GraphContent
from ...schema.languages import DOCUMENTS, language_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS, TYPE_KINDS
from ..documents.blocks.go_programs import go_programs
from ..documents.blocks.java_programs import java_programs
from ..documents.blocks.nested_blocks import MAX_PROGRAMS
from ..documents.blocks.programs import ENGINES, OF_PACKAGES, Implied, Program, program_of
from ..documents.blocks.used_names import keywords_of
from ..facts.cache import FactReader
from ..facts.document_facts import BlockFact
from ..facts.model import DeclKind, FileFacts
from ..languages.document_paths import TYPES, specifier_of_module
from ..languages.extraction import code_facts
from ..languages.import_targets import Resolution, SourceTarget
from ..languages.registry import language as language_named
from ..languages.typescript.resolve.edges.edges import Edges
from ..languages.typescript.resolve.edges.known_names import KnownNames
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.model.program import OtherFiles
from ..languages.typescript.resolve.model.program import Program as FileProgram
from ..languages.typescript.resolve.model.unit import Unit
from ..languages.typescript.runtime_facts import cached_runtime_facts
from .nominal_files import NominalFiles, outline_of

#: Sign between the path of a document and the ending of the language of its program.
_SIGN: Final = "#"
#: Beginning of a specifier that is followed by the path of a file.
FILE: Final = "file:"
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
#: The name of a module that a script requires as a whole.
_REQUIRED: Final = re.compile(r"(?<![\w$])([\w$]+)[ \t]*=[ \t]*require\(")
_CONSTRUCTOR: Final = "constructor"
_PYTHON: Final = ".py"
_SCRIPT: Final = ".ts"
#: Makes the programs of languages whose files belong to packages.
_PROGRAMS: Final = {".go": go_programs, ".java": java_programs}
_SCRIPTS: Final = (".js", ".cjs", ".mjs")
#: The module of an import in a script, and the modules of an import in Python.
_SCRIPT_MODULE: Final = re.compile(
    r"\b(?:from|import|require|reference)\b[\s(]{0,40}(?:(?:path|types)=)?[\"'`](?P<module>[^\"'`\n]+)[\"'`]"
)
_PYTHON_MODULES: Final = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+(?P<module>\.*[\w.]*)|import[ \t]+(?P<modules>\w[\w., \t]*))", re.MULTILINE
)
#: The modules that blocks of Go and Java import.
_MODULES: Final = {
    ".go": re.compile(r"^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?\"(?P<module>[\w./~-]+)\"[ \t]*(?://[^\n]*)?$", re.MULTILINE),
    ".java": re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?(?P<module>[A-Za-z_]\w*(?:\.\w+)+)", re.MULTILINE),
}


class Use(NamedTuple):
    """A place in a block where the name of a symbol of the repository is used."""

    #: The section around the block, as an index among the symbols of the document.
    section: int
    line: int
    column: int
    #: The name at the place.
    name: str
    symbol: Symbol
    #: Whether the place calls the symbol.
    is_call: bool


class BlockPrograms:
    """The programs of the documents of a repository in one state."""

    def __init__(
        self,
        paths: Callable[[], Iterable[str]],
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
        ambient: Callable[[], Iterable[str]],
        cache: FactReader | None,
        field_of: Callable[[Symbol, str], Symbol | None],
    ) -> None:
        """`paths` returns the paths of all files of the repository, and `ambient` of those that declare something for files that
        do not import them. `field_of` returns the field of a type that a keyword sets when an object is made.
        """
        self._field_of = field_of
        self._ambient = ambient
        self._paths = paths
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolved = resolve
        self._cache = cache
        #: The facts of the programs of documents, by path.
        self._programs: dict[str, FileFacts] = {}
        #: Symbols with edges from programs, by id.
        self._known: dict[str, Symbol] = {}
        #: The types of constructors, by id of the constructor.
        self._made: dict[str, Symbol | None] = {}

    def uses(self, path: str, implied: Callable[[str], Implied]) -> Iterator[Use]:
        """Yield the uses of symbols of the repository in the blocks of a document, in each language.

        `implied` returns what the document leaves to the reader about the imports of a language.
        """
        blocks = self._facts_at(path).blocks
        for extension in sorted({block.extension for block in blocks}.intersection(ENGINES)):
            language = ENGINES[extension]
            left_out = implied(extension)
            if not left_out.imports and not left_out.named and not self._may_use_symbols(blocks, extension, path):
                continue
            parse = language_named(language).parse
            assert parse is not None

            def is_valid(text: str) -> bool:
                return parse(text.encode(), language).is_valid  # noqa: B023 - called before the next language

            of_packages = _PROGRAMS.get(extension)
            if of_packages is None:
                programs = [program_of(blocks, extension, left_out, is_valid)]
            else:
                own = [block for block in blocks if block.extension == extension]
                programs = list(of_packages(own, left_out, is_valid))
            in_text = {each.line: each.section for each in left_out.expressions}
            for number, program in enumerate(programs):
                if program.text.strip():
                    yield from self._uses_in(program, blocks, in_text, _path_of(path, extension, number), language)

    def _may_use_symbols(self, blocks: Sequence[BlockFact], extension: str, path: str) -> bool:
        """Return whether the blocks of a document import code of the repository, or use what it declares for all files.

        Other blocks cannot use a symbol of the repository, so they are not parsed. Most blocks of most documents are such.
        """
        if extension == _SCRIPT and self._has_ambient:
            return True
        modules = dict.fromkeys(
            module for block in blocks if block.extension == extension for module in imported_modules(block.text, extension)
        )
        return any(self._is_of_repository(module, extension, path) for module in modules)

    def _is_of_repository(self, module: str, extension: str, path: str) -> bool:
        if extension == _PYTHON and (module.startswith(".") or module.partition(".")[0] in self._python_names):
            return True
        return isinstance(self._resolved(specifier_of_module(extension, module), path), SourceTarget)

    @cached_property
    def _has_ambient(self) -> bool:
        return next(iter(self._ambient()), None) is not None

    @cached_property
    def _python_names(self) -> frozenset[str]:
        """The names of all files and folders with Python code. A folder may be a package without a file of its own."""
        paths = (path.removesuffix(_PYTHON) for path in self._paths() if path.endswith(_PYTHON))
        return frozenset(part for path in paths for part in path.split("/"))

    def _uses_in(
        self, program: Program, blocks: Sequence[BlockFact], in_text: Mapping[int, int], path: str, language: str
    ) -> Iterator[Use]:
        """Yield the uses in a program. `in_text` has the section of each line of text with an expression."""
        facts = code_facts(program.text.encode(), language)
        self._programs[path] = facts
        content = self._of_script(path) if language == ENGINES[_SCRIPT] else self._of_nominal(path, language)
        taken = _imported_names(facts, program.text)
        lines = program.text.split("\n")
        starts = [block.line for block in blocks]
        places = [(each.to_id, each.lines, each.columns, True) for each in content.calls]
        places += [(each.to_id, each.lines, each.columns, False) for each in content.references]
        for target, at, columns, is_call in places:
            symbol = self._named(target)
            if symbol is None:
                continue
            for line, column in zip(at, columns, strict=True):
                number, indent = program.places[line - 1]
                written = _NAME.match(lines[line - 1], column - 1)
                is_alias = written is not None and written[0] in taken and not symbol.depth
                if number and written is not None and (written[0] == symbol.name or is_alias):
                    section = in_text[number] if number in in_text else blocks[bisect_right(starts, number) - 1].symbol
                    yield Use(section, number, column + indent, written[0], symbol, is_call)
                    for other in program.repeated.get(number, ()):
                        section_there = blocks[bisect_right(starts, other) - 1].symbol
                        yield Use(section_there, other, column + indent, written[0], symbol, is_call)
                    if is_call and language == "python" and symbol.kind in TYPE_KINDS:
                        yield from self._fields(symbol, lines, (line, column), program, section)

    def _fields(
        self, made: Symbol, lines: Sequence[str], place: tuple[int, int], program: Program, section: int
    ) -> Iterator[Use]:
        """Yield the fields of a type that the keywords of a call at a place of a program set."""
        for name, line, column in keywords_of(lines, *place):
            number, indent = program.places[line - 1]
            field = self._field_of(made, name)
            if number and field is not None:
                yield Use(section, number, column + indent, name, field, is_call=False)

    def _named(self, target: str) -> Symbol | None:
        """Return the symbol that code names to use a target: for a constructor, its type. None for a symbol of a document."""
        symbol = self._known.get(target)
        if symbol is not None and symbol.kind == _CONSTRUCTOR:
            if target not in self._made:
                around = self._symbols_at(symbol.relative_path)
                self._made[target] = next((each for each in around if each.id == symbol.parent_id), None)
            symbol = self._made[target]
        return symbol if symbol is not None and symbol.kind not in STATEMENTS else None

    # ------------------------------------------------------------------ engines

    def _of_nominal(self, path: str, language: str) -> GraphContent:
        files = self._nominal if language == ENGINES[_PYTHON] else self._packages
        edges = files.edges_of(language)
        unit = files.unit_at(path)
        assert edges is not None
        assert unit is not None
        return edges.of_calls(unit)

    def _of_script(self, path: str) -> GraphContent:
        unit = self._engine.program.unit_at(path)
        assert unit is not None
        # A name in the program may be that of any member of the repository.
        known = KnownNames({}, frozenset(unit.strings), frozenset())
        return Edges(self._engine, self._symbol_id, known).of_calls([unit], lambda _: None)

    @cached_property
    def _nominal(self) -> NominalFiles:
        return NominalFiles(self._places, self._file, self._resolve, self._symbol_id, self._cache)

    @cached_property
    def _packages(self) -> NominalFiles:
        """The files of languages with packages, apart from other programs, which would be in the folders of their packages."""
        return NominalFiles(self._numbered(sorted(OF_PACKAGES)), self._file, self._resolve, self._symbol_id, self._cache)

    @cached_property
    def _engine(self) -> Engine:
        others = OtherFiles(self._places, lambda path: outline_of(self._file(path)))
        eager = {path: outline_of(self._facts_at(path)) for path in self._ambient()}
        return Engine(FileProgram(eager, self._resolve, cached_runtime_facts(self._cache), None, others, None))

    @cached_property
    def _places(self) -> dict[str, int]:
        return self._numbered(extension for extension in ENGINES if extension not in OF_PACKAGES)

    def _numbered(self, extensions: Iterable[str]) -> dict[str, int]:
        """Return the numbers of all files, and of the programs that documents may have in some languages."""
        files = list(self._paths())
        documents = [path for path in files if language_of(path) in DOCUMENTS]
        programs = [
            _path_of(path, extension, number)
            for extension in extensions
            for path in documents
            for number in range(MAX_PROGRAMS if extension in OF_PACKAGES else 1)
        ]
        return {path: place for place, path in enumerate([*files, *programs])}

    def _file(self, path: str) -> FileFacts:
        return self._programs[path] if path in self._programs else self._facts_at(path)

    def _symbol_id(self, unit: Unit, symbol: int) -> str:
        """Return the id of a symbol. A declaration of a document has an id of its own, which is no id of the graph."""
        if unit.path in self._programs:
            return f"{unit.path}{_SIGN}{symbol}"
        found = self._symbols_at(unit.path)[symbol]
        self._known[found.id] = found
        return found.id

    def _resolve(self, specifier: str, path: str) -> Resolution:
        if path in self._programs:
            if specifier.startswith(FILE):
                return SourceTarget(specifier.removeprefix(FILE))
            document, _, program = path.rpartition(_SIGN)
            extension = program.partition("/")[0]
            found = self._resolved(specifier_of_module(extension, specifier), document)
            if isinstance(found, SourceTarget) and found.path.endswith(_SCRIPTS):
                typed = self._resolved(f"{TYPES}{found.path}", document)
                return typed if isinstance(typed, SourceTarget) else found
            return found
        return self._resolved(specifier, path)


def _path_of(document: str, extension: str, number: int) -> str:
    """Return the path of a program of a document.

    If the files of a folder are a package, the program has a folder of its own.
    """
    return f"{document}{_SIGN}{extension}{f'/{number}/page' if extension in OF_PACKAGES else ''}"


def imported_modules(text: str, extension: str) -> Iterator[str]:
    """Yield the modules that a block imports."""
    if extension in _MODULES:
        yield from (found["module"] for found in _MODULES[extension].finditer(text))
        return
    if extension != _PYTHON:
        for found in _SCRIPT_MODULE.finditer(text):
            yield found["module"]
        return
    for found in _PYTHON_MODULES.finditer(text):
        if found["module"] is not None:
            yield found["module"]
        else:
            yield from (each.split()[0] for each in found["modules"].split(",") if each.strip())


def _imported_names(facts: FileFacts, text: str) -> set[str]:
    """Return the names that a program gives to what it imports."""
    found = {
        name
        for scope in facts.scopes.values()
        for name, binding in scope.names.items()
        if any(facts.decls[place].kind == DeclKind.IMPORT for place in facts.bindings[binding].decls)
    }
    return found.union(_REQUIRED.findall(text))
