"""The sets of tools for `--tools`. This module loads no protocol library."""

from __future__ import annotations

from ...schema.errors import UsageError

#: Tools by set. `--tools` accepts names of sets and of tools.
TOOL_SETS: dict[str, tuple[str, ...]] = {
    "codebase": ("codebase_map", "codebase_trace", "codebase_search", "codebase_lint"),
    "history": ("get_git_history",),
    "changes": ("codebase_changes",),
    "cypher": ("cypher",),
    "graph": (
        "query_repo_structure",
        "query_module",
        "query_file",
        "query_symbol",
        "get_dependencies",
        "get_dependants",
        "search_symbols",
        "get_git_history",
        "get_impact_analysis",
        "get_context_for_files",
        "codebase_context",
        "get_workflow",
        "execute_workflow_template",
    ),
}
#: Sets and tools that are offered unless `--tools` selects others. Their descriptions take some 2,000 tokens.
DEFAULT_TOOLS = ("codebase", "codebase_context", "cypher")


def chosen_tools(text: str | None) -> frozenset[str]:
    """Return the names of the tools that `--tools` selects by comma-separated names of sets and tools.

    Raises UsageError.
    """
    known = {name: (name,) for names in TOOL_SETS.values() for name in names} | TOOL_SETS
    wanted = [part.strip() for part in text.split(",")] if text is not None else list(DEFAULT_TOOLS)
    for part in wanted:
        if part not in known:
            sets, tools = ", ".join(TOOL_SETS), ", ".join(name for name in known if name not in TOOL_SETS)
            raise UsageError(f'There is no tool or set of tools "{part}". Sets: {sets}. Tools: {tools}.')
    return frozenset(name for part in wanted for name in known[part])
