"""The terms of shell scripts that users write: variables that a script expects from outside."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

#: A variable with a default value, or with a message for its absence: `${SHOP_PORT:-80}`.
TERMS: Final = TermRules(re.compile(r"\$\{(?P<setting>[A-Z][A-Z0-9_]+):?[-=?]"), (b"${",))
