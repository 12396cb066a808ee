"""The open stores of a generation, and the process that runs the statements of users."""
