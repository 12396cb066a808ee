"""Modules of Go: what their files say, and the packages outside of the workspace whose types are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.go.modules.declarations import declarations_of
from astrolabe.ingest.languages.go.modules.manifests import read_manifests
from astrolabe.ingest.languages.go.modules.module_file import Replacement, Requirement, read_module_file
from astrolabe.ingest.languages.go.modules.versions import version_order
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import BuiltinTarget, MissingTarget, PackageTarget, Resolution, SourceTarget
from astrolabe.schema.graph_content import GraphContent
from nominal_programs import edges_of_file

SHELF = """// Package shelf is documented.
package shelf

import "example.com/Wood/v2/plank"

type Shelf struct {
	Top *plank.Plank
}

// New makes a shelf.
func New(
	name string,
) (*Shelf, error) {
	if name == "" {
		return nil, nil
	}
	return &Shelf{}, nil
}

var Default = &Shelf{
	Top: nil,
}

var Make = New

var Usage = func() {
	println()
}

const text = `
func Broken( {
`

func (s *Shelf) Clear() int { return 1 }
"""
METHODS = "package shelf\n\nfunc (s *Shelf) Find(name string) *Shelf { return s }\n"
WINDOWS = "package shelf\n\nfunc (s *Shelf) Find(name string) string { return name }\n"
PLANK = "package plank\n\ntype Plank struct{}\n\nfunc (p *Plank) Saw() *Plank { return p }\n"
GO_MOD = (
    "module example.com/app\n\ngo 1.23\n\nrequire example.com/shelf v1.2.0\n\nrequire example.com/Wood/v2 v2.0.0 // indirect\n"
)
MAIN = """package main

import "example.com/shelf"

