"""Prints the private memory of a server over a session: `python tests/benchmarks/server_memory.py FOLDER [--command COMMAND]`.

The server works on a copy of FOLDER, whose index is built or refreshed first. It is asked five kinds of questions, and again
after each of five changes. The first table has the memory of the server and its child processes in MB at each point, and the
highest since the point before. The others have what the server's memory consists of, and the milliseconds of answers. Linux only.

Private memory belongs to one process alone; shared memory are pages of files that other processes may map as well. `--command`
names another installation, such as a compiled one: `--command "venv/bin/astrolabe"`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from markdown_tables import print_head, print_row
from process_memory import MappedMemory, family_of, mapped_memory, private_kinds

#: Number of changes, each with all questions after it.
CHANGES = 5
#: Seconds after the start and after the last change until memory at rest is measured.
START, REST = 20.0, 20.0
#: Seconds between two looks for the highest memory.
_INTERVAL = 0.05
#: Kinds of memory with fewer bytes are left out.
_SHOWN = 1_000_000
#: Smaller files say little of what a change costs, in bytes.
_MIN_SIZE = 800
_SOURCES = frozenset((".ts", ".tsx", ".js", ".jsx", ".py", ".go", ".rs", ".java"))
_DECLARED = re.compile(
    r"^(?:export (?:declare )?(?:abstract )?(?:class|function|const|interface)|public (?:abstract |final )*(?:class|interface))"
    r" (\w{4,})",
    re.MULTILINE,
)

#: A tool and its arguments.
Question = tuple[str, dict[str, Any]]


class Client:
    """A client of one server over standard input and output, for one request at a time."""

    def __init__(self, command: Sequence[str], root: Path) -> None:
        self._process = subprocess.Popen(
            [*command, "serve", "--root", str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
        )
        self._number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
        self.request("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._process.pid

    def ask(self, question: Question) -> float:
        """Call a tool. Returns the milliseconds to its answer. Raises RuntimeError when it failed."""
        tool, arguments = question
        started = time.perf_counter()
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        took = 1000 * (time.perf_counter() - started)
        if answer.get("isError"):
            raise RuntimeError(f"{question}: {answer['content']}")
        return took

    def request(self, method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a request; what the server says meanwhile is left out."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return dict(message["result"])
        raise RuntimeError("The server ended.")

    def close(self) -> None:
        """End the server as an editor does."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


class Highest:
    """The highest private memory of a server and its children since the last look, in bytes."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._highest = 0
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def take(self) -> int:
        """Return the highest value, and begin anew."""
        highest, self._highest = self._highest, 0
        return highest

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(_INTERVAL):
            self._highest = max(self._highest, sum(memory.private for memory in family_memory(self._pid).values()))


def family_memory(pid: int) -> dict[int, MappedMemory]:
    """Return the memory of a process and its descendants by their numbers."""
    return {member: memory for member in family_of(pid) if (memory := mapped_memory(member)) is not None}


def questions(files: Sequence[Path], root: Path, chosen: random.Random) -> list[Question]:
    """Return one question of each kind, drawn from the files."""
    names: list[str] = []
    for file in chosen.sample(files, len(files)):
        names += _DECLARED.findall(file.read_text(errors="replace"))[:1]
        if len(names) == 2:
            break
    name, word = names
    folder = chosen.choice(files).parent.relative_to(root).as_posix()
    return [
        ("codebase_search", {"query": f"where is {word} created and how is it used"}),
        ("codebase_search", {"query": f"symbol = {name}"}),
        ("codebase_search", {"query": word, "mode": "literal"}),
        ("codebase_trace", {"symbol": name}),
        ("codebase_map", {"path": "" if folder == "." else folder}),
    ]


def change(file: Path, turn: int) -> None:
    """Move every line of a file in TypeScript or Java, and declare one more function that others may call."""
    text, end = file.read_text(), "export function benchmarkAdded{0}(value: number) {{ return value + {0} }}\n"
    if file.suffix == ".java":
        text, end = text[: text.rindex("}")], "public static int benchmarkAdded{0}(int value) {{ return value + {0}; }}\n}}\n"
    file.write_text(f"// {turn}\n{text}\n{end.format(turn)}")


def measure(client: Client, root: Path, seed: int, changes: int, rest: float) -> None:
    """Print the tables of one session."""
    chosen = random.Random(seed)
    files = sorted(path for path in root.rglob("*") if path.suffix in _SOURCES and ".astrolabe" not in path.parts)
    files = [path for path in files if "node_modules" not in path.parts and path.stat().st_size >= _MIN_SIZE]
    asked = questions(files, root, chosen)
    highest = Highest(client.pid)
    warm: list[float] = []
    after: list[float] = []

    def point(name: str) -> None:
        memory = family_memory(client.pid)
        server = memory.pop(client.pid)
        children = sum(child.private for child in memory.values())
        cells = (server.private, server.shared, children, max(highest.take(), server.private + children))
        print_row([name, *(f"{cell / 1e6:,.0f}" for cell in cells)])

    print_head(["point", "private", "shared", "private, children", "highest before"])
    time.sleep(START)
    point("at rest after the start")
    for question in asked:
        client.ask(question)
    point("after five questions")
    for _ in range(3):
        warm += [client.ask(question) for question in asked]
    time.sleep(rest)
    point(f"{rest:.0f} s later")
    for turn in range(1, changes + 1):
        change(chosen.choice(files), turn)
        after.append(client.ask(asked[0]))
        for question in asked[1:]:
            client.ask(question)
        point(f"after change {turn}")
    time.sleep(rest)
    point(f"{rest:.0f} s later")
    highest.end()
    print()
    print_head(["private memory of the server at rest", "MB"])
    for kind, size in sorted(private_kinds(client.pid).items(), key=lambda item: -item[1]):
        if size >= _SHOWN:
            print_row([kind, f"{size / 1e6:,.1f}"])
    warm_after = [client.ask(question) for _ in range(3) for question in asked]
    print()
    print_head(["answers", "median ms", "highest ms"])
    for name, values in (("warm", warm), ("after a change", after), ("warm, at the end", warm_after)):
        if values:
            print_row([name, f"{median(values):.0f}", f"{max(values):.0f}"])


def main(arguments: Sequence[str]) -> None:
    """Prints Markdown tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--command", default=f"{sys.executable} -P -m astrolabe")
    parser.add_argument("--changes", type=int, default=CHANGES, metavar="N")
    parser.add_argument("--rest", type=float, default=REST, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    command = shlex.split(options.command)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(options.folder, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        subprocess.run([*command, "index", str(root)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        client = Client(command, root)
        try:
            measure(client, root, options.seed, options.changes, options.rest)
        finally:
            client.close()


if __name__ == "__main__":
    main(sys.argv[1:])
