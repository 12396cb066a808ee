"""The options in the first line of a cell: `%%cypher -o rows -n 20`."""

from __future__ import annotations

import shlex
from argparse import ArgumentError, ArgumentParser
from dataclasses import dataclass
from typing import Final, NoReturn

from ...schema.errors import UsageError

#: Tools of a cell `%%astrolabe`. The first tool is the default.
TOOLS: Final = ("search", "find", "query")


@dataclass(frozen=True, slots=True)
class CellOptions:
    """The options in the first line of a cell."""

    #: Name of the variable that contains the workspace, or "".
    workspace: str = ""
    #: Name of the variable that receives the answer, or "".
    output: str = ""
    #: Maximum number of rows or results; None for no limit.
    rows: int | None = None
    tool: str = TOOLS[0]


def cell_options(magic: str, line: str) -> CellOptions:
    """Return the options of a line. Raises UsageError, which lists the allowed options."""
    parser = _Parser(prog=f"%%{magic}", add_help=False, allow_abbrev=False, exit_on_error=False)
    if magic == "astrolabe":
        parser.add_argument("tool", nargs="?", choices=TOOLS, default=TOOLS[0])
    parser.add_argument("-w", "--workspace", default="", metavar="VARIABLE")
    parser.add_argument("-o", "--output", default="", metavar="VARIABLE")
    parser.add_argument("-n", "--rows", type=int, metavar="ROWS")
    try:
        read = parser.parse_args(shlex.split(line), CellValues())
    except (ArgumentError, ValueError) as error:
        raise UsageError(f"{error}. {parser.format_usage().strip()}") from error
    if read.output and not read.output.isidentifier():
        raise UsageError(f"-o takes the name of a variable, not {read.output!r}.")
    if read.rows is not None and read.rows < 1:
        raise UsageError(f"-n is a number from 1, not {read.rows}.")
    return CellOptions(read.workspace, read.output, read.rows, read.tool)


class CellValues:
    """The values that argparse sets."""

    workspace: str
    output: str
    rows: int | None
    tool: str = TOOLS[0]


class _Parser(ArgumentParser):
    """A parser that raises instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. {self.format_usage().strip()}")
