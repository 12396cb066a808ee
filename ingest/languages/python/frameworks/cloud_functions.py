"""Functions that a cloud platform runs by their name: AWS Lambda passes an event and a context to its handler.

The settings of the platform name the handler, and often they are not in the repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile

_HANDLERS: Final = frozenset(("lambda_handler", "handler"))
_PARAMETERS: Final = ("event", "context")


def cloud_functions(file: WiredFile) -> Iterator[Wired]:
    """Yield the handlers of AWS Lambda in a file: `def lambda_handler(event, context)`."""
    for function in file.facts.functions:
        if function.symbol < 0 or tuple(each.name.strip("_") for each in function.parameters) != _PARAMETERS:
            continue
        symbol = file.facts.symbols[function.symbol]
        if symbol.depth == 0 and symbol.name in _HANDLERS:
            yield Wired(
                -1, SymbolPlace(file, function.symbol), "AWS Lambda", "entry point", "name", symbol.name, function.position
            )
