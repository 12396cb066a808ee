"""The first stage of a search: candidates from both indexes, with features for the ranker."""
