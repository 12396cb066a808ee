"""Find the aliases that apply in a folder: the aliases in the nearest configuration of each tool."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict

import msgspec

from ......schema.languages import language_of
from ......schema.paths import folders_above, parent_of, path_in
from .....files.jsonc import parse_object
from .....files.tool_configurations import MAX_IMPORTS, script_candidates, tool_of
from .....files.workspace_files import WorkspaceFiles, join_path
from ..packages.package_manifest import Manifests, PackageManifest
from .alias_reading import AliasReader
from .aliases import Alias, exact_alias
from .auto_imports import NuxtLayer, ProjectNames, project_names
from .bundle_reading import ENTRY_WORDS, Bundle, aliases_in_command, bundles_in_command, bundles_in_script
from .frameworks import framework_aliases, nuxt_source
from .plugin_imports import PLUGIN_WORDS, plugin_names
from .script_values import ScriptValues
from .values import UNKNOWN, LiteralObject, Unknown, Value

#: Names of folders with the configuration of the project in the folder above.
_CONFIGURATION_FOLDER = re.compile(
    r"\.?configs?|configuration|build|webpack|vite|rollup|rspack|scripts|tools?|tooling|bundler|\.storybook|\.electron-vue|\.erb"
)
#: A configuration without any of these words maps no specifiers.
_WORDS = re.compile(rb"[aA]lias|moduleNameMapper|modulePaths|moduleDirectories|module-resolver|extraNodeModules|modules")
#: Configurations to which the aliases of their framework always apply.
_FRAMEWORKS = re.compile(r"(?:nuxt|svelte|vue|docusaurus|wxt|quasar)\.config\.|\.umirc|\.dumirc")
#: Maximum size of a configuration that is read, in bytes.
_MAX_SIZE = 500_000


class ToolRules(msgspec.Struct, frozen=True):
    """The rules of the tools' configurations for specifiers in a folder."""

    aliases: tuple[Alias, ...] = ()
    #: Aliases for tests only.
    test_aliases: tuple[Alias, ...] = ()
    #: Folders in which packages are searched, relative to the workspace.
    module_folders: tuple[str, ...] = ()
    #: True if a configuration has computed aliases.
    is_open: bool = False


NO_RULES = ToolRules()


