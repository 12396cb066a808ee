"""Tells which YAML and JSON files describe an API. Most such files are settings, fixtures and translations.

The content of a file decides. A file is opened only if its name or a folder is common for API descriptions, because a repository
may have thousands of YAML and JSON files.
"""

from __future__ import annotations

import os
import re
from typing import Final

from ...schema.languages import BY_NAME, extension_of
from .recognized_content import has_content

#: A key at the root of YAML, and a key with a version in JSON.
_KEY: Final = re.compile(
    r"^[\"']?(openapi|swagger|asyncapi)[\"']?[ \t]*:[ \t]*[\"']?\d|[{,]\s*\"(openapi|swagger|asyncapi)\"\s*:\s*\"\d",
    re.MULTILINE,
)
#: Methods and responses of a file that contains paths of a description. Another file refers to the paths.
_METHODS: Final = re.compile(
    r"^[ \t]{0,4}[\"']?(?:get|put|post|delete|patch)[\"']?[ \t]*:[ \t]*\r?$|\"(?:get|put|post|delete|patch)\"\s*:\s*\{",
    re.MULTILINE,
)
_RESPONSES: Final = re.compile(r"^[ \t]+[\"']?responses[\"']?[ \t]*:[ \t]*\r?$|\"responses\"\s*:\s*\{", re.MULTILINE)
#: Format of a file with paths of a description.
PATHS: Final = "paths"
#: What a channel of AsyncAPI 3 in a file of its own has, and an operation. Another file refers to them.
_ADDRESS: Final = re.compile(r"^[ \t]{0,4}[\"']?address[\"']?[ \t]*:", re.MULTILINE)
_MESSAGES: Final = re.compile(r"^[ \t]{0,4}[\"']?messages[\"']?[ \t]*:", re.MULTILINE)
_ACTION: Final = re.compile(r"^[ \t]{0,4}[\"']?action[\"']?[ \t]*:[ \t]*[\"']?(?:send|receive)[\"']?[ \t]*,?\r?$", re.MULTILINE)
_OF_CHANNEL: Final = re.compile(r"^[ \t]{0,4}[\"']?channel[\"']?[ \t]*:", re.MULTILINE)
#: Format of a file with channels or operations of an AsyncAPI description.
CHANNELS: Final = "channels"
_EXTENSIONS: Final = frozenset(BY_NAME["openapi"].recognized_extensions)
#: Words in the names of such files.
_NAMED: Final = re.compile(
    r"open-?api|swagger|async-?api|(?:^|[/._-])(?:oas\d*|apis?|rest|specs?|specification|schemas?|contracts?|reference|definitions?"
    r"|events?|endpoints?|routes|paths|channels?|operations?|service|petstore|v\d+(?:\.\d+)*)(?=[/._-])|api(?=\.)",
    re.IGNORECASE,
)
#: A name that marks a file as a description, so that the key is searched in the whole file.
_SURE: Final = re.compile(r"open-?api|swagger|async-?api", re.IGNORECASE)
#: Number of bytes at the beginning of other files in which the key is searched.
_HEAD: Final = 4_096


def api_format(text: str) -> str | None:
    """Return the format of an API description in YAML or JSON: openapi, asyncapi, `PATHS` or `CHANNELS`; None for
    other text.
    """
    match = _KEY.search(text)
    if match is not None:
        return "asyncapi" if "asyncapi" in match.groups() else "openapi"
    if _METHODS.search(text) is not None and _RESPONSES.search(text) is not None:
        return PATHS
    for first, second in ((_ADDRESS, _MESSAGES), (_ACTION, _OF_CHANNEL)):
        if first.search(text) is not None and second.search(text) is not None:
            return CHANNELS
    return None


def may_describe_api(path: str) -> bool:
    """Return whether the name of a file, or of a folder around the file, is common for API descriptions."""
    return extension_of(path) in _EXTENSIONS and _NAMED.search(path) is not None


def content_describes_api(path: str, data: bytes) -> bool:
    """Return whether a file with some content describes an API. For a file on disk, call `describes_api`."""
    read = data if _SURE.search(path) is not None else data[0:_HEAD]
    return may_describe_api(path) and _has_key(read)


def describes_api(path: str, full_path: str, status: os.stat_result, max_size: int) -> bool:
    """Return whether a file whose path is relative to the root describes an API. The result is False for an unreadable file."""
    length = -1 if _SURE.search(path) is not None and status.st_size <= max_size else _HEAD
    return has_content(_has_key, full_path, status, length)


def _has_key(data: bytes) -> bool:
    return api_format(data.decode("utf-8", "replace")) is not None
