"""Tools of which a project uses one. A document about the part for one of them does not name the code for another one."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...schema.name_words import name_words

_BUILD_TOOLS: Final = frozenset(("gradle", "maven", "sbt", "bazel"))
_FRAMEWORKS: Final = frozenset(("react", "preact", "vue", "svelte", "angular", "solid", "ember", "qwik"))


@lru_cache(maxsize=16_384)
def tools_of(path: str) -> frozenset[str]:
    """Return the tools that a path names: Maven for `shop-maven-plugin/src/Goal.java` and for `docs/maven.md`."""
    return (_BUILD_TOOLS | _FRAMEWORKS) & frozenset(name_words(path))


def is_of_other_tool(path: str, tools: frozenset[str]) -> bool:
    """Return whether a path names another tool than some tools, and none of these tools."""
    if not tools:
        return False
    own = tools_of(path)
    alternatives = (each for each in (_BUILD_TOOLS, _FRAMEWORKS) if not each.isdisjoint(tools))
    return own.isdisjoint(tools) and any(not own.isdisjoint(each) for each in alternatives)
