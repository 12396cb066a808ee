"""Builds of Java: what Maven's and Gradle's files say about modules, read and never run."""

from __future__ import annotations

from .manifests import read_manifests

__all__ = ["read_manifests"]
