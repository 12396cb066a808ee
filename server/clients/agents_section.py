"""The section of AGENTS.md, between two marks, with instructions for coding agents on when to use which tool."""

from __future__ import annotations

from pathlib import Path

from ..environment.file_change import FileChange, read_if_file
from ..environment.marked_section import Marks, with_section, without_section

AGENTS_FILE = "AGENTS.md"

_MARKS = Marks("<!-- astrolabe: begin -->", "<!-- astrolabe: end -->")
_TEXT = """\
## Code intelligence

This repository is indexed by Astrolabe; its MCP server offers these tools:

- `codebase_search`: find code by a question, a name, or its text. Use it before you read files.
- `codebase_map`: what packages, folders and files contain.
- `codebase_trace`: callers, references, types, and what a change of a symbol reaches. Use it before you change a symbol.
- `codebase_lint`: errors, dead code, duplicates and circular imports. Use it after you changed code.
"""


def planned_section(root: Path) -> FileChange | None:
    """Return the change that adds the section at the end of the file; None if the file has the section."""
    path = (root / AGENTS_FILE).resolve()
    before = read_if_file(path)
    after = with_section(before or b"", _MARKS, _TEXT.encode()) + (b"\n" if before is None else b"")
    return FileChange(path, before, after) if after != before and path.is_relative_to(root.resolve()) else None


def planned_section_removal(root: Path) -> FileChange | None:
    """Return the change that removes the section; None if there is no section.

    A file without other content is removed if the section ends with a line end, because the addition then created the file.
    """
    path = (root / AGENTS_FILE).resolve()
    before = read_if_file(path)
    if before is None:
        return None
    after = without_section(before, _MARKS)
    if after == before or not path.is_relative_to(root.resolve()):
        return None
    is_made = not after and before.endswith(b"\n")
    return FileChange(path, before, None if is_made else after)
