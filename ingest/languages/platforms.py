"""Languages in which all files belong to the program on every platform."""

from __future__ import annotations


class OnEveryPlatform:
    """Platform rules that include every file on every platform."""

    def is_left_out(self, path: str, constraint: str) -> bool:
        """Return False, because no file is excluded from the program on the platform of the host."""
        return False

    def variant(self, path: str, constraint: str) -> str:
        """Return "", because every file is part of the program on all platforms."""
        return ""

    def fits(self, path: str, constraint: str, other_path: str, other_constraint: str) -> bool:
        """Return True, because any two files may be parts of one program."""
        return True
