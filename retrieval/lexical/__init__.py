"""The lexical index: BM25F over split identifiers."""
