"""What the lowering of every language shares: the symbol tree of a file, its chunks, headers and comments."""
