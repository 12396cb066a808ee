"""Records from which an update knows the files that it does not read: one record for each file, and one for all files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from ...schema.graph_content import GraphContent
from ...schema.languages import RESOLVED, language_of
from ..data.schemas.edges import digest_of
from ..facts.cache import FactKey
from ..facts.data import ModelQuery
from ..facts.given import GivenArguments
from ..facts.model import FileFacts
from ..files.path_roles import is_global_script
from ..languages.installed_files import exceed_limits
from ..languages.registry import is_nominal
from ..languages.typescript.libraries.route_types import ROUTE_DATA, loading_specifiers, names_route_types, route_type
from ..languages.typescript.module_resolution import AssetTarget, GlobTarget, Resolution, SourceTarget
from ..languages.typescript.module_resolution.configurations.auto_imports import AUTO_IMPORT, implied_name
from ..languages.typescript.resolve.edges.known_names import KnownNames, compared_names, names_of, read_names, undeclared_names
from ..languages.typescript.resolve.edges.operator_checks import discriminants
from ..languages.typescript.resolve.model.unit import Unit
from ..resolution.api_sources import api_role
from ..resolution.mentioned import declared_names, wanted_names
from ..resolution.mentioned import specifiers as specifiers_in
from ..resolution.module_names import forwarded
from .nominal_imports import NominalImports
from .package_names import named_by, words_of

#: Prefixes of a resolution as text, for a file of the repository that was found by its path, or by the path of its build output.
_SOURCE = "file:"
_BUILT = "built:"
_FILES = "files:"


class FileLinks(msgspec.Struct, frozen=True, array_like=True):
    """The information about one file for updates that do not read the file."""

    content_hash: str
    #: Language of the file itself, not of scripts inside the file.
    language: str
    #: Target of each specifier; "file:" or "built:" and a path for a file of the repository.
    resolved: dict[str, str]
    #: True if the file declares something for files that do not import it.
    ambient: bool
    #: Literal types that the file's shapes declare for members, by name of the member.
    literals: dict[str, list[str]]
    #: Names of members that the file compares with values.
    compared: list[str]
    #: Names by which documents may mention the file's symbols, and the anchors of a document, one per line.
    declared: str
    #: Names and anchors whose declarations decide the edges of a document, one per line.
    mentioned: str
    #: Target of each path and module in a document, as in `resolved`.
    linked: dict[str, str]
    #: Whether the file has facts about data.
    has_data: bool = False
    #: Role of the file in APIs: contract (declares operations), code (implements operations) or "".
    api: str = ""
    #: Arguments at the file's call sites for parameters without annotation; None in languages in which all parameters have types.
    arguments: GivenArguments | None = None
    #: Uses of tables by the file's calls of object mappers.
    queries: list[ModelQuery] = []
    #: Whether the file declares tables: in SQL, by models of object mappers, or as a migration.
    has_tables: bool = False
    #: SQL dialect that the settings state for the file; "" if they state none.
    sql_dialect: str = ""
    #: Words of the file's code, and the names that it declares, with the names in their declarations; see `package_names`.
    words: str = ""
    named: str = ""
    #: Digest of the data edges that begin in the file; b"" if there are none.
    data_digest: bytes = b""
    #: The names that the file exports from other modules or under another name: see `module_names.forwarded`.
    forwarded: str = ""
    #: Names of members that the file reads or writes, one per line.
    read_members: str = ""

    @property
    def auto_imports(self) -> list[str]:
        """The specifiers of the names that a framework may import into the file."""
        return [specifier for specifier in self.resolved if specifier.startswith(AUTO_IMPORT)]

    @property
    def takes_auto_imports(self) -> bool:
        """Whether a framework may give names to the file without an import."""
        return AUTO_IMPORT in self.resolved

    @property
    def key(self) -> FactKey:
        """The key of the file's facts."""
        return FactKey.of(self.content_hash, self.language, self.sql_dialect)

    def differing(self, other: FileLinks) -> frozenset[str]:
        """Return the specifiers whose targets differ between these links and other links of the same file."""
        names = self.resolved.keys() | other.resolved.keys()
        return frozenset(name for name in names if self.resolved.get(name) != other.resolved.get(name))

    def target(self, specifier: str) -> str | None:
        """Return the file of the repository to which a specifier resolves."""
        return target_path(self.resolved.get(specifier, ""))

    def targets(self, specifier: str) -> tuple[str, ...]:
        """Return the files of the repository to which a specifier resolves: several for a glob."""
        return target_paths(self.resolved.get(specifier, ""))


class Installed(msgspec.Struct, frozen=True, array_like=True):
    """A declaration file of an installed package that was read: modification time in nanoseconds, and size in bytes."""

    mtime: int
    size: int