class ToolConfigurations:
    """Reads the configurations of a workspace. A configuration is read when a file that it governs needs it."""

    def __init__(self, files: WorkspaceFiles, manifests: Manifests) -> None:
        self._files = files
        self._manifests = manifests
        #: Folder -> tool -> configurations in the folder, then in its folders for configuration.
        self._paths: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for path in sorted(files.configurations, key=lambda path: (path.count("/"), path)):
            tool = tool_of(path)
            if tool is not None and tool != "deno":
                self._paths[parent_of(path)][tool].append(path)
                if _CONFIGURATION_FOLDER.fullmatch(parent_of(path).rpartition("/")[2]):
                    self._paths[self._project_of(parent_of(path))][tool].append(path)
        self._by_path: dict[str, ToolRules] = {}
        self._by_folder: dict[str, ToolRules] = {}
        self._scripts: dict[str, ScriptValues | None] = {}
        #: The exports that are being evaluated, each with its file: a file imports the next one.
        self._importing: list[tuple[str, str]] = []
        #: Configurations of Nuxt, each with the configurations of its layers.
        self._projects: dict[str, list[str]] = {}
        #: Folder of a project -> folders in its folder `layers`.
        self._layers: dict[str, list[str]] = defaultdict(list)
        #: Folder -> the names that its configuration imports into the files of the project; None without such names.
        self._names: dict[str, ProjectNames | None] = {}
        self._bundles: dict[str, dict[str, str]] = {}
        for folder in self._paths:
            if parent_of(folder).rpartition("/")[2] == "layers":
                self._layers[parent_of(parent_of(folder))].append(folder)

    def rules_for(self, folder: str) -> ToolRules:
        """Return the rules of the configurations that govern a folder."""
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._governing(folder)
        return found

    def _governing(self, folder: str) -> ToolRules:
        parts: list[ToolRules] = []
        seen: set[str] = set()
        has_manifest = False
        for each in folders_above(folder):
            here = self._paths.get(each, {})
            for tool in [tool for tool in here if tool not in seen]:
                seen.add(tool)
                paths = (layer for path in here[tool] for layer in self._with_layers(path))
                parts += [self._read(path, tool) for path in dict.fromkeys(paths)]
            manifest = self._manifests.at(each)
            if manifest is not None and not has_manifest:
                has_manifest = True
                parts.append(self._of_manifest(manifest))
        filled = [part for part in parts if part != NO_RULES]
        if not filled:
            return NO_RULES
        return ToolRules(
            tuple(alias for part in filled for alias in part.aliases),
            tuple(alias for part in filled for alias in part.test_aliases),
            tuple(dict.fromkeys(folder for part in filled for folder in part.module_folders)),
            any(part.is_open for part in filled),
        )

    def sources_of_bundle(self, path: str) -> list[str]:
        """Return the paths of the sources from which a bundler may build a file, the most certain first.

        `path` has no extension. A source need not exist, and may lack its extension. If the entry of a bundle stands for every
        file of a folder, a file beside the entry may also be built on its own, such as `dist/utils.js` from `src/utils.ts`.
        """
        for folder in folders_above(parent_of(path)):
            bundles = self._bundles_of(folder)
            if (exact := bundles.get(path)) is not None:
                return [exact]
            if bundles and (entry := bundles.get(f"{parent_of(path)}/*")) is not None:
                return [path_in(parent_of(entry), path.rpartition("/")[2]), entry]
        return []

    def _bundles_of(self, folder: str) -> dict[str, str]:
        """Return the sources of the bundles that the configurations and the package.json of a folder build, by path."""
        found = self._bundles.get(folder)
        if found is None:
            manifest = self._manifests.at(folder)
            bundles: list[Bundle] = []
            for tool, paths in self._paths.get(folder, {}).items():
                for path in paths:
                    content = self._files.read(path) if language_of(path) is not None else None
                    script = self._script(path) if content is not None and ENTRY_WORDS.search(content) else None
                    if script is not None:
                        name = manifest.name if manifest is not None else ""
                        bundles += bundles_in_script(script, tool, self._absolute(folder), name)
            for command in manifest.scripts if manifest is not None else ():
                bundles += bundles_in_command(command, self._absolute(folder))
            found = self._bundles[folder] = {}
            for bundle in bundles:
                built, source = self._inside([bundle.built]), self._inside([bundle.source])
                if built and source:
                    found.setdefault(built[0], source[0])
        return found

    def _project_of(self, folder: str) -> str:
        """Return the folder of the nearest package.json, or the root."""
        return next((each for each in folders_above(folder) if self._manifests.at(each) is not None), "")

    def _absolute(self, folder: str) -> str:
        return f"{self._files.root}/{folder}" if folder else self._files.root

    def _inside(self, paths: list[str]) -> tuple[str, ...]:
        root = self._files.root
        return tuple(path[len(root) :].strip("/") for path in paths if path == root or path.startswith(root + "/"))

    def _read(self, path: str, tool: str) -> ToolRules:
        if path not in self._by_path:
            self._by_path[path] = self._read_configuration(path, tool)
        return self._by_path[path]

    def _read_configuration(self, path: str, tool: str) -> ToolRules:
        content = self._files.read(path)
        name = path.rpartition("/")[2]
        is_framework = _FRAMEWORKS.match(name) is not None
        if content is None or len(content) > _MAX_SIZE or not (is_framework or _WORDS.search(content) or b"laravel" in content):
            return NO_RULES
        folder = parent_of(path)
        reader = AliasReader(tool, self._files.root, self._absolute(folder), self._absolute(self._project_of(folder)))
        if language_of(name) is None:
            data, _ = parse_object(content)
            self._read_data(reader, tool, _value_of(data))
            return self._rules(reader, [])
        script = self._script(path)
        if script is None:
            return NO_RULES
        reader.read_script(script.root, script)
        defaults = framework_aliases(
            name, script.configuration(), self._absolute(folder), self._is_folder, frozenset(script.imported_modules())
        )
        return self._rules(reader, defaults)

    def _is_folder(self, path: str) -> bool:
        return self._files.is_folder(path[len(self._files.root) :].strip("/"))

    def _read_data(self, reader: AliasReader, tool: str, data: Value) -> None:
        if not isinstance(data, LiteralObject):
            return
        if tool == "jest":
            reader.read_jest(data)
        for plugin in _plugins(data) if tool == "babel" else ():
            reader.add_module_resolver(plugin)

    def _of_manifest(self, manifest: PackageManifest) -> ToolRules:
        """Return the rules in a package.json: in `alias`, `browser`, `_moduleAliases`, `jest`, `babel`, and in its scripts."""
        given = [alias for command in manifest.scripts for alias in aliases_in_command(command)]
        if not manifest.tools and not given:
            return NO_RULES
        folder = self._absolute(manifest.folder)
        reader = AliasReader("package", self._files.root, folder, folder)
        reader.add_aliases(LiteralObject({name: _absolute_target(target, folder) for name, target in given}))
        for field, written in manifest.tools.items():
            value = _value_of(written)
            if not isinstance(value, LiteralObject):
                continue
            if field == "alias":
                reader.add_aliases(value)
            elif field == "_moduleAliases":
                reader.add_aliases(
                    LiteralObject({key: _absolute_target(target, folder) for key, target in value.entries.items()})
                )
            elif field == "browser":
                replaced = {key: target for key, target in value.entries.items() if not key.startswith(".")}
                reader.aliases += [
                    exact_alias(key, (target,))
                    for key, given in replaced.items()
                    if isinstance(target := _absolute_target(given, folder), str)
                ]
            elif field == "jest":
                reader.read_jest(value)
            elif field == "babel":
                self._read_data(reader, "babel", value)
        return self._rules(reader, [])

    def _rules(self, reader: AliasReader, defaults: list[Alias]) -> ToolRules:
        # A target may begin with an alias of the framework itself: `styles: "~/styles"`.
        aliases = [
            msgspec.structs.replace(alias, targets=tuple(each for target in alias.targets for each in _through(defaults, target)))
            for alias in reader.aliases
        ]
        folders = self._inside(reader.module_folders)
        if reader.tool == "storybook":
            # The aliases of the application's bundler precede the aliases of Storybook, which replaces modules by stubs.
            return ToolRules((), (*aliases, *reader.test_aliases), folders, reader.is_open)
        return ToolRules((*aliases, *defaults), tuple(reader.test_aliases), folders, reader.is_open)

    # Layers of Nuxt

    def _with_layers(self, path: str) -> list[str]:
        """Return a configuration and, for Nuxt, the configurations of all layers of the project.

        Layers are extended, or are in the folder `layers`.
        """
        if not _is_nuxt(path):
            return [path]
        if path not in self._projects:
            found = {path: None}
            pending = [path]
            for each in pending:
                above = parent_of(parent_of(each))
                around = [parent_of(above)] if above.rpartition("/")[2] == "layers" else []
                linked = [*self._extended(each), *self._layers.get(parent_of(each), ()), *around]
                configurations = (layer for place in linked for layer in self._paths.get(place, {}).get("framework", ()))
                new = dict.fromkeys(layer for layer in configurations if _is_nuxt(layer) and layer not in found)
                found |= new
                pending += new
            self._projects[path] = list(found)
        return self._projects[path]

    def _extended(self, path: str) -> list[str]:
        """Return the folders of the workspace that a configuration of Nuxt extends, by path or by name of a package."""
        script = self._script(path)
        options = script.configuration() if script is not None else UNKNOWN
        written = options.entries.get("extends") if isinstance(options, LiteralObject) else None
        found: list[str] = []
        packages = {manifest.name: manifest.folder for manifest in reversed(self._manifests.of_workspace())} if written else {}
        for each in written if isinstance(written, list) else [written]:
            name = each[0] if isinstance(each, list) and each else each
            if isinstance(name, str) and name.startswith("."):
                place = join_path(parent_of(path), name)
                found += [place] if place is not None else []
            elif isinstance(name, str) and name in packages:
                found.append(packages[name])
        return found

    def names_for(self, folder: str) -> ProjectNames | None:
        """Return the names that Nuxt or plugins of a bundler import into the files of a folder, or None without either."""
        for place in folders_above(folder):
            if place not in self._names:
                self._names[place] = self._names_at(place)
            if (names := self._names[place]) is not None:
                return names
        return None

    def _names_at(self, place: str) -> ProjectNames | None:
        """Return the names that a configuration in a folder imports into the files of its project, or None."""
        if nuxt := self._nuxt_at(place):
            return project_names(self._files, [self._layer(path) for path in self._with_layers(nuxt[0])])
        for path in (path for paths in self._paths.get(place, {}).values() for path in paths):
            content = self._files.read(path) if language_of(path) is not None else None
            script = self._script(path) if content is not None and PLUGIN_WORDS.search(content) else None
            names = plugin_names(script, self._files, self._project_of(place)) if script is not None else None
            if names is not None:
                return names
        return None

    def _nuxt_at(self, folder: str) -> list[str]:
        return [path for path in self._paths.get(folder, {}).get("framework", ()) if _is_nuxt(path) and parent_of(path) == folder]

    def _layer(self, path: str) -> NuxtLayer:
        script = self._script(path)
        options = script.configuration() if script is not None else UNKNOWN
        source = nuxt_source(options, self._absolute(parent_of(path)), self._is_folder)
        return NuxtLayer(parent_of(path), next(iter(self._inside([source])), parent_of(path)), options)

    # Scripts

    def _script(self, path: str) -> ScriptValues | None:
        # Imported here, because a workspace without such a file needs no parser.
        from ...parsing.parse import parse_text

        if path not in self._scripts:
            content, language = self._files.read(path), language_of(path)
            if content is None or language is None or len(content) > _MAX_SIZE:
                self._scripts[path] = None
            else:
                tree = parse_text(content.removeprefix(b"\xef\xbb\xbf"), language)

                def imported(specifier: str, name: str) -> Value:
                    return self._imported(path, specifier, name)

                working = self._absolute(self._project_of(parent_of(path)))
                self._scripts[path] = ScriptValues(tree.root, self._absolute(path), working, imported)
        return self._scripts[path]

    def _imported(self, path: str, specifier: str, name: str) -> Value:
        """Return the value of an export of a file that a configuration imports, or that such a file imports."""
        target = join_path(parent_of(path), specifier)
        if target is None or len(self._importing) >= MAX_IMPORTS:
            return UNKNOWN
        for candidate in script_candidates(target):
            if candidate.endswith(".json") and self._files.is_file(candidate):
                return self._imported_data(candidate, name)
            if language_of(candidate) is not None and self._files.is_file(candidate):
                script = self._script(candidate)
                if script is None or (candidate, name) in self._importing:
                    return UNKNOWN
                self._importing.append((candidate, name))
                try:
                    # A module of CommonJS has no "default"; a default import is then the whole module.
                    found = script.exported(name)
                    return script.exported("*") if name == "default" and isinstance(found, Unknown) else found
                finally:
                    self._importing.pop()
        return UNKNOWN

    def _imported_data(self, path: str, name: str) -> Value:
        """Return the content of a JSON file, or its entry with a name."""
        content = self._files.read(path)
        if content is None or len(content) > _MAX_SIZE:
            return UNKNOWN
        whole = _value_of(parse_object(content)[0])
        return whole if name in ("*", "default") or not isinstance(whole, LiteralObject) else whole.entries.get(name, UNKNOWN)


