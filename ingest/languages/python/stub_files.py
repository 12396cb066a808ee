"""The file of declarations beside a source: `cart.pyi` beside `cart.py`, or the same module in a package of stubs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

#: Stands for the declarations of a source, and for the source of declarations.
BESIDE: Final = "beside.pyi#"
#: Ending of the folder that has declarations for a package.
STUBS: Final = "-stubs"


def file_beside(path: str, sources: Collection[str]) -> str | None:
    """Return the declarations of a source, or the source of declarations; None if there are none."""
    found = _declarations(path) if path.endswith(".py") else _sources(path)
    return next((each for each in found if each in sources), None)


def _declarations(path: str) -> Iterator[str]:
    yield f"{path}i"
    parts = path.split("/")
    for place in range(len(parts) - 1):
        yield "/".join([*parts[:place], parts[place] + STUBS, *parts[place + 1 :]]) + "i"
    yield f"{path.removesuffix('.py')}{STUBS}/__init__.pyi"


def _sources(path: str) -> Iterator[str]:
    plain = path.removesuffix("i")
    yield plain
    parts = plain.split("/")
    for place, part in enumerate(parts[:-1]):
        if part.endswith(STUBS):
            name = part.removesuffix(STUBS)
            yield "/".join([*parts[:place], name, *parts[place + 1 :]])
            if parts[place + 1 :] == ["__init__.py"]:
                yield "/".join([*parts[:place], f"{name}.py"])
