"""Find what Nuxt imports into the files of a project that use a name without declaring it: components, composables and Vue's API.

`useCart()` means the export of `composables/cart.ts`, and `<UserCard>` the component `components/user/Card.vue`. The literal
settings `components`, `imports` and `pinia` of `nuxt.config.ts` count. Exports are found in the text, as Nuxt finds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ......schema.paths import parent_of, path_in
from .....files.workspace_files import WorkspaceFiles, join_path
from .values import LiteralObject, Value

#: Beginning of the specifiers under which a name is resolved. No import contains such a specifier.
AUTO_IMPORT: Final = "auto-import:"

_SCRIPT: Final = re.compile(r"([^/]+?)(?<!\.d)\.[cm]?[jt]sx?")
_COMPONENT: Final = re.compile(r"([^/]+?)(?:\.(?:client|server|global))?\.(?:vue|[jt]sx)")
_NAMED_FILE: Final = re.compile(r"([^/]+?)(?<!\.d)(?:\.global)?\.(?:vue|[cm]?[jt]sx?)")
#: Folders with files that pages name by strings: `definePageMeta({ layout: "shop", middleware: "auth" })`.
_NAMED_FOLDERS: Final = ("layouts", "middleware")
_EXPORT: Final = re.compile(
    rb"^[ \t]*export[ \t]+(?:(?:declare|async|abstract)[ \t]+)*"
    rb"(?:(?:function[ \t]*\*?|const|let|var|class|enum|interface|type)[ \t]+([\w$]+)"
    rb"|(?:type[ \t]+)?\{([^}]{0,5000})\}|(default)\b|\*[ \t]*from[ \t]*['\"](\.[^'\"\n]{1,300})['\"])",
    re.MULTILINE,
)
#: Maximum size of a file whose exports are read, in bytes.
_MAX_SIZE: Final = 500_000
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z0-9])")
#: Folders of a project whose files exist for the server alone.
_SERVER: Final = ("server",)
VUE: Final = (
    "ref computed reactive readonly watch watchEffect watchPostEffect watchSyncEffect shallowRef shallowReactive shallowReadonly "
    "toRef toRefs toRaw toValue unref isRef isReactive isReadonly isProxy markRaw triggerRef customRef effectScope "
    "onScopeDispose getCurrentScope getCurrentInstance provide inject hasInjectionContext nextTick h useSlots useAttrs "
    "useModel useTemplateRef useId onMounted onBeforeMount onUpdated onBeforeUpdate onUnmounted onBeforeUnmount "
    "onActivated onDeactivated "
    "onErrorCaptured onRenderTracked onRenderTriggered onServerPrefetch defineComponent defineAsyncComponent resolveComponent "
    "Ref ComputedRef PropType InjectionKey MaybeRef MaybeRefOrGetter VNode WritableComputedRef"
)
_NUXT: Final = (
    "useAsyncData useLazyAsyncData useFetch useLazyFetch useNuxtData useState useCookie useNuxtApp useRuntimeConfig useAppConfig "
    "useError useHead useSeoMeta useRequestHeaders useRequestURL navigateTo abortNavigation createError showError clearError "
    "callOnce refreshNuxtData clearNuxtData definePageMeta defineNuxtPlugin defineNuxtRouteMiddleware"
)
ROUTER: Final = "useRoute useRouter onBeforeRouteLeave onBeforeRouteUpdate"
#: The packages whose names Nuxt imports, by name.
_PACKAGES: Final = {
    **dict.fromkeys(VUE.split(), "vue"),
    **dict.fromkeys(_NUXT.split(), "nuxt/app"),
    **dict.fromkeys(ROUTER.split(), "vue-router"),
}


def implied_name(specifier: str, name: str) -> str:
    """Return the name under which Nuxt finds an import from `#imports` or `#components`, "" for other imports."""
    return name if specifier == "#imports" else f"<{name}>" if specifier == "#components" else ""


class NuxtLayer(NamedTuple):
    """A project of Nuxt, or one of its layers: its folder, the folder of its sources, and its configuration."""

    folder: str
    source: str
    options: Value


class ProjectNames(NamedTuple):
    """The files and packages that provide the names of a project, by name.

    The names of components are tags, such as `<UserCard>`.
    """

    everywhere: dict[str, str]
    #: Names of code for the server.
    on_server: dict[str, str]
    #: Folders with code for the server.
    server_folders: tuple[str, ...]
    #: The packages that provide names, by name.
    packages: dict[str, str]

    def file_of(self, name: str, folder: str) -> str | None:
        """Return the file that provides a name to the files of a folder, or None."""
        return (self.on_server if self._is_server(folder) else self.everywhere).get(name)

    def package_of(self, name: str, folder: str) -> str | None:
        """Return the package that provides a name to the files of a folder, or None."""
        return None if self._is_server(folder) else self.packages.get(name)

    def _is_server(self, folder: str) -> bool:
        return any(folder == each or folder.startswith(f"{each}/") for each in self.server_folders)


def project_names(files: WorkspaceFiles, layers: Iterable[NuxtLayer]) -> ProjectNames:
    """Return the names of a project with its layers. The first layer that provides a name wins."""
    names: dict[str, str] = {}
    on_server: dict[str, str] = {}
    servers: list[str] = []
    sources = sorted(files.sources)
    for layer in layers:
        inside = [path for path in sources if not layer.folder or path.startswith(f"{layer.folder}/")]
        given = layer.options.entries if isinstance(layer.options, LiteralObject) else {}
        for kind in _NAMED_FOLDERS:
            _add_named(names, inside, kind, _named_folder(layer, given.get("dir"), kind))
        for folder, prefix, has_path in _component_folders(layer, given.get("components")):
            for path in files_below(inside, folder):
                _add_component(names, path, folder, prefix, has_path=has_path)
        shared = [path_in(layer.folder, "shared/utils"), path_in(layer.folder, "shared/types")]
        for folder, is_deep in (*_script_folders(layer, given), *((each, False) for each in shared)):
            add_exports(names, files, inside, folder, is_deep=is_deep)
        for each in _SERVER:
            server = path_in(layer.folder, each)
            servers.append(server)
            add_exports(on_server, files, inside, f"{server}/utils", is_deep=True)
        for folder in shared:
            add_exports(on_server, files, inside, folder, is_deep=False)
    return ProjectNames(names, on_server, tuple(servers), _PACKAGES)


def files_below(paths: Iterable[str], folder: str) -> Iterator[str]:
    """Return the paths below a folder."""
    beginning = f"{folder}/"
    return (path for path in paths if path.startswith(beginning))


def _component_folders(layer: NuxtLayer, given: Value) -> list[tuple[str, str, bool]]:
    """Return the folders of components, the deepest first: with a prefix of the names, and whether names contain the path."""
    default = [(path_in(layer.source, "components"), "", True)]
    if given is False:
        return []
    dirs = given.entries.get("dirs") if isinstance(given, LiteralObject) and "dirs" in given.entries else given
    if not isinstance(dirs, list):
        return default
    found: list[tuple[str, str, bool]] = []
    for each in dirs:
        entries: dict[str, Value] = each.entries if isinstance(each, LiteralObject) else {"path": each}
        path, prefix = entries.get("path"), entries.get("prefix")
        folder = _folder(layer, path) if isinstance(path, str) else None
        if folder is not None:
            found.append((folder, prefix if isinstance(prefix, str) else "", entries.get("pathPrefix") is not False))
    return sorted(found, key=lambda each: -each[0].count("/"))


def _folder(layer: NuxtLayer, written: str) -> str | None:
    """Return the folder that a configuration names: `~/components`, `./parts` or `parts`."""
    for alias, folder in (("~~/", layer.folder), ("@@/", layer.folder), ("~/", layer.source), ("@/", layer.source)):
        if written.startswith(alias):
            return join_path(folder, written.removeprefix(alias))
    return join_path(layer.source, written.lstrip("/"))


def _script_folders(layer: NuxtLayer, given: dict[str, Value]) -> list[tuple[str, bool]]:
    """Return the folders of composables and their kin, and whether all of their folders count."""
    imports, modules, pinia = given.get("imports"), given.get("modules"), given.get("pinia")
    options = imports.entries if isinstance(imports, LiteralObject) else {}
    if options.get("autoImport") is False or options.get("scan") is False:
        return []
    written = ["composables", "utils"]
    if isinstance(modules, list) and "@pinia/nuxt" in modules:
        places = pinia.entries.get("storesDirs") if isinstance(pinia, LiteralObject) else None
        written += [each for each in places if isinstance(each, str)] if isinstance(places, list) else ["stores"]
    dirs = options.get("dirs")
    written += [each for each in dirs if isinstance(each, str)] if isinstance(dirs, list) else []
    found: list[tuple[str, bool]] = []
    for each in written:
        head, star, _ = each.partition("/*")
        folder = _folder(layer, head)
        if folder is not None:
            found.append((folder, bool(star) and each.startswith("**", len(head) + 1)))
    return found


def _add_component(names: dict[str, str], path: str, folder: str, prefix: str, *, has_path: bool) -> None:
    *folders, last = path.removeprefix(f"{folder}/").split("/")
    found = _COMPONENT.fullmatch(last)
    if found is None:
        return
    words = _words(found[1]) if found[1] != "index" or not folders else []
    if has_path or not words:
        words = _joined([word for each in folders if not each.startswith("(") for word in _words(each)], words)
    name = pascal_words(prefix) + _pascal(words)
    for tag in (f"<{name}>", f"<Lazy{name}>"):
        names.setdefault(tag, path)


def _named_folder(layer: NuxtLayer, given: Value, kind: str) -> str | None:
    """Return the folder of layouts or middleware, which the setting `dir` may rename; None for a folder outside the workspace."""
    written = given.entries.get(kind) if isinstance(given, LiteralObject) else None
    return _folder(layer, written if isinstance(written, str) else kind)


def _add_named(names: dict[str, str], paths: Iterable[str], kind: str, folder: str | None) -> None:
    """Add the layouts or the middleware in a folder, which pages name by strings, under `<layouts/Name>`."""
    for path in files_below(paths, folder) if folder is not None else ():
        *folders, last = path.removeprefix(f"{folder}/").split("/")
        found = _NAMED_FILE.fullmatch(last)
        if found is None or (kind == "middleware" and (len(folders) > 1 or (folders and found[1] != "index"))):
            continue
        words = _words(found[1]) if found[1] != "index" or not folders else []
        words = _joined([word for each in folders for word in _words(each)], words)
        names.setdefault(f"<{kind}/{_pascal(words)}>", path)


def _words(name: str) -> list[str]:
    return _WORD.findall(name)


def pascal_words(name: str) -> str:
    """Return a name with a capital at the beginning of each word, and without signs: `user-card` is `UserCard`."""
    return _pascal(_words(name))


def _pascal(words: Iterable[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


def _joined(folders: list[str], own: list[str]) -> list[str]:
    """Return the words of folders and of a file. Words that the file repeats count once: `user/profile` and `UserProfileCard`."""
    lowered = [word.lower() for word in own]
    for start in range(len(folders)):
        ending = [word.lower() for word in folders[start:]]
        if lowered[: len(ending)] == ending:
            return folders[:start] + own
    return folders + own


def add_exports(names: dict[str, str], files: WorkspaceFiles, paths: Iterable[str], folder: str, *, is_deep: bool) -> None:
    """Add the exports of the files in a folder to `names`, by name."""
    for path in files_below(paths, folder):
        *folders, last = path.removeprefix(f"{folder}/").split("/")
        found = _SCRIPT.fullmatch(last)
        if found is None or (folders and not is_deep and (len(folders) > 1 or found[1] != "index")):
            continue
        stem = folders[-1] if found[1] == "index" and folders else found[1]
        words = _words(stem)
        default = "".join(word.lower() for word in words[:1]) + _pascal(words[1:])
        for name in exported_names(files, path):
            names.setdefault(default if name == "default" else name, path)


def exported_names(files: WorkspaceFiles, path: str) -> list[str]:
    """Return the names that a file exports by its text, with the names of the files behind `export * from "./x"`."""
    found: dict[str, None] = {}
    waiting, seen = [path], {path}
    for each in waiting:
        text = files.read(each)
        if text is None or len(text) > _MAX_SIZE:
            continue
        for export in _EXPORT.finditer(text):
            if export[1] is not None or export[3] is not None:
                found.setdefault((export[1] or export[3]).decode("utf-8", "replace"))
            elif export[2] is not None:
                for part in export[2].decode("utf-8", "replace").split(","):
                    name = part.rpartition(" as ")[2].strip().removeprefix("type ").strip()
                    if name:
                        found.setdefault(name)
            else:
                target = join_path(parent_of(each), export[4].decode("utf-8", "replace"))
                for candidate in _candidates(target) if target is not None else ():
                    if files.is_source(candidate) and candidate not in seen:
                        seen.add(candidate)
                        waiting.append(candidate)
    return list(found)


def _candidates(target: str) -> list[str]:
    bare = re.sub(r"\.[cm]?[jt]s$", "", target)
    return [target, *(f"{name}{ending}" for name in (bare, f"{bare}/index") for ending in (".ts", ".js", ".mts", ".mjs"))]
