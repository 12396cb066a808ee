"""A map of a repository: its packages, folders, files and exports. If the budget is small, the most important entries are
shown.
"""

from __future__ import annotations

from .composition import compose_map
from .records import CodebaseMap, MapRequest
from .text import map_text

__all__ = ["CodebaseMap", "MapRequest", "compose_map", "map_text"]
