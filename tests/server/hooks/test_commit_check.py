"""The check of a commit reads what is staged, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from astrolabe.ingest.facts.cache import FactCache, FactKey, pack_facts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.settings import Settings
from astrolabe.server.hooks.commit_check import CheckedCommit, check_staged, report
from astrolabe.server.hooks.hook_run import run_hook
from git_commands import git

SHOP = {
    "src/cart.ts": "export const total = 1\nexport const tax = 2\n",
    "src/shop.ts": "import { total, tax } from './cart'\nconsole.log(total, tax)\n",
    "native/__init__.py": "",
    "native/fast.pyx": "def run(): pass\n",
    ".gitignore": "generated/\n*.gen.ts\n",
}
WITHOUT_TAX = {"src/cart.ts": "export const total = 1\n"}
LOST = "src/shop.ts:1 imports 'tax' from './cart', which src/cart.ts does not export"


def write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "--template=")
    write(tmp_path, SHOP)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "shop")
    return tmp_path


def found(root: Path, inside: str = ".") -> list[str]:
    return [f"{found.path}:{found.line} {found.reason}" for found in check_staged(root, inside, Settings()).findings]


def test_what_is_staged_counts(shop: Path) -> None:
    write(shop, WITHOUT_TAX)
    assert found(shop) == []
    git(shop, "add", "-A")
    write(shop, SHOP)  # repaired, but not staged
    assert found(shop) == [LOST]
    (shop / "src/shop.ts").unlink()
    assert found(shop) == [LOST]
    git(shop, "commit", "-q", "-m", "broken")
    assert found(shop) == []


def test_the_first_commit_of_a_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--template=")
    write(tmp_path, {"a.ts": "import './b'\n", "b.ts": "import './c'\n"})
    git(tmp_path, "add", "-A")
    assert found(tmp_path) == ["b.ts:1 imports './c', which is no file of the commit"]


def test_a_forgotten_file(shop: Path) -> None:
    write(shop, {"src/shop.ts": "import './helper'\n", "src/helper.ts": "export {}\n"})
    git(shop, "add", "src/shop.ts")
    assert found(shop) == ["src/shop.ts:1 imports './helper', which is no file of the commit"]


def test_files_that_a_build_makes_may_be_missing(shop: Path) -> None:
    imports = "import './generated/client'\nimport './api.gen'\nimport './missing'\n"
    write(shop, {"src/shop.ts": imports, "native/user.py": "from .fast import run\n"})
    git(shop, "add", "-A")
    assert found(shop) == ["src/shop.ts:3 imports './missing', which is no file of the commit"]


def test_a_workspace_in_a_folder(shop: Path) -> None:
    write(shop, {**WITHOUT_TAX, "native/use.ts": "import './nothing'\n"})
    git(shop, "add", "-A")
    assert found(shop, "src") == [LOST.removeprefix("src/").replace("src/", "")]


def test_links_submodules_and_odd_names(shop: Path) -> None:
    (shop / "src/link.ts").symlink_to("cart.ts")
    (shop / "src" / os.fsdecode(b"caf\xe9.ts")).write_text("import './x'\n")
    write(shop, {"src/new\nline.ts": "import { nope } from './cart'\n"})
    git(shop, "add", "-A")
    git(shop, "update-index", "--add", "--cacheinfo", f"160000,{git(shop, 'rev-parse', 'HEAD')},vendor/lib")
    assert found(shop) == ["src/new\nline.ts:1 imports 'nope' from './cart', which src/cart.ts does not export"]


@pytest.mark.parametrize(("mode", "code", "says"), [("warn", 0, True), ("block", 77, True), ("off", 0, False)])
def test_the_setting_says_what_happens(
    shop: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    mode: str,
    code: int,
    says: bool,
) -> None:
    write(shop, WITHOUT_TAX)
    git(shop, "add", "-A")
    write(shop, {"astrolabe.toml": f'pre_commit = "{mode}"\n'})
    monkeypatch.chdir(shop)
    with pytest.raises(SystemExit) as ended:
        run_hook(["pre-commit"])
    assert ended.value.code == code
    assert (LOST in capsys.readouterr().err) == says


def test_a_long_report_says_what_it_leaves_out(shop: Path) -> None:
    write(shop, {"src/many.ts": "".join(f"import './no{number}'\n" for number in range(30))})
    git(shop, "add", "-A")
    lines = report(check_staged(shop, ".", Settings())).splitlines()
    assert lines[0] == "astrolabe: this commit breaks 30 places:"
    assert lines[-1] == "  … and 10 more"
    assert report(CheckedCommit([])) == ""
    assert report(CheckedCommit([], 2)).startswith("astrolabe: 2 files were not looked at")


def test_a_method_that_others_call(shop: Path) -> None:
    write(shop, {"native/till.py": "class Till:\n    def open(self) -> None: ...\n\n    def close(self) -> None: ...\n"})
    use = "from native.till import Till\n\n\ndef evening(till: Till) -> None:\n    till.close()\n"
    write(shop, {"native/day.py": use})
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "till")
    write(shop, {"native/till.py": "class Till:\n    def open(self) -> None: ...\n\n    def shut(self) -> None: ...\n"})
    git(shop, "add", "-A")
    assert found(shop) == ["native/day.py:5 calls Till.close, which native/till.py does not declare any more"]


def test_a_commit_of_single_files_has_an_index_of_its_own(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(shop, WITHOUT_TAX)
    git(shop, "add", "-A")
    (shop / ".git/other").write_bytes((shop / ".git/index").read_bytes())
    write(shop, SHOP)
    git(shop, "add", "-A")
    assert found(shop) == []
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other")
    assert found(shop) == [LOST]
    monkeypatch.setenv("GIT_DIR", ".git")
    assert found(shop, "src") == [LOST.removeprefix("src/").replace("src/", "")]


def test_the_dialect_of_the_settings_counts(tmp_path: Path) -> None:
    """In MySQL, double quotes enclose a string and no name of a column."""
    git(tmp_path, "init", "-q", "--template=")
    query = {"find.sql": 'SELECT id FROM users WHERE id = "email";\n'}
    write(tmp_path, {"db/migrations/0001_users.sql": "CREATE TABLE users (id int PRIMARY KEY, email text);\n", **query})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "users")
    write(tmp_path, {"db/migrations/0002_mail.sql": "ALTER TABLE users DROP COLUMN email;\n"})
    git(tmp_path, "add", "-A")
    checked = {dialect: check_staged(tmp_path, ".", Settings(sql_dialect=(dialect,))) for dialect in ("postgres", "mysql")}
    assert [each.path for each in checked["postgres"].findings] == ["find.sql"]
    assert checked["mysql"].findings == []


def test_cached_facts_of_an_index_are_used(shop: Path) -> None:
    """The cached facts of the staged content are those of another text here, which shows that the content is not parsed."""
    text = f"// Taxes\n{SHOP['src/cart.ts']}"
    write(shop, {"src/cart.ts": text})
    git(shop, "add", "-A")
    assert found(shop) == []
    key = FactKey.of(sha256(text.encode()).hexdigest(), "typescript")
    with FactCache(shop / ".astrolabe" / "facts") as cache:
        cache.put(key, pack_facts(msgspec.msgpack.encode(extract_facts(WITHOUT_TAX["src/cart.ts"].encode(), "typescript"))))
        cache.flush()
    stored = (shop / ".astrolabe" / "facts" / "facts.bin").read_bytes()
    assert found(shop) == [LOST]
    assert (shop / ".astrolabe" / "facts" / "facts.bin").read_bytes() == stored


def test_a_check_loads_no_engine_before_a_change_needs_one() -> None:
    code = (
        "import sys, astrolabe.server.hooks.commit_check\nprint([name for name in sys.modules if name.endswith('state_edges')])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
