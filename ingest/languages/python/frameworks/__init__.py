"""Code that frameworks of Python run and inject, each framework in a module of its name."""

from __future__ import annotations

from .wiring import PythonWiring

__all__ = ["PythonWiring"]
