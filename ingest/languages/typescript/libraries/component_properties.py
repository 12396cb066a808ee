"""The global names under which files declare what a program adds to all components of Vue."""

from __future__ import annotations

from typing import Final

#: An interface. No identifier has such a name.
INSTANCE: Final = "{instance}"
#: The files that a program loads by globs and registers as components, under names that it computes.
ANY_TAG: Final = "<*>"
