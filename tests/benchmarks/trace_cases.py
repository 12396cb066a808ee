"""Finds fixes whose commits tell the stack trace: `python tests/benchmarks/trace_cases.py FOLDER [--most 10] REPOSITORY...`.

REPOSITORY is a Git repository. Of the message of a commit, only the trace is kept, with the error that stands above or below its
frames: the rest tells what was fixed. A commit counts if it changes one to six sources outside of tests, and if a frame names a
file of the repository as it was before. Writes each trace into FOLDER, and the file `cases.tsv` that `suspect_quality.py` reads.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from suspect_quality import TEST, changed_lines

#: Most sources that a fix changes; those with more change other things as well.
MAX_SOURCES = 6
#: Fewest frames of a trace.
MIN_FRAMES = 2
_FRAMES = {
    "python": re.compile(r'^\s*File "[^"]+", line \d+'),
    "java": re.compile(r"^\s*at [\w.$/<>]+\(\w+\.(?:java|kt):\d+\)"),
    "go": re.compile(r"^\s+\S+\.go:\d+(?: \+0x|$)|^\S+\(.*\)$|^goroutine \d+ \["),
    "typescript": re.compile(r"^\s*at .*\S+\.(?:m?[jt]sx?|c[jt]s|vue|svelte):\d+(?::\d+)?\)?\s*$"),
}
#: Frames of Go stand on two lines, only one of which names a file.
_GO_FILE = re.compile(r"^\s+\S+\.go:\d+")
#: Names of files in frames.
_FILE = re.compile(r"([\w.-]+)\.(?:py|java|kt|go|m?[jt]sx?|c[jt]s|vue|svelte)\b")
_ERROR = re.compile(r"(?:Error|Exception|Throwable|Failure|panic|fatal|Caused by|Traceback)\b|: ")
_PROSE = re.compile(r"^\s*(?:\w+[-\w]*:\s*$|Fixes|Closes|Signed-off-by|Co-authored-by)", re.IGNORECASE)


def trace_in(message: str) -> tuple[str, str] | None:
    """Return the language of the stack trace in a message, and the trace; None if it has none."""
    lines = message.splitlines()
    for language, frame in _FRAMES.items():
        places = [number for number, line in enumerate(lines) if frame.match(line)]
        files = [number for number in places if _GO_FILE.match(lines[number])] if language == "go" else places
        if len(files) < MIN_FRAMES:
            continue
        first, last = places[0], places[-1]
        while first > 1 and lines[first - 1].strip() and not _PROSE.match(lines[first - 1]) and places[0] - first < 3:
            first -= 1
        first = next((number for number in range(first, places[0]) if _ERROR.search(lines[number])), places[0])
        if language == "python":  # the code of the last frame and the error stand below it
            last = next((at for at in range(last + 1, min(last + 4, len(lines))) if _ERROR.search(lines[at])), last)
        return language, "\n".join(lines[first : last + 1]) + "\n"
    return None


def fixes(repository: str) -> Iterator[tuple[str, str, str]]:
    """Yield the commits of a repository that tell a stack trace, the newest first, with the language and the trace."""
    command = ["git", "-C", repository, "log", "--no-merges", "--format=%x1e%H%x1f%B"]
    log = subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")
    traces: set[str] = set()
    for record in log.split("\x1e")[1:]:
        commit, _, message = record.partition("\x1f")
        found = trace_in(message)
        if found is None or found[1] in traces or message.startswith("Revert"):
            continue
        changed = {path for path, _, _ in changed_lines(repository, commit)}
        if 1 <= len(changed) <= MAX_SOURCES and leads_into(repository, commit, found[1]):
            traces.add(found[1])
            yield commit, *found


def leads_into(repository: str, commit: str, trace: str) -> bool:
    """Return whether a frame of a trace has the name of a source that the repository had before a commit."""
    command = ["git", "-C", repository, "ls-tree", "-r", "--name-only", f"{commit}^"]
    paths = subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace").splitlines()
    names = {match[1] for path in paths if (match := _FILE.fullmatch(path.rpartition("/")[2])) and not TEST.search(path)}
    return any(match[1] in names for match in _FILE.finditer(trace))


def main() -> None:
    """Write the cases of all repositories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--most", type=int, default=10, help="cases of each repository")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    cases: list[str] = []
    for repository in options.repositories:
        for number, (commit, language, trace) in enumerate(fixes(repository)):
            if number == options.most:
                break
            path = options.folder / f"{language}-{Path(repository).name}-{commit[:8]}.txt"
            path.write_text(trace)
            cases.append(f"{repository}\t{commit}\t{path}\n")
    (options.folder / "cases.tsv").write_text("".join(cases))


if __name__ == "__main__":
    main()
