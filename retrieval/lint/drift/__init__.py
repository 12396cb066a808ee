"""Checks for outdated documents, which name removed symbols, flags, settings or scripts, or do not mention exports."""
