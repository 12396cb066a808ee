"""Tells which YAML and CSV files belong to a dbt project: files that describe models, sources or seeds, and seeds.

The files are below the folder with the project's settings.
"""

from __future__ import annotations

import os
import re
from typing import Final

from ...schema.languages import BY_NAME, extension_of
from .recognized_content import has_content

#: The settings of a project, in its folder.
PROJECT: Final = "dbt_project.yml"
_EXTENSIONS: Final = frozenset(BY_NAME["dbt"].recognized_extensions)
_SEED_EXTENSIONS: Final = frozenset(BY_NAME["csv"].recognized_extensions)
#: Default names of the folder of seeds, in all versions of dbt, and the usual ones in settings.
_SEED_FOLDERS: Final = frozenset(("seeds", "seed", "data", "seed_data"))
_KEY: Final = re.compile(rb"^(?:models|sources|seeds|snapshots)[ \t]*:", re.MULTILINE)


def may_describe_models(name: str) -> bool:
    """Return whether a file in a dbt project may describe models, judged by its name."""
    return extension_of(name) in _EXTENSIONS


def may_be_seed(path: str) -> bool:
    """Return whether a file in a dbt project may be a seed: a CSV file in a folder with a usual name."""
    return extension_of(path) in _SEED_EXTENSIONS and not _SEED_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def content_describes_models(path: str, data: bytes) -> bool:
    """Return whether a file with this content is the settings of a project, or describes models."""
    return path.rpartition("/")[2] == PROJECT or _has_key(data)


def describes_models(name: str, full_path: str, status: os.stat_result, max_size: int) -> bool:
    """Return whether a file is the settings of a project, or describes models. The result is False for an unreadable file."""
    if name == PROJECT:
        return True
    return status.st_size <= max_size and has_content(_has_key, full_path, status)


def _has_key(data: bytes) -> bool:
    return _KEY.search(data) is not None
