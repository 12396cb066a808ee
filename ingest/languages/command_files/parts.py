"""Find the parts of a file of commands: targets and variables of a Makefile, stages of a Dockerfile, jobs of a workflow.

The forms follow https://www.gnu.org/software/make/manual/make.html and https://docs.docker.com/reference/dockerfile/.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....schema.records import Problem
from ...contracts.declarations import ContractSyntaxError
from ...contracts.yaml_tree import YamlNode, yaml_tree


class Part(NamedTuple):
    """A part of a file. Lines count from 1, and comments directly above a part belong to it."""

    kind: str
    name: str
    first: int
    line: int
    last: int
    signature: str
    doc: str = ""


#: A rule: `build test: vendor`. An assignment for a target (`test: DEBUG = 1`) has no recipe of its own.
_RULE: Final = re.compile(
    r"(?!(?:ifn?eq|vpath|[s-]?include|load)\b)(?P<name>(?:\$\([^\s()]*\)|\$\{[^\s{}]*\}|[^\s#:=()$])++)[^#:=\n]*+::?(?![:=])"
)
_ASSIGNMENT: Final = re.compile(r"(?:(?:export|override)[ \t]+)*(?P<name>[^\s#:=?+!]++)[ \t]*+(?:[?+!]|:{1,3})?=")
_DEFINITION: Final = re.compile(r"(?:override[ \t]+)?define[ \t]+(?P<name>[^\s=?:+]+)")
_STAGE: Final = re.compile(r"FROM[ \t]+(?:--\S+[ \t]+)*(?P<image>\S+)(?:[ \t]+AS[ \t]+(?P<name>\S+))?", re.IGNORECASE)
_MAX_SIGNATURE: Final = 2_000
#: Keys of the root whose entries are jobs.
_HOLDERS: Final = ("jobs", "services", "tasks")
#: Keys of which a job at the root of a workflow has at least one.
_OF_JOBS: Final = ("script", "steps", "commands", "run", "before_script")


def parts_of_makefile(lines: Sequence[str]) -> Iterator[Part]:
    """Yield the targets and the variables of a Makefile."""
    ends = [at + 1 for at, line in enumerate(lines) if line.startswith("endef")]
    at = 0
    while at < len(lines):
        line = lines[at]
        kind, named = _of_makefile(line)
        if named is None:
            at += 1
            continue
        place = bisect_left(ends, at) if named.re is _DEFINITION else len(ends)
        end = ends[place] if place < len(ends) else _end_of_recipe(lines, at, kind)
        if kind == "target" and named["name"].startswith(".") and "/" not in named["name"]:
            at = end  # a special target such as `.PHONY`
            continue
        comment, doc = _comment(lines, at)
        if kind == "target" and not doc:
            doc = line.partition("##")[2].strip()
        signature = line.partition("##")[0].rstrip(" \t\\:=")[:_MAX_SIGNATURE]
        yield Part(kind, named["name"], comment + 1, at + 1, end, signature, doc)
        at = end


def parts_of_dockerfile(lines: Sequence[str]) -> Iterator[Part]:
    """Yield the stages of a Dockerfile."""
    starts = [(at, found) for at, line in enumerate(lines) if (found := _STAGE.match(line.strip())) is not None]
    for number, (at, found) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(lines)
        end = _comment(lines, end)[0] if end < len(lines) else end
        comment, doc = _comment(lines, at)
        last = _last_with_text(lines, at, end)
        yield Part("stage", found["name"] or found["image"], comment + 1, at + 1, last, lines[at].strip()[:_MAX_SIGNATURE], doc)


def parts_of_workflow(text: str, lines: Sequence[str], problems: list[Problem]) -> Iterator[Part]:
    """Yield the jobs of a workflow."""
    try:
        root = yaml_tree(text)
    except ContractSyntaxError as error:
        problems.append(Problem(error.line, str(error)))
        return
    last = 0
    for name, line, node in sorted(_jobs(root), key=lambda each: each[1]):
        if line > last:
            last = min(max(line, node.end_line), len(lines))
            yield Part("job", name, line, line, last, name[:_MAX_SIGNATURE])


def _jobs(root: YamlNode) -> Iterator[tuple[str, int, YamlNode]]:
    for holder in _HOLDERS:
        yield from root.entries_of(holder)
    for name, (line, node) in root.entries.items():
        if name not in _HOLDERS and any(key in node.entries for key in _OF_JOBS):
            yield name, line, node


def _of_makefile(line: str) -> tuple[str, re.Match[str] | None]:
    """Return the kind of the part that a line begins, and the match with its name."""
    if line.startswith(("\t", " ", "#")):
        return "", None
    for kind, form in (("variable", _DEFINITION), ("variable", _ASSIGNMENT), ("target", _RULE)):
        named = form.match(line)
        if named is not None:
            return kind, named
    return "", None


def _end_of_recipe(lines: Sequence[str], at: int, kind: str) -> int:
    """Return the number of the last line of a rule or of an assignment that begins at an index."""
    end = at + 1
    while end <= len(lines) and lines[end - 1].endswith("\\") and end < len(lines):
        end += 1
    last = end
    while kind == "target" and end < len(lines) and (lines[end].startswith("\t") or not lines[end].strip()):
        end += 1
        while lines[end - 1].endswith("\\") and end < len(lines):
            end += 1
        last = end if lines[end - 1].strip() else last
    return last


def _comment(lines: Sequence[str], at: int) -> tuple[int, str]:
    """Return the index of the first line of the comment directly above a line, and its text.

    A comment at the beginning of a file describes the file, so it does not count.
    """
    first = at
    while first > 0 and lines[first - 1].startswith("#"):
        first -= 1
    if first == 0:
        return at, ""
    return first, "\n".join(each.strip("# \t") for each in lines[first:at])


def _last_with_text(lines: Sequence[str], at: int, end: int) -> int:
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    return end
