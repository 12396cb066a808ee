"""Parse pasted stack traces of many runtimes, and find the files and symbols of their frames."""
