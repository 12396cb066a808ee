"""Functions that tools and platforms find by their name, in modules that they load: AWS Lambda, MkDocs and its macros.

The settings that name the module are often not in the repository, or in files that are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile


class _Named(NamedTuple):
    """Functions at the root of a module that a framework runs."""

    framework: str
    role: str
    names: re.Pattern[str]
    #: The first parameters of such a function, without underscores at their ends.
    parameters: tuple[str, ...]


_TABLE: Final = (
    _Named("AWS Lambda", "entry point", re.compile("(?:lambda_)?handler"), ("event", "context")),
    _Named("MkDocs macros", "hook", re.compile("define_env|on_(?:pre|post)_page_macros|on_post_build"), ("env",)),
    _Named("MkDocs", "hook", re.compile("on_(?:config|pre_build)"), ("config",)),
    _Named("MkDocs", "hook", re.compile("on_page_markdown"), ("markdown",)),
    _Named("MkDocs", "hook", re.compile("on_page_content"), ("html",)),
    _Named("MkDocs", "hook", re.compile("on_post_page"), ("output",)),
    _Named("MkDocs", "hook", re.compile("on_files"), ("files",)),
    _Named("MkDocs", "hook", re.compile("on_nav"), ("nav",)),
)


def named_functions(file: WiredFile) -> Iterator[Wired]:
    """Yield the functions of a file that a tool runs by their name: `def lambda_handler(event, context)`."""
    for function in file.facts.functions:
        symbol = file.facts.symbols[function.symbol] if function.symbol >= 0 else None
        if symbol is None or symbol.depth or symbol.kind != "function":
            continue
        parameters = tuple([each.name.strip("_") for each in function.parameters])
        for rule in _TABLE:
            if rule.names.fullmatch(symbol.name) and parameters[: len(rule.parameters)] == rule.parameters:
                place = SymbolPlace(file, function.symbol)
                yield Wired(-1, place, rule.framework, rule.role, "name", symbol.name, function.position)
                break
