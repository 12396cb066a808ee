"""Find out whether the type engine of this installation is compiled."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

#: File in which `setup.py` writes the reason for a failed compilation.
_REASON = Path(__file__).parents[2] / "not_compiled.txt"


def engine_form() -> str:
    """Return "compiled" or "python"."""
    spec = find_spec("...ingest.languages.typescript.resolve.engine", __package__)
    return "python" if spec is None or spec.origin is None or spec.origin.endswith(".py") else "compiled"


def engine_note() -> str:
    """Return a sentence about an engine that is not compiled, with the consequence and the next step; "" for a compiled
    engine.
    """
    if engine_form() == "compiled":
        return ""
    if _REASON.exists():
        reason = _REASON.read_text(encoding="utf-8").strip().rstrip(".")
        why = f"When Astrolabe was installed, it could not be compiled: {reason}. Install a C compiler, then Astrolabe again."
    else:
        why = "To have it compiled, install Astrolabe where a C compiler is at hand, and not as an editable install."
    return f"The type engine runs as Python: indexing takes about half as long again, with the same result. {why}"
