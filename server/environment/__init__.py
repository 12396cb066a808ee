"""The environment of the program: settings, workspace root, terminal, disk space, memory."""
