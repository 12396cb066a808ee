"""Finds the record of a language. `schema/languages.py` lists the languages; the folder of a language is loaded on demand."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from ...schema.languages import BY_NAME
from ..facts.model import FileFacts
from .base import Language
from .change_rules import ChangeRules

_NO_RULES: Final = ChangeRules()


def language(name: str) -> Language:
    """Return the record of a language. The first call loads the folder of the language. Raises KeyError for an unknown name."""
    return _record(BY_NAME[name].folder)


def change_rules(name: str | None) -> ChangeRules:
    """Return the demands of a language's compiler after a change; no demands for a language without such rules, and for None."""
    return language(name).changes.get(name, _NO_RULES) if name is not None else _NO_RULES


def has_overloads(name: str | None) -> bool:
    """Return whether a function with other types of parameters is another function in a language; False for None."""
    rules = language(name).nominal if name is not None else None
    return rules is not None and rules.has_overloads


def states_types(name: str | None) -> bool:
    """Return whether declarations of a nominal language state the types of their parameters and results; False for None."""
    rules = language(name).nominal if name is not None else None
    return rules is not None and rules.is_static


def has_implicit_interfaces(name: str | None) -> bool:
    """Return whether a type implements an interface of a language by having its methods; False for None."""
    return name is not None and language(name).conversions is not None


def is_nominal(facts: FileFacts) -> bool:
    """Return whether the engine for nominal languages resolves a file."""
    return language(facts.language).nominal is not None


def infers(facts: FileFacts) -> bool:
    """Return whether call sites determine the types of parameters in a file, in a language with optional annotations."""
    rules = language(facts.language).nominal
    return rules is not None and not rules.is_static


@cache
def _record(folder: str) -> Language:
    record = import_module(f"{__package__}.{folder}").LANGUAGE
    assert isinstance(record, Language)
    return record
