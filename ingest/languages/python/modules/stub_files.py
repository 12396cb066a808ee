"""The stub file of a source file: `cart.pyi` beside `cart.py`, or the same module in a stub package."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

#: Specifier that resolves to the stub file of a source file, and to the source file of a stub file.
BESIDE: Final = "beside.pyi#"
#: Ending of the folder of a stub package.
STUBS: Final = "-stubs"


def file_beside(path: str, sources: Collection[str]) -> str | None:
    """Return the stub file of a source file, or the source file of a stub file; None if there is none."""
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
