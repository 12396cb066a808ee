"""The folders with sources that the script of a Gradle project names: `sourceSets { main { java.srcDirs = ["src"] } }`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from .gradle_script import Statement, Token
from .gradle_values import Values

_SETS: Final = "sourceSets"
_FOLDERS: Final = frozenset(("srcDir", "srcDirs", "setSrcDirs"))
#: Words before the name of a source set: `named("main")`, `val main by getting`.
_SELECTING: Final = frozenset(("named", "getByName", "create", "register", "maybeCreate", "val", "by", "getting", "creating"))
#: Languages whose files have types that Java code uses.
_LANGUAGES: Final = frozenset(("java", "kotlin", "scala", "groovy", "allJava", "allSource"))
MAIN: Final = "main"


class SourceFolder(msgspec.Struct, frozen=True, gc=False):
    """A folder with sources. The path is relative to the project, or to the build if it begins with `$rootDir/`."""

    source_set: str
    path: str


class SourceFolders(msgspec.Struct, frozen=True):
    """The folders that a script names."""

    folders: tuple[SourceFolder, ...]
    #: The source sets whose usual folders the script replaces, instead of adding others.
    replaced: frozenset[str]


def read_source_folders(statements: Sequence[Statement], values: Values) -> SourceFolders:
    """Return the folders that statements of a script name by literal paths."""
    found: dict[SourceFolder, None] = {}
    replaced: set[str] = set()
    for tokens in _paths_of(statements, []):
        place = next((at for at, each in enumerate(tokens) if each.kind == "word" and each.text in _FOLDERS), -1)
        source_set = _set_named(tokens[: max(place, 0)])
        if place < 0 or not source_set or not any(each.text in _LANGUAGES for each in tokens[:place]):
            continue
        signs = "".join(each.text for each in tokens[place + 1 : place + 3])
        if tokens[place].text == "setSrcDirs" or (signs[:1] == "=" and signs[:2] != "=="):
            replaced.add(source_set)
        for each in tokens[place + 1 :]:
            path = values.text([each]) if each.kind == "string" else ""
            if path:
                found[SourceFolder(source_set, path.removeprefix("$projectDir/").removeprefix("${projectDir}/"))] = None
    return SourceFolders(tuple(found), frozenset(replaced))


def _paths_of(statements: Sequence[Statement], outer: list[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each statement inside `sourceSets`, after the tokens of the statements around it."""
    for statement in statements:
        if not outer and not any(each.kind == "word" and each.text == _SETS for each in statement.tokens[:1]):
            continue
        tokens = [*outer, *statement.tokens]
        if statement.block is not None:
            yield from _paths_of(statement.block, tokens)
        else:
            yield tokens


def _set_named(tokens: Sequence[Token]) -> str:
    """Return the name of the source set that tokens after `sourceSets` select; "" if there is none."""
    named = (each.text for each in tokens[1:] if each.kind in ("word", "string") and each.text not in _SELECTING)
    return next(named, "")
