"""Run the tests of a Go repository and record which of its functions make which statements of SQL.

    python go_statements.py ROOT RECORD PACKAGE [ARGUMENTS...]

`go test` runs with a copy of the file of `database/sql` that hands statements to drivers, and with a copy of pgx, so every
library above these packages is recorded, and nothing in the repository changes. RECORD gets a line of JSON for each pair: the
statement, and the path, the line and the name of the nearest function of the repository on the stack. The line is that of the
call. Statements of migrations that Goose or migrate runs do not count.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_FILE = "src/database/sql/ctxutil.go"
_IMPORTS = ("encoding/json", "os", "runtime", "strings", "sync")
#: A library for PostgreSQL that does not need `database/sql`. It is read after `go mod download`.
_PGX = "github.com/jackc/pgx/v5"
#: Heads of the functions that hand over a statement, in `database/sql` and in pgx.
_FUNCTIONS = ("func ctxDriverPrepare(", "func ctxDriverExec(", "func ctxDriverQuery(")
_PGX_FUNCTIONS = ("func (c *Conn) Exec(", "func (c *Conn) Query(")
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


def recording(source: str, functions: Sequence[str] = _FUNCTIONS, query: str = "query") -> str:
    """Return a file of a package with a call of the recorder in each function that hands over a statement."""
    missing = [name for name in _IMPORTS if f'\t"{name}"\n' not in source]
    source = source.replace("import (\n", "import (\n" + "".join(f'\t"{name}"\n' for name in missing), 1)
    for head in functions:
        start = source.index("{\n", source.index(head)) + 2
        source = source[:start] + f"\trecordStatement({query})\n" + source[start:]
    return source + _RECORD


def pgx_modules(root: str, folder: Path) -> list[str]:
    """Return the arguments by which `go` uses a copy of pgx with the recorder; none if the repository does not use pgx."""
    command = ["go", "list", "-m", "-f", "{{.Dir}}", _PGX]
    original = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root).stdout.strip()
    if not original:
        return []
    copy = Path(shutil.copytree(original, folder / "pgx", copy_function=shutil.copyfile))
    copy.chmod(0o755)
    connections = (copy / "conn.go").read_text("utf-8")
    (copy / "conn.go").write_text(recording(connections, _PGX_FUNCTIONS, "sql"), "utf-8")
    for name in ("go.mod", "go.sum"):
        shutil.copyfile(Path(root) / name, folder / name)
    with (folder / "go.mod").open("a", encoding="utf-8") as stream:
        stream.write(f"\nreplace {_PGX} => {copy}\n")
    return [f"-modfile={folder / 'go.mod'}"]


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
        command = ["go", "test", "-count=1", f"-overlay={overlay}", *pgx_modules(root, Path(folder)), *arguments]
        subprocess.run(command, cwd=root, env=environment, check=False)
    lines = dict.fromkeys(record.read_text("utf-8").splitlines()) if record.exists() else {}
    record.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
