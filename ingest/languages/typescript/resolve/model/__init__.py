"""The data of the type engine: the program, the binder, and types as immutable values."""
