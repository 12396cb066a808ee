"""Astro's components: front matter, scripts, and markup with expressions."""

from __future__ import annotations

from ..components.language import component_language

LANGUAGE = component_language(__package__)
