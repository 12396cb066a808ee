"""Find the files of mini programs, which run in apps such as WeChat and Alipay: the program, its pages and components."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from .....schema.paths import parent_of
from ....files.jsonc import parse_object
from ....files.workspace_files import join_path

_EXTENSIONS = (".js", ".ts")
_PROGRAMS = frozenset(f"app{each}" for each in _EXTENSIONS)
#: Maximum size of the description of a program, a page or a component, in bytes.
_MAX_SIZE = 200_000
#: Folder of the component that a program shows in place of the bar of tabs.
_TAB_BAR = "custom-tab-bar/index"


def mini_program_files(root: Path, sources: Collection[str]) -> Iterator[str]:
    """Yield the sources that mini programs load: `app.js`, and what `app.json` beside it names.

    `app.json` lists the pages. Descriptions of pages and components, which are JSON files beside them, name more components.
    """
    for path in sources:
        folder, _, name = path.rpartition("/")
        if name in _PROGRAMS:
            described = _description(root, join_path(folder, "app"))
            pages = [page for page in _pages(described) if isinstance(page, str)]
            if pages:
                yield path
                yield from _loaded(root, folder, sources, described, pages)


def _loaded(root: Path, folder: str, sources: Collection[str], program: dict[str, object], pages: list[str]) -> Iterator[str]:
    pending = [place for page in pages if (place := join_path(folder, page.lstrip("/")))]
    pending += _components(program, folder, folder)
    if (bar := join_path(folder, _TAB_BAR)) is not None:
        pending.append(bar)
    seen = set(pending)
    while pending:
        stem = pending.pop()
        # A component may be named by its folder.
        for each in (stem, f"{stem}/index"):
            found = [each + extension for extension in _EXTENSIONS if each + extension in sources]
            yield from found
            if found:
                more = [new for new in _components(_description(root, each), parent_of(each), folder) if new not in seen]
                seen.update(more)
                pending += more
                break


def _pages(program: dict[str, object]) -> Iterator[object]:
    """Yield the pages of a program and of its packages, relative to its folder."""
    pages = program.get("pages")
    yield from pages if isinstance(pages, list) else ()
    for field in ("subPackages", "subpackages"):
        packages = program.get(field)
        for package in packages if isinstance(packages, list) else ():
            inner = package.get("pages") if isinstance(package, dict) else None
            for page in inner if isinstance(inner, list) else ():
                yield f"{str(package.get('root', '')).strip('/')}/{page}"


def _components(description: dict[str, object], folder: str, program: str) -> Iterable[str]:
    """Return the paths of the components that a description names, without extensions.

    `/` at the beginning is the folder of the program; otherwise, a path is relative to the folder of the description.
    """
    named = description.get("usingComponents")
    values = [each for each in named.values() if isinstance(each, str)] if isinstance(named, dict) else []
    places = (join_path(program if each.startswith("/") else folder, each.lstrip("/")) for each in values)
    return [place for place in places if place]


def _description(root: Path, stem: str | None) -> dict[str, object]:
    """Return the JSON object beside a source; `{}` if there is none."""
    path = root / f"{stem}.json"
    if stem is None or not path.is_file() or path.stat().st_size > _MAX_SIZE:
        return {}
    return parse_object(path.read_bytes())[0]
