"""Services of tonic: implementations of the trait that its generator writes for a service.

The trait of a service `CartStore` is in a module `cart_store_server`:
https://docs.rs/tonic-build/latest/tonic_build/.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from ....schema.name_words import name_words
from ...facts.model import FileFacts, SymbolFact
from ..api_calls.generated_bases import RpcService, add_rpc_services

#: An implementation of a trait, with the path of the trait: `impl<T> cart_server::Cart for Store<T>`.
_IMPLEMENTATION: Final = re.compile(r"impl(?:<[^{}]*?>)? (?P<path>(?:\w+::)*)(?P<trait>\w+) for ")


def add_tonic_services(facts: FileFacts) -> None:
    """Add the operations of services that a file implements."""
    add_rpc_services(facts, _operations(facts))


def _operations(facts: FileFacts) -> Iterator[RpcService]:
    imported = {each.specifier for each in facts.imports}
    service_at = {
        line: service
        for symbol in facts.symbols
        if (service := _service_of(symbol, imported))
        for line in range(symbol.start_line, symbol.end_line + 1)
    }
    for number, symbol in enumerate(facts.symbols):
        if symbol.kind == "method" and symbol.name_line in service_at:
            yield RpcService(service_at[symbol.name_line], number, symbol.name)


def _service_of(symbol: SymbolFact, imported: Collection[str]) -> str:
    """Return the service whose trait a symbol implements; "" if neither a path nor an import has the generated module."""
    found = _IMPLEMENTATION.match(symbol.signature) if symbol.kind == "extension" else None
    if found is None:
        return ""
    trait = found["trait"]
    module = f"{'_'.join(name_words(trait))}_server"
    generated = f"::{module}::{trait}"
    if f"::{found['path']}{trait}".endswith(generated):
        return trait
    is_imported = any(f"::{each}".endswith((generated, f"::{module}::*")) for each in imported)
    return trait if is_imported and not found["path"] else ""
