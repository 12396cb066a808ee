"""The program `astrolabe`, also as `python -m astrolabe`: the command line in a process of its own."""

import sys

from .schema.process.import_blocker import be_lean

#: What hooks of Git call. Loading the other commands would take longer than to check a commit.
_HOOK = ["hooks", "run"]


def run() -> None:
    """Runs the command line."""
    be_lean()
    if sys.argv[1:3] == _HOOK:
        from .server.hooks.hook_run import run_hook

        run_hook(sys.argv[3:])
    else:
        from .server.cli.app import main

        main()


if __name__ == "__main__":
    run()
