"""MDX: imports, exports, expressions and components in Markdown."""

from __future__ import annotations

from ..components.language import component_language

LANGUAGE = component_language(__package__)
