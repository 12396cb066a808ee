"""Entries for the Astrolabe MCP server in the configuration files that coding agents keep in a project."""
