"""The edges of the program: command line, MCP, console, configuration."""
