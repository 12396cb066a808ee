"""The lowering of a whole file: its statements, and what follows from all of them, such as exports and side effects."""
