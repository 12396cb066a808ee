"""Parse stack traces in any text, such as an issue, a log or terminal output.

Known formats are CPython and pytest, V8, Firefox and Safari, Go, the JVM, Rust, Ruby, PHP, .NET, Lua, and debuggers and
sanitizers for C, C++ and Swift. Each line is parsed separately, so other text around and between frames is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from .frames import Failure, Frame
from .function_names import names_of

#: Maximum number of characters of a line. Longer lines are printed data, and are skipped.
_MAX_LINE = 1_000
#: Maximum number of lines of a text.
_MAX_LINES = 20_000

#: Name of the error for both accesses of a data race. Neither access is the cause of the other.
DATA_RACE = "data race"

#: A path that ends with line and column, `:12:5`, or with a line, `:12`.
_PLACE = re.compile(r"^(?P<path>.*?[^:]):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?$")
_PYTHON = re.compile(r'^File "(?P<path>[^"]+)", line (?P<line>\d{1,9})(?:, in(?: (?P<function>.+))?)?$')
#: A function name on a separate line, because an email program wrapped the line of the frame.
_WRAPPED = re.compile(r"<?[A-Za-z_][\w.]*>?")
_PYTEST = re.compile(r"^(?P<path>[^\s:]+\.py):(?P<line>\d{1,9}): in (?P<function>\S+)$")
_GO = re.compile(r"^(?P<path>\S.*\.(?:go|s)):(?P<line>\d{1,9})(?: \+0x[0-9a-f]+(?: (?:fp|sp|pc)=0x[0-9a-f]+)*)?$")
_GO_FUNCTION = re.compile(
    r"^(?:created by )?(?P<function>[\w./\-@~%]+(?:\(\*?[\w\[\]., ]+\)\.[\w.\[\]\-·]*)?(?:\[\.\.\.\][\w.]*)?)"
    r"(?:\(.*\))?(?: in goroutine \d+)?$"
)
#: The first line of a call of Go whose arguments go on in the next line, because an email program wrapped the line.
_GO_WRAPPED = re.compile(r"^(?P<function>[\w./\-@~%]+(?:\(\*?[\w\[\]., ]+\)\.[\w.\[\]\-·]*)?)\((?:0x|\{)[0-9a-fx?_{}., ]*,$")
_GO_ARGUMENTS = re.compile(r"^(?:0x|\{|\.\.\.)[0-9a-fx?_{}., ]*[,)]$")
_RUST_FUNCTION = re.compile(r"^\d{1,4}:\s+(?:0x[0-9a-f]+ - )?(?P<function>\S.*)$")
_RUST_PANIC = re.compile(
    r"^thread '.*' (?:\(\d+\) )?panicked at (?:'(?P<message>.*)', )?(?P<path>[^\s']+?):(?P<line>\d{1,9}):(?P<column>\d{1,9}):?$"
)
_RUBY = re.compile(
    r"^(?:from |\d+: from )?(?P<path>[^\s:'\"]+):(?P<line>\d{1,9}):in [`'](?P<function>[^']+)'(?:: (?P<message>.*))?$"
)
_RUBY_ERROR = re.compile(r"^(?P<message>.*) \((?P<error>[A-Z][\w:]*)\)$")
_PHP = re.compile(r"^#\d{1,4} (?P<path>.+?)\((?P<line>\d{1,9})\): (?P<function>[^(]+)\(")
_PHP_ERROR = re.compile(
    r"(?:Uncaught )?(?P<error>[\w\\]*(?:Error|Exception))(?:: (?P<message>.*?))? in (?P<path>/\S+?|[A-Z]:\\\S+?)"
    r"(?::| on line )(?P<line>\d{1,9})$"
)
_CSHARP = re.compile(r"^(?P<function>\S.*\)) (?:\[0x[0-9a-f]+\] )?in (?P<path>.+):(?:line )?(?P<line>\d{1,9})\s*$")
_NATIVE = re.compile(
    r"^#\d{1,4}\s+(?:0x[0-9a-f]+ )?in (?P<function>.+?)(?: \(.*\))?(?: at)? (?P<path>[^\s()]+?):(?P<line>\d{1,9})"
    r"(?::(?P<column>\d{1,9}))?$"
)
_NATIVE_BARE = re.compile(r"^#\d{1,4}\s+(?P<function>[\w:~<>]+) \(.*\) at (?P<path>[^\s()]+?):(?P<line>\d{1,9})$")
#: The archive of a class after a frame, from loggers of the JVM: `~[spring-web-6.2.jar:6.2]`.
_ARCHIVE = re.compile(r"\) ~?\[[^\[\]]*\]$")
#: The name of a service before each line, from runners of several programs: `api-1 | `.
_SERVICE = re.compile(r"^[\w.-]{1,60} {0,20}\| ")
_LUA = re.compile(r"^(?P<path>[^\s:]+\.lua):(?P<line>\d{1,9}): in (?P<function>.+)$")
_FIREFOX = re.compile(r"^(?P<function>[^\s@]*)@(?P<path>[\w.+-]+:/{2,3}.+?|/.+?):(?P<line>\d{1,9}):(?P<column>\d{1,9})$")

_ERROR = re.compile(
    r"^(?:Uncaught |Unhandled exception\. |Exception in thread \"[^\"]*\" |Caused by: |E\s+)?(?:\(in promise\) )?"
    r"(?P<error>[A-Za-z_][\w.$\\]*?(?:Error|Exception|Warning|Interrupt|Exit|Failure|Throwable|Fault)\w*)"
    r"(?: \[\w+\])?(?::\s*(?P<message>.*))?$"
)
#: The two accesses of a data race, and where their goroutines began, in a report of Go's race detector.
_GO_ACCESS = re.compile(r"^(?:Previous )?(?:atomic )?(?:read|write) at 0x[0-9a-f]+ by (?:main )?goroutine\b.*:$", re.IGNORECASE)
_GO_CREATED = re.compile(r"^Goroutine \d+ \(\w+\) created at:$")
_GO_PANIC = re.compile(r"^(?:panic: |fatal error: |.*\bpanic: )(?P<message>.+)$")
#: The last line of a Python traceback with a class of any name: `astroid.exceptions.InferenceProblem: message`.
_PYTHON_ERROR = re.compile(r"^(?P<error>[A-Za-z_][\w.]*)(?::\s(?P<message>.*))?$")
#: First line of a Python traceback, in which the innermost frame is the last frame.
_PYTHON_HEAD = "Traceback (most recent call last)"
_CAUSE = "The above exception was the direct cause of the following exception"
_CONTEXT = "During handling of the above exception, another exception occurred"


@dataclass(slots=True)
class _Group:
    error: str = ""
    message: str = ""
    frames: list[Frame] = field(default_factory=list)
    innermost_last: bool = False
    #: Whether the previous group is the cause of this group.
    has_cause_before: bool = False
    #: Whether this group is the cause of the previous group.
    is_cause: bool = False
    #: Whether the error was raised while the error of the previous group was handled.
    is_in_handler: bool = False
    #: Whether the code of the last frame is a `raise` statement.
    is_raised: bool = False

    def failure(self) -> Failure:
        frames = self.frames[::-1] if self.innermost_last else self.frames
        return Failure(self.error.rpartition(".")[2].rpartition("\\")[2], self.message.strip(), tuple(frames))


def read_failures(text: str) -> list[Failure]:
    """Return the failures in a text with their frames, in linear time. The root cause and the innermost frame come first."""
    reader = _Reader()
    for line in text.splitlines()[:_MAX_LINES]:
        if len(line) <= _MAX_LINE:
            reader.read(line)
    return [group.failure() for group in reader.ordered()]


def text_before_frames(text: str) -> str:
    """Return the lines of a text before its first frame, or the whole text if it has no frame, in linear time."""
    lines = text.splitlines()[:_MAX_LINES]
    for number, line in enumerate(lines):
        reader = _Reader()
        if len(line) <= _MAX_LINE:
            reader.read(line)
        if reader.groups[-1].frames:
            return "\n".join(lines[:number])
    return text


class _Reader:
    def __init__(self) -> None:
        self.groups: list[_Group] = [_Group()]
        #: Function name on the previous line, for runtimes that print the place on the next line.
        self._function = ""
        self._next_has_cause = False
        self._next_is_in_handler = False
        #: Whether the next line may be the function name of the last frame, and whether it may be the code of the last frame.
        self._name_follows = self._code_follows = False
        #: Indentation of the last frame. The line of a Python error is indented less.
        self._indent = 0

    def read(self, line: str) -> None:
        line = _SERVICE.sub("", line)
        stripped = line.strip().lstrip("│|>").strip()
        if not stripped:
            return
        if self._of_frame(stripped):
            return
        if stripped.startswith(_PYTHON_HEAD):
            self._open(innermost_last=True)
        elif stripped.startswith(_CAUSE):
            self._next_has_cause = True
        elif stripped.startswith(_CONTEXT):
            self._next_is_in_handler = True
        elif (raised := _RUBY.match(stripped)) and raised["message"] and not stripped.startswith("from "):
            group = self._open()
            told = _RUBY_ERROR.match(raised["message"])
            group.message, group.error = (told["message"], told["error"]) if told else (raised["message"], "")
            group.frames.append(_frame_of(raised.groupdict()))
        elif (frame := self._frame(stripped)) is not None:
            self._indent = len(line) - len(line.lstrip())
            is_python = stripped.startswith('File "')
            self._add(frame, innermost_last=is_python or bool(_PYTEST.match(stripped)))
            self._name_follows, self._code_follows = is_python and stripped.endswith(", in"), is_python
        elif not self._error(line, stripped):
            if not (self._function and _GO_ARGUMENTS.match(stripped)):
                self._function = self._pending(stripped)
            return
        self._function = ""

    def _of_frame(self, line: str) -> bool:
        """Read a wrapped name or a `raise` statement of the last Python frame, and return whether the line contains either."""
        is_name, is_code = self._name_follows, self._code_follows
        self._name_follows = self._code_follows = False
        if is_name and _WRAPPED.fullmatch(line):
            frames = self.groups[-1].frames
            frames[-1] = msgspec.structs.replace(frames[-1], names=names_of(line))
            self._code_follows = True
            return True
        if is_code and line.startswith("raise "):
            self.groups[-1].is_raised = True
            return True
        return False

    def ordered(self) -> list[_Group]:
        """Return the groups with frames or errors; causes come before their effects."""
        found: list[_Group] = []
        for group in self.groups:
            if not group.frames and not group.error and not group.message:
                continue
            # A `raise` statement in a handler rephrases the handled error. Any other error in a handler is a separate failure.
            is_repeated = group.has_cause_before or (group.is_in_handler and group.is_raised)
            if group.is_cause:
                found.insert(0, group)
            elif is_repeated or not group.innermost_last:
                found.append(group)
            else:
                found.insert(0, group)
        return found

    def _open(self, *, innermost_last: bool = False, is_cause: bool = False) -> _Group:
        group = _Group(
            innermost_last=innermost_last,
            is_cause=is_cause,
            has_cause_before=self._next_has_cause,
            is_in_handler=self._next_is_in_handler,
        )
        self._next_has_cause = self._next_is_in_handler = False
        self.groups.append(group)
        return group

    def _add(self, frame: Frame, *, innermost_last: bool) -> None:
        group = self.groups[-1]
        if innermost_last and (not group.innermost_last or group.error) and (group.frames or group.error):
            group = self._open(innermost_last=True)
        group.innermost_last = group.innermost_last or innermost_last
        group.is_raised = False
        group.frames.append(frame)

    def _frame(self, line: str) -> Frame | None:
        if line.startswith("at "):
            return self._at(_ARCHIVE.sub(")", line[3:]))
        for pattern in _LINES:
            if found := pattern.match(line):
                return _frame_of(found.groupdict(), self._function if pattern is _GO else "")
        return None

    def _at(self, text: str) -> Frame | None:
        """Return the frame of a line that begins with `at`, from V8, the JVM, .NET, or Rust (with the function on the previous
        line).
        """
        if found := _CSHARP.match(text):
            return _frame_of(found.groupdict())
        if text.endswith(")"):
            function, _, inside = text[:-1].rpartition("(")
            place = _PLACE.match(inside)
            if place is None or not function:
                return None
            if "." in function and not place["column"] and "/" not in inside and "\\" not in inside:
                return _jvm_frame(function.strip(), place["path"], int(place["line"]))
            return _frame_of({**place.groupdict(), "function": function})
        place = _PLACE.match(text.removeprefix("async "))
        return _frame_of(place.groupdict(), self._function) if place else None

    def _error(self, line: str, stripped: str) -> bool:
        """Record the error in a line, and return whether there is an error."""
        group = self.groups[-1]
        if found := _RUST_PANIC.match(stripped):
            group = self._open()
            group.error, group.message = "panic", found["message"] or ""
            group.frames.append(_frame_of(found.groupdict()))
            return True
        if group.error == "panic" and not group.message and len(group.frames) == 1:
            group.message = stripped
            return True
        if found := _PHP_ERROR.search(stripped):
            group = self._open()
            group.error, group.message = found["error"], found["message"] or ""
            group.frames.append(_frame_of({"path": found["path"], "line": found["line"]}))
            return True
        if _GO_ACCESS.match(stripped):
            self._open().error = DATA_RACE
            return True
        if _GO_CREATED.match(stripped):
            self._open()
            return True
        if (found := _GO_PANIC.match(stripped)) and not group.innermost_last:
            self._open().message = found["message"]
            return True
        if group.innermost_last and group.frames and not group.error:
            is_last = len(line) - len(line.lstrip()) < self._indent or stripped.startswith("E   ")
            is_last = is_last or (self._indent == 0 and _ERROR.match(stripped) is not None)  # a copy without indentation
            if is_last and (found := _PYTHON_ERROR.match(stripped.removeprefix("E   "))):
                group.error, group.message = found["error"], found["message"] or ""
                return True
        elif found := _ERROR.match(stripped):
            is_cause = stripped.startswith("Caused by: ")
            group = self._open(is_cause=is_cause)
            group.error, group.message = found["error"], found["message"] or ""
            return True
        return False

    def _pending(self, line: str) -> str:
        found = _RUST_FUNCTION.match(line) or _GO_FUNCTION.match(line) or _GO_WRAPPED.match(line)
        return found["function"] if found else ""


#: Formats of a frame on one line; the first format that matches is used.
_LINES: Sequence[re.Pattern[str]] = (
    _PYTHON, _PYTEST, _GO, _RUBY, _PHP, _LUA, _NATIVE, _NATIVE_BARE, _FIREFOX,
)  # fmt: skip


def _frame_of(found: dict[str, str | None], function: str = "") -> Frame:
    written = found.get("function") or function
    return Frame(
        _clean(found["path"] or ""), int(found["line"] or 0), int(found.get("column") or 0), names_of(written) if written else ()
    )


def _jvm_frame(function: str, file: str, line: int) -> Frame:
    """Return a frame of the JVM, with a path that is derived from the package of the class."""
    qualified = function.rpartition("/")[2]
    folder = "/".join(part for part in qualified.split(".")[:-1] if part[:1].islower() and "$" not in part)
    return Frame(f"{folder}/{file}" if folder else file, line, 0, names_of(qualified))


_SCHEME = re.compile(r"^(?:file|https?|webpack|webpack-internal|app|capacitor|ng):/{2,3}(?:[^/]*?:\d+/)?")


def _clean(path: str) -> str:
    """Return a path with forward slashes, without the scheme, host and query of a URL."""
    plain = _SCHEME.sub("", path.strip().strip("'\"")).replace("\\", "/")
    return re.sub(r"\?.*$|^(?:\./)+|^\(\w+\)/(?:\./)*", "", plain)
