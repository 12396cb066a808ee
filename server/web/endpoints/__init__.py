"""The endpoints of the console: one module for each subject, with its endpoints in a dictionary."""
