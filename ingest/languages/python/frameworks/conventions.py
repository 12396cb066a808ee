"""The conventions of a framework of Python: its packages, and the roles of code that the framework uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ...framework_rules.lazy_pattern import LazyPattern


class Bases(NamedTuple):
    """Base classes of a framework."""

    names: LazyPattern
    #: Role of a derived class; "" if the framework only uses its methods.
    role: str
    #: Names of methods that the framework calls.
    methods: LazyPattern | None = None


class Calls(NamedTuple):
    """Functions of a framework that receive functions or classes as arguments."""

    names: LazyPattern
    role: str
    #: Whether only functions among the arguments are called, because classes are data, such as the sender of a signal.
    takes_functions: bool = False


class Places(NamedTuple):
    """Names that a framework looks up in some files that import it."""

    path: LazyPattern
    names: LazyPattern
    role: str


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework. All patterns match an origin without its package: `Flask().route` for `flask:Flask().route`."""

    name: str
    packages: tuple[str, ...]
    #: Roles of functions and classes, by the decorator.
    decorators: Mapping[str, LazyPattern] = field(default_factory=dict)
    bases: tuple[Bases, ...] = ()
    calls: tuple[Calls, ...] = ()
    places: tuple[Places, ...] = ()


def names(pattern: str) -> LazyPattern:
    """Return a pattern. Spaces and line breaks in the pattern do not count."""
    return LazyPattern(pattern, re.VERBOSE)
