"""The lines of Astrolabe in a hook, and their places in an existing script."""

from __future__ import annotations

import re
import shlex

from ..environment.marked_section import Marks, has_section, with_section, without_section

#: Hooks after which files may differ from the index.
REFRESHING = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
CHECKING = "pre-commit"
HOOKS = (CHECKING, *REFRESHING)

#: Exit code of a check that forbids the commit. Python and shells do not use this code for their own failures.
FORBIDDEN = 77

_MARKS = Marks("# >>> astrolabe >>>", "# <<< astrolabe <<<")
_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/env[ \t]+(?:-\S+[ \t]+)*)?(?:\S*/)?([^\s/]+)[^\n]*\n?")
#: Shells that can run the lines.
_SHELLS = {b"sh", b"bash", b"dash", b"ash", b"ksh", b"mksh", b"zsh", b"busybox"}
#: A command at the top level that ends the script.
_FINAL = re.compile(rb"^(?:exec|exit)\b", re.MULTILINE)
_NEW = b"#!/bin/sh\n"

_CHECK = """\
if command -v astrolabe >/dev/null 2>&1; then
  astrolabe_status=0
  astrolabe hooks run {hook}{root} </dev/null || astrolabe_status=$?
  if [ "$astrolabe_status" -eq {forbidden} ]; then exit 1; fi
fi
"""
_REFRESH = """\
if command -v astrolabe >/dev/null 2>&1; then
  (astrolabe hooks run {hook}{root} </dev/null >/dev/null 2>&1 &)
fi
"""


def hook_lines(hook: str, root: str) -> bytes:
    """Return the lines for a hook. `root` is the folder of the workspace below the root of the repository, or "."."""
    template = _CHECK if hook == CHECKING else _REFRESH
    option = "" if root == "." else f" --root {shlex.quote(root)}"
    return template.format(hook=hook, root=option, forbidden=FORBIDDEN).encode("utf-8", "surrogateescape")


def has_lines(script: bytes) -> bool:
    """Return whether a hook has lines of Astrolabe."""
    return has_section(script, _MARKS)


def why_not_extended(script: bytes) -> str:
    """Return why shell code cannot be added to a hook; "" if it can."""
    if b"\0" in script:
        return "it is no script"
    if script.startswith(b"#!"):
        match = _SHEBANG.match(script)
        shell = match[1] if match is not None else b""
        if shell not in _SHELLS:
            return f"it is a script for {shell.decode('utf-8', 'replace') or 'an unknown program'}, not for a shell"
    return ""


def extended(script: bytes | None, hook: str, root: str) -> bytes:
    """Return the hook with the lines at its end, or after the first line if a command ends the script early."""
    if script is None:
        return with_section(_NEW, _MARKS, hook_lines(hook, root))
    match = _SHEBANG.match(script)
    place = (match.end() if match is not None else 0) if _FINAL.search(script) else None
    return with_section(script, _MARKS, hook_lines(hook, root), place)


def reduced(script: bytes) -> bytes | None:
    """Return the hook without the lines; None if Astrolabe created the hook."""
    rest = without_section(script, _MARKS)
    return None if rest == _NEW and script.startswith(_NEW + _MARKS.begin.encode()) else rest
