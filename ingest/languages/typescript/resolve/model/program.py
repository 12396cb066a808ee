"""The files of a run as the engine sees them: unpacked facts, resolved imports, global names."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final, Literal

from .....facts.cells import int_array
from .....facts.model import Decl, DeclKind, FileFacts, Function, Member, Scope, Shape, ShapeKind
from .....facts.operations import Cast, ContextKind, Op
from .....files.path_roles import is_declaration_file, is_global_script
from ...module_resolution import BuiltinTarget, PackageTarget, Resolution, SourceTarget
from ...module_resolution.compiler_programs import CompilerPrograms
from ...module_resolution.packages.star_patterns import StarPatterns

if TYPE_CHECKING:
    from .binder import Entity
    from .type_model import Parameter, Type

#: Remembered types of the nodes, bindings or functions of one file, by their index.
Memory = dict[int, "Type"]


#: Difference between the numbers of two units: more than any index with a kind of question. Its lowest bits are those of a
#: prime, because a dictionary looks keys up by their lowest bits: with a power of two, a key met those of all other units.
_DISTANCE: Final = (1 << 34) + 0x9E3779B1
#: Numbers of units.
_NUMBERS: Final[Iterator[int]] = count(0, _DISTANCE)
#: Contexts that pass their expected type, and whether they are constant, to a literal inside them.
TRANSPARENT_CONTEXTS: Final = frozenset((ContextKind.PROPERTY, ContextKind.ELEMENT, ContextKind.SAME))


class Unit:
    """The facts of one file, with its tables unpacked. Units are compared by identity."""

    __slots__ = (
        "_bindings_of",
        "_function_nodes",
        "_method_places",
        "_namespace_symbols",
        "_namespaces",
        "_object_nodes",
        "applied_types",
        "binding_types",
        "bindings",
        "code",
        "contexts",
        "declared_types",
        "decls",
        "dotted_entities",
        "expected_types",
        "expression_types",
        "external",
        "facts",
        "free_parameters",
        "functions",
        "import_targets",
        "index",
        "line_starts",
        "lists",
        "member_tables",
        "number",
        "owner_offsets",
        "owner_symbols",
        "parameter_types",
        "path",
        "return_types",
        "scopes",
        "shapes",
        "strings",
        "symbols",
        "template",
        "wide_ends",
        "wide_extra",
    )

    def __init__(self, index: int, path: str, facts: FileFacts, external: str = "") -> None:
        self.index: Final = index
        #: A number that no other unit of the process has, nor a number up to 2 ** 34 above it.
        self.number: Final[int] = next(_NUMBERS)
        self.path: Final = path
        self.facts: Final = facts
        #: Package that the file declares ("lib" for the runtime); "" for a file of the repository.
        self.external: Final = external
        self.code: array[int] = int_array(facts.code)
        self.lists: array[int] = int_array(facts.lists)
        self.strings: list[str] = facts.strings
        self.decls: list[Decl] = facts.decls
        self.bindings = facts.bindings
        self.scopes: dict[int, Scope] = facts.scopes
        self.shapes: list[Shape] = facts.shapes
        self.functions: list[Function] = facts.functions
        self.symbols = facts.symbols
        self.template: Final = facts.template
        self.contexts = facts.contexts
        self.line_starts: array[int] = int_array(facts.line_starts)
        wide = int_array(facts.wide)
        #: Byte offsets after characters beyond ASCII.
        self.wide_ends: array[int] = wide[::2]
        #: The number of extra bytes up to each of these offsets.
        self.wide_extra: array[int] = wide[1::2]
        owners = int_array(facts.owners)
        #: The nodes between two offsets belong to the symbol at the index of the first offset. Callbacks count as part of the
        #: nearest symbol with a name around them.
        self.owner_offsets = owners[0::2]
        self.owner_symbols = [self._named(symbol) for symbol in owners[1::2]]
        #: Resolution of each import, parallel to `facts.imports`. The program fills the list.
        self.import_targets: list[Resolution] = []
        #: Remembered types: by node, by binding and by function, and types of parameters without annotation. The keys of
        #: `applied_types` are a type node and the types of the parameters that it mentions.
        self.expression_types: Memory = {}
        self.binding_types: Memory = {}
        self.return_types: Memory = {}
        self.expected_types: Memory = {}
        self.parameter_types: Memory = {}
        self.declared_types: Memory = {}
        self.applied_types: dict[tuple[int | Type | None, ...], Type] = {}
        #: Entities of dotted names, by the binding before the dot and the string after it.
        self.dotted_entities: dict[tuple[int, int], Entity | Literal[False] | None] = {}
        #: Type parameters that each type node mentions; None if only inference of a body can find them.
        self.free_parameters: dict[int, frozenset[Parameter] | None] = {}
        #: Members of each shape, by name and whether they are static.
        self.member_tables: dict[int, dict[tuple[str, bool], list[Member]]] = {}
        self._bindings_of: dict[int, int] | None = None
        self._function_nodes: dict[int, int] | None = None
        self._object_nodes: dict[int, int] | None = None
        self._method_places: dict[int, tuple[int, str]] | None = None
        self._namespaces: dict[int, int] | None = None
        self._namespace_symbols: dict[int, int] | None = None

    def release(self) -> None:
        """Free the remembered types. The unit cannot be used afterwards."""
        for memory in (
            self.expression_types,
            self.binding_types,
            self.return_types,
            self.expected_types,
            self.parameter_types,
            self.declared_types,
        ):
            memory.clear()
        self.applied_types.clear()
        self.dotted_entities.clear()
        self.free_parameters.clear()
        self.member_tables.clear()

    def items(self, index: int) -> array[int]:
        """Return the operand list at an index, empty for -1."""
        if index < 0:
            return _EMPTY
        lists = self.lists
        return lists[index + 1 : index + 1 + lists[index]]

    def line(self, offset: int) -> int:
        """Return the 1-based line of a byte offset."""
        return bisect_right(self.line_starts, offset)

    def column(self, offset: int) -> int:
        """Return the 1-based column of a byte offset, in characters (code points)."""
        return self._column(offset, self.line_starts[self.line(offset) - 1])

    def _column(self, offset: int, line_start: int) -> int:
        column = offset - line_start + 1
        return column - self._extra_bytes(offset) + self._extra_bytes(line_start) if self.wide_ends else column

    def _extra_bytes(self, offset: int) -> int:
        """Return the number of bytes before an offset that do not begin a character."""
        before = bisect_right(self.wide_ends, offset)
        return self.wide_extra[before - 1] if before else 0

    def places(self, positions: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the lines and columns of byte offsets, in source order. The list of offsets is sorted in place."""
        starts = self.line_starts
        if len(positions) == 1:  # most lists have a single offset
            line = bisect_right(starts, positions[0])
            return (line,), (self._column(positions[0], starts[line - 1]),)
        positions.sort()
        lines = tuple([bisect_right(starts, position) for position in positions])
        placed = zip(positions, lines, strict=True)
        if self.wide_ends:
            return lines, tuple([self._column(position, starts[line - 1]) for position, line in placed])
        return lines, tuple([position - starts[line - 1] + 1 for position, line in placed])

    def named_owner(self, node: int) -> int:
        """Return the nearest symbol around a node that has its own name."""
        return self.owner_symbols[bisect_right(self.owner_offsets, node) - 1]

    def required(self, value: int) -> int:
        """Return the import in `require("x")` or `require("x").y`, or -1 for other expressions."""
        code = self.code
        if code[value] == Op.MEMBER:
            value = code[value + 1]
        return code[value + 1] if code[value] == Op.REQUIRE else -1

    def is_on(self, lines: frozenset[int], node: int, other: int) -> bool:
        """Return whether one of two nodes is on one of some lines; -1 is no node."""
        code = self.code
        return (node >= 0 and self.line(code[node + 4]) in lines) or (other >= 0 and self.line(code[other + 4]) in lines)

    def unnarrowed(self, node: int) -> int:
        """Return the node inside narrowing and `!`."""
        code = self.code
        while node >= 0 and code[node] in NARROWING:
            node = code[node + 1]
        return node

    def unwrapped(self, node: int) -> int:
        """Return the node inside narrowing, `!`, casts and type arguments."""
        code = self.code
        while node >= 0 and code[node] in WRAPPING:
            node = code[node + 1]
        return node

    # ------------------------------------------------------------------ tables that are built on first use

    def binding_of(self, decl: int) -> int | None:
        """Return the binding that a declaration belongs to, or None if it was not declared under its name."""
        known = self._bindings_of
        if known is None:
            known = self._bindings_of = {index: binding for binding, entry in enumerate(self.bindings) for index in entry.decls}
        return known.get(decl)

    def namespace_of(self, scope: int) -> int | None:
        """Return the binding of the namespace that a scope belongs to, or None."""
        known = self._namespaces
        if known is None:
            known = self._namespaces = {
                self.decls[index].a: binding
                for binding, entry in enumerate(self.bindings)
                for index in entry.decls
                if self.decls[index].kind == DeclKind.NAMESPACE
            }
        return known.get(scope)

    def namespaces_around(self, symbol: int) -> list[int]:
        """Return the bindings of the namespaces that are or contain a symbol of the file, innermost first."""
        known = self._namespace_symbols
        if known is None:
            known = self._namespace_symbols = {
                self.decls[index].symbol: binding
                for binding, entry in enumerate(self.bindings)
                for index in entry.decls
                if self.decls[index].kind == DeclKind.NAMESPACE
            }
        found: list[int] = []
        while known and symbol >= 0:
            binding = known.get(symbol, -1)
            if binding >= 0:
                found.append(binding)
            symbol = self.symbols[symbol].parent
        return found

    def function_node(self, function: int) -> int | None:
        """Return the FUNCTION node of a function whose context expects a type, or None."""
        known = self._function_nodes
        if known is None:
            known = self._function_nodes = self._expected(Op.FUNCTION)
        return known.get(function)

    def object_node(self, shape: int) -> int | None:
        """Return the OBJECT node of a literal whose context expects a type, or None."""
        known = self._object_nodes
        if known is None:
            known = self._object_nodes = self._expected(Op.OBJECT)
        return known.get(shape)

    def is_asserted_constant(self, node: int) -> bool:
        """Return whether a literal is inside `as const`."""
        while node in self.contexts:
            kind, around, _ = self.contexts[node]
            if kind not in TRANSPARENT_CONTEXTS:
                return False
            if self.code[around] == Op.AS and self.code[around + 3] == Cast.CONST:
                return True
            node = around
        return False

    def _expected(self, op: int) -> dict[int, int]:
        code = self.code
        return {code[node + 1]: node for node in self.contexts if code[node] == op}

    def method_place(self, function: int) -> tuple[int, str] | None:
        """Return the shape and name of a method of an object literal, or None."""
        known = self._method_places
        if known is None:
            known = self._method_places = {
                member.function: (shape, member.name)
                for shape, fact in enumerate(self.shapes)
                if fact.kind == ShapeKind.OBJECT_LITERAL
                for member in fact.members
                if member.function >= 0
            }
        return known.get(function)

    def member_key(self, name: str) -> str:
        """Return the key of a member: its name, or the string of the constant that its computed key names."""
        binding = self.scopes[0].names.get(name.strip("[]")) if name.startswith("[") else None
        if binding is None:
            return name
        for index in self.bindings[binding].decls:
            decl = self.decls[index]
            if decl.kind == DeclKind.VARIABLE and decl.b >= 0 and self.code[decl.b] == Op.STRING:
                return self.strings[self.code[decl.b + 2]]
        return name

    def _named(self, symbol: int) -> int:
        symbols = self.symbols
        while symbol >= 0 and "callback" in symbols[symbol].modifiers and symbols[symbol].parent >= 0:
            symbol = symbols[symbol].parent
        return symbol


