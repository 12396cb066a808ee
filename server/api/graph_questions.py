"""The graph tools as methods. Each method answers a request from one generation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...graphdb.scopes.steps import check_depth
from ...schema.errors import UsageError
from .graph_tools.composition import GraphTools
from .graph_tools.records import GraphAnswer, Page, fitted, graph_text
from .requests.tool_answer import ToolAnswer
from .scopes.kinds import repo_scope
from .scopes.running import Runner

if TYPE_CHECKING:
    from ..stores.readers import Readers
    from .workflows.templates.template import Template
    from .workflows.templates.user_templates import TemplateProblem
    from .workspace import Workspace

#: Maximum number of hops of dependants and dependencies.
MAX_DEPTH = 10
#: Maximum number of results of a search for names.
MAX_RESULTS = 1_000


class GraphQuestions:
    """The tools of the graph for one workspace. Each answer fits a budget, and has a cursor for the next page."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def query_repo_structure(self, *, budget: int | None = None, cursor: str = "") -> ToolAnswer[GraphAnswer]:
        """Return modules, languages and the most important files of the repository."""
        return self._ask("query_repo_structure", (), budget, cursor, GraphTools.structure)

    def query_module(self, module: str, *, budget: int | None = None, cursor: str = "") -> ToolAnswer[GraphAnswer]:
        """Return files, exports, packages, dependencies and dependants of a module, by its name or folder."""
        return self._ask("query_module", (module,), budget, cursor, lambda tools: tools.module(module))

    def query_file(self, file: str, *, budget: int | None = None, cursor: str = "") -> ToolAnswer[GraphAnswer]:
        """Return declarations, imports, importers and packages of a file."""
        path = self._path(file)
        return self._ask("query_file", (path,), budget, cursor, lambda tools: tools.file(path))

    def query_symbol(
        self, symbol: str, *, file: str = "", kind: str = "", budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Return a symbol with its edges of every kind."""
        path = self._path(file) if file else ""
        return self._ask("query_symbol", (symbol, path, kind), budget, cursor, lambda tools: tools.symbol(symbol, path, kind))

    def get_dependencies(
        self,
        *,
        symbol: str = "",
        file: str = "",
        module: str = "",
        depth: int = 1,
        budget: int | None = None,
        cursor: str = "",
    ) -> ToolAnswer[GraphAnswer]:
        """Return the dependencies of a symbol, file or module, over 1 to 10 hops."""
        return self._connected("dependencies", symbol, file, module, depth, budget, cursor)

    def get_dependants(
        self,
        *,
        symbol: str = "",
        file: str = "",
        module: str = "",
        depth: int = 1,
        budget: int | None = None,
        cursor: str = "",
    ) -> ToolAnswer[GraphAnswer]:
        """Return the dependants of a symbol, file or module, over 1 to 10 hops."""
        return self._connected("dependants", symbol, file, module, depth, budget, cursor)

    def search_symbols(
        self, query: str, *, kind: str = "", path: str = "", limit: int = 50, budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Return symbols by a part of their name, by initials of its words, by letters in order, or by a typo."""
        if not 1 <= limit <= MAX_RESULTS:
            raise UsageError(f"`search_symbols` gives 1 to {MAX_RESULTS:,} results, not {limit}.")
        folder = self._path(path) if path else ""
        arguments = (query, kind, folder, limit)
        return self._ask("search_symbols", arguments, budget, cursor, lambda tools: tools.search(query, kind, folder, limit))

    def get_impact_analysis(
        self, symbol: str, *, file: str = "", depth: int = 3, budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Return the symbols that a change of a symbol may affect, with distances, files, tests to run and the risk."""
        check_depth("get_impact_analysis", depth, MAX_DEPTH)
        path = self._path(file) if file else ""
        arguments = (symbol, path, depth)
        return self._ask("get_impact_analysis", arguments, budget, cursor, lambda tools: tools.impact(symbol, path, depth))

    def get_context_for_files(
        self, files: Sequence[str], *, budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Return the context for editing some files: declarations, used symbols, users, and tests."""
        paths = [self._path(file) for file in files]
        return self._ask("get_context_for_files", paths, budget, cursor, lambda tools: tools.files_context(paths))

    def codebase_context(
        self, task: str, *, files: Sequence[str] = (), budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Return the context of a task: source that matches the task, and the neighbors of this source in the graph.

        The sections are further results, callers, callees, types, tests, documents, tables and recent commits.
        """
        from .graph_tools.task_context import task_context

        if not task.strip():
            raise UsageError("`codebase_context` takes a task in words.")
        paths = [self._path(file) for file in files]
        page = self._page("codebase_context", (task, *paths), budget, cursor)
        answer, state = self._workspace.answered(
            lambda readers: task_context(self._workspace, self._tools(readers), readers, task, paths, page)
        )
        return ToolAnswer(answer, state, graph_text)

    def get_workflow(
        self, doc: str = "", section: str = "", *, budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Return the steps of a workflow that a document describes, or the list of workflows if several match."""
        from .workflows.documented import documented_workflow

        path = self._path(doc)
        page = self._page("get_workflow", (path, section), budget, cursor)
        answer, state = self._workspace.answered(lambda readers: fitted(documented_workflow(readers, path, section), page))
        return ToolAnswer(answer, state, graph_text)

    def document(self, path: str, *, budget: int | None = None, cursor: str = "") -> ToolAnswer[GraphAnswer]:
        """Return the outline of a document, the code that it names, and its broken references."""
        from .graph_tools.document import document

        own = self._path(path)
        page = self._page("document", (own,), budget, cursor)
        answer, state = self._workspace.answered(lambda readers: fitted(document(readers, own), page))
        return ToolAnswer(answer, state, graph_text)

    def execute_workflow_template(
        self, template: str, parameters: Mapping[str, str], *, budget: int | None = None, cursor: str = ""
    ) -> ToolAnswer[GraphAnswer]:
        """Run a workflow template with values for its parameters."""
        from .workflows.templates.answer_cache import kept_or_made
        from .workflows.templates.built_in import template_named

        chosen = template_named(self._workspace, template)
        values = chosen.checked(parameters)
        page = self._page("execute_workflow_template", (chosen.name, *values.items()), budget, cursor)
        answer, state = self._workspace.answered(
            lambda readers: fitted(
                kept_or_made(
                    self._workspace,
                    readers,
                    chosen,
                    values,
                    lambda: chosen.run(self._workspace, self._tools(readers), readers, values),
                ),
                page,
            )
        )
        return ToolAnswer(answer, state, graph_text)

    def workflow_templates(self) -> tuple[list[Template], list[TemplateProblem]]:
        """Return all workflow templates, and the problems of invalid files of the workspace."""
        from .workflows.templates.built_in import all_templates

        templates, problems = all_templates(self._workspace)
        return list(templates.values()), problems

    def create_module(self, values: Mapping[str, str]) -> list[str]:
        """Write the files that the workflow `create-module` plans, and return their paths. No file is overwritten."""
        from .workflows.create_module.planning import planned_module
        from .workflows.create_module.writing import write_files
        from .workflows.templates.built_in import template_named

        checked = template_named(self._workspace, "create-module").checked(values)
        plan, _ = self._workspace.answered(
            lambda readers: planned_module(self._workspace, self._tools(readers), readers, checked)
        )
        return write_files(self._workspace.root, plan)

    def _connected(
        self, direction: str, symbol: str, file: str, module: str, depth: int, budget: int | None, cursor: str
    ) -> ToolAnswer[GraphAnswer]:
        check_depth(f"get_{direction}", depth, MAX_DEPTH)
        path = self._path(file) if file else ""

        def compose(tools: GraphTools) -> GraphAnswer:
            return tools.connected(direction, symbol=symbol, file=path, module=module, depth=depth)

        return self._ask(f"get_{direction}", (symbol, path, module, depth), budget, cursor, compose)

    def _ask(
        self,
        tool: str,
        arguments: Sequence[object],
        budget: int | None,
        cursor: str,
        compose: Callable[[GraphTools], GraphAnswer],
    ) -> ToolAnswer[GraphAnswer]:
        page = self._page(tool, arguments, budget, cursor)
        answer, state = self._workspace.answered(lambda readers: fitted(compose(self._tools(readers)), page))
        return ToolAnswer(answer, state, graph_text)

    def _page(self, tool: str, arguments: Sequence[object], budget: int | None, cursor: str) -> Page:
        tokens = self._workspace.settings.max_token_budget if budget is None else budget
        return Page.of(tool, arguments, tokens, cursor)

    def _tools(self, readers: Readers) -> GraphTools:
        return GraphTools(repo_scope(self._workspace), Runner(self._workspace, readers.graph), readers)

    def _path(self, path: str) -> str:
        return path.removeprefix(f"{self._workspace.root}/").removeprefix("./")
