"""The global name under which files declare the properties that a program adds to all components of Vue."""

from __future__ import annotations

from typing import Final

#: An interface. No identifier has such a name.
INSTANCE: Final = "{instance}"