#: Our declarations of packages, for workspaces in which they are not installed.
_LIBRARIES: Final = {
    "npm:vue": "<libraries>/vue.d.ts",
    "npm:@vue/composition-api": "<libraries>/vue.d.ts",
    "npm:svelte/store": "<libraries>/svelte_store.d.ts",
}

_EMPTY: array[int] = array("i")
NARROWING = frozenset((Op.NARROW, Op.NON_NULL))
WRAPPING = frozenset((Op.NARROW, Op.NON_NULL, Op.AS, Op.INSTANTIATION))
_JAVASCRIPT = (".js", ".cjs", ".mjs", ".jsx")
_VALUES = frozenset((DeclKind.VARIABLE, DeclKind.FUNCTION, DeclKind.CLASS))


def is_value(unit: Unit, binding: int) -> bool:
    """Return whether a binding is a variable, a function or a class."""
    return any(unit.decls[index].kind in _VALUES for index in unit.bindings[binding].decls)


#: Returns the id of the symbol at an index of a file.
SymbolIds = Callable[[Unit, int], str]


class OtherFiles:
    """The files of a repository that are read only when needed. Most files do not affect the resolution of one file."""

    def __init__(self, places: Mapping[str, int], read: Callable[[str], FileFacts]) -> None:
        """`places` numbers all files of the repository by their path."""
        self.places: Final = places
        self.read: Final = read


