"""What the type engine computes with: the program, the binder, and types as immutable values."""
