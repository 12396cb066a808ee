"""The version of Astrolabe, for manifests and clients."""

from __future__ import annotations

__version__ = "0.1.0"
