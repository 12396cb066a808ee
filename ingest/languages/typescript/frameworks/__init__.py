"""Code that frameworks find by path and name: files of a package that depends on a framework, and their exports."""

from __future__ import annotations

from .conventions import Convention, Framework
from .loaded import FrameworkFile, framework_files

__all__ = ["Convention", "Framework", "FrameworkFile", "framework_files"]
