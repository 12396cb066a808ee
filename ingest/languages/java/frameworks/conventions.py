"""What a framework is to the rules of Java: what it makes of what has its annotations, and of types that derive from its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Bases(NamedTuple):
    """Types of a framework from which others derive. Names are qualified, with a colon behind the package."""

    names: re.Pattern[str]
    #: What the framework takes a derived type for; "" if only its methods are of interest.
    role: str
    #: Names of methods that the framework calls, and what it takes them for.
    methods: re.Pattern[str] | None = None
    method_role: str = "hook"


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework."""

    name: str
    #: What it takes a declaration for, by the qualified name of the annotation.
    annotations: Mapping[str, str] = field(default_factory=dict)
    bases: tuple[Bases, ...] = ()


def roles(package: str, **names: str) -> dict[str, str]:
    """Return roles by qualified name; each argument is a role with the names of annotations in a package."""
    return {f"{package}.{name}": role for role, listed in names.items() for name in listed.split()}


def either(package: str, **names: str) -> dict[str, str]:
    """Return roles by qualified name for a package of `jakarta`, and for the one of `javax` that it was before."""
    return roles(f"jakarta.{package}", **names) | roles(f"javax.{package}", **names)


def names(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; spaces and line breaks in it do not count."""
    return re.compile(pattern, re.VERBOSE)
