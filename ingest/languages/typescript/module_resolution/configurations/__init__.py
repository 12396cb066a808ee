"""Read the configuration of bundlers, test runners, frameworks and Deno for the files that specifiers mean.

Configurations are read, never run. What they do not say literally stays unknown.
"""
