"""Specifiers for modules of which code gives only the end of the dotted name: `get_class("catalogue.forms", "ProductForm")`."""

from __future__ import annotations

from typing import Final

_PREFIX: Final = "*."


def ending_specifier(name: str) -> str:
    """Return the specifier of the module whose dotted name ends with a name."""
    return _PREFIX + name


def is_ending(specifier: str) -> bool:
    """Return whether a specifier is only the end of the dotted name of a module."""
    return specifier.startswith(_PREFIX)


def parts_of(specifier: str) -> tuple[str, ...]:
    """Return the known parts of the dotted name of a module."""
    return tuple(specifier.removeprefix(_PREFIX).split("."))
