"""The assignments with which a module of CommonJS exports its values."""

from __future__ import annotations

import re
from typing import Final

#: The code after the first word of `module.exports =` and of `exports.name =`, by this word.
EXPORTING: Final = {
    "module": re.compile(r"\.(?P<member>(?P<module>exports))\s*+=(?!=)"),
    "exports": re.compile(r"\.(?P<member>[\w$]++)\s*+=(?!=)"),
}