def _is_nuxt(path: str) -> bool:
    return path.rpartition("/")[2].startswith("nuxt.config.")


def _through(aliases: list[Alias], target: str) -> list[str]:
    found = [each for alias in aliases for each in alias.apply(target) or ()]
    return [*found, target]


def _absolute_target(target: Value, folder: str) -> Value:
    """Return the absolute path of a target that is relative to a folder; a package is returned unchanged."""
    if not isinstance(target, str):
        return target
    return posixpath.normpath(posixpath.join(folder, target)) if "/" in target or target.startswith(".") else target


def _value_of(data: object) -> Value:
    if isinstance(data, dict):
        return LiteralObject({str(key): _value_of(value) for key, value in data.items()})
    if isinstance(data, list):
        return [_value_of(item) for item in data]
    if data is None or isinstance(data, str | bool | float):
        return data
    return float(data) if isinstance(data, int) else UNKNOWN


def _plugins(data: LiteralObject) -> list[LiteralObject]:
    """Return the options of every module resolver in a configuration of Babel, including resolvers for one environment."""
    found: list[LiteralObject] = []
    pending: list[Value] = [data]
    while pending:
        value = pending.pop()
        if isinstance(value, LiteralObject):
            pending += value.entries.values()
        elif isinstance(value, list):
            pending += value
            if len(value) > 1 and isinstance(value[0], str) and value[0].endswith("module-resolver"):
                found += [value[1]] if isinstance(value[1], LiteralObject) else []
    return found
