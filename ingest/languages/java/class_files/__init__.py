"""Types in downloaded archives: signatures in class files, which are read one class at a time and never run."""
