"""Protocol buffers: messages, enums, services and their calls. Files are read by `ingest/contracts/`, without a grammar."""

from __future__ import annotations

from ..contract_language import contract_language

LANGUAGE = contract_language("protobuf")