func main() {
	s, err := shelf.New("a")
	s.Find("b").Top.Saw().Saw()
	shelf.Default.Clear()
	shelf.Usage()
	shelf.Make("c")
	err.Error()
}
"""
CACHE = {
    "example.com/shelf@v1.2.0/shelf.go": SHELF,
    "example.com/shelf@v1.2.0/methods.go": METHODS,
    "example.com/shelf@v1.2.0/other_windows.go": WINDOWS,
    "example.com/shelf@v1.2.0/shelf_test.go": "package shelf_test\n",
    "example.com/!wood/v2@v2.0.0/plank/plank.go": PLANK,
}
KNOWN = {
    "gomod:example.com/shelf#New",
    "gomod:example.com/shelf#Shelf.Find",
    "gomod:example.com/Wood/v2/plank#Plank.Saw",
    "gomod:example.com/shelf#Shelf.Clear",
    "gomod:example.com/shelf#Usage",
    "gomod:example.com/shelf#Make",
    "go:error.Error",
}


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def edges_of(root: Path, texts: dict[str, str], path: str) -> GraphContent:
    """Return all edges of one file of a workspace. Ids of symbols are their names."""
    write(root, texts)
    sources = sorted(name for name in texts if name.endswith(".go") and "vendor/" not in name)
    configurations = sorted(name for name in texts if name.endswith(("go.mod", "go.work")))
    files = WorkspaceFiles(root, sources, configurations)
    return edges_of_file(files, {each: texts[each] for each in sources}, "go", path)


def calls(found: GraphContent) -> set[str]:
    """Return what is called: names of symbols, ids of what is outside, and what is not known in brackets."""
    inside = {edge.to_id for edge in found.calls}
    outside = {edge.external_id for edge in found.external_calls}
    return inside | outside | {f"({edge.name})" for edge in found.unresolved_calls}


def test_values_keep_their_types_through_the_module_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "cache", CACHE)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    assert calls(edges_of(tmp_path / "app", {"go.mod": GO_MOD, "main.go": MAIN}, "main.go")) == KNOWN


def test_without_the_module_cache_only_the_names_of_imports_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "nothing"))
    found = edges_of(tmp_path / "app", {"go.mod": GO_MOD, "main.go": MAIN}, "main.go")
    assert calls(found) == {
        "gomod:example.com/shelf#New",
        "(Find)",
        "(Saw)",
        "gomod:example.com/shelf#Default.Clear",
        "gomod:example.com/shelf#Usage",
        "gomod:example.com/shelf#Make",
        "(Error)",
    }


def test_a_vendor_folder_comes_before_the_module_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "cache", {name: text.replace("Find", "Seek").replace("Saw", "Cut") for name, text in CACHE.items()})
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    vendor = {
        "vendor/modules.txt": "# example.com/shelf v1.2.0\nexample.com/shelf\n",
        "vendor/example.com/shelf/shelf.go": SHELF,
        "vendor/example.com/shelf/methods.go": METHODS,
        "vendor/example.com/Wood/v2/plank/plank.go": PLANK,
    }
    assert calls(edges_of(tmp_path / "app", {"go.mod": GO_MOD, "main.go": MAIN, **vendor}, "main.go")) == KNOWN


def test_a_replaced_module_is_read_from_what_stands_in_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = {name.replace("example.com/shelf@v1.2.0", "fork.com/shelf@v1.3.0"): text for name, text in CACHE.items()}
    write(tmp_path / "cache", moved)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    replaced = GO_MOD + "\nreplace example.com/shelf => fork.com/shelf v1.3.0\n"
    assert calls(edges_of(tmp_path / "app", {"go.mod": replaced, "main.go": MAIN}, "main.go")) == KNOWN
    write(tmp_path / "beside", {name.partition("@v1.3.0/")[2]: text for name, text in moved.items() if "shelf@" in name})
    replaced = GO_MOD + "\nreplace example.com/shelf => ../beside\n"
    assert calls(edges_of(tmp_path / "again", {"go.mod": replaced, "main.go": MAIN}, "main.go")) == KNOWN


def test_the_modules_of_a_workspace_share_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "cache", CACHE)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    older = GO_MOD.replace("shelf v1.2.0", "shelf v1.2.0-rc.1")
    texts = {
        "go.work": "go 1.23\n\nuse (\n\t./app\n\t./tool // beside it\n)\n",
        "app/go.mod": older,
        "app/main.go": MAIN,
        "tool/go.mod": GO_MOD.replace("example.com/app", "example.com/tool"),
    }
    assert calls(edges_of(tmp_path / "one", texts, "app/main.go")) == KNOWN
    alone = {**texts, "go.work": "go 1.23\n\nuse ./tool\n"}
    assert "(Find)" in calls(edges_of(tmp_path / "other", alone, "app/main.go"))


def test_a_package_of_the_repository_may_have_the_name_of_one_of_the_standard_library(tmp_path: Path) -> None:
    texts = {
        "go.mod": "module example.com/app\n",
        "errors/errors.go": 'package errors\n\nimport "errors"\n\nfunc New(text string) error { return errors.New(text) }\n',
    }
    assert calls(edges_of(tmp_path, texts, "errors/errors.go")) == {"go:errors.New"}


def test_nothing_is_known_of_cgo(tmp_path: Path) -> None:
    text = 'package app\n\n// int one(void);\nimport "C"\n\nfunc run() { C.one(); C.CString(C.GoString(nil)) }\n'
    found = edges_of(tmp_path, {"go.mod": "module example.com/app\n", "app.go": text}, "app.go")
    assert calls(found) == {"(one)", "(CString)", "(GoString)"}
    assert {edge.reason for edge in found.unresolved_calls} == {"module"}


def test_a_package_has_the_name_that_it_declares(tmp_path: Path) -> None:
    texts = {
        "go.mod": "module example.com/app\n",
        "compat/compat.go": "package metrics\n\nfunc Count() {}\n",
        "go-bar/bar.go": "package barlib\n\nfunc Pour() {}\n",
        "helpers.go": "package app\n\ntype Bar struct{}\n\nfunc (b Bar) Pour() {}\n\nvar bar Bar\n",
        "app.go": """package app

import (
	"example.com/app/compat"
	"example.com/app/go-bar"
)

