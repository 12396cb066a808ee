"""Texts that the checks for dead code of several languages share."""

from __future__ import annotations

UNUSED = "nothing uses it"
USED_BY_DEAD = "only dead code uses it"
NAMED_IN_STRING = f"{UNUSED} by its name, but a string has it"
#: Why it is not known whether a member is dead.
MEMBER_OF_UNKNOWN = "a member of this name is used of a value whose type is not known"
USED_BY_UNKNOWN = "a member uses it whose name is used of a value whose type is not known"
#: Kinds of symbols for statements and comments.
NAMELESS = frozenset(("expression", "import", "comment"))
