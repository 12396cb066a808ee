"""Vue's single-file components: blocks, the macros and options of scripts, and templates."""

from __future__ import annotations

from ..components.language import component_language

LANGUAGE = component_language(__package__)
