"""Find possible uses of declarations without known uses."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from ....graphdb.queries.lint import UnusedDeclaration
from ....schema.unread_files import UnreadFile
from ...text_search.indexed_text import IndexedTexts
from .offered_exports import offered
from .possible_uses import WHOLE
from .reachability import Reached
from .started_programs import EXAMPLE_REASON, RUNNER_REASON

#: The beginning of a handler in a text of a page or a string of code: `onclick="cart.open(`, `href="javascript:open(`.
_HANDLER = re.compile(rb"(?:[\s\"'](?:on[a-z]+)\s*=\s*\\?[\"']|javascript:)[^\n\"']*\Z", re.IGNORECASE)
#: Maximum number of bytes of a handler before a name.
_MAX_BEFORE = 200


class Doubts:
    """Possible uses of declarations by unread files or unresolved imports."""

    def __init__(self, texts: IndexedTexts, reached: Reached, unread: Sequence[UnreadFile], scripts: Collection[str]) -> None:
        """`scripts` are the files that may run as scripts, whose declarations are global."""
        self._texts = texts
        self._reached = reached
        self._scripts = scripts
        self._by_word: dict[str, str] = {}
        for file in unread:
            for word in file.words:
                self._by_word.setdefault(word, file.path)

    def about(self, declaration: UnusedDeclaration) -> str | None:
        """Return the possible uses of a declaration; None if there are none."""
        if (reason := self._reached.possible.get(declaration.path)) in (EXAMPLE_REASON, RUNNER_REASON):
            return reason
        if declaration.exported:
            return self._of_exports([*offered(declaration), (declaration.path, declaration.name)])
        if declaration.path not in self._scripts:
            return None
        in_text = self._in_words(declaration.name) or self._in_other_files(declaration)
        return in_text or next((use.reason for use in self._reached.uses.get(declaration.path, ()) if WHOLE in use.names), None)

    def about_export(self, path: str, name: str) -> str | None:
        """Return the possible uses of an exported name of a file; None if there are none."""
        return self._of_exports([(path, name)])

    def _of_exports(self, exports: Iterable[tuple[str, str]]) -> str | None:
        for path, name in exports:
            if name != "default" and (reason := self._in_words(name)):
                return reason
            for use in self._reached.uses.get(path, ()):
                is_loaded_by_name = not use.names and (use.loads or path in self._reached.possible)
                if name in use.names or WHOLE in use.names or is_loaded_by_name:
                    return use.reason
        return None

    def _in_other_files(self, declaration: UnusedDeclaration) -> str | None:
        """Return a possible use of a global declaration: its name in another file, or in a handler that its own file writes."""
        word = re.compile(rb"(?<![\w$])" + re.escape(declaration.name.encode()) + rb"(?![\w$])")
        own = self._texts.number_of(declaration.path)
        for match in word.finditer(self._texts.block):
            number = self._texts.number_at(match.start())
            if number != own:
                return f"{self._texts.paths[number]} has its name, which is declared for all files"
            if _HANDLER.search(self._texts.block, max(0, match.start() - _MAX_BEFORE), match.start()) is not None:
                return "a handler in a text of its file has its name"
        return None

    def _in_words(self, name: str) -> str | None:
        path = self._by_word.get(name)
        return f"{path} has its name, which is not read as code" if path is not None else None
