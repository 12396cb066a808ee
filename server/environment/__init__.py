"""What surrounds the program: settings, workspace root, terminal, disk space, memory."""
