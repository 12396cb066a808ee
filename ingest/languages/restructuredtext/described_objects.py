"""Names of the objects that the directives of Sphinx describe. A member is named after the class around it:

.. autoclass:: shop.Cart

   .. automethod:: total        names `shop.Cart.total`
"""

from __future__ import annotations

import re
from typing import Final

from ...documents.plain_names import WORD
from ...documents.sections import Reference

#: Directives of Sphinx that show the documentation of what they name.
_DOCUMENTED: Final = frozenset(
    (
        "automodule",
        "autoclass",
        "autoexception",
        "autofunction",
        "autodecorator",
        "automethod",
        "autoattribute",
        "autoproperty",
        "autodata",
    )
)
_CLASSES: Final = frozenset(("class", "exception", "autoclass", "autoexception"))
_METHODS: Final = frozenset(("method", "classmethod", "staticmethod", "automethod"))
_MEMBERS: Final = _METHODS | {"attribute", "property", "autoattribute", "autoproperty"}
_FUNCTIONS: Final = frozenset(("function", "decorator"))
_NAME: Final = re.compile(r"(?:(?:async|abstract|static|classmethod)[ \t]+)*(?P<name>[A-Za-z_][\w.]*)")
#: Domain of Python, which is also the default domain.
_PYTHON: Final = "py:"


class DescribedObjects:
    """Follows the directives of a document from its first line to its last."""

    def __init__(self) -> None:
        #: The indentation and the name of the classes around the current line.
        self._around: list[tuple[int, str]] = []

    def reference(self, directive: re.Match[str], line: int) -> Reference | None:
        """Return the name of the object that a directive describes; None if it describes none."""
        kind = directive["name"].lower().removeprefix(_PYTHON)
        found = _NAME.match(directive["argument"])
        indent = len(directive["indent"])
        while self._around and self._around[-1][0] >= indent:
            self._around.pop()
        if found is None:
            return None
        name = found["name"].rstrip(".")
        if kind in _MEMBERS and self._around and "." not in name:
            name = f"{self._around[-1][1]}.{name}"
        if kind in _CLASSES:
            self._around.append((indent, name))
        column = directive.start("argument") + found.start("name") + 1
        if kind in _DOCUMENTED:
            return Reference("code", name, line, column)
        if kind in _CLASSES | _MEMBERS | _FUNCTIONS:
            return Reference(WORD, f"{name}()" if kind in _METHODS | _FUNCTIONS else name, line, column)
        return None
