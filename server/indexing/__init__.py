"""When an index is made or refreshed, by whom, and how it is written."""
