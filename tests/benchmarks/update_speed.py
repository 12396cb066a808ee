"""What a change costs, from the save to the fresh answer, stage by stage: `python tests/benchmarks/update_speed.py FOLDER FILE`.

Each kind of change is made to FILE, or beside it, in a copy of FOLDER, several times: warm, in a process that answered a question
before and answers the next one, and cold, by one `astrolabe search` in a process of its own. The table has the medians, by
the clock and of the processor's time of all threads and child processes, in milliseconds, and says what each change came to.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.gc_freeze import settle

QUESTION = "how is a value computed"
#: Files of a switch of branches.
MANY = 1000
#: The head of the first type of a file in Java, one of its fields, and an import of a type that is not of the library.
_HEAD = re.compile(
    r"^(?:public |abstract |final |sealed )*(?P<kind>class|interface) \w+(?P<parameters>(?:<[^{}<>]*>)?)(?P<heritage>[^{]*)\{",
    re.MULTILINE,
)
_FIELD = re.compile(
    r"^ +(?:private|protected|public) (?:final )?(?P<type>(?!static|final)[\w<>\[\], ?.]+) \w+(?: =|;)", re.MULTILINE
)
_IMPORTED = re.compile(r"^import (?P<package>(?!java)[\w.]+\.)[A-Z]\w*;", re.MULTILINE)
_ADDED_BASE = "java.io.Serializable"


class Syntax(NamedTuple):
    """How a language writes what the changes add; `{}` stands for a number."""

    statement: str
    comment: str
    function: str
    importing: str
    #: What precedes the parameters of a function that others may call, and what another parameter looks like.
    signature: re.Pattern[str]
    parameter: str
    #: What follows the added code at the end of a file: the brace of the type around it.
    end: str = ""


_TYPESCRIPT = Syntax(
    "\nvoid {}\n",
    "// {}\n",
    "\nexport function benchmarkAdded{}(value: number) {{ return value }}\n",
    "import * as all from './{stem}'\nexport const benchmark{} = all\n",
    re.compile(r"^export (?:async )?(?:function \w+|const \w+ = )(?:<[^(]*>)?\(", re.MULTILINE),
    "benchmark{}: number, ",
)
_PYTHON = Syntax(
    "\nlen(str({}))\n",
    "# {}\n",
    "\n\ndef benchmark_added{}(value: int) -> int:\n    return value\n",
    "from .{stem} import *\n\nbenchmark{} = 1\n",
    re.compile(r"^(?:async )?def \w+\((?=\))", re.MULTILINE),
    "benchmark{}=0",
)
_GO = Syntax(
    "\nfunc init() {{ println({}) }}\n",
    "// {}\n",
    "\nfunc BenchmarkAdded{}(value int) int {{ return value }}\n",
    "",
    re.compile(r"^func [A-Z]\w*\((?=\))", re.MULTILINE),
    "benchmark{} int",
)
_JAVA = Syntax(
    "\n    static {{ System.out.println({}); }}\n",
    "// {}\n",
    "\n    public static int benchmarkAdded{}(int value) {{ return value; }}\n",
    "",
    re.compile(r"^ +(?:public|protected) (?:static )?[\w<>\[\], ?.]+ \w+\((?=\))", re.MULTILINE),
    "int benchmark{}",
    "}\n",
)


def _syntax(file: Path) -> Syntax:
    return {".py": _PYTHON, ".go": _GO, ".java": _JAVA}.get(file.suffix, _TYPESCRIPT)


class Cost(NamedTuple):
    """Seconds of one change."""

    stages: dict[str, float]
    total: float
    processor: float
    resolved: int
    outcome: str


def _touch(file: Path, turn: int) -> None:
    """No change."""
    file.write_text(file.read_text())


def _add_statement(file: Path, turn: int) -> None:
    """Another statement at the root: nothing that others see."""
    _append(file, _syntax(file).statement.format(turn))


def _add_line_above(file: Path, turn: int) -> None:
    """Every line moves."""
    file.write_text(_syntax(file).comment.format(turn) + file.read_text())


def _add_export(file: Path, turn: int) -> None:
    """One more exported function."""
    _append(file, _syntax(file).function.format(turn))


def _append(file: Path, code: str) -> None:
    """Add code at the end of a file, in Java at the end of its last type."""
    text, end = file.read_text(), _syntax(file).end
    file.write_text((text[: text.rindex(end.strip())] if end else text) + code + end)


def _change_signature(file: Path, turn: int) -> None:
    """The first exported function takes one more parameter."""
    text, syntax = file.read_text(), _syntax(file)
    if (found := syntax.signature.search(text)) is not None:
        file.write_text(text[: found.end()] + syntax.parameter.format(turn) + text[found.end() :])


def _change_base(file: Path, turn: int) -> None:
    """The first type of a file in Java gets another interface, or loses it."""
    text = file.read_text()
    found = _HEAD.search(text)
    if found is None:
        return
    head = found["heritage"].replace(f", {_ADDED_BASE}", "").replace(f"implements {_ADDED_BASE} ", "")
    if head == found["heritage"]:
        keyword = "extends" if found["kind"] == "interface" else "implements"
        head = (
            f"{head.rstrip()}, {_ADDED_BASE} " if f"{keyword} " in head else f"{head.rstrip()} {keyword} {_ADDED_BASE} ".lstrip()
        )
        head = head if head.startswith(" ") else f" {head}"
    file.write_text(text[: found.start("heritage")] + head + text[found.end("heritage") :])


def _change_type_parameter(file: Path, turn: int) -> None:
    """The first type of a file in Java gets another type parameter."""
    text = file.read_text()
    if (found := _HEAD.search(text)) is not None:
        others = [each for each in found["parameters"].strip("<>").split(", ") if each and not each.startswith("Benchmark")]
        listed = ", ".join([*others, f"Benchmark{turn}"])
        file.write_text(f"{text[: found.start('parameters')]}<{listed}>{text[found.end('parameters') :]}")


def _change_field(file: Path, turn: int) -> None:
    """The first field of a file in Java that is no constant gets another type."""
    text = file.read_text()
    if (found := _FIELD.search(text)) is not None:
        file.write_text(f"{text[: found.start('type')]}java.util.List<Benchmark{turn}>{text[found.end('type') :]}")


def _change_imported_type(file: Path, turn: int) -> None:
    """The first type that a file in Java imports comes from another package."""
    text = file.read_text()
    if (found := _IMPORTED.search(text)) is not None:
        file.write_text(f"{text[: found.start('package')]}benchmark{turn}.{text[found.end('package') :]}")


def _add_file(file: Path, turn: int) -> None:
    """One more file, which imports this one."""
    text = _syntax(file).importing.format(turn, stem=file.stem)
    file.with_name(f"benchmark{turn}{file.suffix}").write_text(text)


def _rename_file(file: Path, turn: int) -> None:
    """A file that was added gets another name."""
    _added(file).rename(file.with_name(f"benchmarkRenamed{turn}{file.suffix}"))


def _remove_file(file: Path, turn: int) -> None:
    """A file that was added goes."""
    _added(file).unlink()


def _added(file: Path) -> Path:
    return next(file.parent.glob(f"benchmark*{file.suffix}"))


def _declare_global(file: Path, turn: int) -> None:
    """Something that is declared for all files."""
    file.write_text(f"{file.read_text()}\ndeclare global {{ interface Benchmark{turn} {{ value: number }} }}\n")


def _switch_branch(file: Path, turn: int) -> None:
    """Another statement in many files."""
    for path in sorted(path for path in file.parent.rglob(f"*{file.suffix}") if "node_modules" not in path.parts)[:MANY]:
        _add_statement(path, turn)


CHANGES: dict[str, Callable[[Path, int], None]] = {
    "touched": _touch,
    "a statement": _add_statement,
    "a line above": _add_line_above,
    "a signature": _change_signature,
    "a base": _change_base,
    "a type parameter": _change_type_parameter,
    "a field's type": _change_field,
    "an imported type": _change_imported_type,
    "an export": _add_export,
    "a file more": _add_file,
    "a file renamed": _rename_file,
    "a file less": _remove_file,
    "a global": _declare_global,
    "a branch": _switch_branch,
}


@contextmanager
def _measured(costs: list[tuple[float, float]]) -> Iterator[None]:
    """Adds what happens meanwhile: seconds by the clock, and of the processor, with those of child processes."""
    before, started = os.times(), time.perf_counter()
    yield
    seconds, after = time.perf_counter() - started, os.times()
    costs.append((seconds, sum(after[:4]) - sum(before[:4])))


def warm(workspace: Workspace, file: Path, change: Callable[[Path, int], None], turn: int) -> Cost:
    """One change and the next answer, in this process."""
    change(file, turn)
    costs: list[tuple[float, float]] = []
    with _measured(costs):
        workspace.search(QUESTION)
    report = workspace.report
    assert report is not None
    [(total, processor)] = costs
    stages = {"scan": report.seconds - sum(report.stages.values()), **report.stages, "answer": total - report.seconds}
    return Cost(stages, total, processor, report.work.resolved, report.rebuilt_because or report.outcome)


def cold(root: Path, file: Path, change: Callable[[Path, int], None], turn: int) -> Cost:
    """One change and the next answer of the command line."""
    change(file, turn)
    costs: list[tuple[float, float]] = []
    with _measured(costs):
        _run("search", QUESTION, "--root", str(root), "--json")
    [(total, processor)] = costs
    return Cost({}, total, processor, 0, "")


def _run(*arguments: str) -> bytes:
    return subprocess.run([sys.executable, "-P", "-m", "astrolabe", *arguments], check=True, stdout=subprocess.PIPE).stdout


def row(name: str, costs: Sequence[Cost]) -> str:
    """One line of the table: medians."""
    names = dict.fromkeys(stage for cost in costs for stage in cost.stages)
    stages = ", ".join(f"{stage} {1000 * median(cost.stages.get(stage, 0.0) for cost in costs):.0f}" for stage in names)
    total, processor = (1000 * median(getattr(cost, field) for cost in costs) for field in ("total", "processor"))
    return f"| {name} | {total:.0f} | {processor:.0f} | {costs[-1].resolved} | {costs[-1].outcome} | {stages} |"


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("file")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--only", choices=CHANGES, action="append", help="a kind of change; may be repeated")
    parser.add_argument("--warm", action="store_true", help="no cold runs")
    options = parser.parse_args(arguments)
    kinds = options.only or list(CHANGES)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(options.folder, root, ignore=shutil.ignore_patterns(".astrolabe", ".git"))
        file = root / options.file
        _run("index", "--root", str(root), "--json")
        print("| change | ms | processor ms | files resolved | outcome | stages, ms |\n|---|---:|---:|---:|---|---|", flush=True)
        turn = 0
        for name in kinds:
            costs = []
            with Workspace.locate(root) as workspace:
                workspace.on_built = settle  # as a server does
                workspace.warm_up()
                for _ in range(options.rounds):
                    turn += 1
                    costs.append(warm(workspace, file, CHANGES[name], turn))
            print(row(f"warm: {name}", costs), flush=True)
        for name in () if options.warm else kinds:
            costs = []
            for _ in range(options.rounds):
                turn += 1
                costs.append(cold(root, file, CHANGES[name], turn))
            print(row(f"cold: {name}", costs), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
