"""The interfaces of the program: command line, MCP, console, configuration."""
