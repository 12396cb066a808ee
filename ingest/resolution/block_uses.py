"""The symbols of the repository that the blocks of code of a document use, as the engines of their languages tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.blocks.imports import WHOLE
from ..documents.blocks.programs import OF_PACKAGES, Implied, NamedImport, is_namespace, required_modules
from ..documents.blocks.used_names import expressions_in, fixtures_of, free_names
from ..documents.names import CodeName, has_several_words
from ..facts.document_facts import BlockFact, MentionFact
from ..facts.expressions import FileNodes
from ..facts.model import DeclKind, FileFacts
from ..facts.operations import Op
from ..files.path_roles import is_test_path
from ..languages.document_paths import specifier_of_module
from ..languages.import_targets import Resolution, SourceTarget
from .block_programs import FILE, BlockPrograms, Use, imported_modules
from .lambda_receivers import LambdaReceivers
from .mentioned import BLOCK_FORMS, Target, shown_class
from .module_exports import ModuleExports
from .module_names import DEFAULT
from .named_declarations import NamedDeclarations, example_in, is_module_of_folder, is_stub
from .shared_imports import SharedImport, SharedImports
from .shown_mentions import ShownMentions
from .value_members import is_of_language, is_of_runtime

_PYTHON: Final = ".py"
#: Names of the decorators of fixtures of pytest.
_FIXTURE: Final = frozenset(("fixture", "yield_fixture"))
_NAMESPACE: Final = "namespace"
#: Number of parts of a name that consists of a type and its member.
_TYPE_AND_MEMBER: Final = 2
_GO: Final = ".go"
_JAVA: Final = ".java"
#: A member of a package of Go: `shop.Open`.
_QUALIFIED: Final = re.compile(r"(?<![\w.\"/])(?P<package>[a-z]\w*)\.(?P<name>[A-Z]\w*)")
_TYPE: Final = re.compile(r"(?<![\w.\"$@])@?(?P<name>[A-Z]\w*)(?!\w)")
_DECLARED: Final = re.compile(r"\b(?:class|interface|enum|record)[ \t]+(?P<name>[A-Z]\w*)")
#: Maximum number of names of a package that are looked up.
_MAX_NAMES: Final = 12
#: The ids of symbols, by the line and the name of their uses.
UsedNames = Mapping[tuple[int, str], frozenset[str]]


class BlockUses:
    """Finds what the blocks of documents use, with the imports that the documents leave to the reader."""

    def __init__(
        self,
        programs: BlockPrograms,
        names: NamedDeclarations,
        exports: ModuleExports,
        shown: ShownMentions,
        shared: SharedImports,
        lambdas: LambdaReceivers,
        facts_at: Callable[[str], FileFacts],
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        self._programs = programs
        self._names = names
        self._exports = exports
        self._shown = shown
        self._shared = shared
        self._lambdas = lambdas
        self._facts_at = facts_at
        self._resolve = resolve
        self._packages = ImpliedPackages(names, facts_at, resolve)

    def of(self, path: str, facts: FileFacts) -> list[Use]:
        """Return the uses of symbols of the repository in the blocks of a document."""
        if not facts.blocks:
            return []
        found = []
        for use in self._programs.uses(path, lambda extension: self._left_out(path, facts, extension)):
            self._names.note_example(use.symbol.relative_path)
            found.append(use._replace(symbol=self._written(use.symbol)))
        found += self._lambdas.uses(facts.blocks)
        return _without_namespaces(found) + list(self._fixtures(facts))

    def _written(self, symbol: Symbol) -> Symbol:
        """Return the code of a symbol that a declaration file declares for JavaScript, if the repository has the code."""
        if not is_stub(symbol.relative_path):
            return symbol
        parts = tuple(symbol.qualified_name.split("."))
        owner = self._names.owner(symbol)
        least = _TYPE_AND_MEMBER if owner is not None and owner.kind in TYPE_KINDS else 1
        for length in range(len(parts), least - 1, -1):
            found = self._names.candidates(CodeName(parts[-length:], True)) or ()
            found = [each for each in found if not is_stub(each.relative_path)]
            found = [each for each in found if symbol.qualified_name.endswith(each.qualified_name)]
            if len(found) == 1:
                return found[0]
        return symbol

    def _fixtures(self, facts: FileFacts) -> Iterator[Use]:
        """Yield the fixtures of pytest that tests in blocks take as parameters."""
        for block in facts.blocks:
            for name, line, column in fixtures_of(block):
                every = self._names.candidates(CodeName((name,), False)) or ()
                found = [each for each in every if each.kind in CALLABLE_KINDS and not each.depth and self._is_fixture(each)]
                if len(found) == 1:
                    yield Use(block.symbol, line, column, name, found[0], is_call=False)

    def _is_fixture(self, symbol: Symbol) -> bool:
        """Return whether a function of Python is a fixture of pytest for the tests of users."""
        path = symbol.relative_path
        if not path.endswith(_PYTHON) or is_test_path(path) or example_in(path):
            return False
        facts = self._facts_at(path)
        if _FIXTURE.isdisjoint(facts.strings):
            return False
        nodes = FileNodes(facts)
        for decl in facts.decls:
            if decl.kind == DeclKind.FUNCTION and decl.name == symbol.name and decl.b >= 0:
                marks = [nodes.code[node + 1] if nodes.code[node] == Op.CALL else node for node in nodes.items(decl.b)]
                return any(mark >= 0 and nodes.string(nodes.code[mark + 2]) in _FIXTURE for mark in marks)
        return False

    # ------------------------------------------------------------------ imports that a document leaves out

    def _left_out(self, path: str, facts: FileFacts, extension: str) -> Implied:
        expressions = list(expressions_in(facts.mentions, facts.blocks, extension))
        if extension in OF_PACKAGES:
            named = list(self._packages.imports(facts.blocks, extension))
            return Implied(expressions=expressions, named=named, packages=self._packages.packages(path, facts.blocks, extension))
        defaults = set()
        for module, names in required_modules(facts.blocks, extension).items():
            found = self._resolve(specifier_of_module(extension, module), path)
            if not isinstance(found, SourceTarget) or not self._exports.has_default(found.path):
                continue
            others = self._exports.names(found.path).exports.keys() - {DEFAULT}
            if not any(is_namespace(name, others, facts.blocks, extension) for name in names):
                defaults.add(module)
        return Implied(list(self._implied(path, facts, extension)), frozenset(defaults), expressions)

    def _implied(self, path: str, facts: FileFacts, extension: str) -> Iterator[str]:
        """Yield imports for names that the blocks use and neither import nor define."""
        modules: dict[str, str] = {}
        for mention in facts.mentions:
            if mention.form == "import" and mention.extension == extension and mention.text:
                found = self._resolve(specifier_of_module(extension, mention.text), path)
                if isinstance(found, SourceTarget):
                    modules.setdefault(mention.text, found.path)
                outer = mention.text.partition(".")[0] if extension == _PYTHON else ""
                package = self._resolve(specifier_of_module(extension, outer), path) if outer else None
                if isinstance(package, SourceTarget):
                    modules.setdefault(outer, package.path)
        for name, is_called in sorted(free_names(facts.blocks, extension).items()):
            line = self._import_of(name, is_called, extension, path, modules)
            if line:
                yield line
            elif (shared := self._shared.of(name, extension)) is not None:
                yield _import_as(extension, shared, name)
            elif name[:1].isupper():
                yield from self._declared_elsewhere(name, extension, path)

    def _declared_elsewhere(self, name: str, extension: str, path: str) -> Iterator[str]:
        """Yield the declaration of a class that the blocks use and only other pages declare, with the import of its base."""
        base = self._shown.base_of(name, extension, parent_of(path))
        written = self._import_of_base(name, base, extension, path) if base is not None else ""
        if written and base is not None:
            yield written
            is_python = extension == _PYTHON
            yield f"class {name}({base.name}): pass" if is_python else f"class {name} extends {base.name} {{}}"

    def _import_of_base(self, name: str, base: Symbol, extension: str, path: str) -> str:
        """Return the import of the base of a class as the pages that declare the class write it."""
        for page in self._names.paths(shown_class(name)):
            for mention in self._shared.imports_in(page):
                if mention.form == "import" and mention.extension == extension and base.name in mention.names:
                    found = self._resolve(specifier_of_module(extension, mention.text), path)
                    if isinstance(found, SourceTarget):
                        return _import(extension, mention.text, base.name)
        return self._import_from(base, extension, path)

    def _import_of(self, name: str, is_called: bool, extension: str, path: str, modules: Mapping[str, str]) -> str:
        for module, file in modules.items():
            if not module.startswith(".") and (symbol := self._exports.find(file, name)[0]) is not None and symbol.exported:
                return _import(extension, module, name)
        own = self._resolve(f"{extension}:{name}", path) if extension == _PYTHON else None
        if isinstance(own, SourceTarget) and is_module_of_folder(own.path):
            is_function = is_called and self._exports.find(own.path, name)[0] is not None
            return _import(extension, name, name) if is_function else f"import {name}"
        if is_of_runtime(name, extension):
            return ""
        found = self._names.candidates(CodeName((name,), False)) or ()
        found = [each for each in found if is_of_language(each, extension)]
        if len(found) != 1 or not self._is_public(found[0], name):
            return ""
        return self._import_from(found[0], extension, path)

    def _is_public(self, symbol: Symbol, name: str) -> bool:
        """Return whether a symbol is a type or a function at the root of a file that other code may import."""
        is_code = symbol.kind in CALLABLE_KINDS | TYPE_KINDS and not symbol.depth and "." not in symbol.qualified_name
        path = symbol.relative_path
        return is_code and symbol.exported and has_several_words(name) and not is_test_path(path) and not example_in(path)

    def _import_from(self, symbol: Symbol, extension: str, path: str) -> str:
        """Return an import of a symbol; "" if no name of its module is known."""
        if extension != _PYTHON:
            return f'import {{ {symbol.name} }} from "{FILE}{symbol.relative_path}"'
        parts = symbol.relative_path.removesuffix(_PYTHON).removesuffix("/__init__").split("/")
        for start in range(len(parts)):
            module = ".".join(parts[start:])
            found = self._resolve(f"{extension}:{module}", path) if all(part.isidentifier() for part in parts[start:]) else None
            if isinstance(found, SourceTarget) and found.path == symbol.relative_path:
                return _import(extension, module, symbol.name)
        return ""


class ImpliedPackages:
    """Finds the packages and types of the repository that blocks use without an import."""

    def __init__(
        self, names: NamedDeclarations, facts_at: Callable[[str], FileFacts], resolve: Callable[[str, str], Resolution]
    ) -> None:
        self._names = names
        self._facts_at = facts_at
        self._resolve = resolve

    def imports(self, blocks: Sequence[BlockFact], extension: str) -> Iterator[NamedImport]:
        """Yield the imports that the blocks in a language leave out."""
        texts = [block.text for block in blocks if block.extension == extension]
        if extension == _GO:
            yield from self._of_go(texts)
        elif extension == _JAVA:
            yield from self._of_java(texts)

    def packages(self, path: str, blocks: Sequence[BlockFact], extension: str) -> dict[str, str]:
        """Return the names of the packages of the repository that the blocks of a document in Go import, by import path."""
        found = {}
        for block in blocks:
            for module in imported_modules(block.text, extension) if block.extension == extension == _GO else ():
                target = self._resolve(specifier_of_module(extension, module), path)
                if isinstance(target, SourceTarget) and module not in found:
                    found[module] = self._facts_at(target.path).package
        return found

    def _of_go(self, texts: Sequence[str]) -> Iterator[NamedImport]:
        members: dict[str, dict[str, None]] = {}
        for text in texts:
            for found in _QUALIFIED.finditer(text):
                members.setdefault(found["package"], {})[found["name"]] = None
        for package, names in members.items():
            places: set[str] = set()
            file = ""
            for name in list(names)[:_MAX_NAMES]:
                every = self._names.candidates(CodeName((package, name), True)) or ()
                inside = [each for each in every if each.qualified_name == name and self._is_of_package(each, package)]
                places.update(parent_of(each.relative_path) for each in inside)
                file = file or next((each.relative_path for each in inside), "")
            if len(places) == 1:
                yield NamedImport(package, f'import {package} "{FILE}{file}"')

    def _is_of_package(self, symbol: Symbol, package: str) -> bool:
        path = symbol.relative_path
        return path.endswith(_GO) and not is_test_path(path) and self._facts_at(path).package == package

    def _of_java(self, texts: Sequence[str]) -> Iterator[NamedImport]:
        declared = {found["name"] for text in texts for found in _DECLARED.finditer(text)}
        used = dict.fromkeys(found["name"] for text in texts for found in _TYPE.finditer(text))
        for name in used:
            every = (self._names.candidates(CodeName((name,), False)) or ()) if name not in declared else ()
            found = [each for each in every if _is_type_for_users(each)]
            package = self._facts_at(found[0].relative_path).package if len(found) == 1 else ""
            if package:
                yield NamedImport(name, f"import {package}.{name};")


def _is_type_for_users(symbol: Symbol) -> bool:
    path = symbol.relative_path
    is_outer = symbol.kind in TYPE_KINDS and not symbol.depth and symbol.exported
    return is_outer and path.endswith(_JAVA) and not is_test_path(path) and not example_in(path)


def _without_namespaces(uses: Sequence[Use]) -> list[Use]:
    """Leave out namespaces that only add members to a function or a class of their name."""
    merged = {(use.line, use.column) for use in uses if use.symbol.kind != _NAMESPACE}
    return [use for use in uses if use.symbol.kind != _NAMESPACE or (use.line, use.column) not in merged]


def _import_as(extension: str, shared: SharedImport, name: str) -> str:
    """Return the import of what other pages import under a name."""
    module, imported = shared.module, shared.imported
    if imported == name:
        return _import(extension, module, name)
    if extension == _PYTHON:
        return f"import {module} as {name}" if imported == WHOLE else f"from {module} import {imported} as {name}"
    if imported == WHOLE:
        return f'const {name} = require("{module}")'
    return f'import {name} from "{module}"' if imported == DEFAULT else f'import {{ {imported} as {name} }} from "{module}"'


def _import(extension: str, module: str, name: str) -> str:
    return f"from {module} import {name}" if extension == _PYTHON else f'import {{ {name} }} from "{module}"'


# ------------------------------------------------------------------ other targets of the same names


def used_names(uses: Iterable[Use]) -> UsedNames:
    """Return the ids of the symbols with each name that the blocks use in each line."""
    found: dict[tuple[int, str], set[str]] = {}
    for use in uses:
        found.setdefault((use.line, use.symbol.name), set()).add(use.symbol.id)
    return {place: frozenset(ids) for place, ids in found.items()}


def is_contradicted(target: Target, mention: MentionFact, used: UsedNames, known: Mapping[str, Symbol]) -> bool:
    """Return whether the engine finds another symbol than a target for a name in a block, or for a member of a value."""
    if mention.form not in BLOCK_FORMS and not (mention.form == "code" and "." in mention.text):
        return False
    symbol = known.get(target.key)
    name = symbol.name if symbol is not None else target.key.rpartition(".")[2]
    ids = used.get((mention.line, name))
    return ids is not None and target.key not in ids and target.form != "file"
