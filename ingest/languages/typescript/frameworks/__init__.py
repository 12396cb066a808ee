"""Code that frameworks find by place and name: files of a package that depends on them, and the exports that they read."""

from __future__ import annotations

from .conventions import Convention, Framework
from .loaded import FrameworkFile, framework_files

__all__ = ["Convention", "Framework", "FrameworkFile", "framework_files"]