class Links(msgspec.Struct, frozen=True, array_like=True):
    """Information for an update about all files of an index."""

    files: dict[str, FileLinks]
    #: For each name that may be the name of a member: the number of files in which it occurs.
    members: dict[str, int]
    #: For each name that may be the name of a method: the number of files in which it occurs.
    methods: dict[str, int]
    #: Installed declarations that were read, by path.
    installed: dict[str, Installed]
    #: False if installed declarations were skipped for their total size, or if a type query failed. A query that is cut off after
    #: a number of steps does not count as failed, because its answer "unknown" depends on the same files as before.
    complete: bool
    #: Digest of the rules that decide which files share global names.
    programs: str = ""


def have_tables(files: Iterable[FileLinks]) -> bool:
    """Return whether some files declare tables. Without declared tables, no call of an object mapper uses a table."""
    return any(links.has_tables for links in files)


def is_ambient(path: str, facts: FileFacts) -> bool:
    """Return whether a file declares something for files that do not import it."""
    return any(scope.ambient for scope in facts.scopes.values()) or declares_globals(path, facts)


def imports_among_ambient(files: Mapping[str, FileLinks]) -> set[tuple[str, str]]:
    """Return pairs (importer, imported) of files that both declare something for files that do not import them."""
    ambient = {path for path, links in files.items() if links.ambient}
    targets = {
        path: {target for resolved in files[path].resolved.values() for target in target_paths(resolved)} for path in ambient
    }
    return {(path, target) for path in ambient for target in targets[path] & ambient}


def declares_globals(path: str, facts: FileFacts) -> bool:
    """Return whether the names at the root of a file are global."""
    return is_global_script(path, facts.language, is_module=facts.has_own_names)


def link_file(unit: Unit, whole: FileFacts, content_hash: str, resolve: Callable[[str, str], Resolution]) -> FileLinks:
    """Return the links of a file that was read. `unit` has the facts for TypeScript's engine, and `whole` has all facts."""
    facts, path = unit.facts, unit.path
    return FileLinks(
        content_hash,
        language_of(path) or facts.language,
        _resolved(unit, whole, resolve),
        is_ambient(path, facts),
        {name: sorted(values) for name, values in discriminants([unit]).items()},
        sorted(compared_names(unit)),
        "\n".join(sorted(declared_names(whole))),
        "\n".join(sorted(wanted_names(whole))),
        {specifier: named(resolve(specifier, path)) for specifier in sorted(specifiers_in(whole))},
        whole.data is not None,
        api_role(whole.api),
        has_tables=whole.data is not None and whole.data.declares_tables,
        sql_dialect=whole.sql_dialect,
        words=words_of(whole),
        named=named_by(whole),
        forwarded=forwarded(whole),
        read_members="\n".join(sorted(read_names(unit))),
    )


def _resolved(unit: Unit, whole: FileFacts, resolve: Callable[[str, str], Resolution]) -> dict[str, str]:
    """Return the targets of all specifiers of a file, written or not."""
    facts, path = unit.facts, unit.path
    derived = _derived(whole, path, resolve) if is_nominal(whole) else _auto_imports(unit, resolve)
    specifiers = {entry.specifier for entry in facts.imports} | {
        scope.ambient for scope in facts.scopes.values() if scope.ambient
    }
    return {**{specifier: named(resolve(specifier, path)) for specifier in sorted(specifiers)}, **derived}


def _auto_imports(unit: Unit, resolve: Callable[[str, str], Resolution]) -> dict[str, str]:
    """Return the targets of what a framework may give to a file without an import: names, and the data of a route.

    The empty name stands for the framework itself.
    """
    names: list[str] = []
    if takes_auto_imports(unit.path, resolve):
        names += ["", *sorted(undeclared_names(unit))]
        given = ((entry.specifier, name) for entry in unit.facts.imports for name in entry.names)
        names += [implied for specifier, name in given if (implied := implied_name(specifier, name))]
    if route_type(unit.path, ROUTE_DATA) or any(names_route_types(entry.specifier) for entry in unit.facts.imports):
        names += loading_specifiers(unit.path)
    specifiers = [f"{AUTO_IMPORT}{name}" for name in names]
    return {specifier: named(resolve(specifier, unit.path)) for specifier in specifiers}


def takes_auto_imports(path: str, resolve: Callable[[str, str], Resolution]) -> bool:
    """Return whether a framework may give names to a file without an import."""
    return isinstance(resolve(AUTO_IMPORT, path), AssetTarget)


def _derived(facts: FileFacts, path: str, resolve: Callable[[str, str], Resolution]) -> dict[str, str]:
    """Return the targets of modules that a file may reach through its imports without naming the modules in an import.

    A missing module is included only inside a package, because a later file may add the module.
    """
    found: dict[str, str] = {}
    imports = NominalImports(facts)
    for specifier in imports.specifiers[imports.written :]:
        target = resolve(specifier, path)
        if not isinstance(target, SourceTarget) and specifier not in imports.implied:
            around = specifier.rpartition(".")[0]
            package = resolve(around or ".", path)
            if not _may_hold_modules(package):
                continue
        found[specifier] = named(target)
    return found


