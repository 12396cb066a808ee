"""The binder finds the declaration of a name through imports, re-exports and aliases.

After `import { Repo } from "./repo"`, the name `Repo` denotes `Declared(repo.ts, Repo)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ......schema.paths import stem_of
from .....facts.model import Binding, Decl, DeclKind, Export, Member, MemberKind
from .....facts.nodes import assigned_last
from .....facts.operations import Op
from ...libraries.component_properties import ANY_MDX_TAG, ANY_TAG
from ...libraries.route_types import ROUTE_DATA, ROUTE_FORM, names_route_types, route_type
from ...module_resolution import GlobTarget, PackageTarget, SourceTarget
from ...module_resolution.configurations.auto_imports import implied_name, pascal_words
from .implied_exports import implied_exports
from .merged_declarations import merged_declarations
from .program import Program, package_name
from .star_exports import StarExports, star_imports
from .unit import Unit, shape_around_name


class Declared(NamedTuple):
    """A name declared in a file, with all its declarations merged: variables, functions, classes, types, namespaces.

    An entity is a tuple because most caches use it as a key.
    """

    unit: Unit
    binding: int

    @property
    def facts(self) -> Binding:
        """Return the record of the binding."""
        return self.unit.bindings[self.binding]


@dataclass(frozen=True, slots=True)
class Module:
    """A file of the repository as an object: `import * as m`."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class AmbientModule:
    """A `declare module "x"` as an object."""

    specifier: str


