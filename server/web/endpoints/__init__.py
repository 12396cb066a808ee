"""What the page asks the server: one module for each subject, with its endpoints in a table."""
