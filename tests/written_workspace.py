"""Workspaces that tests write as one text, what an index holds of them, and what specifiers mean in them."""

from __future__ import annotations

import re
from pathlib import Path

from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import AssetTarget, BuiltinTarget, MissingTarget, PackageTarget, SourceTarget
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.settings import Settings
from collected_graph import collected_graph


def write(root: Path, text: str) -> None:
    """Write the files of a fixture, each below a line `//- path`."""
    for block in re.split(r"^//- ", text, flags=re.MULTILINE)[1:]:
        name, _, body = block.partition("\n")
        path = root / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, "utf-8")


def analysed(root: Path, text: str) -> GraphContent:
    """Write the files of a fixture, and return what an index would hold of them."""
    write(root, text)
    return collected_graph(root, workers=1)[0]


def target_of(root: Path, path: str, specifier: str) -> str:
    """Return what a specifier means: a path, a package, "python:" and a module, "(folder)", or "(missing)"."""
    found = discover(root, Settings())
    files = WorkspaceFiles(root, [file.relative_path for file in found.files], found.configuration_files)
    match ImportResolver(files).resolve(specifier, path):
        case SourceTarget(found_path):
            return found_path
        case PackageTarget() | BuiltinTarget() as outside:
            return f"{outside.package}{'+' + outside.subpath if isinstance(outside, PackageTarget) and outside.subpath else ''}"
        case AssetTarget(folder):
            return f"{folder} (folder)"
        case MissingTarget():
            return "(missing)"
