"""The endpoints of the console, in a module with a dictionary for each subject."""
