"""Discovery leaves out exactly the files that Git itself ignores, over generated trees and ignore files."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.ignore_rules import glob_to_regex
from astrolabe.schema.settings import Settings
from hypothesis import given, settings
from hypothesis import strategies as st

_ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": os.devnull}

_folders = st.sampled_from(["a", "b", "ab", "a b", "a.ts"])
_names = st.sampled_from(["x.ts", "y.ts", "xy.ts", "a.ts", "[x].ts", "x.js", "x y.ts", "é.ts"])
_paths = st.builds(lambda folders, name: "/".join([*folders, name]), st.lists(_folders, max_size=3), _names)
_pieces = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "x.ts",
        "y.ts",
        "*",
        "**",
        "?",
        "*.ts",
        "x*",
        "*y*",
        "[a-x]",
        "[!a]",
        "[]x]*",
        "a*b",
        "\\[x\\].ts",
        "**x",
        "[",
        "\\",
    ]
)
_patterns = st.builds(
    lambda negation, start, pieces, end: negation + start + "/".join(pieces) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(_pieces, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", " ", "\\ "]),
)
_ignore_files = st.dictionaries(st.sampled_from(["", "a/", "b/", "a/b/"]), st.lists(_patterns, max_size=5), max_size=3)


@settings(max_examples=60)
@given(
    paths=st.sets(_paths, min_size=1, max_size=12),
    tracked=st.sets(st.integers(0, 11), max_size=5),
    version=st.sampled_from(["2", "4"]),
    ignore_files=_ignore_files,
    excluded=st.lists(_patterns, max_size=2),
)
def test_the_same_files_as_git(
    paths: set[str], tracked: set[int], version: str, ignore_files: dict[str, list[str]], excluded: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        subprocess.run(["git", "init", "-q", folder], check=True, env=_ENVIRONMENT)
        (root / ".git/info/exclude").write_text("\n".join(excluded))
        for path in sorted(paths):
            # A path cannot be a file here and a folder there.
            if not any(parent.is_file() for parent in (root / path).parents) and not (root / path).is_dir():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text("")
        for base, patterns in ignore_files.items():
            if (root / base).is_dir():
                (root / base / ".gitignore").write_text("\n".join(patterns))
        existing = [path for path in sorted(paths) if (root / path).is_file()]
        if added := [path for number, path in enumerate(existing) if number in tracked]:
            index = ["git", "-C", folder, "-c", f"index.version={version}", "--literal-pathspecs", "add", "-f", "--", *added]
            subprocess.run(index, check=True, env=_ENVIRONMENT)
        command = ["git", "-C", folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, check=True, env=_ENVIRONMENT, capture_output=True).stdout.decode().split("\0")
        assert [file.relative_path for file in discover(root, Settings()).files] == sorted(
            path for path in listed if path.endswith((".ts", ".js"))
        )


def test_hostile_patterns_end_in_time() -> None:
    """Each of these keeps a backtracking engine busy for ages when it is translated literally."""
    name = "a" * 250
    for pattern in ("*a" * 40 + "b", "**/" * 60 + "b", "*?" * 30 + "b", "a*" * 60 + "[b]"):
        expression = glob_to_regex(pattern)
        assert expression is not None
        assert re.fullmatch(expression, name) is None
