"""Read `go.mod` and `go.work`, which share a grammar: https://go.dev/ref/mod#go-mod-file-lexical."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .....schema.records import Problem

#: Maximum size of a file that is read, in bytes.
_MAX_SIZE: Final = 4_000_000
_WORD: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|=>|[()]|[^\s()\"`]+")
_VERSION: Final = re.compile(r"v\d[\w.+-]*")
_ARROW: Final = "=>"


class Requirement(NamedTuple):
    """A module that another module requires, with the minimum version."""

    path: str
    version: str
    #: Whether only other modules import the required module.
    is_indirect: bool


class Replacement(NamedTuple):
    """The replacement of a module."""

    path: str
    #: The replaced version, "" for all.
    version: str
    #: A folder that begins with a dot or a slash, or the path of another module.
    target: str
    #: The version of the other module, "" for a folder.
    target_version: str

    @property
    def is_folder(self) -> bool:
        """Return whether a folder replaces the module."""
        return not self.target_version


class ModuleFile(NamedTuple):
    """The content of a `go.mod` or `go.work`."""

    #: Path of the module; "" in `go.work` and for a file without a path.
    module: str
    requirements: tuple[Requirement, ...]
    replacements: tuple[Replacement, ...]
    #: Folders of the modules of a workspace, as written.
    used: tuple[str, ...]
    problem: Problem | None


def read_module_file(data: bytes) -> ModuleFile:
    """Read a `go.mod` or `go.work`. An unreadable line becomes a problem, and the other lines are still read."""
    if len(data) > _MAX_SIZE:
        return ModuleFile("", (), (), (), Problem(1, f"larger than {_MAX_SIZE:,} bytes"))
    module, problem = "", None
    requirements: list[Requirement] = []
    replacements: list[Replacement] = []
    used: list[str] = []
    for line, directive, words, is_indirect in _lines(data.decode("utf-8", "replace")):
        is_read = True
        if directive == "module":
            is_read = len(words) == 1
            module = module or (words[0] if words else "")
        elif directive == "require":
            is_read = len(words) == 2 and _VERSION.fullmatch(words[1]) is not None
            if is_read:
                requirements.append(Requirement(words[0], words[1], is_indirect))
        elif directive == "replace":
            replacement = _replacement(words)
            is_read = replacement is not None
            if replacement is not None:
                replacements.append(replacement)
        elif directive == "use":
            is_read = len(words) == 1
            used += words[:1]
        if not is_read and problem is None:
            problem = Problem(line, f"not a valid `{directive}` directive")
    return ModuleFile(module, tuple(requirements), tuple(replacements), tuple(used), problem)


def _lines(text: str) -> Iterator[tuple[int, str, list[str], bool]]:
    """Yield the number, the directive and the words of each line, and whether its comment says `indirect`."""
    block = ""
    for number, line in enumerate(text.splitlines(), 1):
        code, _, comment = line.partition("//")
        words = [_unquoted(word) for word in _WORD.findall(code)]
        if not words:
            continue
        if block:
            if words == [")"]:
                block = ""
                continue
            directive = block
        elif words[1:] == ["("]:
            block = words[0]
            continue
        else:
            directive, words = words[0], words[1:]
        yield number, directive, words, comment.strip().startswith("indirect")


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] in '"`' and word[-1] == word[0] else word


def _replacement(words: Sequence[str]) -> Replacement | None:
    if _ARROW not in words:
        return None
    place = words.index(_ARROW)
    old, new = words[:place], words[place + 1 :]
    if len(old) not in (1, 2) or len(new) not in (1, 2):
        return None
    if len(new) == 1 and not new[0].startswith((".", "/")):
        return None
    return Replacement(old[0], old[1] if len(old) == 2 else "", new[0], new[1] if len(new) == 2 else "")
