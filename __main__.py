"""The program `astrolabe`, also as `python -m astrolabe`: the command line in a process of its own."""

from .schema.lean_process import be_lean
from .server.cli import main


def run() -> None:
    """Runs the command line."""
    be_lean()
    main()


if __name__ == "__main__":
    run()
