"""Which files are found and which are left out, as cases: a workspace, the files, and the exclusions with their reasons."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import msgspec
import pytest
from astrolabe.ingest.files import known_folders
from astrolabe.ingest.files.discovery import Discovery, FolderRules, discover
from astrolabe.ingest.files.ignore_rules import _compiled_content
from astrolabe.ingest.files.known_folders import KnownFolders
from astrolabe.schema.errors import NotAFolder
from astrolabe.schema.settings import Settings

#: title, workspace, files found, exclusions. A line "path" of the workspace makes an empty file, "path: text" one with lines
#: divided by "|".
CASES: list[tuple[str, str, str, dict[str, str]]] = [
    (
        "the eight extensions, in order of path",
        "b.ts b.tsx a.js a.jsx c/m.mts c/m.mjs c/c.cts c/c.cjs c/x.d.ts README.txt data.json style.css .ts no-extension x.ts.bak",
        "a.js a.jsx b.ts b.tsx c/c.cjs c/c.cts c/m.mjs c/m.mts c/x.d.ts",
        {},
    ),
    (
        "dependencies and output",
        "node_modules/x/index.js p/node_modules/y/i.ts dist/a.js p/dist/b.js .next/c.js .yarn/releases/yarn.cjs .pnp.cjs"
        " src/a.ts",
        "src/a.ts",
        {
            "node_modules": "built-in rule: node_modules/",
            "p/node_modules": "built-in rule: node_modules/",
            "dist": "built-in rule: dist/",
            "p/dist": "built-in rule: dist/",
            ".next": "built-in rule: .next/",
            ".yarn": "built-in rule: .yarn/",
            ".pnp.cjs": "built-in rule: .pnp.cjs",
        },
    ),
    (
        "minified files and bundles, by name",
        "a.min.js b.bundle.js c.chunk.mjs d.min.ts admin.js bundle.js min.js",
        "admin.js bundle.js d.min.ts min.js",
        {"a.min.js": "*.min.js", "b.bundle.js": "*.bundle.js", "c.chunk.mjs": "*.chunk.mjs"},
    ),
    ("private folders are not even listed", ".git/hooks/x.js .hg/y.js .astrolabe/z.js a.ts", "a.ts", {}),
    (
        "hidden folders with sources",
        ".storybook/main.ts .github/scripts/x.mjs .eslintrc.js .cache/y.js",
        ".eslintrc.js .github/scripts/x.mjs .storybook/main.ts",
        {".cache": "built-in rule: .cache/"},
    ),
    (
        "generated sources are indexed",
        "a.generated.ts routes.gen.ts __generated__/types.ts x_pb.js",
        "__generated__/types.ts a.generated.ts routes.gen.ts x_pb.js",
        {},
    ),
    (
        "folders with the names of output: at a package's root, without TypeScript",
        "package.json build/a.js out/b.js out/b.d.ts coverage/lcov-report/c.js src/build/d.js tools/build/e.js .vite/deps/x.js"
        " tools/.vite/plugin.ts",
        "src/build/d.js tools/.vite/plugin.ts tools/build/e.js",
        {
            ".vite": ".vite/ at a package's root, without TypeScript sources in it",
            "build": "build/ at a package's root, without TypeScript sources in it",
            "out": "out/ at a package's root, without TypeScript sources in it",
            "coverage": "coverage/ at a package's root, without TypeScript sources in it",
        },
    ),
    ("a build folder with TypeScript is source", "package.json build/gulp.ts build/x.js", "build/gulp.ts build/x.js", {}),
    (
        "where .gitignore is in force, out and coverage are taken at their word",
        "package.json .gitignore: build/a.js out/b.js coverage/c.js",
        "coverage/c.js out/b.js",
        {"build": "build/ at a package's root"},
    ),
    (
        "lib, es and vendor are sources",
        "package.json lib/a.js es/b.js vendor/c.js types/d.d.ts",
        "es/b.js lib/a.js types/d.d.ts vendor/c.js",
        {},
    ),
    (
        "the last pattern that matches decides",
        ".gitignore:*.ts|!keep.ts|secret.ts|!/top.ts a.ts keep.ts d/keep.ts secret.ts top.ts d/top.ts",
        "d/keep.ts keep.ts top.ts",
        {
            "a.ts": ".gitignore:1: *.ts",
            "secret.ts": ".gitignore:3: secret.ts",
            "d/top.ts": ".gitignore:1: *.ts",
        },
    ),
    (
        "a slash anchors a pattern",
        ".gitignore:/a.ts|d/b.ts|c.ts a.ts d/a.ts d/b.ts d/d/b.ts d/c.ts c.ts",
        "d/a.ts d/d/b.ts",
        {"a.ts": "/a.ts", "d/b.ts": "d/b.ts", "c.ts": "c.ts", "d/c.ts": "c.ts"},
    ),
    (
        "a slash at the end means folders only",
        ".gitignore:gen.ts/|tmp/ gen.ts d/gen.ts/x.ts tmp/y.ts d/tmp/z.ts d/tmp.ts",
        "d/tmp.ts gen.ts",
        {"d/gen.ts": "gen.ts/", "tmp": "tmp/", "d/tmp": "tmp/"},
    ),
    (
        "nothing below an excluded folder comes back",
        ".gitignore:gen/|!gen/keep.ts|out*/*|!out1/keep.ts gen/keep.ts out1/keep.ts out1/other.ts out1/d/keep.ts",
        "out1/keep.ts",
        {"gen": "gen/", "out1/other.ts": "out*/*", "out1/d": "out*/*"},
    ),
    (
        "the contents of a folder, but not the folder",
        ".gitignore:foo/**|!foo/keep.ts foo/keep.ts foo/a.ts foo/d/keep.ts",
        "foo/keep.ts",
        {"foo/a.ts": "foo/**", "foo/d": "foo/**"},
    ),
    (
        "a list of what is wanted",
        ".gitignore:*|!*/|!*.ts a.ts a.js d/b.ts d/b.js",
        "a.ts d/b.ts",
        {"a.js": ".gitignore:1: *", "d/b.js": ".gitignore:1: *"},
    ),
    (
        "nearer files decide, and count from their folder",
        ".gitignore:x.ts|/only-root.ts d/.gitignore:!x.ts|/y.ts d/x.ts d/y.ts d/e/y.ts d/e/x.ts d/only-root.ts"
        " x.ts only-root.ts e/.gitignore:* e/z.ts",
        "d/e/x.ts d/e/y.ts d/only-root.ts d/x.ts",
        {"d/y.ts": "d/.gitignore:2: /y.ts", "x.ts": "x.ts", "only-root.ts": "/only-root.ts", "e/z.ts": "e/.gitignore:1: *"},
    ),
    (
        "wildcards",
        ".gitignore:a?.ts|b[0-3].ts|c[!x].ts|**/deep/*.ts|p/**/q.ts|[[:upper:]].ts|*.gen.?s ab.ts a.ts b2.ts b4.ts cx.ts cy.ts"
        " deep/d.ts n/deep/d.ts p/q.ts p/r/s/q.ts Z.ts z.ts g.gen.js g.gen.mjs",
        "a.ts b4.ts cx.ts g.gen.mjs z.ts",
        {
            "ab.ts": "a?.ts",
            "b2.ts": "b[0-3].ts",
            "cy.ts": "c[!x].ts",
            "deep/d.ts": "**/deep/*.ts",
            "n/deep/d.ts": "**/deep/*.ts",
            "p/q.ts": "p/**/q.ts",
            "p/r/s/q.ts": "p/**/q.ts",
            "Z.ts": "[[:upper:]].ts",
            "g.gen.js": "*.gen.?s",
        },
    ),
    (
        "comments, escapes and malformed patterns",
        r".gitignore:#a.ts|\#b.ts|\!c.ts|d\*.ts|[e.ts|f.ts\|/ a.ts #b.ts !c.ts d*.ts dx.ts [e.ts e.ts f.ts",
        "[e.ts a.ts dx.ts e.ts f.ts",
        {"#b.ts": r"\#b.ts", "!c.ts": r"\!c.ts", "d*.ts": r"d\*.ts"},
    ),
    (
        "Git's negation does not bring back what the built-in rules leave out",
        ".gitignore:!dist/|!node_modules/ dist/a.js node_modules/b.js",
        "",
        {"dist": "built-in rule", "node_modules": "built-in rule"},
    ),
    (
        ".astrolabeignore leaves out and brings back",
        ".gitignore:gen/ .astrolabeignore:!gen/|!dist/|legacy/|*.spec.ts|!/a.min.js"
        " gen/a.ts dist/b.ts legacy/c.ts d.spec.ts a.min.js d/a.min.js",
        "a.min.js dist/b.ts gen/a.ts",
        {"legacy": ".astrolabeignore:3: legacy/", "d.spec.ts": ".astrolabeignore:4: *.spec.ts", "d/a.min.js": "*.min.js"},
    ),
    (
        "a nested .astrolabeignore",
        ".astrolabeignore:x.ts d/.astrolabeignore:!x.ts x.ts d/x.ts d/node_modules/y.ts e/x.ts",
        "d/x.ts",
        {"x.ts": "x.ts", "e/x.ts": "x.ts", "d/node_modules": "built-in rule"},
    ),
    (
        ".git/info/exclude",
        ".git/info/exclude:local.ts|/d/ .gitignore:!kept.ts local.ts kept.ts d/a.ts e/local.ts",
        "kept.ts",
        {"local.ts": ".git/info/exclude:1: local.ts", "e/local.ts": "local.ts", "d": "/d/"},
    ),
    (
        "Windows line ends and a byte order mark",
        ".gitignore:\ufeffa.ts\r|b.ts\r a.ts b.ts c.ts",
        "c.ts",
        {"a.ts": "a.ts", "b.ts": "b.ts"},
    ),
    (
        "another worktree of a repository",
        "wt/.git:gitdir:/r/.git/worktrees/wt wt/a.ts b.ts",
        "b.ts",
        {"wt": "another Git worktree"},
    ),
    ("a submodule", "sub/.git:gitdir:../.git/modules/sub sub/a.ts b.ts", "b.ts sub/a.ts", {}),
    ("a folder with the name of a file", "chart.js/index.ts x.d.ts/y.ts", "chart.js/index.ts x.d.ts/y.ts", {}),
]


def lay_out(root: Path, workspace: str) -> None:
    for entry in re.split(r" +(?=\S)", workspace):
        name, _, text = entry.partition(":")
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.replace("|", "\n").encode())


def found(root: Path, settings: Settings | None = None) -> Discovery:
    return discover(root, settings or Settings())


@pytest.mark.parametrize(
    ("scripts", "is_source"),
    [
        ('{"build": "node build/all.js"}', True),
        ('{"prebuild": "rimraf dist && node ./build"}', True),
        ('{"build:dev": "webpack --config build/webpack.dev.js"}', True),
        ('{"start": "node build", "build": "tsc --outDir build"}', False),
        ('{"build": "node builder.js"}', False),
    ],
)
def test_a_build_folder_that_the_build_runs_is_source(tmp_path: Path, scripts: str, is_source: bool) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "build/all.js").write_text("")
    (tmp_path / "package.json").write_text(f'{{"scripts": {scripts}}}')
    assert [file.relative_path for file in found(tmp_path).files] == (["build/all.js"] if is_source else [])


@pytest.mark.parametrize(("workspace", "files", "excluded"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_files_and_exclusions(tmp_path: Path, workspace: str, files: str, excluded: dict[str, str]) -> None:
    lay_out(tmp_path, workspace)
    discovery = found(tmp_path)
    assert [file.relative_path for file in discovery.files] == files.split()
    reasons = {each.path: each.reason for each in discovery.excluded}
    assert sorted(reasons) == sorted(excluded)
    assert {path: reason in reasons[path] for path, reason in excluded.items()} == dict.fromkeys(excluded, True), reasons
    assert [each.path for each in discovery.excluded] == sorted(reasons)


@pytest.mark.parametrize("workspace", [pytest.param(case[1], id=case[0]) for case in CASES])
def test_known_folders_are_as_if_they_were_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workspace: str) -> None:
    monkeypatch.setattr(known_folders, "_SETTLED", -(1 << 62))
    lay_out(tmp_path, workspace)
    known: KnownFolders[FolderRules] = KnownFolders()
    for _ in range(3):
        again, plain = discover(tmp_path, Settings(), known), found(tmp_path)
        assert sorted(again.other_files) == sorted(plain.other_files)
        assert msgspec.structs.replace(again, other_files=plain.other_files) == plain


def test_changes_of_known_folders_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_folders, "_SETTLED", -(1 << 62))
    lay_out(tmp_path, "a/x.ts a/b/y.ts a/b/z.ts c/d/w.ts c/api.yaml")
    listed: list[str] = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: (listed.append(os.path.relpath(path, tmp_path)), scan(path))[1])
    known: KnownFolders[FolderRules] = KnownFolders()

    def read_folders() -> list[str]:
        time.sleep(0.02)  # the clock of a file system has ticks of some milliseconds
        listed.clear()
        again = discover(tmp_path, Settings(), known)
        folders = sorted(listed)
        plain = found(tmp_path)
        assert msgspec.structs.replace(again, other_files=[]) == msgspec.structs.replace(plain, other_files=[])
        return folders

    assert read_folders() == [".", "a", "a/b", "c", "c/d"]
    assert read_folders() == ["c"]  # a description of an API is recognized by its content
    (tmp_path / "a/b/y.ts").write_text("export const y = 1\n")
    assert read_folders() == ["c"]
    (tmp_path / "a/b/more.ts").write_text("")
    assert read_folders() == ["a/b", "c"]
    (tmp_path / "a/b/y.ts").rename(tmp_path / "a/b/v.ts")
    assert read_folders() == ["a/b", "c"]
    (tmp_path / "c/d/w.ts").unlink()
    (tmp_path / "c/d/w.ts").symlink_to(tmp_path / "a/x.ts")
    assert read_folders() == ["c", "c/d"]
    (tmp_path / ".gitignore").write_text("z.ts\n")
    assert read_folders() == [".", "a", "a/b", "c", "c/d"]
    (tmp_path / ".gitignore").write_text("x.ts\n")
    assert read_folders() == [".", "a", "a/b", "c", "c/d"]
    assert read_folders() == [".", "c", "c/d"]
    (tmp_path / "a").rename(tmp_path / "e")
    assert read_folders() == [".", "c", "c/d", "e", "e/b"]


LANGUAGES = [
    ("a.ts", "typescript"),
    ("a.mts", "typescript"),
    ("a.cts", "typescript"),
    ("a.d.ts", "typescript"),
    ("a.tsx", "tsx"),
    ("a.js", "javascript"),
    ("a.mjs", "javascript"),
    ("a.cjs", "javascript"),
    ("a.jsx", "jsx"),
]


@pytest.mark.parametrize(("name", "language"), LANGUAGES)
def test_record_of_a_file(tmp_path: Path, name: str, language: str) -> None:
    (tmp_path / name).write_bytes(b"12345")
    (file,) = found(tmp_path).files
    assert (file.relative_path, file.language, file.size) == (name, language, 5)
    assert file.mtime == (tmp_path / name).stat().st_mtime_ns


def test_equal_ignore_files_are_compiled_once(tmp_path: Path) -> None:
    """Workspaces with thousands of packages have thousands of equal ignore files, and each keeps its own place in the reasons."""
    text = "/made.ts|gone-*.ts|!gone-but-kept.ts".replace("|", "\n")
    lay_out(tmp_path, "a/made.ts b/made.ts a/e/made.ts b/gone-c.ts b/gone-but-kept.ts")
    for folder in ("a", "b"):
        (tmp_path / folder / ".gitignore").write_text(text)
    before = _compiled_content.cache_info().currsize
    result = found(tmp_path)
    assert _compiled_content.cache_info().currsize == before + 1
    assert [file.relative_path for file in result.files] == ["a/e/made.ts", "b/gone-but-kept.ts"]
    assert {each.path: each.reason for each in result.excluded} == {
        "a/made.ts": "a/.gitignore:1: /made.ts",
        "b/made.ts": "b/.gitignore:1: /made.ts",
        "b/gone-c.ts": "b/.gitignore:2: gone-*.ts",
    }


def test_setting_exclude(tmp_path: Path) -> None:
    lay_out(tmp_path, ".astrolabeignore:!b.ts a.ts b.ts d/c.ts dist/x.js keep.js")
    discovery = found(tmp_path, Settings(exclude=("*.ts", "!dist/", "# note")))
    assert [file.relative_path for file in discovery.files] == ["b.ts", "dist/x.js", "keep.js"]
    assert {each.path: each.reason for each in discovery.excluded} == {
        "a.ts": "setting exclude: *.ts",
        "d/c.ts": "setting exclude: *.ts",
    }


def test_size_limit(tmp_path: Path) -> None:
    (tmp_path / "small.ts").write_bytes(b"x" * 1000)
    (tmp_path / "large.ts").write_bytes(b"x" * 1001)
    (tmp_path / "large.txt").write_bytes(b"x" * 1001)
    discovery = found(tmp_path, Settings(max_file_size=1000))
    assert [file.relative_path for file in discovery.files] == ["small.ts"]
    assert [(each.path, each.reason) for each in discovery.excluded] == [("large.ts", "larger than 1,000 bytes")]


SEEN = [("README.txt", False), ("a.ts", True), (".gitignore:*.ts a.ts", True), ("node_modules/a.ts", False)]


@pytest.mark.parametrize(("workspace", "expected"), SEEN)
def test_supported_seen(tmp_path: Path, workspace: str, expected: bool) -> None:
    lay_out(tmp_path, workspace)
    assert found(tmp_path).supported_seen is expected


def test_a_root_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file.ts").write_text("")
    with pytest.raises(NotAFolder, match=r"file\.ts is not a folder"):
        found(tmp_path / "file.ts")
    with pytest.raises(NotAFolder, match="does not exist"):
        found(tmp_path / "gone")
