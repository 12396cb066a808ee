"""The configuration digest changes with everything besides sources that shapes an index, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.schema.settings import Settings

TREE = {
    "a.ts": "1",
    "README.md": "1",
    ".gitignore": "x",
    ".git/info/exclude": "y",
    "d/.gitignore": "x",
    ".astrolabeignore": "x",
    "package.json": "{}",
    "packages/p/package.json": "{}",
    "pnpm-workspace.yaml": "packages: []",
    "tsconfig.json": '{"extends": ["./config/base", "./config/strict.json", "@scope/installed", "../outside"]}',
    "tsconfig.build.json": "{}",
    "jsconfig.json": "{}",
    "config/base.json": '{"extends": "./deeper.json"}',
    "config/strict.json": "{}",
    "config/deeper.json": "{}",
    "config/unrelated.json": "{}",
    "node_modules/x/package.json": "{}",
    ".nuxt/tsconfig.json": "{}",
    "pyproject.toml": "",
    "api/setup.cfg": "",
    "api/setup.py": "",
    "api/requirements.txt": "",
}
SHAPING = [
    ".git/info/exclude",
    ".gitignore",
    "d/.gitignore",
    ".astrolabeignore",
    "package.json",
    "packages/p/package.json",
    "pnpm-workspace.yaml",
    "tsconfig.json",
    "tsconfig.build.json",
    "jsconfig.json",
    "config/base.json",
    "config/strict.json",
    "config/deeper.json",
    "pyproject.toml",
    "api/setup.cfg",
    "api/setup.py",
    "api/requirements.txt",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def digest(root: Path, settings: Settings | None = None) -> str:
    found = discover(root, settings or Settings())
    return found.configuration_digest + found.rules_digest


def test_configuration_files(root: Path) -> None:
    assert discover(root, Settings()).configuration_files == sorted(SHAPING)


@pytest.mark.parametrize("name", SHAPING)
def test_a_configuration_file_matters(root: Path, name: str) -> None:
    before = digest(root)
    (root / name).write_text(TREE[name] + " ")
    changed = digest(root)
    (root / name).unlink()
    assert len({before, changed, digest(root)}) == 3


@pytest.mark.parametrize("name", sorted(set(TREE) - set(SHAPING)))
def test_other_files_do_not_matter(root: Path, name: str) -> None:
    before = digest(root)
    (root / name).write_text("changed")
    assert digest(root) == before


def test_moving_text_between_files_matters(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "tsconfig.json").write_text("")
    before = digest(tmp_path)
    (tmp_path / "package.json").write_text("")
    (tmp_path / "tsconfig.json").write_text("{}")
    assert digest(tmp_path) != before


SETTINGS = [
    (Settings(max_file_size=1), True),
    (Settings(exclude=("x",)), True),
    (Settings(embedding_provider="other"), True),
    (Settings(workers=3), False),
    (Settings(max_token_budget=1), False),
]


@pytest.mark.parametrize(("settings", "matters"), SETTINGS)
def test_settings(root: Path, settings: Settings, matters: bool) -> None:
    assert (digest(root, settings) != digest(root)) is matters


def test_a_generated_base_appears(root: Path) -> None:
    (root / "tsconfig.json").write_text('{"extends": "./.nuxt/tsconfig.json"}')
    before = digest(root)
    (root / ".nuxt/tsconfig.json").write_text('{"compilerOptions": {}}')
    assert digest(root) != before


@pytest.mark.parametrize(
    ("name", "text", "behind"),
    [
        ("tsconfig.json", '{"extends": "@shop/base/all.json"}', "packages/base/all.json"),
        ("tsconfig.json", '{"extends": ["./near.json", "@shop/base/all"]}', "packages/base/all.json"),
        ("tsconfig.json", '{"files": [], "references": [{"path": "tools/web.json"}]}', "tools/web.json"),
        ("vite.config.ts", "import { alias } from './build/first'", "build/roots.ts"),
    ],
)
def test_a_file_with_any_name_behind_a_configuration(root: Path, name: str, text: str, behind: str) -> None:
    (root / "build").mkdir()
    (root / "build/first.ts").write_text("export { alias } from './roots'")
    (root / name).write_text(text)
    (root / behind).parent.mkdir(parents=True, exist_ok=True)
    found = set()
    for content in ("{}", '{"compilerOptions": {}}'):
        (root / behind).write_text(content)
        found.add(digest(root))
    assert len(found) == 2


@pytest.mark.parametrize(
    "note",
    [
        "node_modules/.package-lock.json",
        "node_modules/.yarn-integrity",
        "node_modules/.yarn-state.yml",
        "packages/p/node_modules/.modules.yaml",
    ],
)
def test_an_installation_matters(root: Path, note: str) -> None:
    before = digest(root)
    (root / note).parent.mkdir(parents=True, exist_ok=True)
    (root / note).write_text("1")
    installed = digest(root)
    (root / note).write_text("2")
    assert len({before, installed, digest(root)}) == 3
    assert note not in discover(root, Settings()).configuration_files


def test_packages_without_a_record_of_their_installation_matter(root: Path) -> None:
    found = {digest(root)}
    for package in ("drum", "@kit/drum", "@kit/flute"):
        (root / "node_modules" / package).mkdir(parents=True)
        found.add(digest(root))
    assert len(found) == 4
    (root / "node_modules/.cache").mkdir()
    assert digest(root) in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".venv/lib/python3.12/site-packages/drum-2.0.dist-info/METADATA", ""),
        (".venv/lib/python3.12/site-packages/drum.py", ""),
        (".venv/lib/python3.12/site-packages/link.pth", "../elsewhere"),
        ("api/venv/Lib/site-packages/drum/__init__.py", ""),
        ("python/lib/python3.12/site-packages/drum.py", ""),
    ],
)
def test_another_python_package_builds_the_index_again(root: Path, name: str, text: str) -> None:
    for folder in (".venv/lib/python3.12/site-packages", "api/venv/Lib/site-packages", "python/lib/python3.12/site-packages"):
        (root / folder).mkdir(parents=True)
    (root / ".venv/pyvenv.cfg").touch()
    (root / "api/venv/pyvenv.cfg").touch()
    (root / ".venv/lib/python3.12/site-packages/link.pth").write_text("../src")
    settings = Settings(python_environment="python" if name.startswith("python/") else "")
    before = discover(root, settings).configuration_digest
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    assert discover(root, settings).configuration_digest != before
