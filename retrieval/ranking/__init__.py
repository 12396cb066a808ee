"""The second stage of a search: scores and order of the candidates."""
