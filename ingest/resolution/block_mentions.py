"""Resolves imports and calls in the code blocks of documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS, TYPE_KINDS
from ..documents.names import CodeName
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..languages.import_targets import Resolution, SourceTarget
from .member_types import MemberTypes
from .mentioned import DEFAULT, ModuleNames, Target, module_names, submodule
from .named_declarations import NamedDeclarations, is_module_of_folder
from .value_members import is_member

_DEFAULT_EXPORT: Final = re.compile(r"export default (\w+);?$")
#: Maximum number of modules through which a name is followed to its declaration.
_MAX_MODULES: Final = 40


class BlockMentions:
    """Resolves the imports and calls in code blocks of documents."""

    def __init__(
        self,
        names: NamedDeclarations,
        types: MemberTypes,
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        self._names = names
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolve = resolve
        self._types = types
        #: The names of the modules that were searched, by path.
        self._modules: dict[str, ModuleNames] = {}

    def targets(self, mention: MentionFact, path: str, module: str | None) -> Iterator[Target]:
        """Yield the targets of an import or a call in a document; `module` is the file that its module resolves to."""
        read = {"import": self._imported, "use": self._used}.get(mention.form, self._called)
        yield from read(mention, path, module)

    def _imported(self, mention: MentionFact, path: str, module: str | None) -> Iterator[Target]:
        if module is None:
            if mention.extension == ".py" and self._is_own_package(mention.text.partition(".")[0], path):
                yield Target(mention.text, "unresolved", "import", "module")
            return
        yield Target(module, "file", "import")
        for name in mention.names:
            symbol = self._declared_in(module, name)
            if symbol is not None:
                yield Target(symbol.id, "symbol", "import")
            elif (inner := self._module_in(mention, name, path)) is not None:
                yield Target(inner, "file", "import")
            else:
                yield Target(f"{mention.text}.{name}", "unresolved", "import", "member")

    def _used(self, mention: MentionFact, path: str, module: str | None) -> Iterator[Target]:
        """Yield the declaration of a name that a block imports and does not call, or the declaration of the name's member."""
        if module is None:
            return
        first, *rest = mention.names
        symbol = self._declared_in(module, first)
        if symbol is None:
            return
        member = self._types.follow(symbol, rest[:1]) if rest and symbol.kind in TYPE_KINDS else None
        yield Target(symbol.id, "symbol", "name")
        if member is not None:
            yield Target(member.id, "symbol", "qualified")

    def _called(self, mention: MentionFact, path: str, module: str | None) -> Iterator[Target]:
        """Yield the function that a call in a block names by names inside the module `module`."""
        first, *rest = mention.names
        if mention.form == "package call" and (module is None or not is_module_of_folder(module)):
            if mention.extension == ".go" and not rest:
                yield from self._in_go_package(mention.text, first)
            return
        if module is None:
            return
        symbol = self._declared_in(module, first)
        if symbol is None and rest and (inner := self._module_in(mention, first, path)) is not None:
            first, *rest = rest
            symbol = self._declared_in(inner, first)
        if symbol is None:
            if first != DEFAULT and not rest:
                yield Target(".".join((mention.text, *mention.names)), "unresolved", "call", "member")
        elif not rest:
            yield Target(symbol.id, "symbol", "call")
        else:
            found = self._types.follow(symbol, rest)
            if found is not None:
                yield Target(found.id, "symbol", "call")
                if symbol.kind in TYPE_KINDS and mention.form != "chain":
                    yield Target(symbol.id, "symbol", "call")
            elif len(rest) == 1 and symbol.kind in TYPE_KINDS and mention.form != "chain":
                yield Target(f"{symbol.name}.{rest[0]}", "unresolved", "call", "member")
            elif mention.form == "call" and first in (DEFAULT, symbol.name):
                yield Target(symbol.id, "symbol", "name")

    def _declared_in(self, module: str, name: str) -> Symbol | None:
        """Return the declaration or export of a name in a module, or the only such declaration in the module's folder."""
        waiting = [(module, name)]
        seen = set(waiting)
        while waiting and len(seen) <= _MAX_MODULES:
            path, wanted = waiting.pop(0)
            own = self._module(path).local_names(wanted) | self._default(path, wanted)
            for symbol in self._symbols_at(path):
                if symbol.name in own and not symbol.depth and symbol.kind not in STATEMENTS:
                    return symbol
            for step in self._taken_from(path, own):
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
        if len(seen) > 1 or name == DEFAULT:
            return None  # the name is imported from another module
        folder = parent_of(module)
        found = self._names.candidates(CodeName((name,), False)) or []
        inside = [each for each in found if not is_member(each) and (not folder or each.relative_path.startswith(f"{folder}/"))]
        beside = [each for each in inside if parent_of(each.relative_path) == folder]
        inside = beside if len(beside) == 1 else inside
        return inside[0] if len(inside) == 1 else None

    def _default(self, path: str, wanted: str) -> set[str]:
        """Return the name that a module exports as its default: `got` of `export default got`."""
        exports = (symbol.name for symbol in self._symbols_at(path) if symbol.kind == "export") if wanted == DEFAULT else ()
        return {found[1] for name in exports if (found := _DEFAULT_EXPORT.match(name)) is not None}

    def _taken_from(self, path: str, names: set[str]) -> Iterator[tuple[str, str]]:
        """Yield the modules from which a module may import a name, each with the name in that module."""
        for name, specifier, imported in self._module(path).imports:
            if name in names or name == "*":
                found = self._resolve(specifier, path)
                if isinstance(found, SourceTarget):
                    taken = sorted(names - {DEFAULT}) if name == "*" else {imported} - {"", "*"}
                    yield from ((found.path, each) for each in taken)

    def _module(self, path: str) -> ModuleNames:
        known = self._modules.get(path)
        if known is None:
            known = self._modules[path] = module_names(self._facts_at(path))
        return known

    def _module_in(self, mention: MentionFact, name: str, path: str) -> str | None:
        """Return the file of a module in a Python package."""
        specifier = submodule(mention, name)
        found = self._resolve(specifier, path) if specifier else None
        return found.path if isinstance(found, SourceTarget) else None

    def _is_own_package(self, name: str, path: str) -> bool:
        found = self._resolve(f".py:{name}", path) if name else None
        return isinstance(found, SourceTarget) and is_module_of_folder(found.path)

    def _in_go_package(self, package: str, name: str) -> Iterator[Target]:
        """Yield a function of the Go package at the root of the repository. Documents call it without an import."""
        found = [each for each in self._names.candidates(CodeName((name,), True)) or () if not parent_of(each.relative_path)]
        found = [each for each in found if each.qualified_name == name]
        found = [each for each in found if self._facts_at(each.relative_path).package == package]
        if len(found) == 1:
            yield Target(found[0].id, "symbol", "call")
