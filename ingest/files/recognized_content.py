"""Tells which files on disk are sources by their contents, for extensions that other files also have.

A mapper of MyBatis is an XML file whose root element is `mapper` and has a namespace. A changelog of Liquibase has the root
`databaseChangeLog`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from ...schema.languages import BY_NAME, extension_of

_MAPPER_EXTENSIONS: Final = frozenset(BY_NAME["mybatis"].recognized_extensions)
_ROOT: Final = re.compile(rb"<mapper\s[^<>]*?\bnamespace\s*=", re.DOTALL)
_CHANGELOG_EXTENSIONS: Final = frozenset(BY_NAME["liquibase"].recognized_extensions)
#: Words in the paths of changelogs. XML files are read in any folder, because they may be mappers.
_OF_CHANGES: Final = re.compile(r"\.xml$|change|liquibase|migrat|schema|database|(?:^|/)db/", re.IGNORECASE)
_CHANGELOG: Final = re.compile(
    rb"<(?:\w{1,20}:)?databaseChangeLog\b|^[ \t]*\{?[ \t]*[\"']?databaseChangeLog[\"']?[ \t]*:", re.MULTILINE
)
#: Number of bytes at the beginning of a file in which the root is searched. A license may precede the root.
_HEAD: Final = 4_096


def has_content(is_wanted: Callable[[bytes], bool], full_path: str, status: os.stat_result, length: int = -1) -> bool:
    """Return whether a test accepts the first `length` bytes of a file (-1: all bytes); False for an unreadable file."""
    return _has_content(is_wanted, full_path, length, status.st_size, max(status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=49_152)
def _has_content(is_wanted: Callable[[bytes], bool], path: str, length: int, size: int, changed: int) -> bool:
    """Return the result of `has_content` from a cache. The size and the modification time are parts of the key."""
    try:
        with open(path, "rb") as handle:
            data = handle.read(length)
    except OSError:
        return False  # a missing or unreadable file is not a source, and the walk reports only problems of sources
    return is_wanted(data)


def may_be_mapper(name: str) -> bool:
    """Return whether a file may be a mapper, judged by its name."""
    return extension_of(name) in _MAPPER_EXTENSIONS


def content_is_mapper(data: bytes) -> bool:
    """Return whether a file with this content is a mapper."""
    return _ROOT.search(data, 0, _HEAD) is not None


def is_mapper(full_path: str, status: os.stat_result) -> bool:
    """Return whether a file is a mapper; False for an unreadable file."""
    return has_content(content_is_mapper, full_path, status, _HEAD)


def may_be_changelog(path: str) -> bool:
    """Return whether a file may be a changelog, judged by its path."""
    return extension_of(path) in _CHANGELOG_EXTENSIONS and _OF_CHANGES.search(path) is not None


def content_is_changelog(data: bytes) -> bool:
    """Return whether a file with this content is a changelog."""
    return _CHANGELOG.search(data, 0, _HEAD) is not None


def is_changelog(full_path: str, status: os.stat_result) -> bool:
    """Return whether a file is a changelog; False for an unreadable file."""
    return has_content(content_is_changelog, full_path, status, _HEAD)
