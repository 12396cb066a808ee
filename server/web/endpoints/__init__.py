"""Requests of the page: one module for each subject, with its endpoints in a table."""
