"""The program `astrolabe`, also as `python -m astrolabe`: the command line in a process of its own."""

from .schema.process.import_blocker import be_lean
from .server.cli.app import main


def run() -> None:
    """Runs the command line."""
    be_lean()
    main()


if __name__ == "__main__":
    run()
