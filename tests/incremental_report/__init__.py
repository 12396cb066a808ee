"""Checks by hand that an index brought up to date holds what one made at once holds: `python -m tests.incremental_report`."""