@dataclass(frozen=True, slots=True)
class Globals:
    """The global variables that a file sees, as an object: `globalThis`."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Value:
    """An exported expression: `export default f(x)`, `module.exports = {…}`, or a member of such an object."""

    unit: Unit
    #: -1 for a method, which is not an expression.
    node: int
    #: Symbol of the export or member itself, if the value has no name of its own.
    symbol: int
    #: Function of a method of an exported object; else -1.
    function: int = -1


@dataclass(frozen=True, slots=True)
class Outside:
    """A declaration of a package: `path` contains the names from the package to the declaration."""

    package: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoadedFiles:
    """The files that a file loads by a glob, as an object: their default exports by the names of the files."""

    unit: Unit
    #: Index of the import that stands for the glob.
    index: int


Entity = Declared | Module | AmbientModule | Globals | Value | Outside | LoadedFiles


_NAMES = frozenset((Op.NAME, Op.T_NAME))
_MEMBERS = frozenset((Op.MEMBER, Op.T_QUALIFIED))
#: Names of the object whose properties are the global variables.
_GLOBAL_OBJECTS = frozenset(("globalThis", "global"))
#: Modules of Svelte in which runes are names that nothing imports, and these runes.
_WITH_RUNES = (".svelte.ts", ".svelte.js")
_RUNES = frozenset(("$state", "$derived", "$effect", "$inspect"))
#: Ends of the paths of declaration files.
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
#: `const` and `let` in the third operand of a declaration.
_BLOCK_SCOPED = (1, 2)
_TRANSPARENT = frozenset((Op.NARROW, Op.NON_NULL, Op.INSTANTIATION))

#: Rank of a kind among merged declarations: a value refers to the declaration with the lowest rank.
_RANKS = {
    DeclKind.FUNCTION: 0,
    DeclKind.CLASS: 0,
    DeclKind.VARIABLE: 1,
    DeclKind.ENUM: 1,
    DeclKind.ENUM_MEMBER: 1,
    DeclKind.NAMESPACE: 3,
    DeclKind.INTERFACE: 4,
    DeclKind.ALIAS: 4,
}


#: Kinds of declarations of which `import * as run` may be called or constructed.
_CALLABLE = frozenset((DeclKind.FUNCTION, DeclKind.CLASS))


class Binder:
    """Follows names through imports and exports. Answers are remembered; a name in a cycle of re-exports is None."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._exports: dict[tuple[int, str], Entity | Literal[False] | None] = {}
        self._exports_in_progress: set[tuple[int, str]] = set()
        self._ambient_exports_in_progress: set[tuple[str, str]] = set()
        #: Names in the export lists of namespaces, by file and scope, that are looked for.
        self._lists_in_progress: set[tuple[int, int, str]] = set()
        #: Members of object literals, by file, node and name, that are looked for in the literal's spreads.
        self._literals_in_progress: set[tuple[int, int, str]] = set()
        self._export_tables: dict[int, dict[str, Export]] = {}
        self._stars = StarExports(program)
        #: Entity of each binding, by file; False if it was not followed yet.
        self._followed: dict[int, list[Entity | Literal[False] | None]] = {}
        self._namespaces: dict[Declared, Sequence[tuple[Unit, Decl]]] = {}
        self._symbols: dict[Declared, tuple[Unit, int]] = {}
        self._declarations: dict[Declared, list[tuple[Unit, int]]] = {}
        self._installed: dict[Outside, Entity | Literal[False] | None] = {}
        #: Names that augmentations add to modules; None until they are needed.
        self.augmented: dict[str, list[tuple[Unit, Unit, int]]] | None = None

    def release(self) -> None:
        """Free the remembered answers."""
        self._exports.clear()
        self._export_tables.clear()
        self._stars.release()
        self._followed.clear()
        self._namespaces.clear()
        self._symbols.clear()
        self._declarations.clear()
        self._installed.clear()

    def follow(self, unit: Unit, binding: int) -> Entity | None:
        """Return the entity that a binding denotes; None if its import does not resolve."""
        known = self._followed.get(unit.index)
        if known is None:
            known = self._followed[unit.index] = [False] * len(unit.bindings)
        found = known[binding]
        if found is False:
            known[binding] = None  # a cycle has no declaration
            found = known[binding] = self._follow(unit, binding)
        return found

    def _follow(self, unit: Unit, binding: int) -> Entity | None:
        for index in unit.bindings[binding].decls:
            decl = unit.decls[index]
            if decl.kind == DeclKind.IMPORT:
                return self.imported(unit, decl.a, unit.strings[decl.b])
            if decl.kind == DeclKind.IMPORT_ALIAS and decl.a >= 0:
                return self.named(unit, decl.a)
            if decl.kind == DeclKind.IMPORT_ALIAS and decl.b == 1:
                return self.exported(unit, "=") or Module(unit)
            if decl.kind == DeclKind.VARIABLE and decl.a < 0 and decl.b >= 0:
                required = self._required(unit, decl.b)
                if required is not None:
                    return required
            if decl.kind == DeclKind.VARIABLE and decl.a >= 0 and decl.b < 0 and unit.path.endswith(_DECLARATIONS):
                alias = self._imported_by_type(unit, decl.a)
                if alias is not None:
                    return alias
        return Declared(unit, binding)

    def _imported_by_type(self, unit: Unit, type_: int) -> Entity | None:
        """Return the entity for which a variable of a declaration file stands, as in `const run: typeof import("./a")["run"]`.

        Plugins of bundlers write such lines for the names that they import. The result is None for other types.
        """
        code, name = unit.code, ""
        if code[type_] == Op.T_INDEXED and code[code[type_ + 2]] == Op.T_STRING:
            name, type_ = unit.strings[code[code[type_ + 2] + 2]], code[type_ + 1]
        if unit.external or code[type_] != Op.T_QUERY:
            return None
        value = code[type_ + 1]
        if not name and code[value] == Op.MEMBER:
            name, value = unit.strings[code[value + 2]], code[value + 1]
        return self.imported(unit, code[value + 1], name) if name and code[value] == Op.T_IMPORT else None

    def _required(self, unit: Unit, value: int) -> Entity | None:
        """Return the entity of `require("x")` or `require("x").y`, if that is the value of a variable; else None."""
        source = unit.required(value)
        if source < 0:
            return None
        code = unit.code
        return self.imported(unit, source, "=" if code[value] == Op.REQUIRE else unit.strings[code[value + 2]])

    def imported(self, unit: Unit, index: int, name: str) -> Entity | None:
        """Return the entity of an import of a name from a specifier, where "default", "*" and "=" are special names."""
        target = self.program.imported_unit(unit, index)
        specifier = unit.facts.imports[index].specifier
        if isinstance(unit.import_targets[index], GlobTarget):
            return LoadedFiles(unit, index)
        if target is None and specifier.startswith(".") and names_route_types(specifier):
            types = self.program.route_types(unit, specifier)
            return self.exported(types, name) if types is not None else None
        if declared := self.program.ambient_module(unit, index):
            found = AmbientModule(declared) if name == "*" else self.ambient_export(declared, name)
            if found is not None or self.program.is_declared_in_script(declared):
                return found
        if target is None and (implied := implied_name(specifier, name)):
            return self.auto_imported(unit, implied)
        if target is None:
            package = self.program.imported_package(unit, index)
            outside = Outside(package, () if name in ("*", "=") else (name,)) if package else None
            # A name that the repository adds to a package, or declares again, also has declarations in the repository.
            added = self.installed(outside) if outside and self.program.augments_package(unit, index, name) else None
            return added or outside
        if name == "*":
            whole = self.exported(target, "=")
            return whole if isinstance(whole, Declared) and self._is_callable(whole) else Module(target)
        if name == "=":
            return self.exported(target, "=") or Module(target)
        return self._exported_or_whole(target, name)

    def _is_callable(self, entity: Declared) -> bool:
        """Return whether an entity is a function or a class, which `import * as run` of a module with `export = run` means."""
        return any(unit.decls[index].kind in _CALLABLE for unit, index in self.declarations(entity))

    def _exported_or_whole(self, unit: Unit, name: str) -> Entity | None:
        """Return the entity that an import of a name gets. The default of a CommonJS module is its export object."""
        found = self.exported(unit, name)
        if found is None and name == "default":
            return self.exported(unit, "=") or (Module(unit) if not self._is_es_module(unit) else None)
        return found

    def _is_es_module(self, unit: Unit) -> bool:
        """Return whether a file is an ES module, which has no default export but its own.

        A declaration file may describe a module of CommonJS, whose exports are the default of an import, unless it declares the
        mark of a compiled ES module.
        """
        if unit.path.endswith(_DECLARATIONS):
            return self.exported(unit, "__esModule") is not None
        return any(entry.form in ("import", "export") for entry in unit.facts.imports) or not unit.path.endswith(
            (".js", ".cjs", ".jsx", ".json")
        )

    def exported(self, unit: Unit, name: str) -> Entity | None:
        """Return the entity that a file exports under a name, through chains of re-exports."""
        key = (unit.index, name)
        known = self._exports.get(key, False)
        if known is not False:
            return known
        if key in self._exports_in_progress:
            return None
        self._exports_in_progress.add(key)
        found = self._exported(unit, name)
        self._exports_in_progress.discard(key)
        if found is not None or not self._exports_in_progress:  # inside a cycle, the answer may be None only because of the cycle
            self._exports[key] = found
        return found

    def _export_table(self, unit: Unit) -> dict[str, Export]:
        table = self._export_tables.get(unit.index)
        if table is None:
            exports = (*unit.facts.exports, *implied_exports(unit.path, unit.facts))
            table = self._export_tables[unit.index] = {entry.name: entry for entry in exports if entry.name != "*"}
        return table

    def _exported(self, unit: Unit, name: str) -> Entity | None:
        entry = self._export_table(unit).get(name)
        if entry is not None:
            return self.export_target(unit, entry)
        whole = self._export_table(unit).get("=")
        if whole is not None and name not in ("=", "default"):
            target = self.export_target(unit, whole)
            literal = self.assigned_literal(target) if isinstance(target, Declared) else None
            found = self.member_entity(target, name) or (self._literal_member(literal, name) if literal is not None else None)
            found = found or (self._static_member(target, name) if isinstance(target, Declared) else None)
            return found or self._star_export(unit, name)
        for scope_unit, scope in self.program.augmentations.get(unit.path, ()):
            binding = scope_unit.scopes[scope].names.get(name)
            if binding is not None:
                return self._star_export(unit, name) or self.follow(scope_unit, binding)
        return (self._star_export(unit, name) or self._external_star_export(unit, name)) if name not in ("default", "=") else None

    def export_names(self, unit: Unit) -> list[str]:
        """Return the names that `import * as ns` of a file has, in order, including the names from `export *`."""
        names: dict[str, None] = {}
        waiting, seen = [unit], {unit.index}
        while waiting:
            current = waiting.pop(0)
            for entry in current.facts.exports:
                if entry.name not in ("*", "="):
                    names.setdefault(entry.name)
            for source in star_imports(current):
                target = self.program.imported_unit(current, source)
                if target is not None and target.index not in seen:
                    seen.add(target.index)
                    waiting.append(target)
        return list(names)

    def _star_export(self, unit: Unit, name: str) -> Entity | None:
        """Return the entity that the file exports under a name by `export *` from files of the repository, or None."""
        for source in self._stars.sources(unit, name):
            found = self.imported(unit, source, name)
            if found is not None and not isinstance(found, Outside):
                return found
        return None

    def _external_star_export(self, unit: Unit, name: str) -> Entity | None:
        """Return an undeclared name as a name of the package in `export *`.

        The result is None unless exactly one `export *` names a package.
        """
        packages = self._stars.packages(unit)
        return Outside(packages[0], (name,)) if len(packages) == 1 else None

    def export_target(self, unit: Unit, entry: Export) -> Entity | None:
        """Return the entity that one export statement exports."""
        if entry.source >= 0:
            return self.imported(unit, entry.source, entry.imported)
        if entry.binding >= 0:
            return self.follow(unit, entry.binding)
        if entry.value < 0:
            return None
        named = self.named(unit, entry.value)
        if named is not None:
            return named
        return Value(unit, entry.value, entry.symbol)

    def installed(self, entity: Outside) -> Entity | None:
        """Return the entity that the declarations of an installed package have for a name, or None.

        Until a type is needed, names stay `Outside` and their declarations are not read.
        """
        known = self._installed.get(entity, False)
        if known is False:
            self._installed[entity] = None  # a cycle of re-exports has no declaration
            known = self._installed[entity] = self._declared_outside(entity)
        return known

    def _declared_outside(self, entity: Outside) -> Entity | None:
        unit = self.program.package_unit(entity.package)
        if unit is None:
            return None
        if not entity.path:
            return self.exported(unit, "=") or Module(unit)
        first, *others = entity.path
        found = self.exported(unit, first) or self._ambient_name(unit, entity.package, first)
        if found is None and first == "default":
            found = self.exported(unit, "=")
            if found is None and others:  # `React.FC`, where our declarations have names, but no default export
                found = self.exported(unit, others.pop(0))
        for name in others:
            found = self.member_entity(found, name)
        return self.installed(found) if isinstance(found, Outside) else found

    def _ambient_name(self, unit: Unit, package: str, name: str) -> Entity | None:
        """Return a name of a `declare module "package"` block, which declares a package without types."""
        for scope in unit.scopes.values():
            if scope.ambient and package == f"npm:{scope.ambient}" and name in scope.names:
                return self.follow(unit, scope.names[name])
        return None

    def named(self, unit: Unit, node: int) -> Entity | None:
        """Return the entity of a plain or dotted name in an expression or type; None for other nodes."""
        code = unit.code
        op = code[node]
        if op in _NAMES:
            binding = code[node + 1]
            if binding >= 0:
                return self.follow(unit, binding)
            name = unit.strings[code[node + 2]]
            if name.startswith("<"):
                return self.component(unit, name)
            if name == "exports" and op == Op.NAME and self._export_table(unit):
                return Module(unit)
            if name in _GLOBAL_OBJECTS:
                return Globals(unit)
            return self.free_name(unit, unit.named_owner(node), name)
        if op in _MEMBERS:
            own = self.own_exports(unit, node)
            if own is not None:
                return own
            owner = self.named(unit, code[node + 1])
            if owner is None:
                return self.template_name(unit, node)
            return self.member_entity(owner, unit.strings[code[node + 2]])
        if op == Op.T_IMPORT:
            return self.imported(unit, code[node + 1], "*")
        if op == Op.REQUIRE:
            return self.imported(unit, code[node + 1], "=")
        if op in _TRANSPARENT:
            return self.named(unit, code[node + 1])
        return None

    def component(self, unit: Unit, name: str) -> Entity | None:
        """Return the component of a tag that no declaration of the file names, such as `<UserCard>`.

        The component is declared for all files, or it is the file itself under its own name.
        """
        if name.startswith("<mdx:"):
            return self._provided_to_mdx(name)
        found = self.auto_imported(unit, name) or self.global_entity(unit, name)
        if found is not None:
            return found
        stem = stem_of(unit.path)
        is_own = "".join(part[:1].upper() + part[1:] for part in stem.split("-")) == name.strip("<>")
        return self.exported(unit, "default") if is_own else None

    def _provided_to_mdx(self, tag: str) -> Entity | None:
        """Return the component that the repository provides to MDX under a name; None if there are several.

        A bundler reads the files of MDX, so programs of the compiler do not tell which files see them.
        """
        found: list[Entity | None] = []
        for other, binding in self.program.every_global(tag):
            found += [self._provided(other, other.decls[decl]) for decl in other.bindings[binding].decls]
        name = tag.removeprefix("<mdx:").removesuffix(">")
        for other, binding in self.program.every_global(ANY_MDX_TAG):
            for decl in other.bindings[binding].decls:
                found.append(self.member_entity(self._held(self.named(other, other.decls[decl].a)), name))
        known = list(dict.fromkeys(entity for entity in found if entity is not None))
        return known[0] if len(known) == 1 else None

    def _provided(self, unit: Unit, decl: Decl) -> Entity | None:
        """Return a component that an object names, loads, or declares in place."""
        if decl.kind == DeclKind.IMPORT:
            return self.imported(unit, decl.a, unit.strings[decl.b])
        return Value(unit, decl.b, decl.symbol) if decl.kind == DeclKind.VARIABLE else self.named(unit, decl.a)

    def _held(self, entity: Entity | None) -> Entity | None:
        """Return the value of a variable with one declaration; for others, the entity itself."""
        decls = self.declarations(entity) if isinstance(entity, Declared) else []
        if len(decls) != 1:
            return entity
        unit, index = decls[0]
        decl = unit.decls[index]
        return Value(unit, decl.b, decl.symbol) if decl.kind == DeclKind.VARIABLE and decl.b >= 0 else entity

    def own_exports(self, unit: Unit, node: int) -> Entity | None:
        """Return the entity of `module.exports` in a file with exports; None for other members."""
        return (self.exported(unit, "=") or Module(unit)) if self._is_own_exports(unit, node) else None

    def _is_own_exports(self, unit: Unit, node: int) -> bool:
        """Return whether a node is `module.exports` in a file with exports."""
        code = unit.code
        left = code[node + 1]
        return (
            unit.strings[code[node + 2]] == "exports"
            and code[left] == Op.NAME
            and code[left + 1] < 0
            and unit.strings[code[left + 2]] == "module"
            and bool(self._export_table(unit))
        )

    def dotted(self, unit: Unit, node: int) -> Entity | None:
        """Return the entity of a name after a dot, as `named` does. The answer is remembered by the binding before the dot.

        Call this only while no name is being followed, because the answer may still change during that.
        """
        code = unit.code
        left = code[node + 1]
        if code[left] not in _NAMES or code[left + 1] < 0:
            return self.named(unit, node)
        key = (code[left + 1], code[node + 2])
        known = unit.dotted_entities.get(key, False)
        if known is False:
            found = self.named(unit, node) or self._exported_beside_import(unit, code[left + 1], unit.strings[code[node + 2]])
            known = unit.dotted_entities[key] = found
        return known

    def _exported_beside_import(self, unit: Unit, binding: int, name: str) -> Entity | None:
        """Return the entity of `shell.error` in a file that imports a module as `shell`, if the module has
        `module.exports = inner.shell` and then `module.exports.error = …`.
        """
        code = unit.code
        for index in unit.bindings[binding].decls:
            decl = unit.decls[index]
            source = -1
            if decl.kind == DeclKind.IMPORT and unit.strings[decl.b] in ("=", "default"):
                source = decl.a
            elif decl.kind == DeclKind.VARIABLE and decl.a < 0 <= decl.b and code[decl.b] == Op.REQUIRE:
                source = unit.required(decl.b)
            target = self.program.imported_unit(unit, source) if source >= 0 else None
            table = self._export_table(target) if target is not None else {}
            if target is not None and "=" in table and name in table:
                return self.export_target(target, table[name])
        return None

    def free_name(self, unit: Unit, symbol: int, name: str) -> Entity | None:
        """Return the entity of a name that a symbol uses and the file does not declare: a global, or a member of a namespace.

        Another file may add the member to a namespace around the symbol.
        """
        for binding in unit.namespaces_around(symbol):
            found = self._namespace_member(Declared(unit, binding), name)
            if found is not None:
                return found
        return self.auto_imported(unit, name) or self.global_entity(unit, name)

    def auto_imported(self, unit: Unit, name: str) -> Entity | None:
        """Return the entity that a framework imports into a file under a name that the file does not declare, or None.

        It is the export of a file under this name, or the file's default export.
        """
        if name in (ROUTE_DATA, ROUTE_FORM):
            exported = route_type(unit.path, name)
            types = self.program.route_types(unit, "./$types") if exported else None
            return self.exported(types, exported) if types is not None else None
        if name.startswith("$") and unit.path.endswith(_WITH_RUNES):
            return Outside("npm:svelte/runes", (name,)) if name in _RUNES else None
        target = self.program.auto_import(unit, name)
        if isinstance(target, SourceTarget):
            source = self.program.unit_at(target.path)
            return (self.exported(source, name) or self.exported(source, "default")) if source not in (None, unit) else None
        return Outside(package_name(target), (name,)) if isinstance(target, PackageTarget) else None

    def is_route_type(self, unit: Unit, node: int) -> bool:
        """Return whether a written type is one that SvelteKit generates: `PageLoad` from `./$types`."""
        code = unit.code
        name = code[node + 1] if code[node] == Op.T_REFERENCE else node
        if code[name] == Op.T_QUALIFIED and code[code[name + 1]] == Op.T_IMPORT:
            return names_route_types(unit.facts.imports[code[code[name + 1] + 1]].specifier)
        if code[name] != Op.T_NAME or code[name + 1] < 0:
            return False
        decls = [unit.decls[index] for index in unit.bindings[code[name + 1]].decls]
        imports = [unit.facts.imports[decl.a] for decl in decls if decl.kind == DeclKind.IMPORT]
        return any(names_route_types(entry.specifier) for entry in imports)

    def template_name(self, unit: Unit, node: int) -> Entity | None:
        """Return the entity of a name in a template that the file does not declare and a framework imports; None for others."""
        shape = shape_around_name(unit, node)
        if shape < 0:
            return None
        name = unit.strings[unit.code[node + 2]]
        if any(member.name == name for member in unit.shapes[shape].members):
            return None
        return self.auto_imported(unit, name) or self._declared_import(unit, name)

    def _declared_import(self, unit: Unit, name: str) -> Entity | None:
        """Return the entity for which a global variable of a declaration file stands; None for other globals."""
        for other, binding in self.program.globals_of(unit, name):
            found = self.follow(other, binding)
            if other.path.endswith(_DECLARATIONS) and found != Declared(other, binding):
                return found
        return None

    def global_entity(self, unit: Unit, name: str) -> Entity | None:
        """Return the global with a name that a file sees, from another file or the runtime; None if there is none."""
        found = self.program.globals_of(unit, name)
        if not found:
            return self._loaded_component(unit, name) if name.startswith("<") else self._package_global(unit, name)
        return self.follow(*found[0])

    def _package_global(self, unit: Unit, name: str) -> Entity | None:
        """Return the package that is a global namespace without an import: `React` in `React.ReactNode`."""
        package = self.program.package_global(unit, name)
        return Outside(package, ()) if package else None

    def _loaded_component(self, unit: Unit, tag: str) -> Entity | None:
        """Return the component of a tag, such as `<UserCard>`, among the files that a program loads by globs and registers."""
        for other, binding in self.program.globals_of(unit, ANY_TAG):
            for decl in other.bindings[binding].decls:
                index = other.decls[decl].a
                for name in self.program.loaded_names(other, index):
                    if f"<{pascal_words(name)}>" == tag:
                        return self.member_entity(LoadedFiles(other, index), name)
        return None

    def _global_property(self, unit: Unit, name: str) -> Entity | None:
        """Return the entity of `globalThis.name`; None for variables with `const` and `let`, which are no properties."""
        found = self.global_entity(unit, name)
        if isinstance(found, Declared):
            decls = [found.unit.decls[index] for index in found.facts.decls]
            if all(decl.kind == DeclKind.VARIABLE and decl.c in _BLOCK_SCOPED for decl in decls):
                return None
        return found

    def member_entity(self, entity: Entity | None, name: str) -> Entity | None:
        """Return the entity of `entity.name` for a module, namespace or package; None for members of other values."""
        if isinstance(entity, Declared):
            return self._namespace_member(entity, name) or self._exported_beside(entity, name)
        if isinstance(entity, Value):
            return self._literal_member(entity, name) or self._exported_beside(entity, name)
        if isinstance(entity, Module):
            return self._exported_or_whole(entity.unit, name)
        if isinstance(entity, AmbientModule):
            return self.ambient_export(entity.specifier, name)
        if isinstance(entity, Globals):
            return entity if name in _GLOBAL_OBJECTS else self._global_property(entity.unit, name)
        if isinstance(entity, Outside):
            return Outside(entity.package, (*entity.path, name))
        if isinstance(entity, LoadedFiles):
            loaded = self.program.loaded_file(entity.unit, entity.index, name)
            return (self._exported_or_whole(loaded, "default") or Module(loaded)) if loaded is not None else None
        return None

    def _exported_beside(self, entity: Declared | Value, name: str) -> Entity | None:
        """Return the entity of `load.sync` in a file with `module.exports = load` and then `module.exports.sync = …`."""
        table = self._export_table(entity.unit)
        if "=" not in table or name not in table or self.exported(entity.unit, "=") != entity:
            return None
        return self.export_target(entity.unit, table[name])

    def assigned_literal(self, entity: Declared) -> Value | None:
        """Return the object literal that is the initial value of a variable without an annotation, or None."""
        for index in entity.facts.decls:
            decl = entity.unit.decls[index]
            value = assigned_last(entity.unit.code, decl.b) if decl.kind == DeclKind.VARIABLE and decl.a < 0 else -1
            if value >= 0 and entity.unit.code[value] == Op.OBJECT:
                return Value(entity.unit, value, -1)
        return None

    def _static_member(self, entity: Declared, name: str) -> Entity | None:
        """Return a static member of a class that is the whole export of a module, or None."""
        for unit, index in self.declarations(entity):
            decl = unit.decls[index]
            if decl.kind == DeclKind.CLASS:
                for member in unit.shapes[decl.a].members:
                    if member.name == name and member.static:
                        return self._member_value(unit, member)
        return None

    def literal(self, entity: Value) -> int:
        """Return the OBJECT node of a value that is an object literal; -1 for other values."""
        unit, node = entity.unit, entity.node
        while node >= 0 and unit.code[node] in _TRANSPARENT:
            node = unit.code[node + 1]
        return node if node >= 0 and unit.code[node] == Op.OBJECT else -1

    def _literal_member(self, entity: Value, name: str) -> Entity | None:
        """Return a member of an exported object literal or of its spreads, or None."""
        unit, node = entity.unit, self.literal(entity)
        if node < 0:
            return None
        for member in reversed(unit.shapes[unit.code[node + 1]].members):
            if member.name == name:
                return self._member_value(unit, member)
        key = (unit.index, node, name)
        if key in self._literals_in_progress:  # `module.exports = { ...module.exports, more }`
            return None
        self._literals_in_progress.add(key)
        found: Entity | None = None
        for spread in reversed(unit.items(unit.code[node + 2])):
            found = self.member_entity(self.named(unit, unit.code[spread + 1]), name)
            if found is not None:
                break
        self._literals_in_progress.discard(key)
        return found

    def _member_value(self, unit: Unit, member: Member) -> Entity | None:
        """Return the entity that is the value of a member; None for accessors, and for annotations other than `typeof x`."""
        if member.kind == MemberKind.METHOD:
            return Value(unit, -1, member.symbol, member.function)
        if member.kind != MemberKind.PROPERTY:
            return None
        if member.type >= 0:
            return self.named(unit, unit.code[member.type + 1]) if unit.code[member.type] == Op.T_QUERY else None
        return (self.named(unit, member.value) or Value(unit, member.value, member.symbol)) if member.value >= 0 else None

    def _namespace_member(self, entity: Declared, name: str) -> Entity | None:
        for unit, decl in self.namespaces(entity):
            scope = unit.scopes[decl.a]
            if name in scope.names and (name in scope.exported or self._is_ambient(unit, decl.symbol)):
                return self.follow(unit, scope.names[name])
            key = (unit.index, decl.a, name)
            entry = next((each for each in scope.exports if each.name == name), None)
            if entry is not None and key not in self._lists_in_progress:
                self._lists_in_progress.add(key)  # the name in `export { name }` stands for what is declared outside
                found = self.export_target(unit, entry)
                self._lists_in_progress.discard(key)
                return found
        return None

    def namespaces_of(self, unit: Unit, binding: int) -> Sequence[tuple[Unit, Decl]]:
        """Return the namespaces among the declarations of a binding."""
        return self.namespaces(Declared(unit, binding))

    def is_exported_as(self, unit: Unit, name: str, declared: Unit, binding: int) -> bool:
        """Return whether a file exports a binding of another file under a name."""
        return self.exported(unit, name) == Declared(declared, binding)

    def namespaces(self, entity: Declared) -> Sequence[tuple[Unit, Decl]]:
        """Return the namespaces among the declarations of an entity.

        The answers are remembered, since most names before a dot have none.
        """
        known = self._namespaces.get(entity)
        if known is None:
            declared = [(unit, unit.decls[index]) for unit, index in self.declarations(entity)]
            known = self._namespaces[entity] = tuple([(unit, decl) for unit, decl in declared if decl.kind == DeclKind.NAMESPACE])
        return known

    def _is_ambient(self, unit: Unit, symbol: int) -> bool:
        """Return whether a namespace is ambient, so that everything in it is exported."""
        if unit.path.endswith(_DECLARATIONS) or unit.external:
            return True
        while symbol >= 0:
            if "declare" in unit.symbols[symbol].modifiers:
                return True
            symbol = unit.symbols[symbol].parent
        return False

    def ambient_export(self, specifier: str, name: str) -> Entity | None:
        """Return the entity that `declare module "x"` exports under a name, or None."""
        for unit, index in self.program.ambient_modules.get(specifier, ()):
            scope = unit.scopes[index]
            for entry in scope.exports:
                if entry.name == name or (name in ("default", "=") and entry.name == "="):
                    return self.export_target(unit, entry)
            if name in scope.names:
                return self.follow(unit, scope.names[name])
        return self._ambient_star(specifier, name) if name not in ("default", "=") else None

    def _ambient_star(self, specifier: str, name: str) -> Entity | None:
        """Return the entity that `declare module "x"` exports under a name by `export *`; None in a cycle of such modules."""
        key = (specifier, name)
        if key in self._ambient_exports_in_progress:
            return None
        self._ambient_exports_in_progress.add(key)
        found: Entity | None = None
        for unit, index in self.program.ambient_modules.get(specifier, ()):
            for entry in unit.scopes[index].exports:
                if found is None and entry.name == "*" and entry.source >= 0:
                    found = self.imported(unit, entry.source, name)
        self._ambient_exports_in_progress.discard(key)
        return found

    def is_enum(self, entity: Declared) -> bool:
        """Return whether an enum is among the declarations of an entity."""
        return any(unit.decls[index].kind == DeclKind.ENUM for unit, index in self.declarations(entity))

    def declarations(self, entity: Declared) -> list[tuple[Unit, int]]:
        """Return all declarations of an entity, including declarations that augmentations add.

        The list is remembered: do not change it.
        """
        known = self._declarations.get(entity)
        if known is None:
            known = self._declarations[entity] = merged_declarations(self, entity.unit, entity.binding)
        return known

    def symbol(self, entity: Declared) -> tuple[Unit, int]:
        """Return the file and symbol of an entity, -1 if it has none.

        Declarations that exist at run time come before types.
        """
        known = self._symbols.get(entity)
        if known is None:
            known = self._symbols[entity] = self._find_symbol(entity)
        return known

    def _find_symbol(self, entity: Declared) -> tuple[Unit, int]:
        best: tuple[int, Unit, int] | None = None
        for unit, index in self.declarations(entity):
            decl = unit.decls[index]
            rank = _RANKS.get(decl.kind, 9)
            if decl.kind == DeclKind.FUNCTION and not unit.functions[decl.a].has_body:
                rank = 2
            if decl.symbol >= 0 and (best is None or rank < best[0]):
                best = (rank, unit, decl.symbol)
        return (best[1], best[2]) if best is not None else (entity.unit, -1)
