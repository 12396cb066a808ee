"""Tells which files of YAML belong to a project of dbt: those below its settings that describe models, sources or seeds."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Final

from ...schema.languages import BY_NAME, extension_of

#: The settings of a project, in its folder.
PROJECT: Final = "dbt_project.yml"
_EXTENSIONS: Final = frozenset(BY_NAME["dbt"].recognized_extensions)
_KEY: Final = re.compile(rb"^(?:models|sources|seeds|snapshots)[ \t]*:", re.MULTILINE)


def may_describe_models(name: str) -> bool:
    """Return whether a file in the folder of a project or below may describe models, by its name."""
    return extension_of(name) in _EXTENSIONS


def content_describes_models(path: str, data: bytes) -> bool:
    """Return whether a file with this content is the settings of a project, or describes models."""
    return path.rpartition("/")[2] == PROJECT or _KEY.search(data) is not None


def describes_models(name: str, full_path: str, status: os.stat_result, max_size: int) -> bool:
    """Return whether a file is the settings of a project, or describes models. A file that cannot be read does not."""
    if name == PROJECT:
        return True
    return status.st_size <= max_size and _has_key(full_path, status.st_size, max(status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=16_384)
def _has_key(path: str, size: int, changed: int) -> bool:
    """Return whether a file has a key of models; a state of the file, by size and time of change, is read once."""
    try:
        with open(path, "rb") as handle:
            return _KEY.search(handle.read()) is not None
    except OSError:
        return False  # a file that is gone or closed to us describes nothing; the walk reports sources alone
