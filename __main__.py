"""`python -m astrolabe`: the command line."""

from .server.cli import main

main()
