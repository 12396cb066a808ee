"""Recognizes contracts by their path and text, and reads them."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..files.api_descriptions import PATHS, api_format
from .declarations import Contract, ContractProblem, ContractSyntaxError
from .graphql import read_graphql
from .openapi import read_api_description
from .protobuf import read_protobuf

_SUFFIXES = {".proto": "protobuf", ".graphql": "graphql", ".graphqls": "graphql", ".gql": "graphql"}
_API_SUFFIXES = (".yaml", ".yml", ".json")
#: A definition of a schema, not of a request.
_DEFINITION = re.compile(r"^[ \t]*(?:extend[ \t]+)?(?:type|interface|input|enum|union|scalar|schema|directive)\b", re.MULTILINE)
_READERS: dict[str, Callable[[str], Contract]] = {"protobuf": read_protobuf, "graphql": read_graphql}


def contract_format(path: str, text: str) -> str | None:
    """Return the format of the contract in a file, or None for a file without a contract."""
    dot = path.rfind(".")
    suffix = path[dot:].lower() if dot >= 0 else ""
    known = _SUFFIXES.get(suffix)
    if known == "graphql" and _DEFINITION.search(text) is None:
        return None
    if known is not None:
        return known
    if suffix not in _API_SUFFIXES:
        return None
    return "openapi" if (named := api_format(text)) == PATHS else named


def read_format(name: str, text: str, is_json: bool = False) -> Contract:
    """Read a contract of a format. Text with a syntax error is a contract with a problem."""
    try:
        reader = _READERS.get(name)
        return reader(text) if reader is not None else read_api_description(text, is_json)
    except ContractSyntaxError as error:
        return Contract(name, problem=ContractProblem(error.line, error.reason))
