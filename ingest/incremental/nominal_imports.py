"""Find the names that a file of a nominal language imports: names of modules, and modules inside of modules.

The result of `from a import b` may be a name of `a` or the module `a.b`, depending on the existing files, so both count as
imported. The modules in `a.b.c` may be modules that no import of the file names.
"""

from __future__ import annotations

from typing import Final

from ..facts.cells import int_array
from ..facts.model import DeclKind, FileFacts
from ..facts.operations import NAME_OPS, Op
from ..languages.registry import language as language_named
from .taken_names import WHOLE, Taken, TakenImport


def inner_module(module: str, name: str) -> str:
    """Return the specifier of a module inside another module: ".", "a" -> ".a"; "a", "b" -> "a.b"."""
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"


class NominalImports:
    """The specifiers of a file's imports and of modules reachable through the imports, with the imported names."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._code = int_array(facts.code)
        #: Numbers of the specifiers; the specifiers of imports come first.
        self._numbers: dict[str, int] = {}
        for entry in facts.imports:
            self._number(entry.specifier)
        #: Number of specifiers in import statements. The other specifiers are derived.
        self.written: Final = len(self._numbers)
        self._taken: dict[int, set[str]] = {}
        self._stars: dict[int, None] = {}
        #: Specifiers of modules that the file may export under a name.
        self._held: set[int] = set()
        #: Specifiers of the modules that a binding may represent, by binding that only imports declare.
        self._modules: dict[int, list[str]] = {}
        #: Specifiers of the modules that a node may represent, for uses of such a binding and for members of modules.
        self._reached: dict[int, list[str]] = {}
        #: The imported names behind each node that is a member of a module.
        self._members: dict[int, tuple[Taken, ...]] = {}
        if not facts.package:  # a file of a package depends on all names of its imports; see `package_changes`
            self._bind()
            self._resolve_members()
        #: Numbers of the specifiers of files that declare the same names, such as a stub file. All names of this file depend on
        #: these files.
        self.beside: Final[list[int]] = []
        #: Specifiers that the language implies without an import. They are recorded even if they are unresolved.
        self.implied: Final = self._imply()

    @property
    def specifiers(self) -> list[str]:
        """All specifiers by their number."""
        return list(self._numbers)

    @property
    def stars(self) -> frozenset[int]:
        """Numbers of the specifiers from which all names are imported."""
        return frozenset(self._stars)

    def taken(self) -> tuple[TakenImport, ...]:
        """Return the imported names of each specifier, in the order of the specifiers' numbers."""
        return tuple(
            TakenImport(specifier, frozenset(self._taken.get(number, ())), number in self._stars, number in self._held)
            for specifier, number in self._numbers.items()
        )

    # ------------------------------------------------------------------ for slices

    def whole(self, binding: int) -> tuple[Taken, ...]:
        """Return None, because `declared` returns the import whose whole module a binding represents."""
        return ()

    def member(self, node: int) -> tuple[object, tuple[Taken, ...]] | None:
        """Return a text that identifies a member of a module, and the imported names behind it; None for any other node."""
        found = self._members.get(node)
        return (self._reached[node], found) if found is not None else None

    def free(self, node: int) -> tuple[Taken, ...]:
        """Return the star imports that may provide a name which the file does not declare."""
        name = self._facts.strings[self._code[node + 2]]
        return tuple([(star, name) for star in self._stars])

    def declared(self, decl: int) -> tuple[object, tuple[Taken, ...]]:
        """Return a text that identifies the declaration of an import, and the imported names."""
        module, name = self._import(decl)
        if not name:
            return module, ((self._number(module), WHOLE),)
        return (module, name), ((self._number(module), name), (self._number(inner_module(module, name)), WHOLE))

    # ------------------------------------------------------------------ computation

    def _number(self, specifier: str) -> int:
        return self._numbers.setdefault(specifier, len(self._numbers))

    def _take(self, specifier: str, name: str) -> Taken:
        number = self._number(specifier)
        self._taken.setdefault(number, set()).add(name)
        return number, name

    def _import(self, index: int) -> tuple[str, str]:
        """Return the module and the name of an import; the name is "" for the module itself."""
        decl, strings = self._facts.decls[index], self._facts.strings
        return strings[decl.a], strings[decl.b] if decl.b >= 0 else ""

    def _bind(self) -> None:
        facts = self._facts
        roots = set(facts.scopes[0].names.values()) if 0 in facts.scopes else set[int]()
        for binding, entry in enumerate(facts.bindings):
            modules: dict[str, None] = {}
            for decl in entry.decls:
                if facts.decls[decl].kind != DeclKind.IMPORT:
                    continue
                module, name = self._import(decl)
                if name == WHOLE:
                    self._stars[self._number(module)] = None
                    continue
                if name:
                    self._take(module, name)
                    module = inner_module(module, name)
                modules[module] = None
            if not modules:
                continue
            numbers = [self._number(module) for module in modules]
            if binding in roots:
                self._held.update(numbers)
            if all(facts.decls[decl].kind == DeclKind.IMPORT for decl in entry.decls):
                self._modules[binding] = list(modules)
            else:
                for module in modules:
                    self._take(module, WHOLE)

    def _resolve_members(self) -> None:
        """Resolve members of modules. Children precede their parent in the table of nodes."""
        code, strings = self._code, self._facts.strings
        qualified: set[int] = set()
        for node in range(0, len(code), 5):
            op = code[node]
            if op in NAME_OPS:
                binding = code[node + 1]
                if binding in self._modules:
                    self._reached[node] = self._modules[binding]
                elif binding < 0:
                    for star in self._stars:
                        self._taken.setdefault(star, set()).add(strings[code[node + 2]])
            elif op == Op.MEMBER and code[node + 1] in self._reached:
                name = strings[code[node + 2]]
                taken = [self._take(module, name) for module in self._reached[code[node + 1]]]
                inner = [inner_module(module, name) for module in self._reached[code[node + 1]]]
                self._reached[node] = inner
                self._members[node] = (*taken, *[(self._number(module), WHOLE) for module in inner], *self._root(node))
                qualified.add(code[node + 1])
        for node, modules in self._reached.items():
            if node not in qualified:
                for module in modules:
                    self._take(module, WHOLE)

    def _imply(self) -> frozenset[str]:
        """Add the names that the file imports without an import statement."""
        rules = language_named(self._facts.language).wiring
        implied = rules.implied_imports(self._facts) if rules is not None else []
        for entry in implied:
            number, _ = self._take(entry.specifier, entry.name)
            if entry.is_beside:
                self.beside.append(number)
        return frozenset(entry.specifier for entry in implied)

    def _root(self, node: int) -> tuple[Taken, ...]:
        """Return the imported names behind the first part of a dotted name."""
        code = self._code
        while code[node] == Op.MEMBER:
            node = code[node + 1]
        names = [self._import(decl) for decl in self._facts.bindings[code[node + 1]].decls]
        return tuple([(self._number(module), name) for module, name in names if name])