func run() {
	metrics.Count()
	barlib.Pour()
	bar.Pour()
}
""",
    }
    found = edges_of(tmp_path, texts, "app.go")
    assert {(edge.to_id, edge.evidence) for edge in found.calls} == {("Count", "scope"), ("Pour", "scope"), ("Pour", "type")}
    assert found.unresolved_calls == []


def test_imports_lead_to_packages_by_their_module(tmp_path: Path) -> None:
    texts = {
        "go.mod": "module example.com/app\n\nrequire example.com/shelf/v2 v2.0.0\n\nreplace example.com/near => ./near\n",
        "app.go": "package app\n",
        "near/near.go": "package near\n",
        "inner/go.mod": "module example.com/app/inner\n",
        "inner/deep/deep.go": "package deep\n",
    }
    write(tmp_path, texts)
    sources = [name for name in texts if name.endswith(".go")]
    resolver = ImportResolver(WorkspaceFiles(tmp_path, sources, [name for name in texts if name.endswith(".mod")]))
    wanted: dict[str, Resolution] = {
        "net/http": BuiltinTarget("net/http", "go"),
        "example.com/shelf/v2/board": PackageTarget("example.com/shelf/v2", "board", None),
        "example.com/other/x": PackageTarget("example.com/other/x", "", None),
        "example.com/near": SourceTarget("near/near.go"),
        "example.com/app/inner/deep": SourceTarget("inner/deep/deep.go"),
        "example.com/app/gone": MissingTarget("example.com/app/gone"),
        "C": MissingTarget("C"),
    }
    assert {specifier: resolver.resolve(specifier, "app.go") for specifier in wanted} == wanted


def test_the_path_of_a_module_means_itself_and_not_one_in_test_data(tmp_path: Path) -> None:
    texts = {
        "go.mod": "module example.com/app\n",
        "a/a.go": "package a\n",
        "b/testdata/copy/go.mod": "module example.com/app\n\nreplace example.com/shelf => ./shelf\n",
        "b/testdata/copy/a/a.go": "package a\n",
        "b/testdata/copy/main.go": "package main\n",
        "b/testdata/copy/shelf/shelf.go": "package shelf\n",
        "b/b.go": "package b\n",
    }
    write(tmp_path, texts)
    sources = [name for name in texts if name.endswith(".go")]
    resolver = ImportResolver(WorkspaceFiles(tmp_path, sources, [name for name in texts if name.endswith(".mod")]))
    assert resolver.resolve("example.com/app/a", "b/b.go") == SourceTarget("a/a.go")
    assert resolver.resolve("example.com/app/a", "b/testdata/copy/main.go") == SourceTarget("b/testdata/copy/a/a.go")
    assert resolver.resolve("example.com/shelf", "b/b.go") == PackageTarget("example.com/shelf", "", None)
    assert resolver.resolve("example.com/shelf", "b/testdata/copy/main.go") == SourceTarget("b/testdata/copy/shelf/shelf.go")


def test_module_files_are_read_line_by_line() -> None:
    text = """module "example.com/app" // name
go 1.23
require (
	example.com/a v1.0.0
	example.com/b v0.0.0-20240101000000-abcdefabcdef // indirect
	example.com/c latest
)
replace example.com/a v1.0.0 => ../a
replace (
	example.com/b => example.com/d v1.1.0
)
exclude example.com/x v1.0.0
"""
    found = read_module_file(text.encode())
    assert found.module == "example.com/app"
    assert found.requirements == (
        Requirement("example.com/a", "v1.0.0", False),
        Requirement("example.com/b", "v0.0.0-20240101000000-abcdefabcdef", True),
    )
    assert found.replacements == (
        Replacement("example.com/a", "v1.0.0", "../a", ""),
        Replacement("example.com/b", "", "example.com/d", "v1.1.0"),
    )
    assert found.problem is not None
    assert (found.problem.line, found.problem.reason) == (6, "not a valid `require` directive")


def test_versions_sort_as_semantic_versions() -> None:
    ordered = ["none", "v0.9.0", "v1.0.0-alpha", "v1.0.0-alpha.1", "v1.0.0-rc.2", "v1.0.0-rc.11", "v1.0.0", "v1.2.0", "v1.10.0"]
    assert sorted({*ordered}, key=version_order) == ordered


def test_manifests_tell_modules_and_what_is_wrong_with_them(tmp_path: Path) -> None:
    texts = {
        "go.mod": "module example.com/a\nrequire example.com/b v1.0.0\n",
        "x/go.mod": "module example.com/a\n",
        "y/go.mod": "go 1\n",
    }
    write(tmp_path, texts)
    found = read_manifests(WorkspaceFiles(tmp_path, [], list(texts)))
    assert [(each.folder, each.name, [d.package for d in each.dependencies]) for each in found.modules] == [
        ("", "example.com/a", ["example.com/b"]),
        ("x", "example.com/a", []),
        ("y", "", []),
    ]
    assert {path: each.reason for path, each in found.problems.items()} == {
        "x/go.mod": "the module example.com/a is also declared in go.mod",
        "y/go.mod": "no `module` directive names the module",
    }


def test_bodies_and_values_are_left_out_of_what_is_read() -> None:
    found = declarations_of(SHELF.encode()).decode()
    assert "if name" not in found
    assert "Broken" not in found
    assert "documented" not in found
    assert "func New(\n\tname string,\n) (*Shelf, error) " in found
    assert "var Default = &Shelf{}" in found
