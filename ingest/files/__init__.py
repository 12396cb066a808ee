"""Find the files of a workspace: which are sources, which are excluded and why, and how their bytes are decoded."""
