"""Checks for documents that are out of date: they name removed symbols, flags, settings or scripts, or miss exports."""
