"""Rules that Java, Kotlin and Scala share: imports of dotted names, and files with the name of the declared type."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ..import_targets import Resolution
from ..path_imports import PathImports, ends_with, nearest
from ..syntax_only.import_statements import Specifier, items, one_line
from .service_files import SERVICE, service_of

_DOTTED: Final = re.compile(r"import (?:static )?(?P<path>\w+(?:\.\w+)*)(?: as (?P<alias>\w+))?;?$")
_STATIC_MEMBERS: Final = re.compile(r"import static (?P<path>\w+(?:\.\w+)+)\.\*;?$")
_SELECTORS: Final = re.compile(r"import (?P<path>[\w.]+)\.\{(?P<names>[^}]*)\}")
#: Names of folders in which the folders of packages begin.
_SOURCE_FOLDERS: Final = frozenset(("java", "kotlin", "scala", "groovy", "src"))
_EXTENSIONS: Final = (".java", ".kt", ".scala")


def read_specifiers(statement: str) -> Iterator[Specifier]:
    """Read the dotted names in an import statement.

    An import of all members of a package names no file. An import of all static members of a type names the type.
    """
    text = one_line(statement)
    if found := _SELECTORS.match(text):
        for name, local in items(found["names"]):
            if name not in ("_", "*"):
                yield Specifier(f"{found['path']}.{name}", (name,), (local,))
    elif found := _STATIC_MEMBERS.match(text):
        yield Specifier(found["path"])
    elif found := _DOTTED.match(text):
        name = found["path"].rpartition(".")[2]
        if name != "_":
            yield Specifier(found["path"], (name,), (found["alias"] or name,))


def _outermost(paths: list[str], tail: str) -> list[str]:
    """Leave out the files whose packages are longer than the wanted package.

    For `shop.Cart` in `src/main/java`, `src/main/java/org/shop/Cart.java` declares `org.shop.Cart`.
    """
    roots = {path: path.rpartition(".")[0].removesuffix(tail) for path in paths}
    outer = [root for root in roots.values() if root.rstrip("/").rpartition("/")[2] in _SOURCE_FOLDERS]
    return [
        path
        for path, root in roots.items()
        if not any(
            root != each and root.startswith(each) and _SOURCE_FOLDERS.isdisjoint(root.split("/")[each.count("/") :])
            for each in outer
        )
    ]


class JvmImports(PathImports):
    """Resolves types to files with their names, in folders with the names of their packages."""

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file."""
        return super().resolve((service_of(from_path) or specifier) if specifier == SERVICE else specifier, from_path)

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the file of a type. The names of an inner type and of a member may follow the name of the type."""
        if specifier.startswith("("):
            return self._elsewhere(specifier, from_path)
        parts = specifier.split(".")
        for length in range(len(parts), max(len(parts) - 3, 1), -1):
            if length == len(parts) - 2 and not parts[length - 1][:1].isupper():
                break  # a package, and not a type around an inner type with a member
            tail = "/".join(parts[:length])
            known = [path for path in self._types.get(parts[length - 1], ()) if ends_with(path.rpartition(".")[0], tail)]
            if len(known) > 1:
                known = self.visible(_outermost(known, tail), from_path)
            if known:
                return nearest(known, from_path) or nearest(self.of_main_sets(known, tail), from_path)
        return None

    def _elsewhere(self, specifier: str, from_path: str) -> str | None:
        """Return the nearest file with the name of a type whose folder does not have the name of its package: `(shop).Cart`.

        Compilers do not ask for such folders, and tests of compilers have files of one package in several folders. The caller
        checks the package of the file. Types without a package are `(default).Cart`, in folders in which packages begin.
        """
        package, _, name = specifier[1:].rpartition(").")
        known = self._types.get(name, [])
        if package == "default":
            known = [path for path in known if path.rpartition("/")[0].rpartition("/")[2] in _SOURCE_FOLDERS]
        known = self.visible(known, from_path) if len(known) > 1 else known
        return (nearest(known, from_path) or nearest(self.of_main_sets(known, name), from_path)) if known else None

    def visible(self, paths: list[str], from_path: str) -> list[str]:
        """Return the files with a type that a file may use: all files, unless a language reads its builds."""
        return paths

    def of_main_sets(self, paths: list[str], tail: str) -> list[str]:
        """Return the files in source sets on which other source sets build, such as `src/main/java`, but not `src/main/java22` or
        `src/jmh`.
        """
        roots = {path: path.rpartition(".")[0].removesuffix(tail).rstrip("/").split("/") for path in paths}
        found = [path for path, root in roots.items() if len(root) > 1 and root[-2] == "main"] or paths
        return [path for path in found if not roots[path][-1][-1:].isdigit()] or found

    @cached_property
    def _types(self) -> dict[str, list[str]]:
        """Files by the name of the type in the file's name."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.files.sources:
            if path.endswith(_EXTENSIONS):
                found[path.rpartition("/")[2].rpartition(".")[0]].append(path)
        return found
