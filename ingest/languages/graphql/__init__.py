"""GraphQL: schemas and requests. Files are read by `ingest/contracts/`, without a grammar."""

from __future__ import annotations

from ..contract_language import contract_language

LANGUAGE = contract_language("graphql")
