"""Names of the objects that the directives of Sphinx describe, and of those in its roles, in reStructuredText and in MyST.

A member is named after the class around it, and other objects after the module that the document states:

    .. currentmodule:: shop.orders

    .. autoclass:: Cart             names `shop.orders.Cart`
       :members: open               names `shop.orders.Cart.open`

       .. automethod:: total        names `shop.orders.Cart.total`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .plain_names import WORD
from .sections import Reference

#: A directive in a line: `.. autoclass:: shop.Cart`.
DIRECTIVE: Final = re.compile(r"(?P<indent>[ \t]*)\.\. (?P<name>[\w:+.-]+?)::[ \t]*(?P<argument>.*)")
#: The language of a block of MyST that contains reStructuredText.
RESTRUCTURED: Final = "eval-rst"
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
_ATTRIBUTE: Final = "attribute"
_ATTRIBUTES: Final = frozenset((_ATTRIBUTE, "property"))
_FUNCTIONS: Final = frozenset(("function", "decorator"))
_OBJECTS: Final = _DOCUMENTED | _CLASSES | _MEMBERS | _FUNCTIONS
#: Directives that describe a flag of a program.
_OPTIONS: Final = frozenset(("option", "cmdoption"))
#: Directives that state the module of the objects after them.
_MODULES: Final = frozenset(("module", "currentmodule"))
_NAME: Final = re.compile(r"(?:(?:async|abstract|static|classmethod)[ \t]+)*(?P<name>[A-Za-z_][\w.]*)")
#: The names of members that a directive shows: `:members: open, close`.
_SHOWN: Final = re.compile(r"[ \t]+:(?:members|special-members):[ \t]*(?P<names>\w.*)")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
#: A block of mkdocstrings: `::: shop.orders.Cart`. A container of other generators has a plain word as its name: `::: tip`.
_IDENTIFIER: Final = re.compile(r":::[ \t]+(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)[ \t]*(?:\n|$)")
_ITEM: Final = re.compile(r"[ \t]*-[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*$")
#: Domain of Python, which is also the default domain.
_PYTHON: Final = "py:"

_ROLE: Final = re.compile(r":(?P<role>[\w:+.-]{1,60}):`(?P<text>[^`\n]+)`")
_IN_ANGLES: Final = re.compile(r"<(?P<target>[^<>]+)>$")
#: Roles that name code, files and documents.
_NAMES_CODE: Final = frozenset(
    (
        "func",
        "meth",
        "class",
        "mod",
        "attr",
        "exc",
        "data",
        "obj",
        "const",
        "any",
        "deco",
        "type",
        "function",
        "method",
        "macro",
        "file",
        "code",
        "literal",
        "py",
    )
)
#: The role of a parameter of a function or a class: `shop.Cart.count`.
_NAMES_PARAMETER: Final = "paramref"
_NAMES_FILES: Final = frozenset(("doc", "download"))


class DescribedObjects:
    """Follows the directives of a document from its first line to its last."""

    def __init__(self) -> None:
        #: The indentation and the name of the classes around the current line.
        self._around: list[tuple[int, str]] = []
        #: The module that the document states.
        self._module = ""
        #: The class that the directive in the line before describes.
        self._class = ""

    def reference(self, directive: re.Match[str], line: int) -> Reference | None:
        """Return the name of the object that a directive describes; None if it describes none."""
        kind = directive["name"].lower().removeprefix(_PYTHON)
        found = _NAME.match(directive["argument"])
        indent = len(directive["indent"])
        while self._around and self._around[-1][0] >= indent:
            self._around.pop()
        self._class = ""
        if kind in _OPTIONS and directive["argument"].startswith("-"):
            return Reference("code", directive["argument"].strip(), line, directive.start("argument") + 1)
        if kind in _MODULES:
            self._module = found["name"].rstrip(".") if found is not None else ""
        if found is None or kind not in _OBJECTS:
            return None
        name = found["name"].rstrip(".")
        if kind in _MEMBERS and self._around and "." not in name:
            name = f"{self._around[-1][1]}.{name}"
        elif self._module and kind != "automodule" and not name.startswith(f"{self._module.partition('.')[0]}."):
            name = f"{self._module}.{name}"
        if kind in _CLASSES:
            self._around.append((indent, name))
            self._class = name
        column = directive.start("argument") + found.start("name") + 1
        if kind in _DOCUMENTED:
            return Reference("code", name, line, column)
        if kind in _ATTRIBUTES and "." not in name:
            # A page that describes one class leaves it out: `.. attribute:: page_size`.
            return Reference("code", name, line, column, (_ATTRIBUTE,))
        return Reference(WORD, f"{name}()" if kind in _METHODS | _FUNCTIONS else name, line, column)

    def members(self, text: str, line: int) -> Iterator[Reference]:
        """Yield the members that an option below the directive of a class names."""
        shown = _SHOWN.match(text) if self._class else None
        if shown is not None:
            for each in _WORD.finditer(text, shown.start("names")):
                yield Reference("code", f"{self._class}.{each[0]}", line, each.start() + 1)


def described_in(text: str, first_line: int, objects: DescribedObjects) -> Iterator[Reference]:
    """Yield the objects that a piece of reStructuredText inside of another document describes or names in its roles.

    `objects` follows the directives of the whole document.
    """
    for number, line in enumerate(text.split("\n"), first_line):
        directive = DIRECTIVE.match(line)
        described = objects.reference(directive, number) if directive is not None else None
        if described is not None:
            yield described
        elif directive is None:
            yield from objects.members(line, number)
            yield from roles_in(line, number)


def identified_in(paragraph: str, first_line: int) -> Iterator[Reference]:
    """Yield the object that a block of mkdocstrings describes, and the members that its options name."""
    found = _IDENTIFIER.match(paragraph)
    if found is None:
        return
    name = found["name"]
    yield Reference("code", name, first_line, found.start("name") + 1)
    members_at = -1
    for number, line in enumerate(paragraph.split("\n")[1:], first_line + 1):
        indent = len(line) - len(line.lstrip())
        item = _ITEM.match(line) if 0 <= members_at <= indent else None
        if item is not None:
            yield Reference("code", f"{name}.{item['name']}", number, item.start("name") + 1)
        elif line.strip() == "members:":
            members_at = indent
        else:
            members_at = -1


def roles_in(line: str, number: int) -> Iterator[Reference]:
    """Yield the code and the files that the roles in a line name: `` :meth:`~shop.Cart.total` ``."""
    for found in _ROLE.finditer(line):
        role = found["role"].rpartition(":")[2]
        angles = _IN_ANGLES.search(found["text"])
        target = (angles["target"] if angles is not None else found["text"]).lstrip("~!").strip()
        if role in _NAMES_CODE:
            # If a name begins with a dot, Sphinx takes the nearest object of that name.
            name = target if "/" in target else target.lstrip(".")
            yield Reference("code", name, number, found.start("text") + 1)
        elif role == _NAMES_PARAMETER and "." in target:
            yield Reference("code", target.lstrip(".").rpartition(".")[0], number, found.start("text") + 1)
        elif role in _NAMES_FILES:
            yield Reference("link", target, number, found.start("text") + 1)
