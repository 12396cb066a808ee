"""Contracts as records: OpenAPI, AsyncAPI, GraphQL SDL and protobuf."""
