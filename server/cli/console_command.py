"""The command `console`: the page in the browser."""

from __future__ import annotations

import threading
from typing import Annotated

import typer

from .command_options import DataDir, Root

console_app = typer.Typer()


@console_app.command("console", epilog="Example: astrolabe console --port 8787 --no-open")
def console_command(
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            help="Port of the page; 0 selects a free port. Default: 8787, or a free port if it is in use.",
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address of this machine to listen at.")] = "127.0.0.1",
    opens: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    root: Root = None,
    data_dir: DataDir = None,
) -> None:
    """Open the console: a page that searches the index and shows the graph of the code.

    The page is served only on this machine, at the printed address.
    """
    from ...schema.process.allocator import limit_arenas

    limit_arenas()  # before the modules below load the engines
    from ..api.workspace import Workspace
    from ..environment.terminal import print_message
    from ..web.serving import serve_console
    from .watch import watch_workspace

    with Workspace.locate(root, data_dir, notify=print_message) as workspace:
        stop = threading.Event()
        watching = threading.Thread(
            target=watch_workspace, args=(workspace, lambda report: None, print_message, stop), name="watch", daemon=True
        )
        try:
            serve_console(workspace, host, port, watching.start, opens_browser=opens)
        finally:
            stop.set()
            if watching.ident is not None:
                watching.join()
