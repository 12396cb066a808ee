"""Dead code of Go: what is dead, and what programs, tests, frameworks, interfaces and directives keep alive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.retrieval.lint.records import LintAnswer
from astrolabe.server.api.workspace import Workspace, open_workspace

FILES = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "main.go": """
package main

import (
	"net/http"

	"example.com/shop/internal/orders"
)

const bufferSize = 4

var buffer [bufferSize]byte

func main() {
	http.HandleFunc("/orders", listOrders)
	orders.Run(orders.New())
}

func init() { prepare() }

func prepare() {}

func listOrders(w http.ResponseWriter, r *http.Request) { w.Write(buffer[:]) }

func forgotten() { onlyForgotten() }

func init() { load("plugins/clock.so", "NewClock") }

func load(path, name string) {}

func onlyForgotten() {}

//go:linkname linked runtime.linked
func linked() {}
""",
    "main_test.go": """
package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRoutes(t *testing.T) {
	tests := []struct{ handler http.HandlerFunc }{
		{handler: listOrders},
		{handler: listTested},
	}
	for _, each := range tests {
		each.handler(httptest.NewRecorder(), nil)
	}
}

func listTested(w http.ResponseWriter, r *http.Request) {}
""",
    "internal/orders/orders.go": """
package orders

type (
	Store interface {
		load(id int) string
	}
	memory struct{}
	nobodyMakes struct{}
)

func New() Store { return &memory{} }

func Run(s Store) string { return s.load(1) }

func (m *memory) load(id int) string { return key(id) }

func (m *memory) purge() {}

func (m *memory) String() string { return label() }

func key(id int) string { return "" }

func label() string { return "" }

func Unwanted() {}
""",
    "internal/orders/orders_test.go": """
package orders

import "testing"

func TestRun(t *testing.T) { check(t) }

func check(t *testing.T) {}
""",
    "plugins/clock/clock.go": "package main\n\nfunc main() {}\n\nfunc NewClock() {}\n\nfunc NewWatch() {}\n",
    "api/api.go": "package api\n\n// Offer is for others.\nfunc Offer() {}\n",
    "targets.go": "//go:build targets\n\npackage main\n\nfunc Release() { tag() }\n\nfunc tag() {}\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root: Path = tmp_path_factory.mktemp("go")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    with open_workspace(root) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def answer(workspace: Workspace) -> LintAnswer:
    """The answer about the project, with its tests."""
    return workspace.lint(checks=["dead-code"], exclude_tests=False, limit=500, budget=50_000).answer


def test_what_nothing_reaches_is_dead_with_high_confidence(answer: LintAnswer) -> None:
    found = {(each.symbol, each.reason) for each in answer.dead_code or () if each.confidence == "high"}
    assert found == {
        ("forgotten", "nothing uses it"),
        ("onlyForgotten", "only dead code uses it"),
        ("purge", "nothing uses it"),
        ("Unwanted", "nothing uses it"),
        ("NewWatch", "nothing uses it"),
    }


def test_what_a_string_names_may_be_loaded_as_a_plugin(answer: LintAnswer) -> None:
    assert {(each.symbol, each.confidence, each.reason) for each in answer.dead_code or () if each.symbol == "NewClock"} == {
        ("NewClock", "low", "nothing uses it by its name, but a string has it")
    }


def test_what_other_modules_may_import_is_dead_with_low_confidence(answer: LintAnswer) -> None:
    assert [(each.symbol, each.confidence) for each in answer.dead_code or () if each.file == "api/api.go"] == [("Offer", "low")]


def test_a_handler_is_wired_to_its_route(workspace: Workspace) -> None:
    rows = workspace.cypher(
        "MATCH (a)-[w:WIRED]->(s:Symbol) WHERE s.name IN ['listOrders', 'main', 'init', 'TestRun'] "
        "RETURN s.name, w.framework, w.role ORDER BY s.name"
    ).rows
    assert [tuple(row) for row in rows] == [
        ("TestRun", "testing", "test"),
        ("init", "Go", "entry point"),
        ("init", "Go", "entry point"),
        ("listOrders", "net/http", "route"),
        ("main", "Go", "entry point"),
        ("main", "Go", "entry point"),
    ]


def test_nothing_calls_is_said_where_it_is_known(workspace: Workspace) -> None:
    nothing = workspace.symbol("forgotten").callers().nothing
    assert nothing is not None
    assert nothing.kind == "none"


def test_what_others_may_call_through_their_interfaces_is_not_said_to_be_uncalled(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/house\n\ngo 1.22\n")
    (tmp_path / "house.go").write_text(
        'package house\n\nimport "fmt"\n\ntype door struct{}\n\nfunc (d door) String() string { return "" }\n\n'
        "func (d door) Open() {}\n\ntype opener interface{ Open() }\n\nfunc enter(o opener) { o.Open() }\n\n"
        "func show(d door) { fmt.Println(d) }\n"
    )
    with open_workspace(tmp_path) as workspace:
        string, opened = workspace.symbol("door.String").callers(), workspace.symbol("door.Open").callers()
    assert string.nothing is not None
    assert string.nothing.kind == "related"
    assert "fmt.Stringer.String" in string.nothing.message
    assert [(each.symbol.name, each.mark) for each in opened.calls] == [("enter", " [dispatch]")]


def test_an_interface_that_only_a_type_satisfies_is_dead(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/house\n\ngo 1.22\n")
    (tmp_path / "main.go").write_text(
        "package main\n\ntype door struct{}\n\nfunc (d door) shut() {}\n\ntype shutter interface{ shut() }\n\n"
        "func main() { door{}.shut() }\n"
    )
    with open_workspace(tmp_path) as workspace:
        found = workspace.lint(checks=["dead-code"], limit=50, budget=5_000).answer.dead_code or ()
    assert [(each.symbol, each.confidence) for each in found] == [("shutter", "high")]


def test_directives_name_what_tools_the_linker_and_c_code_run(tmp_path: Path) -> None:
    texts = {
        "go.mod": "module example.com/house\n\ngo 1.22\n",
        "house.go": """package house

