"""The Cypher console: answers queries from the command line, a pipe or a prompt."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING

from ...graphdb.guard.cypher_tokens import tokenize
from ...schema import ddl
from ...schema.errors import AstrolabeError
from ..environment.terminal import print_json, print_message, print_result

if TYPE_CHECKING:
    from ..api.workspace import Workspace

HELP = """\
Type a Cypher query; it may span lines, and ends with ";" or an empty line.
  :schema   tables and properties of the graph
  :help     this text
  :quit     leave (so does Ctrl-D)
Example: MATCH (a:Symbol)-[:CALLS]->(b:Symbol) RETURN a.name, b.name LIMIT 5;"""

#: Number of queries in the stored history.
HISTORY_LENGTH = 1000


class ResultForm(Enum):
    """The output format of rows."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class Console:
    """Prints answers to queries about one workspace on standard output."""

    def __init__(self, workspace: Workspace, form: ResultForm) -> None:
        self._workspace = workspace
        self._form = form

    def answer(self, query: str) -> None:
        """Print the rows of one query: all rows as JSON or CSV, or at most `query_max_rows` and the total number in a table.

        Raises QueryRejected and QueryFailed.
        """
        max_rows = self._workspace.settings.query_max_rows if self._form is ResultForm.TABLE else None
        result = self._workspace.cypher(query, max_rows=max_rows)
        if self._form is ResultForm.JSON:
            print_json({"columns": list(result.columns), "rows": [list(row) for row in result.rows]})
        elif self._form is ResultForm.CSV:
            print_result(result.csv)
        else:
            print_result(result.text)

    def answer_all(self, text: str) -> None:
        """Answer the queries of a text one after the other. Raises the error of the first query that fails."""
        for query in split_queries(text):
            self.answer(query)

    def converse(self) -> None:
        """Read queries from a terminal until the user leaves. The error of a failed query is printed."""
        with _History(self._workspace):
            print_message("Cypher console: :help explains, :quit leaves.")
            while (entry := _read_entry()) is not None:
                if entry in (":quit", ":exit", ":q"):
                    return
                self._run_command(entry)

    def _run_command(self, entry: str) -> None:
        if entry == ":help":
            print_message(HELP)
        elif entry == ":schema":
            print_result(ddl.schema_text())
        elif entry.startswith(":"):
            print_message(f"There is no command {entry}; :help lists them.")
        else:
            try:
                self.answer_all(entry)
            except AstrolabeError as error:
                print_message(str(error))
            except KeyboardInterrupt:
                print_message("Stopped.")


def split_queries(text: str) -> list[str]:
    """Split a text into queries at each ";" outside of quotes and comments. Raises QueryRejected for invalid tokens."""
    ends = [token.start for token in tokenize(text) if token.kind == "symbol" and token.text == ";"]
    begins = [0, *(end + 1 for end in ends)]
    queries = [text[begin:end].strip() for begin, end in zip(begins, [*ends, len(text)], strict=True)]
    return [query for query in queries if query]


def _read_entry() -> str | None:
    """Read one query or command; None at the end of input. Ctrl-C discards the typed text."""
    lines: list[str] = []
    while True:
        try:
            line = input("... " if lines else "cypher> ").rstrip()
        except EOFError:
            print_message("")
            return None
        except KeyboardInterrupt:
            print_message("")
            lines = []
            continue
        if not lines and line.startswith(":"):
            return line.strip()
        if line:
            lines.append(line)
        if lines and (not line or line.endswith(";")):
            return "\n".join(lines)


class _History:
    """Line editing, and a history in the data folder, if the platform has readline."""

    def __init__(self, workspace: Workspace) -> None:
        self._path = workspace.data_dir / "console_history"

    def __enter__(self) -> None:
        with suppress(ImportError):
            import readline

            with suppress(OSError):  # there is no history yet
                readline.read_history_file(self._path)
            readline.set_history_length(HISTORY_LENGTH)

    def __exit__(self, *_: object) -> None:
        with suppress(ImportError):
            import readline

            with suppress(OSError):  # a read-only data folder keeps no history
                readline.write_history_file(self._path)
