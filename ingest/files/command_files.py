"""Tells which files of commands are sources: Makefiles, Dockerfiles and workflows that run statements of SQL.

The content of a file decides. Most such files run no statement, and their commands are no code of the repository.
"""

from __future__ import annotations

import os
import re
from typing import Final

from ...schema.languages import BY_NAME, extension_of
from .recognized_content import has_content

#: Paths of the settings of continuous integration, of containers and of task runners, in YAML.
_WORKFLOW: Final = re.compile(
    r"(?:^|/)(?:\.(?:github|gitlab|circleci|buildkite|woodpecker|drone)/.+|\.(?:gitlab-ci|travis|drone|woodpecker|cirrus|appveyor)"
    r"|appveyor|azure-pipelines[\w.-]*|bitbucket-pipelines|cloudbuild|buildspec|(?:docker-)?compose[\w.-]*|[Tt]askfile|action)\.ya?ml$"
)
#: Names of the other files, in a group with the name of their language.
_NAMED: Final = re.compile(
    "|".join(
        f"(?P<{each}>{BY_NAME[each].recognized_names}|.*{re.escape(BY_NAME[each].recognized_extensions[0])})"
        for each in ("makefile", "dockerfile")
    )
)
#: A program that runs statements.
_CLIENT: Final = re.compile(
    rb"\b(?:psql|mysql|mariadb|sqlite3|sqlite-utils|duckdb|sqlcmd|sqlplus|snowsql|clickhouse(?:-client)?|bq|cockroach|usql|trino"
    rb"|d1|libsql|turso)\b"
)
#: The beginning of a statement: behind a quote, or at the beginning of a line.
_STATEMENT: Final = re.compile(
    rb"(?:[\"']|^)[ \t]*+(?:SELECT|INSERT[ \t]+INTO|UPDATE|DELETE[ \t]+FROM|TRUNCATE|WITH|MERGE[ \t]+INTO|CREATE|ALTER|DROP)\s",
    re.IGNORECASE | re.MULTILINE,
)


def command_language(path: str) -> str | None:
    """Return the language of a file of commands, judged by its path; None for other files."""
    if extension_of(path) in BY_NAME["workflow"].recognized_extensions:
        return "workflow" if _WORKFLOW.search(path) is not None else None
    named = _NAMED.fullmatch(path.rpartition("/")[2])
    return named.lastgroup if named is not None else None


def content_runs_sql(data: bytes) -> bool:
    """Return whether a file of commands with this content runs statements of SQL."""
    return _CLIENT.search(data) is not None and _STATEMENT.search(data) is not None


def runs_sql(full_path: str, status: os.stat_result, max_size: int) -> bool:
    """Return whether a file of commands runs statements of SQL; False for an unreadable file, and for a large one."""
    return status.st_size <= max_size and has_content(content_runs_sql, full_path, status)
