"""The modules of Python by import path: folders, stub files, `conftest.py` files, and the standard library."""
