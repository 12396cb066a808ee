"""Dotted names of types and members outside of the repository."""

from __future__ import annotations

from typing import Final

#: First names of the packages of the JDK.
OF_THE_JDK: Final = ("java", "javax")
#: Packages of the JDK with other first names, which libraries have as well.
_OTHERS_OF_THE_JDK: Final = ("com.sun.net.httpserver", "org.w3c.dom", "org.xml.sax")


def is_of_the_jdk(package: str) -> bool:
    """Return whether the JDK contains a package."""
    return package.partition(".")[0] in OF_THE_JDK or package.startswith(_OTHERS_OF_THE_JDK)


def split_name(name: str) -> tuple[str, str]:
    """Split a dotted name after its package, which ends before the first name with a capital."""
    parts = name.split(".")
    length = next((place for place, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return ".".join(parts[:length]), ".".join(parts[length:])
