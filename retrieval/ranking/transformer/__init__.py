"""A small transformer that reads the best results again: all-MiniLM-L6-v2, which the extra `rerank` brings as a package.

Nothing is downloaded at run time. The weights are made into an int8 model for onnxruntime once for each user and kept, with the
vectors of the code that was looked at, in the user's cache folder.
"""
