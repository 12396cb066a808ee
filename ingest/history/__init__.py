"""The history of a repository as Git tells it, kept in a small database beside the index."""
