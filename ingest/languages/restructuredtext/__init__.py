"""reStructuredText: sections by their underlines, roles, links and directives."""

from __future__ import annotations

from ..document_language import document_language

LANGUAGE = document_language(__package__)