class GlobalScopes:
    """Decides which global declarations a file sees: the declarations of the scripts in the same program of the compiler.

    A script belongs to the programs that include it, and to the programs of scripts that import or reference it. All files see a
    declaration file that belongs to no program, because a package manager or a tool may add it.
    """

    def __init__(self, programs: CompilerPrograms | None) -> None:
        self._programs = programs
        #: The files that declare globals, by path.
        self._scripts: dict[str, Unit] = {}
        #: Paths of the scripts that each program contains, or that a file sees if it imports scripts.
        self._visible: dict[str, frozenset[str]] = {}
        #: Keys of files outside of all programs.
        self._open_keys: set[str] = set()
        #: Key in `_visible`, by path of a file.
        self._keys: dict[str, str] = {}
        self._seen: dict[tuple[str, str], list[tuple[Unit, int]]] = {}

    def clear(self) -> None:
        """Forget all files."""
        self._scripts.clear()
        self._visible.clear()
        self._open_keys.clear()
        self._keys.clear()
        self._seen.clear()

    def is_script(self, unit: Unit) -> bool:
        """Return whether the names at the root of a file are global."""
        if not is_global_script(unit.path, unit.facts.language, is_module=unit.facts.is_module):
            return False
        return is_declaration_file(unit.path) or (self._programs is not None and not self._programs.reads_as_module(unit.path))

    def add(self, unit: Unit) -> None:
        """Record a file that declares globals. Call this for all such files before `seen_by`."""
        self._scripts[unit.path] = unit

    def seen_by(self, unit: Unit, name: str, declared: list[tuple[Unit, int]]) -> list[tuple[Unit, int]]:
        """Return the declarations of a name that a file sees."""
        if self._programs is None or unit.external:
            return [entry for entry in declared if _is_open(entry[0])]
        key = self._key(unit, self._programs)
        found = self._seen.get((key, name))
        if found is None:
            visible = self._visible[key]
            found = [entry for entry in declared if entry[0].path in visible]
            if not found or key in self._open_keys:
                found = [entry for entry in declared if entry[0].path in visible or _is_open(entry[0])]
            self._seen[key, name] = found
        return found

    def _key(self, unit: Unit, programs: CompilerPrograms) -> str:
        key = self._keys.get(unit.path)
        if key is not None:
            return key
        program = programs.of(unit.path)
        if program not in self._visible:
            covered = [each for each in self._scripts if program and programs.covers(program, each)]
            self._visible[program] = self._closure(covered)
        own = [unit.path] if unit.path in self._scripts else self._imported(unit)
        key = program
        if not program:
            self._open_keys.add(key)
        if not self._visible[program].issuperset(own):
            key = f"{program}:{unit.path}"
            self._visible[key] = self._visible[program] | self._closure(own)
            if not program or unit.path in self._scripts:
                self._open_keys.add(key)
        self._keys[unit.path] = key
        return key

    def _closure(self, paths: list[str]) -> frozenset[str]:
        """Return the paths of scripts, and of all scripts that they import or reference."""
        found = set(paths)
        pending = list(paths)
        while pending:
            for path in self._imported(self._scripts[pending.pop()]):
                if path not in found:
                    found.add(path)
                    pending.append(path)
        return frozenset(found)

    def _imported(self, unit: Unit) -> list[str]:
        return [
            target.path for target in unit.import_targets if isinstance(target, SourceTarget) and target.path in self._scripts
        ]


