"""Diagnostics of the workspace's TypeScript compiler, if it is installed. The compiler runs in a separate process with limits.

This executes code of the workspace (`node_modules/typescript`), like the workspace's build. The setting `run_compiler` can
disable it.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from ...ingest.files.jsonc import parse_object
from ...retrieval.lint.model.findings import Diagnostic

#: Maximum size of the compiler's heap in megabytes.
MAX_MEMORY = 2048
#: Maximum number of diagnostics that are kept.
MAX_DIAGNOSTICS = 5000
_LINE = re.compile(
    r"^(?P<file>[^\s(].*?)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>error|warning) (?P<code>TS\d+): (?P<text>.*)$"
)


#: Error codes for missing declarations of a referenced project that was not built.
_OF_BUILDS = frozenset(("TS6305", "TS6306", "TS6310"))
#: Maximum number of projects that are checked.
_MAX_PROJECTS = 100


@dataclass(frozen=True, slots=True)
class CompilerReport:
    """Diagnostics, and a sentence about files that were not checked."""

    diagnostics: tuple[Diagnostic, ...] = ()
    note: str = ""


class Compiler:
    """Runs the compiler, for one request at a time. Any thread may call `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def report(self, root: Path, seconds: float) -> CompilerReport:
        """Check the project of the root's tsconfig.json and the projects that it references, for at most `seconds`.

        Writes no files.
        """
        compiler = root / "node_modules" / "typescript" / "lib" / "tsc.js"
        node = shutil.which("node")
        if not compiler.is_file() or node is None:
            missing = "no TypeScript in node_modules" if node else "no Node on the path"
            return CompilerReport(note=f"The compiler was not asked: there is {missing}.")
        if not (root / "tsconfig.json").is_file():
            return CompilerReport(note="The compiler was not asked: there is no tsconfig.json at the root.")
        command = [node, f"--max-old-space-size={MAX_MEMORY}", str(compiler), "--noEmit", "--pretty", "false"]
        command += ["--incremental", "false", "--composite", "false", "-p"]
        deadline = time.monotonic() + seconds
        found: dict[Diagnostic, None] = {}
        notes: dict[str, None] = {}
        for project in projects(root):
            made = self._checked([*command, project], root, deadline, seconds)
            found.update(dict.fromkeys(made.diagnostics))
            notes.update(dict.fromkeys([made.note] if made.note else []))
        if len(found) > MAX_DIAGNOSTICS:
            notes[f"The compiler found {len(found):,} problems, of which the first {MAX_DIAGNOSTICS:,} are counted."] = None
        return CompilerReport(tuple(found)[:MAX_DIAGNOSTICS], " ".join(notes))

    def stop(self) -> None:
        """Kill the running compiler, and start no further compiler."""
        with self._lock:
            self._stopped = True
            if self._running is not None:
                self._running.kill()

    def _checked(self, command: list[str], root: Path, deadline: float, seconds: float) -> CompilerReport:
        """Return the diagnostics of one project."""
        late = CompilerReport(note=f"The compiler did not end within {seconds:g} seconds (setting compiler_timeout).")
        if time.monotonic() >= deadline:
            return late
        try:
            with self._lock:
                if self._stopped:
                    return CompilerReport(note="The compiler was stopped.")
                running = self._running = subprocess.Popen(
                    command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
        except OSError as error:
            return CompilerReport(note=f"The compiler could not be started: {error.strerror}.")
        try:
            printed, _ = running.communicate(timeout=max(deadline - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            return late
        output, code = printed.decode("utf-8", "replace"), running.returncode
        found = diagnostics_in(output)
        if code not in (0, 1, 2) or (code and not found and not output.strip()):
            return CompilerReport(note=f"The compiler ended with exit code {code} before it had checked everything.")
        kept = tuple(each for each in found if each.code not in _OF_BUILDS)
        return CompilerReport(kept, _general(output) if code and not found else "")


def projects(root: Path) -> list[str]:
    """Return the configurations to check: the tsconfig.json of the root and referenced configurations, if they have files."""
    found = ["tsconfig.json"]
    checked = []
    for path in found:
        data, _ = parse_object((root / path).read_bytes())
        if data.get("files") != [] or data.get("include"):
            checked.append(path)
        references = data.get("references")
        for reference in references if isinstance(references, list) else ():
            named = reference.get("path") if isinstance(reference, dict) else None
            target = _configuration(root, path, named) if isinstance(named, str) else None
            if target is not None and target not in found and len(found) < _MAX_PROJECTS:
                found.append(target)
    return checked or found[:1]


def _configuration(root: Path, path: str, named: str) -> str | None:
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), named))
    target = target if target.endswith(".json") else f"{target}/tsconfig.json"
    return target if not target.startswith("../") and (root / target).is_file() else None


def diagnostics_in(output: str) -> list[Diagnostic]:
    """Return the printed diagnostics of the compiler. Indented lines belong to the message above them."""
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
    """Return a note about an error of the whole project, such as an unknown option."""
    return f"The compiler checked nothing: {output.strip().splitlines()[0][:300]}"
