"""Updates of an index: which files a change affects, and what they come to."""
