"""The annotations of Room, which Java and Kotlin share: https://developer.android.com/training/data-storage/room."""

from __future__ import annotations

from typing import Final

PACKAGES: Final = ("androidx.room", "android.arch.persistence.room")
#: Annotations of functions of data access objects, with the kinds of their statements.
STATEMENTS: Final = {"Insert": "insert", "Update": "update", "Delete": "delete", "Upsert": "merge"}
