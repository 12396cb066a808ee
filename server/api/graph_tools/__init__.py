"""The tools of the set `graph`: structure, modules, files, symbols and edges, within a budget and with cursors."""
