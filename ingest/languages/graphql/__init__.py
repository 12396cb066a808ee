"""GraphQL: schemas and requests. `ingest/contracts/` reads the files, without a grammar."""

from __future__ import annotations

from ..contract_language import contract_language

LANGUAGE = contract_language("graphql")