def _is_open(unit: Unit) -> bool:
    """Return whether a file declares globals for files outside of its program: all files except scripts with code."""
    return is_declaration_file(unit.path) or unit.facts.is_module


class Program:
    """The files of a repository, and the modules that they import."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        resolve: Callable[[str, str], Resolution],
        lib: FileFacts,
        declarations: Callable[[str], FileFacts | None] | None = None,
        others: OtherFiles | None = None,
        programs: CompilerPrograms | None = None,
    ) -> None:
        """Read the facts of the files.

        `resolve` resolves a specifier for a path. `lib` has the declarations of the runtime. `declarations` reads a
        declaration file of an installed package, by its path below a node_modules folder.

        With `others`, `facts` has only the files that are read immediately, including all files that declare globals. Without
        `programs`, all files see the names of declaration files, and no file sees the names of other scripts.
        """
        #: Files that were read.
        self.units: list[Unit] = []
        self._by_path: dict[str, Unit] = {}
        self._others = others
        #: Number of files in the repository.
        self._count: Final = len(facts) if others is None else len(others.places)
        #: Ambient modules: (unit, scope) of each `declare module`, by specifier.
        self.ambient_modules: dict[str, list[tuple[Unit, int]]] = {}
        #: Global names: (unit, binding) of each declaration in the repository.
        self._declared_globals: dict[str, list[tuple[Unit, int]]] = {}
        self._scopes = GlobalScopes(programs)
        #: Augmentations of modules of the repository: (unit, scope) by path.
        self.augmentations: dict[str, list[tuple[Unit, int]]] = {}
        #: Path of the file that a `declare module` block augments, by the block's file and scope.
        self.augmented_paths: dict[tuple[int, int], str] = {}
        self._resolve = resolve
        self._declarations = declarations
        #: The file that declares a package, by the package's name in entities: the first file to which an import resolves.
        self._package_files: dict[str, str] = {}
        #: Files of installed packages that were read, by path; None for files that cannot be read.
        self._installed: dict[str, Unit | None] = {}
        for path in facts:
            self._add(path, facts[path])
        self.lib = Unit(self._count, "<lib>", lib, "lib")
        scripts = [unit for unit in self.units if not unit.facts.is_module]
        #: Modules that scripts declare, even if their specifiers also resolve to files.
        self._declared = frozenset(scope.ambient for unit in scripts for scope in unit.scopes.values() if scope.ambient)
        for unit in self.units:
            self._collect_ambient(unit, resolve)
        self._ambient_patterns: Final = StarPatterns(self.ambient_modules)

    def release(self) -> None:
        for unit in (*self.units, self.lib, *self._installed.values()):
            if unit is not None:
                unit.release()
        self._installed.clear()
        self.units.clear()
        self._by_path.clear()
        self._declared_globals.clear()
        self._scopes.clear()
        self.ambient_modules.clear()
        self.augmentations.clear()
        self.augmented_paths.clear()

    def _add(self, path: str, facts: FileFacts) -> Unit:
        index = len(self.units) if self._others is None else self._others.places[path]
        unit = self._by_path[path] = Unit(index, path, facts)
        unit.import_targets = [self._resolve(entry.specifier, path) for entry in facts.imports]
        self.units.append(unit)
        return unit

    def holds(self, path: str) -> bool:
        """Return whether a path is a file of the repository."""
        return path in self._by_path or (self._others is not None and path in self._others.places)

    def unit_at(self, path: str) -> Unit | None:
        """Return the file of the repository at a path, reading it if necessary; None if there is none."""
        unit = self._by_path.get(path)
        if unit is None and self._others is not None and path in self._others.places:
            unit = self._add(path, self._others.read(path))
        return unit

    def _collect_ambient(self, unit: Unit, resolve: Callable[[str, str], Resolution]) -> None:
        for index, scope in unit.scopes.items():
            if scope.ambient == "global":
                self._add_globals(unit, index)
            elif scope.ambient:
                target = resolve(scope.ambient, unit.path)
                if isinstance(target, SourceTarget) and not self.is_declared_instead(scope.ambient, target.path):
                    self.augmentations.setdefault(target.path, []).append((unit, index))
                    self.augmented_paths[unit.index, index] = target.path
                else:
                    self.ambient_modules.setdefault(scope.ambient, []).append((unit, index))
        # A file that could not be read has no scopes.
        if 0 in unit.scopes and self._scopes.is_script(unit):
            self._add_globals(unit, 0)

    def is_declared_instead(self, specifier: str, path: str) -> bool:
        """Return whether a script's `declare module` for a specifier replaces the file to which the specifier resolves.

        The block replaces only JavaScript. For a TypeScript file the block is an augmentation, which keeps the other declarations
        of the file.
        """
        return specifier in self._declared and path.endswith(_JAVASCRIPT)

    def ambient_module(self, unit: Unit, index: int) -> str:
        """Return the name of the `declare module` to which an import of a file resolves, or "".

        A name with a star (`*.svg`) counts only if the import resolves to nothing else. The name "*" does not count, because it
        would match every package that is not installed.
        """
        specifier, target = unit.facts.imports[index].specifier, unit.import_targets[index]
        file = self.imported_unit(unit, index)
        if specifier in self.ambient_modules:
            return specifier if file is None or self.is_declared_instead(specifier, file.path) else ""
        package = target if isinstance(target, PackageTarget) else None
        if file is not None or isinstance(target, BuiltinTarget) or (package is not None and package.declaration_path):
            return ""
        matched = self._ambient_patterns.match(specifier)
        return matched[0] if matched is not None and (matched[0] != "*" or package is None) else ""

    def _add_globals(self, unit: Unit, scope: int) -> None:
        self._scopes.add(unit)
        for name, binding in unit.scopes[scope].names.items():
            self._declared_globals.setdefault(name, []).append((unit, binding))

    def declares_global(self, name: str) -> bool:
        """Return whether a file of the repository or the runtime declares a global name."""
        return name in self._declared_globals or name in self.lib.scopes[0].names

    def globals_of(self, unit: Unit, name: str) -> Sequence[tuple[Unit, int]]:
        """Return the declarations of a global name in the global scope of a file as (unit, binding), the most specific first."""
        declared = self._declared_globals.get(name)
        found = self._scopes.seen_by(unit, name, declared) if declared is not None else []
        binding = self.lib.scopes[0].names.get(name)
        if binding is None:
            return found
        # The compiler reads its libraries first. If a file for one environment declares a value of the libraries again, the
        # declaration of the libraries therefore remains.
        is_first = bool(found) and is_value(self.lib, binding) and is_value(found[0][0], found[0][1])
        return [(self.lib, binding), *found] if is_first else [*found, (self.lib, binding)]

    def imported_unit(self, unit: Unit, index: int) -> Unit | None:
        """Return the file that an import names, or None. A file of a package may import other installed files."""
        target = unit.import_targets[index]
        if isinstance(target, SourceTarget):
            return self.unit_at(target.path)
        if unit.external and isinstance(target, PackageTarget) and target.declaration_path is not None:
            return self._installed_unit(target.declaration_path, f"npm:{target.package}")
        return None

    def imported_package(self, unit: Unit, index: int) -> str:
        """Return the package that an import names outside the repository, "npm:name" or "node:name"; "" if it is missing."""
        target = unit.import_targets[index]
        if isinstance(target, PackageTarget):
            package = f"npm:{target.package}{'/' + target.subpath if target.subpath else ''}"
            if target.declaration_path is not None:
                self._package_files.setdefault(package, target.declaration_path)
            return package
        return target.package if isinstance(target, BuiltinTarget) else ""

    def package_unit(self, package: str) -> Unit | None:
        """Return the declarations of an installed package, reading them if necessary; None if there are none."""
        path = self._package_files.get(package) or _LIBRARIES.get(package)
        return self._installed_unit(path, package) if path is not None else None

    def _installed_unit(self, path: str, package: str) -> Unit | None:
        if path not in self._installed:
            facts = self._declarations(path) if self._declarations is not None else None
            if facts is None:
                self._installed[path] = None
            else:
                made = Unit(self._count + 1 + len(self._installed), path, facts, package)
                made.import_targets = [self._resolve(entry.specifier, path) for entry in facts.imports]
                self._installed[path] = made
        return self._installed[path]
