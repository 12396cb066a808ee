"""Code that the Go command and frameworks run: programs, tests, handlers of requests, commands."""

from __future__ import annotations

from .wiring import GoWiring

__all__ = ["GoWiring"]
