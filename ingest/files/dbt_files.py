"""Tells which YAML files belong to a dbt project: files that describe models, sources or seeds, below the project's settings."""

from __future__ import annotations

import os
import re
from typing import Final

from ...schema.languages import BY_NAME, extension_of
from .recognized_content import has_content

#: The settings of a project, in its folder.
PROJECT: Final = "dbt_project.yml"
_EXTENSIONS: Final = frozenset(BY_NAME["dbt"].recognized_extensions)
_KEY: Final = re.compile(rb"^(?:models|sources|seeds|snapshots)[ \t]*:", re.MULTILINE)


def may_describe_models(name: str) -> bool:
    """Return whether a file in a dbt project may describe models, judged by its name."""
    return extension_of(name) in _EXTENSIONS


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
