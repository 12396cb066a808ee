"""Code that frameworks of Python run or inject. Each framework has a module with its name."""

from __future__ import annotations

from .wiring import PythonWiring

__all__ = ["PythonWiring"]
