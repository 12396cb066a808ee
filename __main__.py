"""The program `astrolabe`, also as `python -m astrolabe`."""

import gc
import sys

from .schema.process.import_blocker import be_lean

#: Arguments of calls by Git hooks. Loading the other commands would take longer than checking a commit.
_HOOK = ["hooks", "run"]


def run() -> None:
    """Run the command line."""
    be_lean()
    if sys.argv[1:3] == _HOOK:
        gc.disable()  # the collector would take a tenth of the time of a process that ends within a second
        from .server.hooks.hook_run import run_hook

        run_hook(sys.argv[3:])
    else:
        from .server.cli.app import main

        main()


if __name__ == "__main__":
    run()
