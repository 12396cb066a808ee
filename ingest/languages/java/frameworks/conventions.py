"""The conventions of a framework of Java: the roles of annotated declarations, and of types derived from its types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Bases(NamedTuple):
    """Types of a framework from which code derives types. Names are qualified, with a colon after the package."""

    names: re.Pattern[str]
    #: Role of a derived type; "" if the framework only uses its methods.
    role: str
    #: Methods that the framework calls, by name, with their roles.
    methods: re.Pattern[str] | None = None
    method_role: str = "hook"


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework."""

    name: str
    #: Roles of declarations, by the qualified name of the annotation.
    annotations: Mapping[str, str] = field(default_factory=dict)
    bases: tuple[Bases, ...] = ()


def roles(package: str, **names: str) -> dict[str, str]:
    """Return roles by qualified name; each argument is a role: the names of its annotations in a package."""
    return {f"{package}.{name}": role for role, listed in names.items() for name in listed.split()}


def either(package: str, **names: str) -> dict[str, str]:
    """Return roles by qualified name, for a package of `jakarta` and for its former name in `javax`."""
    return roles(f"jakarta.{package}", **names) | roles(f"javax.{package}", **names)


def names(pattern: str) -> re.Pattern[str]:
    """Compile a pattern. Spaces and line breaks in the pattern do not count."""
    return re.compile(pattern, re.VERBOSE)
