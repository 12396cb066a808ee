"""What differs between two states of a repository: files, symbols, and what the change breaks. Both are read from Git."""
