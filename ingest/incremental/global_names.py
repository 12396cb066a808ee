"""Find the files that a change of global declarations affects: the files whose text contains one of the changed names.

If no other file declares a global name, a change affects the files that mention the name, and their importers. Some interfaces
have several declarations, such as `Window` in the runtime library or an interface in an augmented module. A change of such an
interface affects only the files that mention a member that the changed file adds. Everything else about values of the interface
is unchanged, and a type that uses the member also mentions its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from ..facts.model import FileFacts
from ..files.source_text import source_bytes
from .affected import EVERYTHING, MODULES, AmbientChange, Spread
from .file_links import FileLinks
from .memory import KnownFile
from .surface import Surface

#: Global names to which syntax refers without mentioning them.
_IMPLIED: Final = frozenset(("JSX",))


class GlobalNames:
    """The declarations that files of a repository share without imports, in the current state."""

    def __init__(
        self,
        root: Path,
        links: Mapping[str, FileLinks],
        installed: Iterable[str],
        runtime: FileFacts,
        file: Callable[[str], KnownFile],
    ) -> None:
        """`installed` are declaration files of packages that were read; `file` returns a file as it was read."""
        self._root = root
        self._links = links
        self._installed = installed
        self._runtime = runtime
        self._file = file
        #: By path, the names whose users are already affected.
        self._done: dict[str, frozenset[str]] = {}

    def spread(self, spread: Spread, path: str, names: frozenset[str], before: Surface | None = None) -> None:
        """Spread a change of the global names of a file, or of MODULES; `before` is the file's surface before the change.

        Raises `AmbientChange` if the change may affect files that mention none of the names.
        """
        done = self._done.get(path)
        names -= done or frozenset()
        if done is not None and not names:
            return
        self._done[path] = names | (done or frozenset())
        words = self._words(path, names, before)
        users = self._files_with(words) if words else set()
        for user in sorted({path, *users} & self._links.keys()):
            if user != path and self._links[user].ambient:
                own = self._file(user).surface
                self.spread(spread, user, frozenset(own.globals) | {MODULES})
            spread.affected.add(user)
            spread.from_names(user, EVERYTHING)

    def _words(self, path: str, names: frozenset[str], before: Surface | None) -> frozenset[str]:
        if not names.isdisjoint(_IMPLIED):
            raise AmbientChange(path)
        shared = names & self._declared_elsewhere(path)
        words = set(names - shared - {MODULES})
        surfaces = [surface for surface in (before, self._file(path).surface if path in self._links else None) if surface]
        # Names of the runtime are not in `hidden`. The code of the runtime is not searched, so their values may reach files that
        # do not mention the name. Any other name affects only files that mention it.
        hidden = {
            name
            for name in shared - self._runtime.scopes[0].names.keys()
            if any(surface.global_members.get(name, frozenset()) is None for surface in surfaces)
        }
        words |= hidden
        seen = [surface.global_members.get(name, frozenset()) for name in shared - hidden for surface in surfaces]
        for members in (*seen, *(surface.module_words for surface in surfaces if MODULES in names)):
            if members is None or not members.isdisjoint(self._runtime_members):
                raise AmbientChange(path)
            words |= members
        if any(not word.isidentifier() for word in words):
            raise AmbientChange(path)
        pattern = _pattern(words)
        if words and any(pattern.search(source) for source in self._sources(self._installed)):
            raise AmbientChange(path)
        return frozenset(words)

    @cached_property
    def _runtime_members(self) -> set[str]:
        return {member.name for shape in self._runtime.shapes for member in shape.members}

    def _declared_elsewhere(self, path: str) -> set[str]:
        others = (other for other, links in self._links.items() if links.ambient and other != path)
        return set(self._runtime.scopes[0].names).union(*(self._file(other).surface.globals for other in others))

    def _files_with(self, words: frozenset[str]) -> set[str]:
        """Return the files whose text contains one of the words.

        If a text may spell the words with escapes, the facts of the file are searched.
        """
        pattern = _pattern(words)
        return {
            path
            for path, source in zip(self._links, self._sources(self._links), strict=True)
            if pattern.search(source) or (b"\\u" in source and not words.isdisjoint(self._file(path).facts.strings))
        }

    def _sources(self, paths: Iterable[str]) -> Iterable[bytes]:
        for path in paths:
            try:
                yield source_bytes((self._root / path).read_bytes())
            except OSError:
                yield b""


def _pattern(words: Iterable[str]) -> re.Pattern[bytes]:
    """Return a pattern for any of the words.

    A letter beyond ASCII beside a word counts as a boundary, which can only add matches.
    """
    return re.compile(rb"(?<![\w$])(?:" + b"|".join(re.escape(word.encode()) for word in sorted(words)) + rb")(?![\w$])")
