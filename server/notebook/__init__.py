"""The extension for notebooks: cells with questions to a workspace, and their completions."""
