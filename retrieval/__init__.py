"""Search, ranking, excerpts, analyses, map, trace and lint."""
