"""The excerpt of each file in an answer: results in full, and of the rest of the file only the declarations that they use."""
