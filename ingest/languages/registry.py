"""Finds the record of a language. `schema/languages.py` lists the languages; the folder of a language is loaded on demand."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...schema.languages import BY_NAME
from ..facts.model import FileFacts
from .base import Language


def language(name: str) -> Language:
    """Return the record of a language. The first call loads the folder of the language. Raises KeyError for an unknown name."""
    return _record(BY_NAME[name].folder)


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
