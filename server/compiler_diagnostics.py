"""What the workspace's own TypeScript compiler says, where one is installed. It runs as a process of its own, within bounds.

This runs code that lies in the workspace (`node_modules/typescript`), as the workspace's own build does; the setting
`run_compiler` switches it off.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ..retrieval.lint.records import Diagnostic

#: Megabytes of heap, and diagnostics that are kept.
MOST_MEMORY, MOST_DIAGNOSTICS = 2048, 5000
_LINE = re.compile(
    r"^(?P<file>[^\s(].*?)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>error|warning) (?P<code>TS\d+): (?P<text>.*)$"
)


@dataclass(frozen=True, slots=True)
class CompilerReport:
    """Diagnostics, or a sentence that says why there are none."""

    diagnostics: tuple[Diagnostic, ...] = ()
    note: str = ""


def compiler_report(root: Path, seconds: float) -> CompilerReport:
    """Checks the project of the root's tsconfig.json for at most so many seconds. Writes nothing."""
    compiler = root / "node_modules" / "typescript" / "lib" / "tsc.js"
    node = shutil.which("node")
    if not compiler.is_file() or node is None:
        missing = "no TypeScript in node_modules" if node else "no Node on the path"
        return CompilerReport(note=f"The compiler was not asked: there is {missing}.")
    if not (root / "tsconfig.json").is_file():
        return CompilerReport(note="The compiler was not asked: there is no tsconfig.json at the root.")
    command = [node, f"--max-old-space-size={MOST_MEMORY}", str(compiler), "--noEmit", "--pretty", "false", "-p", "tsconfig.json"]
    try:
        done = subprocess.run(
            [*command, "--incremental", "false"],
            cwd=root, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return CompilerReport(note=f"The compiler did not end within {seconds:g} seconds (setting compiler_timeout).")
    except OSError as error:
        return CompilerReport(note=f"The compiler could not be started: {error.strerror}.")
    output = done.stdout.decode("utf-8", "replace")
    found = diagnostics_in(output)
    if done.returncode not in (0, 1, 2) or (done.returncode and not found and not output.strip()):
        return CompilerReport(note=f"The compiler ended with exit code {done.returncode} before it had checked everything.")
    return CompilerReport(tuple(found[:MOST_DIAGNOSTICS]), _general(output) if done.returncode and not found else "")


def diagnostics_in(output: str) -> list[Diagnostic]:
    """The diagnostics that the compiler printed; the lines that belong to one are part of its message."""
    found: list[Diagnostic] = []
    for line in output.splitlines():
        if match := _LINE.match(line):
            message = match["text"]
            place = (match["file"].replace("\\", "/"), int(match["line"]), match["severity"], message, "typescript")
            found.append(Diagnostic(*place, int(match["column"]), match["code"]))
        elif found and line.startswith(" "):
            last = found[-1]
            found[-1] = Diagnostic(
                last.file, last.line, last.severity, f"{last.message} {line.strip()}", last.source, last.column, last.code
            )
    return found


def _general(output: str) -> str:
    """What the compiler says of the project as a whole, such as an unknown option."""
    return f"The compiler checked nothing: {output.strip().splitlines()[0][:300]}"
