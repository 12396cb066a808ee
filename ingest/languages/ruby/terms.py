"""The terms of Ruby code that users write: environment variables, and flags of OptionParser and Thor."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

TERMS: Final = TermRules(
    re.compile(
        r"\bENV(?:\.(?:fetch|key\?)\(|\[)\s*[\"'](?P<setting>[A-Z][A-Z0-9_]+)[\"']"
        r"|\.on\((?P<flags>(?:\s*[\"'][^\"'\n]{1,80}[\"']\s*,?){1,3})"
        r"|^[ \t]*(?:method_option|class_option|option)[ (]+:(?P<member>\w+)",
        re.MULTILINE,
    ),
    (b"ENV", b".on(", b"option"),
)
