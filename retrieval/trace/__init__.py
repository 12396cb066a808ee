"""Trace a symbol: its definition, references, re-exports, calls, types, hierarchy, impact, and uses of data."""

from __future__ import annotations

from .composition import compose_trace
from .records import TraceAnswer, TraceRequest
from .text import trace_text

__all__ = ["TraceAnswer", "TraceRequest", "compose_trace", "trace_text"]
