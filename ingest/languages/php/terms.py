"""The terms of PHP code that users write: environment variables, keys of configurations, and commands of Symfony and Laravel."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

TERMS: Final = TermRules(
    re.compile(
        r"\b(?:getenv|env)\(\s*[\"'](?P<setting>[A-Z][A-Z0-9_]+)[\"']|\$_(?:ENV|SERVER)\[[\"'](?P<setting_of_array>[A-Z][A-Z0-9_]+)[\"']"
        r"|\bconfig\(\s*[\"'](?P<setting_of_key>[a-z][\w-]*(?:\.[\w-]+)+)[\"']"
        r"|->addOption\(\s*[\"'](?P<flag>[a-z][\w-]*)[\"']"
        r"|\$(?:signature|defaultName)\s*=\s*[\"'](?P<command>[a-z][\w:-]*)|#\[AsCommand\(\s*(?:name:\s*)?[\"'](?P<command_of_attribute>[a-z][\w:-]*)"
    ),
    (b"env(", b"$_ENV", b"$_SERVER", b"config(", b"addOption", b"$signature", b"$defaultName", b"AsCommand"),
)
