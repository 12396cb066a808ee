"""Update an index: find the files that a change affects, and what the index must store for them."""
