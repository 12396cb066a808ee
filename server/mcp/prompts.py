"""Prompts of the MCP server. A prompt instructs an agent to use certain tools in a certain order.

The prompts are the same for all workspaces, so that they can be listed before a workspace is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

#: Sentence in every prompt for a template, for clients without the tool `execute_workflow_template`.
_OTHERWISE = "(or `codebase_search` if that tool is missing)"


class WorkflowPrompts:
    """The prompts. Each has a name, a description and a function that returns its text."""

    def described(self) -> Sequence[tuple[str, str, Callable[..., str]]]:
        """Return all prompts."""
        return (
            ("bug-fix", "Find and fix the cause of an error or stack trace.", self.bug_fix),
            ("review-my-change", "Review the uncommitted change.", self.review_my_change),
            ("explain-module", "Explain a module.", self.explain_module),
            ("implement-feature", "Implement a feature.", self.implement_feature),
            ("create-module", "Create a module that is like its siblings.", self.create_module),
            ("update-module", "Change a module.", self.update_module),
            ("upgrade-feature", "Upgrade a feature.", self.upgrade_feature),
            ("follow-workflow", "Follow a workflow that a document describes.", self.follow_workflow),
            ("run-workflow", "Run a workflow template, also one of the workspace.", self.run_workflow),
        )

    def bug_fix(self, error: str) -> str:
        """Return the prompt for an error."""
        return (
            "Find the cause of this error and fix it. First call `execute_workflow_template` with the template "
            "`bug-fix` and the whole text as `error` (or `codebase_search` if that tool is missing). Check its "
            "suspects from the first on, fix the cause rather than the place that failed, and run the tests that it "
            f"names.\n\n{error}"
        )

    def review_my_change(self) -> str:
        """Return the prompt for a review."""
        return (
            "Review my uncommitted change. Call `codebase_changes` for what it breaks and reaches (or "
            "`codebase_trace` for each changed symbol), read what depends on it, and run the tests that it names. "
            "Tell bugs first, each with its place."
        )

    def explain_module(self, module: str) -> str:
        """Return the prompt for a module."""
        return (
            f"Explain the module {module}: its purpose, its most important declarations, what it uses and what uses "
            "it. Call `query_module` (or `codebase_map` with its folder), then read the declarations with the most "
            "dependants."
        )

    def implement_feature(self, feature: str, module: str = "") -> str:
        """Return the prompt for a feature."""
        place = f" in the module {module}" if module else ""
        return (
            f"Implement this feature{place}. Call `execute_workflow_template` with the template `implement-feature`, "
            f"the description as `feature` and the module as `module` {_OTHERWISE}. Follow the conventions of "
            "`similar`, use `extensionPoints`, add the feature to `registrations`, name what `gaps` lists, and add "
            f"tests beside those that it names.\n\n{feature}"
        )

    def create_module(self, name: str, like: str = "", dependencies: str = "") -> str:
        """Return the prompt for a new module."""
        given = f", `like` {like}" if like else ""
        given += f", `dependencies` {dependencies}" if dependencies else ""
        return (
            f"Create the module {name}. Call `execute_workflow_template` with the template `create-module`, `name` "
            f"{name}{given} {_OTHERWISE}. Make the files that it plans with the text that siblings share, export what "
            "siblings export, add the module to every place in `registrations`, and put tests where those of the "
            "siblings are."
        )

    def update_module(self, module: str, change: str) -> str:
        """Return the prompt for a change of a module."""
        return (
            f"Change the module {module}. Call `execute_workflow_template` with the template `update-module`, "
            f"`module` {module} and the change as `change` {_OTHERWISE}. Keep what `publicSurface` lists working for "
            f"its users or change them too, correct `documents` that speak of it, and run `tests`.\n\n{change}"
        )

    def upgrade_feature(self, feature: str, upgrade: str) -> str:
        """Return the prompt for an upgrade of a feature."""
        return (
            f"Upgrade the feature {feature}. Call `execute_workflow_template` with the template `upgrade-feature`, "
            f"`feature` {feature} and the upgrade as `upgrade` {_OTHERWISE}. Work through `plan` in its order, keep "
            "`publicSurface` compatible unless the upgrade says otherwise, and run the tests after each "
            f"step.\n\n{upgrade}"
        )

    def follow_workflow(self, doc: str, section: str = "") -> str:
        """Return the prompt for a workflow of a document."""
        given = f" and `section` {section}" if section else ""
        return (
            f"Follow the workflow that {doc} describes. Call `get_workflow` with `doc` {doc}{given}; if it lists "
            "several, choose the one that fits. Go through its steps in order, read the code that each step names "
            "before you act, respect conditions and transitions, and tell which steps need a person."
        )

    def run_workflow(self, template: str, parameters: str = "") -> str:
        """Return the prompt for a template by its name."""
        given = f" and these parameters: {parameters}" if parameters else "; `astrolabe workflow list` has its parameters"
        return (
            f"Call `execute_workflow_template` with the template `{template}`{given}. Work with its sections from the "
            "first on, and check each claim in the code before you rely on it."
        )
