"""Read links to published documentation of Java: the path of the page is the package and the type.

`https://shop.org/api/org/shop/Cart.html#add-org.shop.Item-` is about the method `add` of `org/shop/Cart.java`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

#: Folders that are packages, the page of a type, and perhaps the anchor of a member: `#add(org.shop.Item)`, `#add-int-`.
_PAGE: Final = re.compile(
    r"(?:^|/)(?P<package>[a-z]\w{0,40}(?:/[a-z]\w{0,40}){0,12})/(?P<type>[A-Z]\w*(?:\.[A-Z]\w*)*)\.html"
    r"(?:#(?P<member>[a-zA-Z_]\w*)(?:[-(].*)?)?$",
    re.ASCII,
)
_MAX_TARGET: Final = 600


class PublishedName(NamedTuple):
    """A type of Java or a member of it, as the URL of its page names it."""

    #: The folders before the page, of which the last ones are the package: `api/org/shop`.
    folders: str
    type: tuple[str, ...]
    #: "" for the type itself.
    member: str


def published_name(target: str) -> PublishedName | None:
    """Return the type or the member that a link to published documentation names; None for other links."""
    found = _PAGE.search(target) if ".html" in target and len(target) <= _MAX_TARGET else None
    if found is None:
        return None
    return PublishedName(found["package"], tuple(found["type"].split(".")), found["member"] or "")
