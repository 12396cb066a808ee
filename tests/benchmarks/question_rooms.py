"""Prints the rooms that run for one question: `python tests/benchmarks/question_rooms.py FOLDER QUESTION [--after QUESTION]`.

FOLDER must be indexed, and the package must run as plain Python, because compiled code reports no calls. A room is a folder of
the package. A way back is a call from one room into another room that already led to the first. The question is also asked
before, in another workspace, so that the measured question loads no modules. With `--after`, another question was asked in the
measured workspace, so that the caches of the index are filled.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import astrolabe
from astrolabe.retrieval.search import SearchEngine

_PACKAGE = Path(astrolabe.__file__).resolve().parent


class Route:
    """The rooms and modules that a traced call runs, and the calls between rooms."""

    def __init__(self) -> None:
        self.rooms: dict[str, int] = {}
        self.modules: set[str] = set()
        #: Names of the called functions, by (room of the caller, room of the function), in the order of the first calls.
        self.calls: dict[tuple[str, str], set[str]] = {}
        self._stack: list[str | None] = []

    def trace(self, frame: FrameType, event: str, _: Any) -> None:
        """Record a call or a return, as `sys.setprofile` reports it."""
        if event == "return" and self._stack:
            self._stack.pop()
        elif event == "call":
            self._stack.append(self._enter(frame))

    def ways_back(self) -> list[tuple[str, str]]:
        """Return the pairs of rooms whose call closes a circle, when calls are added in the order in which they first ran."""
        forward: dict[str, set[str]] = defaultdict(set)
        back = []
        for caller, callee in self.calls:
            if _leads(forward, callee, caller):
                back.append((caller, callee))
            else:
                forward[caller].add(callee)
        return back

    def _enter(self, frame: FrameType) -> str | None:
        """Record a call, and return the room of the function; None outside of the package."""
        code = frame.f_code
        path = Path(code.co_filename)
        if not path.is_absolute() or not path.resolve().is_relative_to(_PACKAGE):
            return None
        module = path.resolve().relative_to(_PACKAGE)
        room = module.parent.as_posix()
        self.modules.add(module.as_posix())
        self.rooms[room] = self.rooms.get(room, 0) + 1
        caller = next((each for each in reversed(self._stack) if each is not None), None)
        # A generator or a lambda runs where its values are needed, and not where it was called.
        is_call = not code.co_flags & inspect.CO_GENERATOR and not code.co_name.startswith("<")
        if caller is not None and caller != room and is_call:
            self.calls.setdefault((caller, room), set()).add(code.co_qualname)
        return room


def _leads(forward: dict[str, set[str]], start: str, target: str) -> bool:
    """Return whether calls lead from one room to another."""
    seen, waiting = {start}, [start]
    while waiting:
        room = waiting.pop()
        if room == target:
            return True
        new = forward[room] - seen
        seen |= new
        waiting += new
    return False


def route_of(folder: str, question: str, earlier: str | None) -> Route:
    """Return the route of a question through the package, from `SearchEngine.search` on."""
    route = Route()
    search = SearchEngine.search

    def traced(*arguments: Any, **named: Any) -> Any:
        sys.setprofile(route.trace)
        try:
            return search(*arguments, **named)
        finally:
            sys.setprofile(None)

    with astrolabe.open(folder) as workspace:
        workspace.search(question)
    with astrolabe.open(folder) as workspace:
        if earlier is not None:
            workspace.search(earlier)
        SearchEngine.search = traced  # type: ignore[method-assign]
        try:
            workspace.search(question)
        finally:
            SearchEngine.search = search  # type: ignore[method-assign]
    return route


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("question")
    parser.add_argument("--after")
    wanted = parser.parse_args()
    route = route_of(wanted.folder, wanted.question, wanted.after)
    for room, count in route.rooms.items():
        print(f"{count:>7,} {room}")
    back = route.ways_back()
    print(f"{len(route.rooms)} rooms, {len(route.modules)} modules, {len(back)} ways back")
    for pair in back:
        print(f"  {pair[0]} -> {pair[1]}: {', '.join(sorted(route.calls[pair]))}")


if __name__ == "__main__":
    main()
