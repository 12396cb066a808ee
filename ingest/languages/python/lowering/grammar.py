"""The kinds of nodes by `Node.kind_id`, which is faster to read than `Node.type`."""

from __future__ import annotations

from typing import Final

import tree_sitter_python
from tree_sitter import Language

GRAMMAR: Final = Language(tree_sitter_python.language())
#: Kind of nodes for broken code.
_ERROR: Final = 65535
#: `Node.type` by `Node.kind_id`.
KINDS: Final[dict[int, str]] = {
    **{number: GRAMMAR.node_kind_for_id(number) or "" for number in range(GRAMMAR.node_kind_count)},
    _ERROR: "ERROR",
}
