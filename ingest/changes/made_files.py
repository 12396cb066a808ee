"""Leave out imports of generated files, which no commit contains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...schema.languages import BY_NAME, LANGUAGES, language_of
from ...schema.paths import parent_of
from ..files.workspace_files import join_path
from ..incremental.broken_imports import Breakage


def without_made_files(
    findings: Sequence[Breakage], paths: Iterable[str], ignored: Callable[[Iterable[str]], set[str]]
) -> list[Breakage]:
    """Return the findings that are not about generated files.

    A file is generated if Git ignores it, or if a source in another language has the same name. `paths` are the files of the
    state, and `ignored` returns the paths among some paths that Git ignores.
    """
    places = {found: _places(found) for found in findings if found.missing}
    if not places:
        return list(findings)
    unseen = ignored(sorted({place for several in places.values() for place in several}))
    stems = {_stem(path) for path in paths}
    made = {
        found for found, several in places.items() if not {*several}.isdisjoint(unseen) or not {*several[:1]}.isdisjoint(stems)
    }
    return [found for found in findings if found not in made]


def _stem(path: str) -> str:
    """Return a path without its extensions: `native/fast.pyx` -> `native/fast`."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


def _places(found: Breakage) -> list[str]:
    """Return the possible paths of a specifier's file, first the path without an extension; [] outside of the workspace.

    Specifiers are paths (`./a/b`), or names of modules with dots (`..a.b`).
    """
    specifier = found.missing.partition("?")[0]
    if "/" not in specifier and specifier.strip("."):
        name = specifier.lstrip(".")
        specifier = "../" * (len(specifier) - len(name) - 1) + name.replace(".", "/")
    place = join_path(parent_of(found.path), specifier)
    if place is None:
        return []
    language = BY_NAME[language_of(found.path) or ""]
    endings = [ending for other in LANGUAGES if other.folder == language.folder for ending in other.extensions]
    bases = [place, *(place.removesuffix(ending) for ending in endings if place.endswith(ending))]
    return [
        _stem(place),
        *bases,
        *(f"{base}{middle}{ending}" for base in bases for middle in ("", "/index") for ending in endings),
    ]
