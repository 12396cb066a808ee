"""Run a program of Java or Kotlin, such as the tests of a repository, and record which methods make which statements of SQL.

    python java_statements.py ROOT RECORD mvn test [ARGUMENTS...]

The program runs in ROOT, and each of its Java processes loads the agent of `StatementRecorder.java`, which changes the classes of
JDBC drivers in memory. So every library above JDBC is recorded, and nothing in the repository changes. RECORD gets a line of JSON
for each pair: the statement, and the path, the line and the name of the nearest method of the repository on the stack.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

_NAME = "StatementRecorder"
_BYTECODE = "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"


def agent(folder: Path) -> Path:
    """Compile the agent, and return the path of its archive."""
    source = Path(__file__).with_name(f"{_NAME}.java")
    subprocess.run(["javac", "--add-exports", _BYTECODE, "-d", str(folder / "classes"), str(source)], check=True)
    manifest, archive = folder / "MANIFEST.MF", folder / "recorder.jar"
    # Every loader of classes finds the agent on the path of the JVM itself.
    manifest.write_text(f"Premain-Class: {_NAME}\nBoot-Class-Path: {archive.name}\n", "utf-8")
    subprocess.run(["jar", "cfm", str(archive), str(manifest), "-C", str(folder / "classes"), "."], check=True)
    return archive


def main() -> None:
    """Run the program."""
    root, record, *command = sys.argv[1:]
    target = Path(record).resolve()
    target.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        options = (
            f"-javaagent:{agent(Path(folder))}",
            f"--add-exports={_BYTECODE}",
            f"-Dstatement.root={Path(root).resolve()}",
            f"-Dstatement.record={target}",
        )
        environment = {**os.environ, "JAVA_TOOL_OPTIONS": " ".join(options)}
        subprocess.run(command, cwd=root, env=environment, check=False)


if __name__ == "__main__":
    main()
