"""Entries for the Astrolabe MCP server in a project's configuration files of coding agents."""
