"""Read the configuration of bundlers, test runners, frameworks and Deno, to find the files that specifiers refer to.

Configurations are read, never run. Values that they compute stay unknown.
"""
