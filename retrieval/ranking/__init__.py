"""The second stage of a search: score the candidates and sort them."""
