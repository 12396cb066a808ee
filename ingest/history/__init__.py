"""The history of a repository from Git, stored in a small database beside the index."""
