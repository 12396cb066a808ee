"""The context for fixing a bug, from an error message or a stack trace: suspects, the chain of calls, tests, history.

Suspects are ordered by points, and list the evidence for their points:

- a frame of the trace, with more points near the error;
- functions that an innermost frame calls on its failing line, or on an earlier line that assigns a variable of the failing line;
- overrides of these functions in files of the trace;
- functions that set a field which the failing line of an innermost frame reads;
- callers of the outermost frame, if the trace ends with the frame;
- functions on the shortest path of calls between two frames: a trace omits functions that were inlined or have returned;
- declarations whose name is in the message, or that contain a name of the message as a string, in a file of the trace;
- functions of the source file, if a frame has no function name and its line is a line of a built file;
- code that contains the qualified name of the innermost frame's type as a string, such as a configuration of the type;
- code with the path of the outermost frame's file in a string: the code may load the file, for example as a worker;
- code that calls the package of a frame, or that contains the name of the package as a string, if all frames are in packages;
- results of a search for the message; without a trace, these results are decisive;
- changes of the last commits; these only order suspects with similar points.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ....retrieval.stack_traces.frame_parsing import DATA_RACE, read_failures, text_before_frames
from ....retrieval.stack_traces.frames import Failure
from ....retrieval.stack_traces.source_maps import built_file, source_map
from ....retrieval.stack_traces.symbols import FoundFrame, FrameFinder
from ....schema.errors import UsageError
from ..graph_tools.composition import GraphTools
from ..graph_tools.entries import commit_entries
from ..graph_tools.records import Entry, GraphAnswer
from ..scopes.running import Nothing
from .asking import COMMITS
from .suspects import MAX_SUSPECTS, TESTED, Suspect, Suspects

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex

#: Maximum number of characters of an error.
MAX_CHARACTERS = 200_000
#: Maximum number of examined frames.
_FRAMES = 60
#: Number of search results if there is a trace.
_SEARCHED_RESULTS = 8

#: Quoted names in messages.
_QUOTED = re.compile(r"[`'\"\u2018\u201c]([A-Za-z_$][\w$]*(?:[.#:]{1,2}[\w$]+)*)[`'\"\u2019\u201d]")
#: Unquoted names in messages of runtimes, such as `x is not a function`.
_BARE = re.compile(
    r"\b([A-Za-z_$][\w$.]*) (?:is not a function|is not defined|is undefined|is null|is not iterable)"
    r"|undefined method `?(\w+)|\b(\w+)\(\) "
)
#: Names that are too frequent in messages to be evidence.
_COMMON = frozenset(
    ("NoneType", "None", "null", "undefined", "nil", "object", "str", "int", "float", "list", "dict", "tuple", "bool", "bytes")
) | {"type", "value", "name", "self", "this", "error"}


def bug_fix(workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> GraphAnswer:
    """Return the suspects of an error and the code around them. Raises UsageError for an empty text and for a too long text."""
    error = values["error"]
    if not error.strip():
        raise UsageError("`bug-fix` takes an error message or a stack trace in `error`.")
    if len(error) > MAX_CHARACTERS:
        raise UsageError(f"`bug-fix` reads at most {MAX_CHARACTERS:,} characters, not {len(error):,}.")
    failures = read_failures(error)
    names = {row.name for row in tools.repo.modules().to_list()}
    finder = FrameFinder(readers.graph, workspace.root, names)
    found = [finder.find(failure.frames[:_FRAMES]) for failure in failures]
    suspects = Suspects(tools, readers)
    chain = _chain(found)
    for failure, frames in zip(failures, found, strict=True):
        suspects.of_frames(frames, is_first=frames == chain or failure.error == DATA_RACE)
    between = suspects.between(chain)
    if chain:
        suspects.of_loaded(chain[-1])
        suspects.of_type(chain[0])
        if any(failure.frames and failure.frames[-1] is chain[-1].frame for failure in failures):
            suspects.of_callers(chain)
    else:
        outside = [frame for failure in failures for frame in failure.frames[:_FRAMES]]
        suspects.of_outside(outside)
        suspects.of_packages(finder.packages(outside))
    message = _message(failures, error)
    suspects.of_null(chain, message)
    names_told = _names(message)
    suspects.of_names(names_told, {frame.path for frame in chain})
    suspects.of_strings(names_told, [frame.path for frame in chain])
    results = _searched(workspace, message, leads_here=bool(chain))
    suspects.of_results([(result.id, result.score) for result in results if result.id], is_alone=not chain)
    ordered = suspects.ordered(workspace)
    first = [each.symbol.id for each in ordered[:TESTED]]
    around = tools.repo.symbols(id__in=first)
    return GraphAnswer(
        summary={
            "error": failures[0].error if failures else "",
            "frames": sum(len(failure.frames) for failure in failures),
            "framesInRepository": len(chain),
        },
        sections={
            "suspects": tuple(_entry(each) for each in ordered[:MAX_SUSPECTS]),
            "callChain": tuple(_frame_entry(frame) for frame in reversed(chain)),
            "between": tuple(between),
            "tests": tools.entries(around.tests(3).limit(30), reason="uses a suspect, over at most 3 calls") if first else (),
            "callers": tools.entries(around.callers().limit(30), reason="calls a suspect") if first else (),
            "recentChanges": _recent(workspace, ordered),
        },
        nothing=None
        if ordered
        else Nothing("bug-fix", "absent", "No frame, name or word of this error occurs in the code of the repository."),
    )


def source_maps_of(workspace: AnsweringIndex, values: Mapping[str, str]) -> str:
    """Return the paths, times and sizes of the source maps for the frames of an error: the index has no source maps."""
    frames = [frame for failure in read_failures(values["error"]) for frame in failure.frames[:_FRAMES] if frame.column]
    built = {path for frame in frames if (path := built_file(workspace.root, frame.path)) is not None}
    states = [(path, source_map(workspace.root, path).stat()) for path in sorted(built)]
    return repr([(path, state.st_mtime_ns, state.st_size) for path, state in states])


def _searched(workspace: AnsweringIndex, message: str, *, leads_here: bool) -> list[RankedResult]:
    """Return the search results for a message. If the trace has frames in the repository, less relevant results are included."""
    if not message.strip():
        return []
    words = message[:500]
    return list(workspace.search(words, limit=_SEARCHED_RESULTS) if leads_here else workspace.search(words, budget=1_000))


def _recent(workspace: AnsweringIndex, suspects: Sequence[Suspect]) -> tuple[Entry, ...]:
    paths = list(dict.fromkeys(each.symbol.relative_path for each in suspects[:TESTED]))
    return commit_entries(workspace, paths, COMMITS, "changed a suspect's file")


def _chain(found: Sequence[Sequence[FoundFrame]]) -> list[FoundFrame]:
    """Return the frames of the first error that has frames in the repository, the innermost first."""
    return next((list(frames) for frames in found if frames), [])


def _message(failures: Sequence[Failure], error: str) -> str:
    """Return the messages of the errors, or else the text before the first frame, or else the whole text."""
    told = " ".join(f"{failure.error} {failure.message}".strip() for failure in failures if failure.error or failure.message)
    return told or text_before_frames(error)


def _names(message: str) -> list[str]:
    written = _QUOTED.findall(message) + [name for names in _BARE.findall(message) for name in names]
    parts = [part for name in written for part in re.split(r"[.#:]+", name)]
    return [name for name in dict.fromkeys(parts) if len(name) > 2 and name not in _COMMON][:20]


def _entry(suspect: Suspect) -> Entry:
    symbol = suspect.symbol
    return Entry(
        symbol.qualified_name,
        symbol.kind,
        f"{symbol.relative_path}:{symbol.start_line}",
        score=round(suspect.points, 3),
        reason="; ".join(suspect.reasons),
    )


def _frame_entry(found: FoundFrame) -> Entry:
    symbol = found.symbol
    name = symbol.qualified_name if symbol is not None else found.path
    place = f"{found.path}:{found.line}" if found.line else found.path
    return Entry(name, symbol.kind if symbol is not None else "file", place)
