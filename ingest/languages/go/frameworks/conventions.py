"""The conventions of a framework of Go: its packages, and the roles of the functions that code passes to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework. All patterns match an origin without its package, such as `Engine().GET`."""

    name: str
    #: Import paths, without a version at their end.
    packages: tuple[str, ...]
    #: By role, the functions and methods that take functions as arguments.
    calls: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    #: By role, the fields that contain functions: `Command.RunE`.
    fields: Mapping[str, re.Pattern[str]] = field(default_factory=dict)


def names(pattern: str) -> re.Pattern[str]:
    """Compile a pattern. Spaces and line breaks in the pattern do not count."""
    return re.compile(pattern, re.VERBOSE)
