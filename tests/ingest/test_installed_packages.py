"""Types of Python packages that are installed in an environment of the workspace: found as data, read one file at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.schema.graph_content import GraphContent
from nominal_programs import edges_of_file

SITE = ".venv/lib/python3.12/site-packages"
PACKAGES = {
    ".venv/pyvenv.cfg": "home = /usr/bin\n",
    f"{SITE}/parcel/__init__.py": "from .label import *\nfrom .core import Parcel, send as ship\nfrom . import labels\n",
    f"{SITE}/parcel/label.py": "__all__ = ['Label']\n\nclass Label:\n    def text(self) -> str: ...\n",
    f"{SITE}/parcel/core.py": """
from __future__ import annotations

import typing as t

from .label import Label

T = t.TypeVar("T")

class Parcel(t.Generic[T]):
    def __init__(self, content: T) -> None:
        self.content = content
        self._label = Label()

    @property
    def label(self) -> Label:
        return self._label

    def unpack(self) -> T:
        return self.content

    def weigh(self):
        return Scale()

class Scale:
    def read(self) -> int: ...

def send(parcel: Parcel[T], *, at: str = "") -> Parcel[T]:
    return parcel
""",
    f"{SITE}/parcel/labels.py": "from parcel import label\n\ndef blank() -> label.Label: ...\n",
}
USE = """
from parcel import Parcel, labels, ship
import parcel

class Crate(Parcel["Crate"]):
    def nest(self):
        return self.unpack().weigh()

    def weigh(self):
        return super().weigh()

def main():
    ship(Crate()).unpack().nest().read()
    parcel.Label().text().upper()
    labels.blank().text()
    Crate().label.text()
