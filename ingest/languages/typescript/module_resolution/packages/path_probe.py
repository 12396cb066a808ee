"""Find the file of an inexact path: TypeScript's order of extensions, index files and folders with a package.json.

The order is the most permissive one, `moduleResolution: bundler`. Extensions may be omitted, and `./x.js` resolves to `./x.ts`
first (TypeScript handbook, "Modules - Theory" and "Modules - Reference").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .....files.workspace_files import join_path
from .package_manifest import Manifests, PackageManifest
from .star_patterns import StarPatterns

_ORDERS: dict[str, tuple[str, ...]] = {
    "ts": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    "tsx": (".tsx", ".ts", ".d.ts", ".jsx", ".js"),
    "mts": (".mts", ".d.mts", ".mjs"),
    "cts": (".cts", ".d.cts", ".cjs"),
    "json": (".d.json.ts",),
}
#: Longest first, so that `x.d.ts` loses its whole extension.
_KNOWN_EXTENSIONS: dict[str, str] = {
    ".d.ts": "ts",
    ".d.mts": "mts",
    ".d.cts": "cts",
    ".ts": "ts",
    ".js": "ts",
    ".tsx": "tsx",
    ".jsx": "tsx",
    ".mts": "mts",
    ".mjs": "mts",
    ".cts": "cts",
    ".cjs": "cts",
    ".json": "json",
}

#: Extension in the specifier -> extensions to try instead; "" for a specifier without extension.
ExtensionOrder = Mapping[str, tuple[str, ...]]

#: TypeScript, declarations, JavaScript.
ALL_EXTENSIONS: ExtensionOrder = {"": _ORDERS["ts"], **{known: _ORDERS[order] for known, order in _KNOWN_EXTENSIONS.items()}}
#: Extensions of files with types: TypeScript and declarations.
TYPE_EXTENSIONS: ExtensionOrder = {
    known: tuple(extension for extension in order if "ts" in extension) for known, order in ALL_EXTENSIONS.items()
}


def split_extension(path: str) -> tuple[str, str]:
    """Split a path from its known extension: `a/b.d.ts` -> (`a/b`, `.d.ts`), `a/b.css` -> (`a/b.css`, ``)."""
    name_start = path.rfind("/") + 1
    dot = path.rfind(".", name_start)
    if dot <= name_start:
        return path, ""
    inner = path.rfind(".d.", name_start, dot + 1)
    if inner > name_start and path[inner:] in _KNOWN_EXTENSIONS:
        return path[:inner], path[inner:]
    return (path[:dot], path[dot:]) if path[dot:] in _KNOWN_EXTENSIONS else (path, "")


class PathProbe:
    """Finds files with one predicate for existence and one order of extensions."""

    def __init__(
        self,
        exists: Callable[[str], bool],
        manifests: Manifests,
        extensions: ExtensionOrder = ALL_EXTENSIONS,
        module_suffixes: Sequence[str] = (),
    ) -> None:
        """`module_suffixes` is the compiler option with that name, such as `.ios`, `.native`, ``."""
        self.exists = exists
        self._manifests = manifests
        self._extensions = extensions
        self._module_suffixes = module_suffixes

    def path(self, path: str, *, folder_only: bool = False) -> str | None:
        """Return the file for the path of a file or a folder. `folder_only` is true for a path that ends with a slash."""
        found = None if folder_only or not path else self.file(path)
        return found or self.folder(path)

    def file(self, path: str) -> str | None:
        """Return the file of a path, with its extension replaced or added."""
        stem, written = split_extension(path)
        if written:
            for extension in self._extensions[written]:
                if found := self._existing(stem, extension):
                    return found
        else:
            name = path[path.rfind("/") + 1 :]
            stem, dot, extension = name.rpartition(".")
            # Declarations of other files: `x.d.css.ts` declares what `x.css` exports.
            if dot and (found := self._existing(path[: len(path) - len(name)] + stem, f".d.{extension}.ts")):
                return found
        for extension in self._extensions[""]:
            if found := self._existing(path, extension):
                return found
        return None

    def folder(self, folder: str) -> str | None:
        """Return the file to which a folder resolves: the file that its package.json names, else its index file."""
        manifest = self._manifests.at(folder)
        if manifest is not None:
            for path in self._entry_paths(manifest):
                if found := self.file(path) or self._index(path):
                    return found
        return self._index(folder)

    def mapped(self, substitutions: Mapping[str, Sequence[str]], folder: str, text: str) -> str | None:
        """Return the file to which `typesVersions` of the package in `folder` maps a path inside the package."""
        for path in _substituted(substitutions, folder, text):
            if found := (path if self.exists(path) else None) or self.file(path) or self._index(path):
                return found
        return None

    def _entry_paths(self, manifest: PackageManifest) -> list[str]:
        entries = manifest.entries
        paths = _substituted(manifest.version_paths, manifest.folder, entries[0].removeprefix("./") if entries else "index")
        joined = (join_path(manifest.folder, entry) for entry in entries)
        # An entry of "." or "./" is the folder itself, whose index file is tried next.
        return paths + [path for path in joined if path]

    def _index(self, folder: str) -> str | None:
        return self.file(f"{folder}/index" if folder else "index")

    def _existing(self, stem: str, extension: str) -> str | None:
        if not self._module_suffixes:
            path = stem + extension
            return path if self.exists(path) else None
        for suffix in self._module_suffixes:
            path = stem + suffix + extension
            if self.exists(path):
                return path
        return None


def _substituted(substitutions: Mapping[str, Sequence[str]], folder: str, text: str) -> list[str]:
    """Return the paths inside the workspace to which a star mapping maps a text."""
    matched = StarPatterns(substitutions).match(text) if substitutions else None
    if matched is None:
        return []
    pattern, star = matched
    joined = (join_path(folder, substitution.replace("*", star, 1)) for substitution in substitutions[pattern])
    return [path for path in joined if path]
