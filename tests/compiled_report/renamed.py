"""Prints over which programs resolution fails: `python -m tests.compiled_report.renamed [--programs N] [--seed S]`.

The programs are those of `tests/ingest/cases/resolve_carets`, with some of their names put in place of others. Such programs are
full of circles: classes that extend themselves, aliases of aliases, exports that lead back. Compiled code does not count its
frames, so endless recursion ends the process instead of raising an error. Run it with the compiled package. The exit code is 1
when a process ended, or when a question about types failed; the seed of each such program is printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

_CASES = Path(__file__).resolve().parents[1] / "ingest" / "cases" / "resolve_carets"
_NAME = re.compile(r"\b[A-Za-z_$][\w$]*\b")
_CARETS = re.compile(r"^\s*//[ /]*\^.*$", re.MULTILINE)
#: Words that stay, because a program of nothing but syntax errors has no circles.
_SYNTAX = """abstract any as async await boolean case class const declare default else enum export extends false for from
    function get if implements import in infer interface keyof let module namespace never new null number of package readonly
    require return satisfies set static string super switch this true type typeof undefined unknown using var void while yield
    exports"""
_WORDS = frozenset(_SYNTAX.split())


def programs() -> list[str]:
    """Return the workspaces of all case files, without what they assert."""
    texts = [path.read_text("utf-8") for path in sorted(_CASES.glob("*.txt"))]
    return [_CARETS.sub("", part) for text in texts for part in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]]


def renamed(random: Random, text: str) -> str:
    """Return a source in which some names are replaced by others of its names."""
    names = sorted(set(_NAME.findall(text)) - _WORDS)
    share = random.choice((0.05, 0.15, 0.3, 0.6))

    def other(match: re.Match[str]) -> str:
        return match[0] if match[0] in _WORDS or random.random() > share else random.choice(names)

    return _NAME.sub(other, text)


def resolve(first: int, last: int) -> None:
    """Resolve programs, and print the seed of each one, and its faults."""
    sys.path.insert(0, str(_CASES.parents[1]))
    sys.path.insert(0, str(_CASES.parents[2]))
    import test_resolve

    known = programs()
    for seed in range(first, last):
        random = Random(seed)
        files = test_resolve.files_of(random.choice(known))
        sources = {path: text if path.endswith(".json") else renamed(random, text) for path, text in files.items()}
        print(seed, flush=True)
        try:
            test_resolve.Resolved("".join(f"//- /{path}\n{text}\n" for path, text in sources.items()))
        except Exception as error:  # noqa: BLE001 - each is a finding
            print("fault", type(error).__name__, str(error).partition("\n")[0], flush=True)


def findings(first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the seed of each program over which resolution failed, and how."""
    while first < last:
        command = [sys.executable, "-m", "tests.compiled_report.renamed", "--from", str(first), "--to", str(last)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, cwd=_CASES.parents[3])
        seed = first
        for line in done.stdout.splitlines():
            if line.startswith("fault "):
                yield seed, line
            else:
                seed = int(line)
        if done.returncode == 0:
            return
        yield seed, f"the process ended with {done.returncode}"
        first = seed + 1


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first program")
    parser.add_argument("--from", type=int, dest="first", help=argparse.SUPPRESS)
    parser.add_argument("--to", type=int, dest="last", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.first is not None:
        resolve(options.first, options.last)
        return 0
    found = list(findings(options.seed, options.seed + options.programs))
    for seed, told in found:
        print(f"seed {seed}: {told}")
    print(f"{options.programs:,} programs: {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
