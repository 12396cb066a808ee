"""Our own declarations of Python's standard library, as far as values travel through them."""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ...files.source_text import decode_source

if TYPE_CHECKING:
    from ...facts.model import FileFacts

#: Modules that are declared together with another one: what people import from either is the same.
_SAME = {
    "typing_extensions": "typing",
    "collections.abc": "typing",
    "_typeshed": "typing",
    "posixpath": "os.path",
    "ntpath": "os.path",
    "json.decoder": "json",
    "json.encoder": "json",
    "unittest.case": "unittest",
    "unittest.async_case": "unittest",
    "unittest.suite": "unittest",
    "mock": "unittest.mock",
    "multiprocessing.context": "multiprocessing",
    "multiprocessing.process": "multiprocessing",
    **dict.fromkeys((f"concurrent.futures.{part}" for part in ("_base", "process", "thread")), "concurrent.futures"),
    **dict.fromkeys(
        (
            f"asyncio.{part}"
            for part in (
                "base_events",
                "events",
                "exceptions",
                "futures",
                "locks",
                "protocols",
                "queues",
                "runners",
                "streams",
                "taskgroups",
                "tasks",
                "timeouts",
                "transports",
            )
        ),
        "asyncio",
    ),
}


class PythonRules:
    """What the nominal engine asks about Python."""

    def runtime_name(self, module: str) -> str:
        """Return the module that declares what a module of the runtime gives: often itself."""
        return _SAME.get(module, module)

    def runtime(self, module: str) -> FileFacts | None:
        """Return the facts of our own declarations of a module of the runtime, or None."""
        return runtime_facts(module)

    def external(self, name: str) -> str:
        """Return the id of something outside of the repository by its dotted name, which begins with its module."""
        top, _, rest = name.partition(".")
        if top == "builtins":
            return f"python:{rest}"
        return f"python:{name}" if top in sys.stdlib_module_names else f"pypi:{top}#{rest}"


@cache
def runtime_facts(module: str) -> FileFacts | None:
    """Return the facts of a module's declarations, or None if there are none."""
    from . import READER

    path = files(f"{__package__}.runtime").joinpath(f"{module}.stub")
    return READER.read(decode_source(path.read_bytes()), "python") if path.is_file() else None
