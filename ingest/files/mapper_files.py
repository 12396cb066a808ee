"""Tells which XML files are MyBatis mappers: their root element is `mapper` and has a namespace."""

from __future__ import annotations

import os
import re
from typing import Final

from ...schema.languages import BY_NAME, extension_of
from .recognized_content import has_content

_EXTENSIONS: Final = frozenset(BY_NAME["mybatis"].recognized_extensions)
_ROOT: Final = re.compile(rb"<mapper\s[^<>]*?\bnamespace\s*=", re.DOTALL)
#: Number of bytes at the beginning of a file in which the root is searched. A license may precede the root.
_HEAD: Final = 4_096


def may_be_mapper(name: str) -> bool:
    """Return whether a file may be a mapper, judged by its name."""
    return extension_of(name) in _EXTENSIONS


def content_is_mapper(data: bytes) -> bool:
    """Return whether a file with this content is a mapper."""
    return _ROOT.search(data, 0, _HEAD) is not None


def is_mapper(full_path: str, status: os.stat_result) -> bool:
    """Return whether a file is a mapper; False for an unreadable file."""
    return has_content(content_is_mapper, full_path, status, _HEAD)
