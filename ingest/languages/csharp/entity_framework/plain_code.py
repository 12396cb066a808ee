"""C# code with comments and texts blanked, for patterns that must not match comments and texts. Offsets stay the same."""

from __future__ import annotations

import re
from typing import Final

from .....schema.blank_text import blanked

_HIDDEN: Final = re.compile(
    r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
    r"|\"\"\"(?:[^\"]++|\"(?!\"\"))*+(?:\"\"\")?"
    r"|(?:\$@|@\$?)\"(?:[^\"]++|\"\")*+\"?"
    r"|\"(?:[^\"\\\n]++|\\.)*+\"?"
    r"|'(?:\\[^\n]{1,9}?|[^'\\\n])'"
)


def plain_code(text: str) -> str:
    """Return code in which comments and texts are blank."""
    return _HIDDEN.sub(blanked, text)
