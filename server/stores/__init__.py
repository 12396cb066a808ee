"""The open stores of a generation, and the process that runs statements from outside."""
