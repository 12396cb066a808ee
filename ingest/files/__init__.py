"""Files of a workspace: which are sources, which are left out and why, and how bytes become text."""
