"""Languages in which all files belong to the program on every platform."""

from __future__ import annotations


class OnEveryPlatform:
    """Platform rules that include every file on every platform."""

    def is_left_out(self, path: str, constraint: str) -> bool:
        """Return whether a file is no part of the program on the platform of the host: never."""
        return False

    def variant(self, path: str, constraint: str) -> str:
        """Return on which platforms a file is part of the program: "" for all."""
        return ""

    def fits(self, path: str, constraint: str, other_path: str, other_constraint: str) -> bool:
        """Return whether two files may be parts of one program: always."""
        return True
