"""AsciiDoc: sections by their signs, spans of code, links and blocks of code."""

from __future__ import annotations

from ..document_language import document_language

LANGUAGE = document_language(__package__)
