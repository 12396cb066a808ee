"""C4 diagrams in the macros of C4-PlantUML, which mermaid adopted: https://github.com/plantuml-stdlib/C4-PlantUML."""

from __future__ import annotations

import re
from typing import Final

from ..drawing import Drawing
from ..mermaid.c4 import read_c4
from ..mermaid.preamble import MermaidSource
from .source import plantuml_lines

#: Macros of elements and relations, and the ends of boundaries. All other lines only change the appearance.
_DRAWN: Final = re.compile(
    r"(?:(?:Person|System|Container|Component)(?:Db|Queue)?(?:_Ext)?|(?:\w+_)?Boundary|Deployment_Node(?:_[LR])?|Node(?:_[LR])?"
    r"|(?:Bi)?Rel(?:Index|_\w+)?)\s*\(|\}|title\s"
)
#: Macros that open a boundary. Without its brace, a macro marks a part of a sequence.
_OPENING: Final = re.compile(r"(?:\w+_)?Boundary\s*\(")
#: Deployment nodes with a side, which is their alignment.
_SIDE: Final = re.compile(r"^Deployment_Node_[LR]\s*\(")


def read_plantuml_c4(text: str) -> Drawing:
    """Read a C4 diagram of PlantUML.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    lines = [""] * (text.count("\n") + text.count("\r") + 1)
    plain = 0
    for line, statement in plantuml_lines(text):
        if statement == "}" and plain:
            plain -= 1
        elif _OPENING.match(statement) is not None and not statement.endswith("{"):
            continue
        elif _DRAWN.match(statement) is not None:
            lines[line - 1] = _SIDE.sub("Deployment_Node(", statement)
        else:
            # A `package` for the layout, which is no boundary.
            plain += statement.endswith("{")
    return read_c4(MermaidSource("c4", "C4Context", "\n".join(lines), 0, 1, ""))
