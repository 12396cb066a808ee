"""The excerpt of each file in an answer: the results in full, and the declarations of the file that the results use."""
