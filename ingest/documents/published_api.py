"""Read links to published documentation, whose URLs contain the module or the package and the name of a declaration.

- Javadoc: `https://shop.org/api/org/shop/Cart.html#add-org.shop.Item-` is about the method `add` of `org/shop/Cart.java`.
- Dokka: `api/shop/org.shop/-cart/add-item.html` is about the function `addItem` of the class `Cart` in the package `org.shop`.
- `https://pkg.go.dev/github.com/acme/shop#Cart.Total` and `https://docs.rs/shop/latest/shop/struct.Cart.html#method.total`.
- rustdoc on another site, often behind a placeholder: `@api/shop/cart/struct.Cart.html`, `../api/shop/cart/index.html`.
- TypeDoc: `https://acme.github.io/shop/api/interfaces/index.Cart#total` is about `Cart.total` of the package `shop`.
- Doxygen: `classshop_1_1Cart.html` is about the class `shop::Cart`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

#: Folders that are packages, the page of a type, and perhaps the anchor of a member: `#add(org.shop.Item)`, `#add-int-`.
_JAVADOC: Final = re.compile(
    r"(?:^|/)(?P<package>[a-z]\w{0,40}(?:/[a-z]\w{0,40}){0,12})/(?P<type>[A-Z]\w*(?:\.[A-Z]\w*)*)\.html"
    r"(?:#(?P<member>[a-zA-Z_]\w*)(?:[-(].*)?)?$",
    re.ASCII,
)
#: A package with its dots, and the names inside of it, in which a sign before a letter stands for a capital.
_DOKKA: Final = re.compile(
    r"(?:^|/)(?P<package>[a-z]\w{0,40}(?:\.[a-z]\w{0,40}){1,12})/(?P<names>[\w-]{1,80}(?:/[\w-]{1,80}){0,5})\.html(?:#.*)?$",
    re.ASCII,
)
_CAPITAL: Final = re.compile(r"-([a-z0-9])")
#: Pages of Dokka that are about the folder around them, and folders without a name in code.
_NO_NAMES: Final = frozenset(("index", "-companion"))
_GO: Final = re.compile(
    r"https?://(?:pkg\.go\.dev|godoc\.org|godocs\.io)/(?P<module>[\w.-]+\.[\w-]+(?:/[\w.~-]+)*)(?:@[\w.+-]+)?"
    r"(?P<inner>(?:/[\w.~-]+)*)/?(?:\?[^#\s]*)?(?:#(?P<names>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?))?$",
    re.ASCII,
)
_RUST: Final = re.compile(
    r"(?:https?://docs\.rs/[\w-]+/[\w.^~*-]+/|(?P<other>(?:^|/)@?))(?P<module>\w+(?:/\w+)*)/"
    r"(?:index|(?:struct|enum|trait|fn|macro|type|constant|static|attr|derive|union)\.(?P<name>\w+))\.html"
    r"(?:#(?:method|tymethod|variant|structfield|associatedconstant)\.(?P<member>\w+)|#[\w.-]*)?$",
    re.ASCII,
)
#: A path that begins with the name of a site in place of its address: `@api/shop/cart/index.html`.
_PLACEHOLDER: Final = re.compile(r"@\w")
_DOXYGEN: Final = re.compile(r"(?:^|/)(?:class|struct)(?P<names>[A-Za-z](?:\w{0,120}))\.html(?:#.*)?$", re.ASCII)
#: The site of a package, the folder of a kind of declarations, and the module and the name of a declaration.
_TYPEDOC: Final = re.compile(
    r"https?://(?:[\w-]+\.(?:github|gitlab)\.io/(?P<package>[\w.-]+)|(?:www\.)?(?P<host>[\w-]+)\.[a-z]{2,12})/(?:[\w.-]+/){0,4}"
    r"(?:classes|enums|functions|interfaces|types|variables)/(?:[\w-]+\.){0,3}(?P<name>(?!html\b)[A-Za-z_$][\w$]*?)(?:-\d+)?(?:\.html)?"
    r"(?:#(?P<member>[A-Za-z_$][\w$]*?)(?:-\d+)?)?$",
    re.ASCII,
)
#: Form of a reference that is a span of code in the text of a link to published documentation. Its text is the target.
LINKED: Final = "linked"
_MAX_TARGET: Final = 600
#: The sign between the names in the path of a module of Rust.
_IN_CRATE: Final = "::"


class PublishedName(NamedTuple):
    """A declaration as the URL of its page names it."""

    #: Extension of the files in the language of the declaration.
    extension: str
    #: The module or package of the declaration in the notation of its language; "" if the names contain it.
    module: str
    #: The names from the module to the declaration; empty for the module itself.
    names: tuple[str, ...]
    #: Whether the module may be only the last part of the path: the first folders of Javadoc and rustdoc may belong to the site.
    is_end: bool = False

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules of Rust or Go that the path may name, the shortest first."""
        parts = self.module.split(_IN_CRATE) if self.is_end else [self.module]
        return tuple(_IN_CRATE.join(parts[place:]) for place in range(len(parts) - 1, -1, -1))


def published_name(target: str) -> PublishedName | None:
    """Return what a link to published documentation describes; None for other links."""
    if len(target) > _MAX_TARGET:
        return None
    if (found := _TYPEDOC.match(target)) is not None:
        inner = (found["member"],) if found["member"] else ()
        return PublishedName(".ts", found["package"] or found["host"], (found["name"], *inner))
    if ".html" not in target:
        found = _GO.match(target) if "go" in target else None
        names = tuple(found["names"].split(".")) if found is not None and found["names"] else ()
        return PublishedName(".go", found["module"] + found["inner"], names) if found is not None else None
    if (found := _RUST.search(target)) is not None and (found["name"] or found["other"] is None or _PLACEHOLDER.match(target)):
        names = tuple(name for name in (found["name"], found["member"]) if name)
        return PublishedName(".rs", found["module"].replace("/", _IN_CRATE), names, is_end=found["other"] is not None)
    if (found := _JAVADOC.search(target)) is not None:
        member = (found["member"],) if found["member"] else ()
        return PublishedName(".java", found["package"], (*found["type"].split("."), *member), is_end=True)
    if (found := _DOKKA.search(target)) is not None:
        names = tuple(_plain(name) for name in found["names"].split("/") if name not in _NO_NAMES)
        return PublishedName(".kt", found["package"].replace(".", "/"), names) if names else None
    if (found := _DOXYGEN.search(target)) is not None and "_1_1" in found["names"]:
        return PublishedName(".cpp", "", tuple(part.replace("__", "_") for part in found["names"].split("_1_1")))
    return None


def _plain(written: str) -> str:
    """Return a name as code writes it: `-core-cart` -> `CoreCart`, `get-key` -> `getKey`."""
    return _CAPITAL.sub(lambda found: found[1].upper(), written)
