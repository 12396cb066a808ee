"""Resolves imports and calls in the code blocks of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ...schema.paths import parent_of, stem_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import TYPE_KINDS
from ..documents.blocks.code import ARGUMENT, INHERITED, INHERITED_CHAIN
from ..documents.names import CodeName, read_name
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..languages.import_targets import Resolution, SourceTarget
from .member_types import MemberTypes
from .mentioned import BLOCK_FORMS, Target, namespaced_class, submodule
from .module_exports import ModuleExports
from .module_names import DEFAULT
from .named_declarations import NamedDeclarations, is_module_of_folder
from .value_members import is_member

_ANY_NAME: Final = "__getattr__"
#: Maximum number of words of an alias of a package.
_MAX_ALIAS: Final = 6
_VALUES: Final = frozenset(("const", "variable"))
_GO: Final = ".go"
_PHP: Final = ".php"
_RUST: Final = ".rs"
_JVM: Final = (".java", ".kt", ".scala")
#: Forms of paths that may end with a member of a type which the repository does not declare.
_UNSURE_PATHS: Final = frozenset(("chain", INHERITED, INHERITED_CHAIN))
#: Languages in which the path of a module may end with the name of a declaration that a macro or another file makes.
_UNCERTAIN: Final = frozenset((_RUST, _PHP))


class BlockMentions:
    """Resolves the imports and calls in code blocks of documents."""

    def __init__(
        self,
        names: NamedDeclarations,
        types: MemberTypes,
        exports: ModuleExports,
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        self._names = names
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolve = resolve
        self._types = types
        self._exports = exports

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
            symbol = self.declared_in(module, name)
            if symbol is not None:
                yield Target(symbol.id, "symbol", "import")
            elif (inner := self._module_in(mention, name, path)) is not None:
                yield Target(inner, "file", "import")
            elif mention.extension not in _UNCERTAIN and not self.may_have(module, name):
                yield Target(f"{mention.text}.{name}", "unresolved", "import", "member")

    def _used(self, mention: MentionFact, path: str, module: str | None) -> Iterator[Target]:
        """Yield the declaration of a name that a block imports and does not call, or the declaration of the name's member."""
        if module is None:
            return
        first, *rest = mention.names
        symbol = self.declared_in(module, first)
        if symbol is None:
            return
        is_followed = symbol.kind in TYPE_KINDS or symbol.kind in _VALUES
        member = self._types.follow(symbol, rest[:1]) if rest and is_followed else None
        yield Target(symbol.id, "symbol", "name")
        if member is not None:
            yield Target(member.id, "symbol", "qualified")

    def _called(self, mention: MentionFact, path: str, module: str | None) -> Iterator[Target]:
        """Yield the function that a call in a block names by names inside the module `module`."""
        first, *rest = mention.names
        if mention.form == "package call" and (module is None or not is_module_of_folder(module)):
            if mention.extension == _GO and not rest:
                yield from self._in_go_package(mention.text, first)
            return
        if module is None:
            return
        if first.startswith(ARGUMENT):  # the module itself is called: `require("shop")(options)`
            first, rest = DEFAULT, [first, *rest]
        if rest and mention.extension == _RUST and mention.text.rpartition("::")[2] == first == _module_name(module):
            first, *rest = rest  # `use shop::cart`, then `cart::open()`
        symbol = self.declared_in(module, first)
        if symbol is None and rest and (inner := self._module_in(mention, first, path)) is not None:
            module = inner
            first, *rest = rest
            symbol = self.declared_in(module, first)
        if symbol is None:
            if first != DEFAULT and not rest and mention.extension not in _UNCERTAIN and not self.may_have(module, first):
                yield Target(".".join((mention.text, *mention.names)), "unresolved", "call", "member")
        elif not rest:
            yield Target(symbol.id, "symbol", "call")
        else:
            found = self._types.follow(symbol, rest)
            if found is not None:
                yield Target(found.id, "symbol", "call")
                if symbol.kind in TYPE_KINDS | _VALUES and mention.form == "call":
                    yield Target(symbol.id, "symbol", "call")
            elif (
                len(rest) == 1
                and symbol.kind in TYPE_KINDS
                and mention.form not in _UNSURE_PATHS
                and not self._types.has_foreign_ancestor(symbol)
            ):
                yield Target(f"{symbol.name}.{rest[0]}", "unresolved", "call", "member")
            elif mention.form == "call" and first in (DEFAULT, symbol.name):
                yield Target(symbol.id, "symbol", "name")

    def in_namespace(self, mention: MentionFact, module: str) -> Iterator[Target]:
        """Yield the class of PHP that a name with namespaces denotes, and its member. `module` is the file of the class."""
        name = read_name(mention.text)
        own = (namespaced_class(mention) or "").rpartition("\\")[2]
        symbol = self.declared_in(module, own)
        if name is None or symbol is None:
            return
        yield Target(symbol.id, "symbol", "qualified")
        rest = name.parts[name.parts.index(own) + 1 :]
        member = self._types.follow(symbol, rest) if rest else None
        if member is not None:
            yield Target(member.id, "symbol", "qualified")

    def in_outer_namespace(self, mention: MentionFact) -> str | None:
        """Return the file of the only class of PHP to which a part of its namespaces leads: `new Rules\\Positive` for
        `Shop\\Rules\\Positive`.
        """
        if mention.form not in BLOCK_FORMS or mention.extension != _PHP or mention.text.find("\\") < 1:
            return None
        ending = f"/{mention.text.replace(chr(92), '/')}{_PHP}"
        found = self._names.candidates(CodeName((mention.text.rpartition("\\")[2],), False)) or ()
        files = {each.relative_path for each in found if each.kind in TYPE_KINDS and each.relative_path.endswith(ending)}
        return files.pop() if len(files) == 1 else None

    def exported_by(self, modules: Iterable[str], name: str) -> Symbol | None:
        """Return what one of some modules exports under a name, if they agree on it."""
        found = [symbol for module in modules if (symbol := self._exports.find(module, name)[0]) is not None]
        return found[0] if len({symbol.id for symbol in found}) == 1 and found[0].exported else None

    def declared_in(self, module: str, name: str) -> Symbol | None:
        """Return the declaration or export of a name in a module, or the only such declaration in the module's folder."""
        exported, is_taken = self._exports.find(module, name)
        if exported is not None:
            return exported
        if module.endswith(_JVM) and (inner := self._inner_type(module, name)) is not None:
            return inner
        if (is_taken and not module.endswith(_RUST)) or name == DEFAULT or self._exports.names(module).is_complete:
            # The name is imported from another module, or the module has no such name. A macro of Rust may make the name.
            return None
        folder = parent_of(module)
        if module.endswith(_GO):
            # A folder is the package. A package in an inner folder, and another version, may declare the same name.
            return self._in_folder(folder, name)
        found = self._names.candidates(CodeName((name,), False)) or []
        inside = [each for each in found if not is_member(each) and (not folder or each.relative_path.startswith(f"{folder}/"))]
        beside = [each for each in inside if parent_of(each.relative_path) == folder]
        inside = beside if len(beside) == 1 else inside
        return inside[0] if len(inside) == 1 else None

    def _inner_type(self, module: str, name: str) -> Symbol | None:
        """Return the type inside of a type of a file, which Java imports by the names of both."""
        inner = [each for each in self._symbols_at(module) if each.name == name and each.depth and each.kind in TYPE_KINDS]
        return inner[0] if len(inner) == 1 else None

    def _in_folder(self, folder: str, name: str) -> Symbol | None:
        """Return the only declaration of a name in a package of Go, whose files are those of a folder."""
        found = self._names.of_package(folder, name)
        return found[0] if len(found) == 1 else None

    def may_have(self, module: str, name: str) -> bool:
        """Return whether a module may have a name without a declaration: a module of Python makes any name in `__getattr__`, or
        takes the name from a compiled module.
        """
        is_open = any(symbol.name == _ANY_NAME and not symbol.depth for symbol in self._symbols_at(module))
        names = self._exports.names(module)
        return is_open or name in names.members or any(local == name for local, _, _ in names.imports)

    def _module_in(self, mention: MentionFact, name: str, path: str) -> str | None:
        """Return the file of a module in a Python package."""
        specifier = submodule(mention, name)
        found = self._resolve(specifier, path) if specifier else None
        return found.path if isinstance(found, SourceTarget) else None

    def _is_own_package(self, name: str, path: str) -> bool:
        found = self._resolve(f".py:{name}", path) if name else None
        return isinstance(found, SourceTarget) and is_module_of_folder(found.path)

    def _in_go_package(self, package: str, name: str) -> Iterator[Target]:
        """Yield a function of a Go package that a document calls without an import."""
        found = [each for each in self._names.candidates(CodeName((package, name), True)) or () if each.qualified_name == name]
        found = [each for each in found if self._facts_at(each.relative_path).package == package]
        found = found or self._of_go_alias(package, name)
        if len(found) == 1:
            yield Target(found[0].id, "symbol", "call")

    def _of_go_alias(self, alias: str, name: str) -> list[Symbol]:
        """Return the exported declarations of Go with a name whose package a document may have imported under an alias:
        `redis_store.New()` of the package `redis`, `goCart.New()` of the package `go_cart`.
        """
        words = alias.lower().split("_")[:_MAX_ALIAS]
        parts = {"".join(words[start:end]) for end in range(len(words) + 1) for start in range(end)}
        found = [each for each in self._names.candidates(CodeName((name,), True)) or () if each.qualified_name == name]
        found = [each for each in found if each.exported and each.relative_path.endswith(_GO)]
        return [each for each in found if self._facts_at(each.relative_path).package.lower().replace("_", "") in parts]


def _module_name(path: str) -> str:
    """Return the name of the module that a file of Rust is: `cart` for `cart.rs` and for `cart/mod.rs`."""
    stem = stem_of(path)
    return parent_of(path).rpartition("/")[2] if stem == "mod" else stem
