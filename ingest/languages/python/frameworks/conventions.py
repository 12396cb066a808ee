"""What a framework is to the rules of Python: the packages by which it is known, and what it makes of the code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Bases(NamedTuple):
    """Classes of a framework from which others derive."""

    names: re.Pattern[str]
    #: What the framework takes a derived class for; "" if only its methods are of interest.
    role: str
    #: Names of methods that the framework calls.
    methods: re.Pattern[str] | None = None


class Calls(NamedTuple):
    """Functions of a framework to which others are given."""

    names: re.Pattern[str]
    role: str
    #: Whether classes among the arguments say what it is about, and are not called.
    takes_functions: bool = False


class Places(NamedTuple):
    """Names for which a framework looks in some files that import it."""

    path: re.Pattern[str]
    names: re.Pattern[str]
    role: str


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework. All patterns for names match an origin without its package: `Flask().route`."""

    name: str
    packages: tuple[str, ...]
    #: What it takes a function or class for, by the decorator.
    decorators: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    bases: tuple[Bases, ...] = ()
    calls: tuple[Calls, ...] = ()
    places: tuple[Places, ...] = ()


def names(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; spaces and line breaks in it do not count."""
    return re.compile(pattern, re.VERBOSE)
