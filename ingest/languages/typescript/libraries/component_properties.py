"""The global names under which files declare what a program adds to all components of Vue, and to all files of MDX."""

from __future__ import annotations

from typing import Final

#: An interface. No identifier has such a name.
INSTANCE: Final = "{instance}"
#: The files that a program loads by globs and registers as components, under names that it computes.
ANY_TAG: Final = "<*>"
#: An object whose members are components that tags in MDX may name.
ANY_MDX_TAG: Final = "<mdx:*>"


def mdx_tag(name: str) -> str:
    """Return the global name of a component that a program provides to MDX."""
    return f"<mdx:{name}>"
