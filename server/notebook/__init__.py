"""The extension for notebooks: cells that ask a workspace, and their completions."""
