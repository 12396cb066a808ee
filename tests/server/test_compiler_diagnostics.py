"""The workspace's own compiler: what it prints, which projects it checks, and its bounds."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from astrolabe.server.project.compiler_diagnostics import Compiler, CompilerReport, diagnostics_in, projects

COMPILER = """\
src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
  Types of property 'x' are incompatible.
src/b (1).ts(10,1): error TS2304: Cannot find name 'y'.
Found 2 errors.
"""


def test_what_the_compiler_prints_is_read() -> None:
    first, second = diagnostics_in(COMPILER)
    assert (first.file, first.line, first.column, first.code) == ("src/a.ts", 3, 5, "TS2322")
    assert first.message == "Type 'string' is not assignable to type 'number'. Types of property 'x' are incompatible."
    assert (second.file, second.line) == ("src/b (1).ts", 10)


PROGRAMS = {
    "diagnostics": (f"process.stdout.write({COMPILER!r}); process.exit(2)", 2, ""),
    "a project error": ("process.stdout.write('error TS5023: Unknown.'); process.exit(1)", 0, "The compiler checked nothing"),
    "hanging": ("setInterval(() => {}, 1000)", 0, "The compiler did not end within 2 seconds"),
    "crashing": ("process.kill(process.pid, 'SIGKILL')", 0, "The compiler ended with exit code -9"),
    "silent success": ("", 0, ""),
}  # fmt: skip


@pytest.mark.parametrize(("program", "count", "note"), PROGRAMS.values(), ids=PROGRAMS)
def test_the_workspaces_compiler_is_asked_within_bounds(tmp_path: Path, program: str, count: int, note: str) -> None:
    compiler = tmp_path / "node_modules" / "typescript" / "lib" / "tsc.js"
    compiler.parent.mkdir(parents=True)
    compiler.write_text(program)
    (tmp_path / "tsconfig.json").write_text("{}")
    # A busy machine needs long to start Node; only what hangs is to run out of time.
    report = Compiler().report(tmp_path, 2.0 if "did not end" in note else 60.0)
    if "no Node on the path" in report.note:
        note = "The compiler was not asked: there is no Node on the path."
        count = 0
    assert len(report.diagnostics) == count
    assert report.note.startswith(note)


def test_projects_that_the_root_refers_to_are_checked(tmp_path: Path) -> None:
    configurations = {
        "tsconfig.json": '{"files": [], "references": [{"path": "./a"}, {"path": "b/tsconfig.lib.json"}, '
        '{"path": "../out"}] /* */}',
        "a/tsconfig.json": '{"references": [{"path": "../b/tsconfig.lib.json"}, {"path": "../missing"}]}',
        "b/tsconfig.lib.json": '{"include": ["src"], "references": [{"path": "../a"}]}',
    }
    for name, text in configurations.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert projects(tmp_path) == ["a/tsconfig.json", "b/tsconfig.lib.json"]


def test_a_compiler_that_runs_can_be_stopped(tmp_path: Path) -> None:
    program = tmp_path / "node_modules" / "typescript" / "lib" / "tsc.js"
    program.parent.mkdir(parents=True)
    program.write_text("require('fs').writeFileSync('started', ''); setInterval(() => {}, 1000)")
    (tmp_path / "tsconfig.json").write_text("{}")
    compiler, reports = Compiler(), list[CompilerReport]()
    thread = threading.Thread(target=lambda: reports.append(compiler.report(tmp_path, 60.0)))
    thread.start()
    while thread.is_alive() and not (tmp_path / "started").exists():
        time.sleep(0.01)
    compiler.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert reports[0].note.startswith("The compiler ")
    assert compiler.report(tmp_path, 60.0).diagnostics == ()