def _may_hold_modules(package: Resolution) -> bool:
    """Return whether a target is a package of a nominal language: with an `__init__` file, or a folder without such a file."""
    if isinstance(package, SourceTarget):
        return package.path.rpartition("/")[2].startswith("__init__.")
    return isinstance(package, AssetTarget)


def named(resolution: Resolution) -> str:
    """Return a resolution as text; equal resolutions have equal texts."""
    if isinstance(resolution, SourceTarget):
        return (_BUILT if resolution.built else _SOURCE) + resolution.path
    if isinstance(resolution, GlobTarget):
        return _FILES + "\n".join(resolution.paths)
    return repr(resolution)


def target_path(resolved: str) -> str | None:
    """Return the file of the repository in a resolution as text."""
    return resolved.partition(":")[2] if resolved.startswith((_SOURCE, _BUILT)) else None


def target_paths(resolved: str) -> tuple[str, ...]:
    """Return the files of the repository in a resolution as text: one for a module, any number for a glob."""
    if resolved.startswith(_FILES):
        return tuple(filter(None, resolved.removeprefix(_FILES).split("\n")))
    path = target_path(resolved)
    return (path,) if path is not None else ()


def relinked(links: FileLinks, path: str, resolve: Callable[[str, str], Resolution]) -> FileLinks:
    """Return the links of an unchanged file, after its specifiers were resolved again."""
    resolved = {specifier: named(resolve(specifier, path)) for specifier in links.resolved}
    linked = {specifier: named(resolve(specifier, path)) for specifier in links.linked}
    if resolved == links.resolved and linked == links.linked:
        return links
    return msgspec.structs.replace(links, resolved=resolved, linked=linked)


def derived_again(links: FileLinks, unit: Unit, whole: FileFacts, resolve: Callable[[str, str], Resolution]) -> FileLinks:
    """Return the links of an unchanged file with the specifiers that follow from the current targets of its imports."""
    return msgspec.structs.replace(links, resolved=_resolved(unit, whole, resolve))


def with_data(links: FileLinks, queries: list[ModelQuery], edges: GraphContent | None) -> FileLinks:
    """Return the links of a file with two additions: the calls of object mappers that use tables, and the digest of the data
    edges."""
    digest = digest_of(edges)
    if links.queries == queries and links.data_digest == digest:
        return links
    return msgspec.structs.replace(links, queries=queries, data_digest=digest)


def importers(links: Mapping[str, FileLinks]) -> dict[str, list[str]]:
    """Map each file to the files that import it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, entry in links.items():
        for target in {target for resolved in entry.resolved.values() for target in target_paths(resolved)}:
            found[target].append(path)
    return found


# -------------------------------------------------------------------- all files together


def count_names(units: Iterable[Unit]) -> tuple[Counter[str], Counter[str]]:
    """Count the files that contain each name that may be the name of a member, and of a method.

    Only the engine of TypeScript and JavaScript looks up these names, so files of other languages do not count.
    """
    members: Counter[str] = Counter()
    methods: Counter[str] = Counter()
    for unit in units:
        if unit.facts.language not in RESOLVED:
            continue
        found = names_of(unit)
        members.update(found.members)
        methods.update(found.methods)
    return members, methods


def all_literals(files: Iterable[FileLinks]) -> dict[str, set[str]]:
    """Return the literal types that shapes declare for members, by name of the member."""
    found: dict[str, set[str]] = {}
    for entry in files:
        for name, values in entry.literals.items():
            found.setdefault(name, set()).update(values)
    return found


def names_in(links: Links) -> KnownNames:
    """Return the names and literals of members in all files of the program."""
    return KnownNames(all_literals(links.files.values()), links.members.keys(), links.methods.keys())


def stamps_of(root: Path, paths: Iterable[str]) -> dict[str, Installed]:
    """Return the current stamps of installed files. Missing files are omitted."""
    found = {}
    for path in paths:
        try:
            status = (root / path).stat()
        except OSError:
            continue
        found[path] = Installed(status.st_mtime_ns, status.st_size)
    return found


def exceed_read_limit(installed: Mapping[str, Installed]) -> bool:
    """Return whether the installed declarations exceed the size that one run reads."""
    return exceed_limits((path, entry.size) for path, entry in installed.items())


def read_edges(data: bytes) -> dict[str, GraphContent]:
    """Decode the edges of files, by path, from MessagePack. Return none if they are missing or have another format."""
    try:
        return msgspec.msgpack.decode(data, type=dict[str, GraphContent])
    except msgspec.DecodeError:
        return {}


def read_links(data: bytes) -> Links | None:
    """Decode links from MessagePack. Return None if they are missing or have another format."""
    try:
        return msgspec.msgpack.decode(data, type=Links)
    except msgspec.DecodeError:
        return None
