"""Code that frameworks of Java run and inject: components, routes, tests, entities, main methods."""

from __future__ import annotations

from .wiring import JavaWiring

__all__ = ["JavaWiring"]
