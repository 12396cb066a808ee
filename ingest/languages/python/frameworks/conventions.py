"""The conventions of a framework of Python: its packages, and the roles that it gives to code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Bases(NamedTuple):
    """Classes of a framework from which others derive."""

    names: re.Pattern[str]
    #: Role that the framework gives to a derived class; "" if only its methods are of interest.
    role: str
    #: Names of methods that the framework calls.
    methods: re.Pattern[str] | None = None


class Calls(NamedTuple):
    """Functions of a framework to which others are given."""

    names: re.Pattern[str]
    role: str
    #: Whether classes among the arguments are its subject, and are not called.
    takes_functions: bool = False


class Places(NamedTuple):
    """Names that a framework looks up in some files that import it."""

    path: re.Pattern[str]
    names: re.Pattern[str]
    role: str


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework. All patterns for names match an origin without its package: `Flask().route`."""

    name: str
    packages: tuple[str, ...]
    #: Roles of functions and classes, by the decorator.
    decorators: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    bases: tuple[Bases, ...] = ()
    calls: tuple[Calls, ...] = ()
    places: tuple[Places, ...] = ()


def names(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; spaces and line breaks in it do not count."""
    return re.compile(pattern, re.VERBOSE)
