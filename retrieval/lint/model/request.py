"""The request of the checks: their names, scope and limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ....schema.errors import UsageError
from ....schema.unread_files import UnreadFile
from .checkout import Checkout
from .findings import Diagnostic
from .term_history import TermHistory

#: The names of the checks. Diagnostics are requested by severity.
CHECKS = ("all", "errors", "warnings", "hints", "dead-code", "duplicates", "circular-deps")
DEAD_CODE_KINDS: dict[str, tuple[str, ...]] = {
    "exports": (),
    "functions": ("function", "component"),
    "methods": ("method", "getter", "setter", "property"),
    "variables": ("const", "variable"),
    "types": ("interface", "type", "enum", "namespace"),
    "classes": ("class",),
    "files": ("file",),
}
#: Name of the kind of duplicates that are fragments: repeated code that is not a whole declaration.
FRAGMENTS = "fragments"
#: Kinds of declarations, by the name under which a request asks for their duplicates.
DUPLICATE_KINDS: dict[str, tuple[str, ...]] = {
    "functions": ("function", "component"),
    "methods": ("method", "constructor", "getter", "setter"),
    "classes": ("class",),
    FRAGMENTS: (),
}
SEVERITIES = ("error", "warning", "info", "hint")
#: Maximum number of results of each check.
MAX_RESULTS = 1000
#: Minimum budget of an answer in tokens.
MIN_BUDGET = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LintRequest:
    """The requested checks, their scope and their limits. Raises UsageError for an invalid value."""

    #: Names of `CHECKS`.
    checks: Sequence[str] = ("all",)
    #: A file, folder or glob; "" for the whole repository.
    scope: str = ""
    #: Whether dead code, duplicates and circular imports in tests are left out.
    exclude_tests: bool = True
    #: Maximum number of results of each check, 1 to 1,000.
    limit: int = 50
    #: Keys of `DEAD_CODE_KINDS`, or "all".
    dead_code_kinds: Sequence[str] = ("all",)
    #: Minimum similarity of duplicates, 0.5 to 1.
    duplicate_threshold: float = 0.75
    #: A key of `DUPLICATE_KINDS`, or "all".
    duplicate_kinds: str = "functions"
    #: Names of `SEVERITIES`, or "all".
    severity_filter: Sequence[str] = ("all",)
    #: Maximum number of tokens of the answer, at least 200.
    budget: int
    #: Whether dead code and duplicates in generated files and copies of other packages are reported.
    include_generated: bool = False
    #: Entry points by path, with the reason. They are not in the index.
    entries: Mapping[str, str] = field(default_factory=dict)
    #: Names of the exports that a framework reads, by the path of the entry point. All exports of other entry points count as
    #: read.
    read_exports: Mapping[str, Collection[str]] = field(default_factory=dict)
    #: Folders and files that packages publish.
    published: Collection[str] = ()
    #: Files whose names are not resolved, and the names in them.
    unread: Sequence[UnreadFile] = ()
    #: Paths of the files that `.gitattributes` marks as generated or vendored.
    marked_generated: Collection[str] = frozenset()
    #: Diagnostics of the compiler, or the reason why there are none.
    compiler: Sequence[Diagnostic] = ()
    compiler_note: str = ""
    #: The folder on disk; None if it is not known.
    checkout: Checkout | None = None
    #: History of the terms that documents name; None without a Git repository.
    terms: TermHistory | None = None

    def __post_init__(self) -> None:
        for name, given, known in (
            ("check", self.checks, CHECKS),
            ("kind of dead code", self.dead_code_kinds, ("all", *DEAD_CODE_KINDS)),
            ("kind of duplicates", (self.duplicate_kinds,), ("all", *DUPLICATE_KINDS)),
            ("severity", self.severity_filter, ("all", *SEVERITIES)),
        ):
            for value in given:
                if value not in known:
                    raise UsageError(f'There is no {name} "{value}"; it is one of {", ".join(known)}.')
        if not 0.5 <= self.duplicate_threshold <= 1:
            raise UsageError(f"The threshold of duplicates is a number from 0.5 to 1, not {self.duplicate_threshold}.")
        if not 1 <= self.limit <= MAX_RESULTS:
            raise UsageError(f"The limit is a number from 1 to {MAX_RESULTS:,}, not {self.limit}.")
        if self.budget < MIN_BUDGET:
            raise UsageError(f"The checks need a budget of at least {MIN_BUDGET} tokens, not {self.budget}.")

    def wants(self, *checks: str) -> bool:
        """Return whether one of these checks is requested."""
        return "all" in self.checks or bool(set(checks) & set(self.checks))
