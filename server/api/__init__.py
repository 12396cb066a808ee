"""The Python API, on which the command line and the MCP server are built."""
