"""Types of downloaded archives: signatures in class files, read one class at a time and never run."""
