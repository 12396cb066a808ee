"""Update an index: find the files that a change affects, and the new content of the index for them."""
