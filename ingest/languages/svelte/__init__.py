"""Svelte's components: scripts with their runes and stores, and templates."""

from __future__ import annotations

from ..components.language import component_language

LANGUAGE = component_language(__package__)
