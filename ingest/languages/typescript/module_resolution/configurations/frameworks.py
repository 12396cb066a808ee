"""The default aliases of frameworks, which their documentation lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .aliases import Alias, prefix_alias
from .values import LiteralObject, Value


def framework_aliases(
    name: str, options: Value, folder: str, is_folder: Callable[[str], bool], modules: frozenset[str]
) -> list[Alias]:
    """Return the aliases of the framework that a configuration file belongs to.

    `name` is the name of the file, `folder` the absolute path of its folder and `modules` are the packages that it
    imports. `is_folder` takes absolute paths.
    """
    given = options.entries if isinstance(options, LiteralObject) else {}
    stem = name.partition(".")[0]
    match stem:
        case "nuxt":
            source = nuxt_source(options, folder, is_folder)
            meta = given.get("$meta")
            layer = (_text(meta.entries, "name") if isinstance(meta, LiteralObject) else "") or folder.rpartition("/")[2]
            targets = {"~~": folder, "@@": folder, "~": source, "@": source, "#shared": f"{folder}/shared"}
            return _aliases({**targets, f"#layers/{layer}": source})
        case "svelte":
            kit = given.get("kit")
            files = kit.entries.get("files") if isinstance(kit, LiteralObject) else None
            library = _text(files.entries, "lib") if isinstance(files, LiteralObject) else ""
            return _aliases({"$lib": _join(folder, library or "src/lib")})
        case "vue":
            return _aliases({"@": f"{folder}/src"})
        case "docusaurus":
            return _aliases({"@site": folder})
        case "wxt":
            source = _join(folder, _text(given, "srcDir") or ".")
            return _aliases({"~~": folder, "@@": folder, "~": source, "@": source})
        case "quasar":
            parts = ("components", "layouts", "pages", "assets", "boot", "stores")
            return _aliases({"src": f"{folder}/src", **{part: f"{folder}/src/{part}" for part in parts}})
        case "vite" if "laravel-vite-plugin" in modules:
            return _aliases({"@": f"{folder}/resources/js"})
        case _:
            return _aliases({"@": f"{folder}/src"}) if name.startswith((".umirc", ".dumirc")) else []


def nuxt_source(options: Value, folder: str, is_folder: Callable[[str], bool]) -> str:
    """Return the folder with the sources of a project of Nuxt, as an absolute path."""
    written = _text(options.entries, "srcDir") if isinstance(options, LiteralObject) else ""
    return _join(folder, written) if written else f"{folder}/app" if is_folder(f"{folder}/app") else folder


def _aliases(targets: Mapping[str, str]) -> list[Alias]:
    return [prefix_alias(key, (target,)) for key, target in targets.items()]


def _text(given: Mapping[str, Value], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""


def _join(folder: str, path: str) -> str:
    return path.rstrip("/") if path.startswith("/") else f"{folder}/{path.removeprefix('./').strip('/')}".removesuffix("/.")
