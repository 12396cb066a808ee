"""Descriptions of APIs: OpenAPI, Swagger and AsyncAPI in YAML and JSON. `ingest/contracts/` reads the files."""

from __future__ import annotations

from ..contract_language import contract_language

LANGUAGE = contract_language("openapi")
