"""A small transformer that rescores the best results: all-MiniLM-L6-v2, which the extra `rerank` installs as a package.

Nothing is downloaded at run time. The weights are converted once for each user to an int8 model for onnxruntime. The user's
cache folder stores the model and the vectors of code.
"""
