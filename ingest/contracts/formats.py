"""Reads contracts of all formats."""

from __future__ import annotations

from collections.abc import Callable

from .declarations import Contract, ContractProblem, ContractSyntaxError
from .graphql import read_graphql
from .openapi import read_api_description
from .protobuf import read_protobuf

_READERS: dict[str, Callable[[str], Contract]] = {"protobuf": read_protobuf, "graphql": read_graphql}


def read_format(name: str, text: str, is_json: bool = False) -> Contract:
    """Read a contract of a format. Text with a syntax error is a contract with a problem."""
    try:
        reader = _READERS.get(name)
        return reader(text) if reader is not None else read_api_description(text, is_json)
    except ContractSyntaxError as error:
        return Contract(name, problem=ContractProblem(error.line, error.reason))
