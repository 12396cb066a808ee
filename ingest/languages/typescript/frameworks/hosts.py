"""Find the files that programs of other languages and platforms, such as Rails and Salesforce, load by their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from .....schema.paths import folders_above, is_within, parent_of
from ....files.jsonc import parse_object
from ....files.workspace_files import join_path

#: Sources of an application of Rails: those of the asset pipeline, of Webpacker and its followers, and of import maps.
_OF_RAILS = re.compile(
    r"(?P<home>(?:.*?/)?)(?:(?:app|lib|vendor)/assets/javascripts/.+"
    r"|app/(?:javascript|frontend)/(?:[^/]+|(?:packs|entrypoints|entries|channels|controllers)/.+))"
)
#: The sources of an app of Homey, relative to its folder.
_OF_HOMEY = re.compile(r"(?:app|api|drivers/[^/]+/(?:driver|device|api)|widgets/[^/]+/api)\.[cm]?[jt]s")
#: Components of Lightning and Aura, and resources that pages load, in a project of Salesforce.
_OF_SALESFORCE = re.compile(r"(?:.*/)?(?:lwc/(?P<name>[^/]+)/(?P=name)\.[jt]s|aura/[^/]+/[^/]+\.js|staticresources/.+)")
#: The file beside the sources of a project of Google Apps Script. Its functions run by their names.
_SCRIPT_SETTINGS = "appsscript.json"
#: Maximum size of the description of an app, in bytes.
_MAX_SIZE = 200_000


def hosted_files(root: Path, sources: Collection[str]) -> Iterator[str]:
    """Yield the sources that Rails, Salesforce and Homey load by their place."""
    homes = {path: match["home"] for path in sources if (match := _OF_RAILS.fullmatch(path)) is not None}
    of_rails = {home for home in set(homes.values()) if (root / home / "Gemfile").is_file()}
    yield from (path for path, home in homes.items() if home in of_rails)
    components = [path for path in sources if _OF_SALESFORCE.fullmatch(path)]
    for path in components:
        if any((root / folder / "sfdx-project.json").is_file() for folder in folders_above(parent_of(path))):
            yield path
    for path in sources:
        if path.rpartition("/")[2] in ("app.js", "app.mjs", "app.ts") and _is_homey(root, parent_of(path)):
            yield from _in_homey(parent_of(path), sources)


def script_files(root: Path, sources: Collection[str]) -> set[str]:
    """Return the sources of projects of Google Apps Script, whose functions a document, a timer or a request may call."""
    folders = {folder for each in {parent_of(path) for path in sources} for folder in folders_above(each)}
    homes = {folder for folder in folders if (root / folder / _SCRIPT_SETTINGS).is_file()}
    return {path for path in sources if not homes.isdisjoint(folders_above(parent_of(path)))} if homes else set()


def cocos_files(manifest: dict[str, object], folder: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield the sources that scenes of Cocos Creator name by an id, if the manifest is that of a project of Cocos Creator."""
    assets = join_path(folder, "assets")
    if isinstance(manifest.get("creator"), dict) and assets is not None:
        yield from (path for path in sources if is_within(path, assets))


def _is_homey(root: Path, folder: str) -> bool:
    description = root / folder / "app.json"
    if not description.is_file() or description.stat().st_size > _MAX_SIZE:
        return False
    data = parse_object(description.read_bytes())[0]
    return "sdk" in data and "id" in data


def _in_homey(folder: str, sources: Iterable[str]) -> Iterator[str]:
    prefix = f"{folder}/" if folder else ""
    yield from (path for path in sources if path.startswith(prefix) and _OF_HOMEY.fullmatch(path[len(prefix) :]))
