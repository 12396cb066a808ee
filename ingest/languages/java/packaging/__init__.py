"""Builds of Java: modules in the files of Maven and Gradle, which are read and never run."""

from __future__ import annotations

from .manifests import read_manifests

__all__ = ["read_manifests"]
