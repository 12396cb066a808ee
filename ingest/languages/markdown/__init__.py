"""Markdown: sections, lists, tables, code and links, as GitHub reads them."""

from __future__ import annotations

from ..document_language import document_language

LANGUAGE = document_language(__package__)