//go:generate go run ./tools/paint -color=red
//go:generate go run -tags=x table.go
//go:generate stringer -type=Door

//go:linkname now runtime.now
func now() int64 { return 0 }

//go:linkname lock example.com/house/door.lock
func lock()

// Knock is called by C.
//
//export Knock
func Knock() {}
""",
        "door/door.go": "package door\n\nfunc Open() {}\n",
        "door/lock.go": "package door\n\nfunc lock() { turn() }\n\nfunc turn() {}\n\nfunc rust() {}\n",
        "table.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
        "tools/paint/a.go": "package main\n\nfunc paint() {}\n",
        "tools/paint/b.go": "package main\n\nfunc main() { paint() }\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with open_workspace(tmp_path) as workspace:
        rows = workspace.cypher(
            "MATCH (a:File)-[w:WIRED]->(s:Symbol) WHERE w.evidence = 'directive' "
            "RETURN a.relativePath, s.relativePath, s.name, w.role, w.line ORDER BY w.line"
        ).rows
        linked = workspace.cypher(
            "MATCH (a:Symbol)-[w:WIRED]->(s:Symbol) WHERE w.evidence = 'directive' RETURN a.name, s.relativePath, s.name, w.line"
        ).rows
        dead = workspace.lint(checks=["dead-code"], limit=50, budget=5_000).answer.dead_code or ()
    assert [tuple(row) for row in rows] == [
        ("house.go", "tools/paint/b.go", "main", "generator", 3),
        ("house.go", "table.go", "main", "generator", 4),
        ("house.go", "house.go", "now", "linked name", 7),
        ("house.go", "house.go", "lock", "linked name", 10),
        ("house.go", "house.go", "Knock", "exported name", 15),
    ]
    assert [tuple(row) for row in linked] == [("lock", "door/lock.go", "lock", 10)]
    assert [each.symbol for each in dead if each.confidence == "high"] == ["rust"]


def test_a_group_of_exported_constants_is_used_if_one_of_them_is(tmp_path: Path) -> None:
    (tmp_path / "tax").mkdir()
    (tmp_path / "go.mod").write_text("module example.com/shop\n\ngo 1.22\n")
    (tmp_path / "main.go").write_text('package main\n\nimport "example.com/shop/tax"\n\nfunc main() { println(tax.Rate()) }\n')
    (tmp_path / "tax" / "tax.go").write_text(
        "package tax\n\nconst (\n\tBase = 3\n\tExtra = 4\n)\n\nconst (\n\tLost = 3\n\tGone = 4\n)\n\n"
        "func Rate() int { return Base }\n"
    )
    with open_workspace(tmp_path) as workspace:
        found = workspace.lint(checks=["dead-code"], limit=50, budget=5_000).answer.dead_code or ()
    assert [each.symbol for each in found] == ["Lost, Gone"]


def test_a_constant_of_another_platform_is_used_where_its_variant_is(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/house\n\ngo 1.22\n")
    (tmp_path / "main.go").write_text("package main\n\nfunc main() { println(canLock, limit, spare) }\n")
    (tmp_path / "lock_linux.go").write_text(
        "package main\n\nconst (\n\tcanLock = true\n\tdepth = 3\n)\n\nconst limit = depth\n\n"
        "var (\n\tspare = 1\n\tothers = 2\n)\n"
    )
    (tmp_path / "lock_plan9.go").write_text(
        "package main\n\nconst (\n\t// Locks are files there.\n\tcanLock = false\n)\n\n"
        "const limit = 0\n\nvar spare = 2\n\nconst unused = 4\n"
    )
    with open_workspace(tmp_path) as workspace:
        found = workspace.lint(checks=["dead-code"], limit=50, budget=5_000).answer.dead_code or ()
    assert [(each.symbol, each.file, each.confidence) for each in found] == [("unused", "lock_plan9.go", "high")]
