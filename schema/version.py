"""The version of Astrolabe, which manifests and clients are told."""

from __future__ import annotations

__version__ = "0.1.0"
