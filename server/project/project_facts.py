"""Facts about a project for the checks that are not in its index: entry points, and the compiler's diagnostics."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.settings import Settings

if TYPE_CHECKING:
    from ...graphdb.generations.generations import Generation
    from ...retrieval.lint import LintRequest
    from .compiler_diagnostics import Compiler, CompilerReport
    from .outside_facts import OutsideFacts


class ProjectFacts:
    """Computes project facts, and caches them for one generation. Thread-safe."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings
        self._lock = threading.Lock()
        self._outside_facts: tuple[tuple[int, str], OutsideFacts] | None = None
        # Only requests for diagnostics of the compiler wait for this lock. Such a request may take a minute.
        self._compiling = threading.Lock()
        self._report: tuple[tuple[int, str], CompilerReport] | None = None
        self._compiler: Compiler | None = None

    def informed(self, request: LintRequest, generation: Generation) -> LintRequest:
        """Return the request with the facts that its checks need."""
        if request.wants("dead-code"):
            with self._lock:
                request = self._with_outside_facts(request, generation)
        if request.wants("errors", "warnings", "hints"):
            with self._compiling:
                report = self._compiled(generation)
            from .checkout import checkout
            from .term_history import term_history

            request = replace(
                request,
                compiler=report.diagnostics,
                compiler_note=report.note,
                checkout=checkout(self._root),
                terms=term_history(self._root),
            )
        return request

    def close(self) -> None:
        """Stop a running compiler."""
        if self._compiler is not None:
            self._compiler.stop()

    def _with_outside_facts(self, request: LintRequest, generation: Generation) -> LintRequest:
        """Return the request with the entry points, and with the names in unresolved files."""
        from .outside_facts import read_outside_facts

        if self._outside_facts is None or self._outside_facts[0] != generation.name:
            sources = [stamp.relative_path for stamp in generation.manifest.stamps]
            self._outside_facts = generation.name, read_outside_facts(self._root, self._settings, sources)
        found = self._outside_facts[1]
        return replace(
            request,
            entries=found.entries.reasons,
            read_exports=found.entries.read_exports,
            published=found.entries.published,
            unread=found.unread,
            marked_generated=found.marked_generated,
        )

    def _compiled(self, generation: Generation) -> CompilerReport:
        from .compiler_diagnostics import Compiler, CompilerReport

        if not self._settings.run_compiler:
            return CompilerReport(note="The compiler was not asked: the setting run_compiler is off.")
        if self._report is None or self._report[0] != generation.name:
            self._compiler = self._compiler or Compiler()
            self._report = generation.name, self._compiler.report(self._root, self._settings.compiler_timeout)
        return self._report[1]
