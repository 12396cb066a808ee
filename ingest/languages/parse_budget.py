"""Limits the time for parsing a text, so that no single file delays an index.

tree-sitter parses most sources in linear time: a megabyte takes a third of a second. For some sources, such as unclosed brackets
with several readings, the time grows with the square of the size, and 80 kB take minutes.
"""

from __future__ import annotations

from time import thread_time
from typing import Final

from tree_sitter import Language, Parser, Point, Tree

from ...schema.records import Problem

#: Processor seconds for all parses of a text together, in addition to the seconds for its size.
BASE_SECONDS: Final = 3.0
#: Additional processor seconds for each megabyte.
SECONDS_PER_MEGABYTE: Final = 15.0
#: The problem of a text that takes longer.
TOO_SLOW: Final = Problem(1, "the file takes too long to parse, so its declarations are not known")
#: Size of the first piece for `Node.text`, in bytes. Most of these texts are names.
_SHORT: Final = 64
#: Maximum size, in bytes, of a text that is parsed without a budget, because it cannot take long.
_SMALL: Final = 4096


class SlowSource(Exception):
    """Raised when the parses of a text take longer than its budget."""


class ParseBudget:
    """The processor time of this thread for all parses of one text."""

    def __init__(self, size: int) -> None:
        """Start the time; `size` is the size of the text in bytes."""
        self._ends_at = thread_time() + BASE_SECONDS + SECONDS_PER_MEGABYTE * size / 1e6

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return thread_time() > self._ends_at


class BoundedParser:
    """A parser of one text that stops when a budget is spent.

    The budget is checked between the parser's steps, a few of which take long. Threads must not share a parser: the interpreter
    may switch threads during the check, and a tree-sitter parser that two threads enter crashes the process. A new parser takes
    half a microsecond.
    """

    def __init__(self, language: Language, budget: ParseBudget) -> None:
        self._parser = Parser(language)
        self._budget = budget

    def parse(self, data: bytes, old_tree: Tree | None = None) -> Tree:
        """Parse a text. The parts of an old tree outside its edits are reused. Raises SlowSource."""
        if len(data) < _SMALL:
            return self._parser.parse(data) if old_tree is None else self._parser.parse(data, old_tree)

        def is_late(_offset: int, _has_error: bool) -> bool:
            return self._budget.is_spent

        source = _Source(data)
        try:
            if old_tree is None:
                return self._parser.parse(source, progress_callback=is_late)
            return self._parser.parse(source, old_tree, progress_callback=is_late)
        except ValueError as error:
            self._parser.reset()  # otherwise the parser would continue with this text
            raise SlowSource from error
        finally:
            source.end_parse()


class _Source:
    """Passes a text to tree-sitter: to the parser all text from an offset, then small pieces to `Node.text` of the tree.

    The parser never drops its reference to a piece (py-tree-sitter 0.26). A piece is therefore a view, which is released before
    the next piece, so that the parser keeps alive an empty view instead of the text.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._piece: memoryview | None = memoryview(data)[:0]
        #: End and size of the last piece for `Node.text`.
        self._end = -1
        self._size = 0

    def end_parse(self) -> None:
        """Release the last piece that the parser received."""
        if self._piece is not None:
            self._piece.release()
            self._piece = None

    def __call__(self, offset: int, _point: Point) -> bytes | memoryview:
        """Return a piece of the text.

        `Node.text` joins its pieces one by one, so each piece is twice as large as the previous piece.
        """
        if self._piece is not None:
            self._piece.release()
            self._piece = memoryview(self._data)[offset:]
            return self._piece
        self._size = 2 * self._size if offset == self._end else _SHORT
        self._end = offset + self._size
        return self._data[offset : self._end]
