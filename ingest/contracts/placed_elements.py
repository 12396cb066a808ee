"""Collects the elements of a contract, with their places, while the tokens are read."""

from __future__ import annotations

from typing import Final

from .declarations import ContractElement
from .tokens import TokenReader

#: Maximum number of characters of a signature.
_MAX_SIGNATURE: Final = 2_000


class PlacedElements:
    """The elements of a text. Call `add` first, `sign` after the head of the element, and `close` at its end."""

    def __init__(self, text: str, reader: TokenReader) -> None:
        self._text = text
        self._reader = reader
        self._elements: list[ContractElement] = []
        self._codes: list[int] = []

    def __len__(self) -> int:
        return len(self._elements)

    def add(self, element: ContractElement, begin: int, code: int) -> int:
        """Add an element and return its number.

        `begin` is the number of its first token, and `code` is the number of the first token after the description.
        """
        comments = self._reader.comments_above(begin)
        first = comments[0].line if comments else self._reader.token(begin).line
        comment = "\n".join(each.text for each in comments)
        self._elements.append(element._replace(first_line=first, comment=comment))
        self._codes.append(self._reader.token(code).start)
        return len(self._elements) - 1

    def sign(self, number: int) -> None:
        """Extend the signature of an element up to the current token."""
        last = self._reader.last
        start = self._codes[number]
        end = min(last.end if last is not None else start, start + _MAX_SIGNATURE)
        self._elements[number] = self._elements[number]._replace(signature=" ".join(self._text[start:end].split()))

    def bind(self, number: int, bindings: tuple[str, ...]) -> None:
        """Set the requests of HTTP that a gateway passes to an element."""
        self._elements[number] = self._elements[number]._replace(bindings=bindings)

    def close(self, number: int) -> None:
        """End an element at the last token that was read."""
        last = self._reader.last
        if last is not None:
            self._elements[number] = self._elements[number]._replace(end_line=last.end_line)

    def all(self) -> tuple[ContractElement, ...]:
        """Return all elements. An element that is still open ends at the last token."""
        for number, element in enumerate(self._elements):
            if not element.end_line:
                self.close(number)
        return tuple(self._elements)
