"""Checks the rules of symbols and chunks, on the fixtures or on all files of some folders."""