"""


def edges_of(root: Path, packages: dict[str, str], sources: dict[str, str], path: str, setting: str = "") -> GraphContent:
    """Return all edges of one file of a workspace. Ids of symbols are their names."""
    for name, text in {"pyproject.toml": "", **packages, **sources}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    files = WorkspaceFiles(root, sorted(sources), ["pyproject.toml"], [], setting)
    return edges_of_file(files, sources, "python", path)


def calls(found: GraphContent) -> set[str]:
    """Return the calls of `main`: names of symbols, ids of what is outside, and what is not known in brackets."""
    inside = {edge.to_id for edge in found.calls if edge.from_id == "main"}
    outside = {edge.external_id for edge in found.external_calls if edge.from_id == "main"}
    return inside | outside | {f"({edge.name})" for edge in found.unresolved_calls if edge.from_id == "main"}


def test_values_keep_their_types_through_packages(tmp_path: Path) -> None:
    found = edges_of(tmp_path, PACKAGES, {"app.py": USE}, "app.py")
    assert calls(found) == {
        "pypi:parcel#core.send",
        "Crate",
        "pypi:parcel#core.Parcel.unpack",
        "nest",
        "pypi:parcel#core.Scale.read",
        "pypi:parcel#label.Label",
        "pypi:parcel#label.Label.text",
        "python:str.upper",
        "pypi:parcel#labels.blank",
    }


def test_classes_derive_from_classes_of_packages(tmp_path: Path) -> None:
    found = edges_of(tmp_path, PACKAGES, {"app.py": USE}, "app.py")
    assert [(edge.from_id, edge.to_id) for edge in found.heritage] == [("Crate", "pypi:parcel#core.Parcel")]
    assert [(edge.from_id, edge.to_id) for edge in found.overrides] == [("weigh", "pypi:parcel#core.Parcel.weigh")]


def test_without_an_environment_packages_stay_unknown(tmp_path: Path) -> None:
    found = edges_of(tmp_path, {}, {"app.py": USE}, "app.py")
    assert "pypi:parcel#ship" in calls(found)
    assert "(read)" not in calls(edges_of(tmp_path, PACKAGES, {"app.py": USE}, "app.py"))
    assert not any(each.startswith("pypi:parcel#core") for each in calls(found))


@pytest.mark.parametrize(
    "stub", [f"{SITE}/parcel-stubs/__init__.pyi", "typings/parcel/__init__.pyi", f"{SITE}/parcel/__init__.pyi"]
)
def test_declarations_come_before_sources(tmp_path: Path, stub: str) -> None:
    packages = {**PACKAGES, stub: "class Parcel:\n    def open(self) -> Lid: ...\nclass Lid:\n    def lift(self) -> None: ...\n"}
    source = "from parcel import Parcel\n\ndef main():\n    Parcel().open().lift()\n"
    found = edges_of(tmp_path, packages, {"app.py": source}, "app.py")
    assert calls(found) == {"pypi:parcel#Parcel", "pypi:parcel#Parcel.open", "pypi:parcel#Lid.lift"}


def test_a_module_without_declarations_comes_from_the_package(tmp_path: Path) -> None:
    packages = {**PACKAGES, f"{SITE}/parcel-stubs/__init__.pyi": "", f"{SITE}/parcel-stubs/py.typed": "partial\n"}
    source = "from parcel.label import Label\n\ndef main():\n    Label().text()\n"
    found = edges_of(tmp_path, packages, {"app.py": source}, "app.py")
    assert calls(found) == {"pypi:parcel#label.Label", "pypi:parcel#label.Label.text"}


@pytest.mark.parametrize("setting", ["tools/env", "tools/env/bin/python", "tools/env/lib/python3.12/site-packages"])
def test_a_setting_names_the_environment(tmp_path: Path, setting: str) -> None:
    moved = {name.replace(".venv", "tools/env"): text for name, text in PACKAGES.items()}
    found = edges_of(tmp_path, {**moved, "tools/env/bin/python": ""}, {"app.py": USE}, "app.py", setting)
    assert "pypi:parcel#core.Scale.read" in calls(found)


def test_an_environment_outside_is_read_through_a_link_or_a_setting(tmp_path: Path) -> None:
    elsewhere, root = tmp_path / "elsewhere", tmp_path / "work"
    for name, text in PACKAGES.items():
        (elsewhere / name).parent.mkdir(parents=True, exist_ok=True)
        (elsewhere / name).write_text(text)
    found = edges_of(root, {}, {"app.py": USE}, "app.py", str(elsewhere / ".venv"))
    assert "pypi:parcel#core.Scale.read" in calls(found)
    (root / ".venv").symlink_to(elsewhere / ".venv")
    assert "pypi:parcel#core.Scale.read" in calls(edges_of(root, {}, {"app.py": USE}, "app.py"))


def test_links_to_edited_packages_are_read_as_data(tmp_path: Path) -> None:
    finder = "import sys\nMAPPING: dict[str, str] = {'drum': '%s/parts/drum_src'}\nraise SystemExit\n"
    packages = {
        ".venv/pyvenv.cfg": "",
        f"{SITE}/crates.pth": f"import nothing; boom()\n# {tmp_path}\n{tmp_path}/kept\n../../outside\n",
        f"{SITE}/__editable___drum_1_0_finder.py": finder % tmp_path,
        f"{SITE}/broken.pth": "\0\n\\\n" + "x" * 300 + "\n",
        f"{SITE}/__editable___broken_finder.py": "MAPPING = {[1]: 2, **3}\n",
    }
    sources = {
        "kept/barrel/__init__.py": "def roll() -> None: ...\n",
        "kept/barrel/pyproject.toml": "",
        "parts/drum_src/__init__.py": "def beat() -> None: ...\n",
        "app/main.py": "import barrel\nimport drum\n\ndef main():\n    barrel.roll()\n    drum.beat()\n",
    }
    assert calls(edges_of(tmp_path, packages, sources, "app/main.py")) == {"roll", "beat"}


def test_damaged_packages_leave_types_unknown(tmp_path: Path) -> None:
    deep = "(" * 5000 + ")" * 5000
    packages = {
        **PACKAGES,
        f"{SITE}/parcel/core.py": "class Parcel(\n    def weigh(self) -> \x00\x01\x02\x03" * 50,
        f"{SITE}/parcel/label.py": f"from .label import Label\nfrom . import *\nfrom ..... import far\nx = {deep}\n",
    }
    found = edges_of(tmp_path, packages, {"app.py": USE}, "app.py")
    assert not any("Scale" in each for each in calls(found))


def test_what_a_class_of_a_package_has_from_an_unknown_base_is_a_member_of_that_class(tmp_path: Path) -> None:
    packages = {
        ".venv/pyvenv.cfg": "",
        f"{SITE}/client.py": "from transport import Base\n\nclass Client(Base):\n    def own(self) -> str: ...\n",
    }
    source = "from client import Client\n\ndef main(client: Client):\n    client.fetch()\n    client.own().upper()\n"
    found = edges_of(tmp_path, packages, {"app.py": source}, "app.py")
    assert calls(found) == {"pypi:client#Client.fetch", "pypi:client#Client.own", "python:str.upper"}
