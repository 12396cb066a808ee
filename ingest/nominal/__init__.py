"""The engine for languages whose values have declared classes."""
