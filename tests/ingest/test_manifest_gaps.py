"""What manifests leave unknown: modules that are declared twice, and required packages that are not on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.workspace_modules import manifest_gaps

DEPENDENCY = "<dependency><groupId>org.{0}</groupId><artifactId>{0}</artifactId><version>1</version></dependency>"
POM = "<project><groupId>g</groupId><artifactId>shop</artifactId><version>1</version><dependencies>{}</dependencies></project>"
FILES = {
    "cart/go.mod": "module example.org/shop\n\ngo 1.22\n\nrequire (\n\texample.org/here v1.0.0\n\texample.org/gone v1.2.0\n"
    "\texample.org/inner v1.0.0 // indirect\n)\n",
    "copy/go.mod": "module example.org/shop\n\ngo 1.22\n",
    "kept/go.mod": "module example.org/kept\n\ngo 1.22\n\nrequire example.org/gone v1.2.0\n",
    "kept/vendor/modules.txt": "# example.org/gone v1.2.0\n",
    "one/pom.xml": POM.format("".join(map(DEPENDENCY.format, ("here", "gone")))),
    "two/pom.xml": POM.format(DEPENDENCY.format("here")),
    "two/src/test/resources/pom.xml": POM.format(""),
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkspaceFiles:
    """A workspace on a machine that has one module of Go and one archive of Maven."""
    home, root = tmp_path / "home", tmp_path / "shop"
    (home / "modules/example.org/here@v1.0.0").mkdir(parents=True)
    archive = home / ".m2/repository/org/here/here/1/here-1.jar"
    archive.parent.mkdir(parents=True)
    archive.touch()
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GOMODCACHE", str(home / "modules"))
    monkeypatch.setenv("GRADLE_USER_HOME", str(home / "gradle"))
    return WorkspaceFiles(root, [], sorted(FILES))


def test_what_manifests_leave_unknown_is_told(workspace: WorkspaceFiles) -> None:
    """A vendored module is not missing, and a project among the resources of tests is not declared twice."""
    unknown = "so that the types of their values are not known"
    assert [(each.file, each.reason) for each in manifest_gaps(workspace)] == [
        (
            "cart/go.mod",
            f"1 of 2 required packages are not on this machine (example.org/gone), {unknown}; `go mod download` downloads them",
        ),
        ("copy/go.mod", "the module example.org/shop is also declared in cart/go.mod"),
        (
            "one/pom.xml",
            f"1 of 2 required packages are not on this machine (org.gone:gone), {unknown}; "
            "`mvn dependency:resolve` downloads them",
        ),
        ("two/pom.xml", "the module g:shop is also declared in one/pom.xml"),
    ]
