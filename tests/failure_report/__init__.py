"""Checks by hand that an index outlives what happens to its files: `python -m tests.failure_report`."""
