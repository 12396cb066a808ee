"""Run the tests of a Go repository and record which of its functions make which statements of SQL.

    python go_statements.py ROOT RECORD PACKAGE [ARGUMENTS...]

`go test` runs with a copy of the file of `database/sql` that hands statements to drivers, so every library above that package is
recorded, and nothing in the repository changes. RECORD gets a line of JSON for each pair: the statement, and the path, the line
and the name of the nearest function of the repository on the stack. The line is that of the call. Statements of migrations that
Goose or migrate runs do not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_FILE = "src/database/sql/ctxutil.go"
_IMPORTS = ("encoding/json", "os", "runtime", "strings", "sync")
_FUNCTIONS = ("Prepare", "Exec", "Query")
_RECORD = """
var (
	recordLock sync.Mutex
	recordFile *os.File
)

// recordStatement writes a statement and the nearest function of the repository.
func recordStatement(query string) {
	root := os.Getenv("STATEMENT_ROOT")
	var counters [200]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters[:])])
	for more := root != ""; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if strings.Contains(frame.Function, "/goose") || strings.Contains(frame.Function, "/golang-migrate/") {
			return
		}
		if !strings.HasPrefix(frame.File, root) || strings.Contains(frame.File, "/vendor/") {
			continue
		}
		line, _ := json.Marshal([]any{query, []any{frame.File[len(root):], frame.Line, frame.Function}})
		recordLock.Lock()
		defer recordLock.Unlock()
		if recordFile == nil {
			recordFile, _ = os.OpenFile(os.Getenv("STATEMENT_RECORD"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		}
		recordFile.Write(append(line, '\\n'))
		return
	}
}
"""


def recording(source: str) -> str:
    """Return the file of `database/sql` with a call of the recorder in each function that hands over a statement."""
    source = source.replace("import (\n", "import (\n" + "".join(f'\t"{name}"\n' for name in _IMPORTS), 1)
    for name in _FUNCTIONS:
        start = source.index("{\n", source.index(f"func ctxDriver{name}(")) + 2
        source = source[:start] + "\trecordStatement(query)\n" + source[start:]
    return source + _RECORD


def main() -> None:
    """Run the tests."""
    root, target, *arguments = sys.argv[1:]
    record = Path(target).resolve()
    record.unlink(missing_ok=True)
    go_root = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True, cwd=root).stdout.strip()
    original = Path(go_root) / _FILE
    with tempfile.TemporaryDirectory() as folder:
        changed, overlay = Path(folder) / "ctxutil.go", Path(folder) / "overlay.json"
        changed.write_text(recording(original.read_text("utf-8")), "utf-8")
        overlay.write_text(json.dumps({"Replace": {str(original): str(changed)}}), "utf-8")
        environment = {**os.environ, "STATEMENT_ROOT": f"{Path(root).resolve()}/", "STATEMENT_RECORD": str(record)}
        command = ["go", "test", "-count=1", f"-overlay={overlay}", *arguments]
        subprocess.run(command, cwd=root, env=environment, check=False)
    lines = dict.fromkeys(record.read_text("utf-8").splitlines()) if record.exists() else {}
    record.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
