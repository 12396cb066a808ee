"""Rust code with comments and texts blanked, for patterns that must not match comments and texts. Offsets stay the same."""

from __future__ import annotations

import re
from typing import Final

from .....schema.blank_text import blanked

_HIDDEN: Final = re.compile(
    r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|r(#*)\"(?:[^\"]++|\"(?!\1))*+(?:\"\1)?|\"(?:[^\"\\]++|\\.)*+\"?"
    r"|'(?:\\[^\n]{1,9}?|[^'\\\n])'",
    re.DOTALL,
)
#: An attribute whose text is a name: `#[sql_name = "type"]`.
_ATTRIBUTE: Final = re.compile(r"=\s*$")


def plain_code(text: str, *, with_names: bool = False) -> str:
    """Return code in which comments and texts are blank. `with_names` keeps texts that are values in attributes."""

    def blank(found: re.Match[str]) -> str:
        is_name = with_names and found[0].startswith('"') and _ATTRIBUTE.search(text, max(0, found.start() - 20), found.start())
        return found[0] if is_name else blanked(found)

    return _HIDDEN.sub(blank, text)
