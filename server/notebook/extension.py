"""`%load_ext astrolabe`: the magics `%%cypher`, `%%astrolabe` and `%astrolabe`, with completions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NoReturn

from ...graphdb.guard.cypher_tokens import parameter_names
from ...schema.errors import AstrolabeError, UsageError
from ..api.scopes.terminals import Rows
from ..api.workspace import Workspace, open_workspace
from .cell_completions import cell_matcher
from .cell_options import CellOptions, cell_options

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics and their completions. IPython calls this for `%load_ext astrolabe`."""
    magics = Magics(shell)
    shell.register_magic_function(magics.cypher, "line_cell", "cypher")
    shell.register_magic_function(magics.astrolabe, "line_cell", "astrolabe")
    shell.Completer.custom_matchers.append(cell_matcher(lambda: shell.user_ns))


class Magics:
    """The functions behind the magics. Errors of a cell are shown as one sentence, without a traceback."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        #: Workspace of the current folder, if no variable contains a workspace.
        self._opened: Workspace | None = None

    def cypher(self, line: str, cell: str | None = None) -> object:
        """Run a read-only Cypher statement. `$name` in it is the value of the variable `name`.

        %%cypher [-w VARIABLE] [-o VARIABLE] [-n ROWS]
        """
        if cell is None:
            return self._answer_of(lambda: self._rows(CellOptions(), line))
        return self._answer_of(lambda: self._rows(cell_options("cypher", line), cell))

    def astrolabe(self, line: str, cell: str | None = None) -> object:
        """Search by a question in words, find a text, or run a chain.

        %astrolabe QUESTION
        %%astrolabe [search | find | query] [-w VARIABLE] [-o VARIABLE] [-n ROWS]
        """
        if cell is None:
            return self._answer_of(lambda: self._workspace("").search(line))
        return self._answer_of(lambda: self._answer_question(cell_options("astrolabe", line), cell.strip()))

    def _rows(self, options: CellOptions, statement: str) -> object:
        names = parameter_names(statement)
        values = self._shell.user_ns
        missing = sorted(name for name in names if name not in values)
        if missing:
            raise UsageError(f"The statement has ${missing[0]}, but there is no variable {missing[0]}.")
        parameters = {name: values[name] for name in names}
        return self._kept(options, self._workspace(options.workspace).cypher(statement, parameters, max_rows=options.rows))

    def _answer_question(self, options: CellOptions, text: str) -> object:
        workspace = self._workspace(options.workspace)
        if options.tool == "query":
            found = workspace.query(text)
            return self._kept(options, found.limit(options.rows) if options.rows and isinstance(found, Rows) else found)
        ask: Callable[..., object] = workspace.find if options.tool == "find" else workspace.search
        return self._kept(options, ask(text, limit=options.rows))

    def _kept(self, options: CellOptions, answer: object) -> object:
        if options.output:
            self._shell.user_ns[options.output] = answer
        return answer

    def _workspace(self, variable: str) -> Workspace:
        """Return the workspace in a variable; without a name, the only workspace in a variable, or the workspace of the current
        folder.
        """
        values: Mapping[str, object] = self._shell.user_ns
        if variable:
            named = values.get(variable)
            if not isinstance(named, Workspace):
                raise UsageError(f"The variable {variable} holds no workspace. Write: {variable} = astrolabe.open(path)")
            return named
        found = {
            id(value): (name, value)
            for name, value in values.items()
            if isinstance(value, Workspace) and not name.startswith("_")
        }
        if len(found) > 1:
            names = sorted(name for name, _ in found.values())
            raise UsageError(f"There are several workspaces: choose one with -w {names[0]}, for example.")
        for _, workspace in found.values():
            return workspace
        if self._opened is None:
            self._opened = open_workspace()
        return self._opened

    def _answer_of(self, request: Callable[[], object]) -> object:
        try:
            return request()
        except AstrolabeError as error:
            _refuse(error)


def _refuse(error: AstrolabeError) -> NoReturn:
    """Raise the error that IPython shows as a sentence."""
    from IPython.core.error import UsageError as CellError

    raise CellError(str(error)) from None
