"""The Python API, which the command line and the MCP server use too."""
