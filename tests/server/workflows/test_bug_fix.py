"""The workflow `bug-fix`: what it answers about a small project, and which requests it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.graph_tools.records import GraphAnswer
from astrolabe.server.api.workspace import Workspace

from tests.git_commands import git

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": '''\
def price_of(item):
    """Return the price of an item, or None if nobody knows it."""
    return TABLE.get(item)


def discounted(item, share):
    return price_of(item).amount * share


TABLE = {}


class Basket:
    pass


def basket():
    return Basket()
''',
    "shop/cart.py": """\
from shop.prices import discounted


class Cart:
    def total(self, items):
        return sum(self.cost(item) for item in items)

    def cost(self, item):
        return discounted(item, 0.5)
""",
    "shop/main.py": """\
from shop.cart import Cart
from shop.options import options_of, prepare

PAGES = {
    'catalogue': Cart,
}


def main(arguments):
    prepare()
    options = options_of(arguments)
    cart = Cart()
    print(cart)
    print(PAGES)
    print(arguments)
    return cart.cost(options.item)
""",
    "shop/options.py": "def options_of(arguments):\n    return arguments\n\n\ndef prepare():\n    pass\n",
    "shop/unrelated.py": "def unrelated():\n    raise ValueError('the stock of the warehouse is exhausted')\n",
    "shop/reports.py": """\
class Report:
    def __init__(self):
        self.lines = []

    def write(self, stock: Warehouse):
        self.lines.append(stock)
""",
    "packages/till/package.json": '{"name": "@shop/till", "version": "1.0.0"}\n',
    "packages/till/src/receipts/print.ts": """\
import { columnsOf } from "../layout";

export class Printer {
  /** Print a receipt. */
  print(lines: string[]): string {
    return lines.map((line) => line.padEnd(columnsOf(line))).join("\\n");
  }
}
""",
    "packages/till/src/layout.ts": """\
export function columnsOf(line: string): number {
  return line.length < 40 ? 40 : 80;
}
""",
    "packages/till/src/queue/worker.ts": """\
export default async function (lines: string[]): Promise<number> {
  return lines.map((line) => Number.parseInt(line)).length;
}
""",
    "packages/till/src/queue/pool.ts": """\
import type { Job } from "./worker";

export function startPool(): Pool {
  return new Pool({ filename: require.resolve("./worker") });
}

export function findDriver(): string {
  return require.resolve("@vendor/driver/usb");
}

export function roleOf(job: Job): string {
  return job.isLocal ? "worker" : "sender";
}
""",
    "rack/rack.go": """\
package rack

type Rack struct {
	boxes []string
}

func (r *Rack) fill() {
	r.boxes = append(r.boxes, "box")
}

func (r *Rack) Size() int {
	return len(r.boxes)
}

func Start(r *Rack) {
	go r.fill()
}
""",
    "rack/scale.go": """\
package rack

func zero(r *Rack) int {
	return -r.Size()
}
""",
    "scale.go": """\
package main

func weigh(parcels []int) int {
	return parcels[len(parcels)]
}
""",
    "counter.go": """\
package main

func serve() {
	weigh(nil)
}
""",
    "packages/till/src/drawer.ts": """\
import usb from "usb-driver";

export class Drawer {
  open(): void {
    usb.unlock(7);
  }

  count(): number {
    return usb.read(3);
  }
}
""",
    "store/src/main/java/store/Shelf.java": """\
package store;

public abstract class Shelf {
    private String label;

    protected abstract int capacity();

    public void relabel(String label) {
        this.label = label;
    }

    public int free(int used) {
        int room = capacity();
        return room / used;
    }

    public int width() {
        return label.length();
    }
}
""",
    "store/src/main/java/store/Cellar.java": """\
package store;

public class Cellar {
    private final Shelf shelf = new Shelf() {
        @Override
        protected int capacity() {
            return 12;
        }
    };

    public int room(int used) {
        return shelf.free(used);
    }
}
""",
    "store/src/main/java/store/Attic.java": """\
package store;

public class Attic extends Shelf {
    @Override
    protected int capacity() {
        return 3;
    }
}
""",
    "store/src/main/java/store/Reflection.java": """\
package store;

public class Reflection {
    static final String[] KEPT = {"store.Cellar"};

    boolean isKept(String name) {
        return name.equals("Cellar");
    }
}
""",
    "packages/other/src/receipts/print.ts": "export class Printer {\n  print(): void {}\n}\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    Cart().total(['a'])\n",
}
TRACE = """\
Traceback (most recent call last):
  File "/srv/venv/lib/python3.12/site-packages/flask/app.py", line 880, in full_dispatch_request
    rv = self.dispatch_request()
  File "/srv/venv/lib/python3.12/site-packages/shop/cart.py", line 6, in total
    return sum(self.cost(item) for item in items)
  File "/srv/venv/lib/python3.12/site-packages/shop/prices.py", line 9, in discounted
    return price_of(item).amount * share
AttributeError: 'NoneType' object has no attribute 'amount'
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sell things")
    with Workspace.locate(root) as workspace:
        yield workspace


def run(workspace: Workspace, error: str, budget: int = 8_000) -> GraphAnswer:
    return workspace.graph.execute_workflow_template("bug-fix", {"error": error}, budget=budget).answer


def names(answer: GraphAnswer, section: str) -> list[str]:
    return [entry.name.rpartition(".")[2] for entry in answer.sections.get(section, ())]


def test_frames_are_suspects_from_the_innermost_outwards(shop: Workspace) -> None:
    found = run(shop, TRACE)
    assert found.summary == {"error": "AttributeError", "frames": 3, "framesInRepository": 2}
    assert names(found, "suspects")[:2] == ["discounted", "total"]
    assert names(found, "callChain") == ["total", "discounted"]
    assert "raised the error" in found.sections["suspects"][0].reason
    assert names(found, "recentChanges") == ["Sell things"]
    assert any(entry.at.startswith("tests/test_cart.py") for entry in found.sections["tests"])


def test_a_frame_in_the_body_of_a_class_leads_to_the_method_that_is_defined(shop: Workspace) -> None:
    trace = """\
Traceback (most recent call last):
  File "/srv/shop/reports.py", line 1, in <module>
    class Report:
  File "/srv/shop/reports.py", line 5, in Report
    def write(self, stock: Warehouse):
NameError: name 'Warehouse' is not defined
"""
    found = shop.graph.execute_workflow_template("bug-fix", {"error": trace}).answer
    assert found.sections["suspects"][0].name == "Report.write"


def test_functions_between_frames_are_found(shop: Workspace) -> None:
    found = run(shop, TRACE)
    assert names(found, "between") == ["cost"]
    assert "cost" in names(found, "suspects")


def test_what_the_failing_line_calls_is_a_suspect(shop: Workspace) -> None:
    found = run(shop, TRACE.replace("line 9, in discounted", "line 7, in discounted"))
    assert names(found, "suspects")[:3] == ["discounted", "total", "price_of"]
    called = next(entry for entry in found.sections["suspects"] if entry.name.endswith("price_of"))
    assert "called on the failing line shop/prices.py:7" in called.reason


def test_what_the_moved_lines_call_is_a_suspect(shop: Workspace) -> None:
    found = run(shop, TRACE.replace("line 9, in discounted", "line 900, in discounted"))
    called = next(entry for entry in found.sections["suspects"] if entry.name == "price_of")
    assert "called by `discounted`, whose lines have moved" in called.reason


def test_what_makes_objects_of_a_named_class_is_a_suspect(shop: Workspace) -> None:
    found = run(shop, TRACE.replace("'NoneType' object has", "'Basket' object has"))
    maker = next(entry for entry in found.sections["suspects"] if entry.name == "basket")
    assert "uses `Basket`, which the message names" in maker.reason


IN_MAIN = """\
Traceback (most recent call last):
  File "/srv/shop/main.py", line 16, in main
    return cart.cost(options.item)
AttributeError: 'tuple' object has no attribute 'catalogue'
"""


def test_what_gave_a_value_of_the_failing_line_is_a_suspect(shop: Workspace) -> None:
    found = {entry.name: entry for entry in run(shop, IN_MAIN).sections["suspects"]}
    assert "computes a value that shop/main.py:16 uses" in found["options_of"].reason
    assert "called before shop/main.py:16" in found["prepare"].reason
    assert (found["options_of"].score or 0) > (found["prepare"].score or 0)


def test_what_has_a_name_of_the_message_as_a_string_is_a_suspect(shop: Workspace) -> None:
    found = {entry.name: entry for entry in run(shop, IN_MAIN).sections["suspects"]}
    assert "has the string 'catalogue' of the message at shop/main.py:5" in found["PAGES"].reason


def test_a_message_without_a_trace_leads_to_its_origin(shop: Workspace) -> None:
    found = run(shop, "the stock of the warehouse is exhausted")
    assert names(found, "suspects")[0] == "unrelated"


def test_a_name_in_the_message_is_a_suspect(shop: Workspace) -> None:
    found = run(shop, "TypeError: 'price_of' is broken")
    reasons = {entry.name: entry.reason for entry in found.sections["suspects"]}
    assert "the message names `price_of`" in reasons["price_of"]


def test_a_frame_in_a_built_file_is_found_in_its_source(shop: Workspace) -> None:
    error = """\
TypeError: Cannot read property 'map' of undefined
    at Printer.print (C:\\app\\node_modules\\@shop\\till\\lib\\receipts\\print.js:119:23)
    at Object.<anonymous> (C:\\app\\index.js:3:1)
"""
    found = run(shop, error)
    assert found.summary["framesInRepository"] == 1
    assert [entry.at for entry in found.sections["suspects"]][:2] == [
        "packages/till/src/receipts/print.ts:4",
        "packages/till/src/layout.ts:1",
    ]
    assert found.sections["callChain"][0].at == "packages/till/src/receipts/print.ts"


def test_a_frame_in_a_bundle_is_found_by_its_function(shop: Workspace) -> None:
    error = """\
RangeError: Invalid count value: -1
    at columnsOf (/app/node_modules/@shop/till/dist/index.cjs:4410:11)
    at price_of (/app/node_modules/another/dist/index.cjs:10:11)
"""
    found = run(shop, error)
    assert found.sections["suspects"][0].at == "packages/till/src/layout.ts:1"
    assert found.summary["framesInRepository"] == 1


def test_a_default_export_without_a_name_is_found(shop: Workspace) -> None:
    error = "TypeError: lines.map is not a function\n    at default_1 (/app/node_modules/@shop/till/lib/queue/worker.js:4:18)\n"
    found = run(shop, error)
    assert found.sections["callChain"][0].name == "default"
    assert found.sections["suspects"][0].at == "packages/till/src/queue/worker.ts:1"


def test_what_loads_the_file_of_the_outermost_frame_is_a_suspect(shop: Workspace) -> None:
    error = "RangeError: offline\n    at default_1 (/app/node_modules/@shop/till/lib/queue/worker.js:4:18)\n"
    found = {entry.name: entry for entry in run(shop, error).sections["suspects"]}
    assert found["startPool"].reason.startswith(
        "has the path of packages/till/src/queue/worker.ts as a string at packages/till/src/queue/pool.ts:4"
    )
    assert not {"findDriver", "roleOf"} & found.keys()


def test_functions_of_the_built_file_of_an_unnamed_frame_are_suspects(shop: Workspace) -> None:
    found = run(shop, "Error: offline\n    at /app/node_modules/@shop/till/lib/layout.js:75:34\n")
    assert found.sections["suspects"][0].name == "columnsOf"
    assert found.sections["suspects"][0].reason.startswith("is in packages/till/src/layout.ts, where an unnamed function")


def test_a_trace_of_an_installed_package_leads_to_the_code_that_names_it(shop: Workspace) -> None:
    trace = "    at open (/app/node_modules/@vendor/driver/built/usb.js:7:3)\n    at node:internal/main:12:1\n"
    found = run(shop, trace)
    assert found.summary["framesInRepository"] == 0
    assert found.sections["suspects"][0].name == "findDriver"
    assert "the package `@vendor/driver` as a string at packages/till/src/queue/pool.ts:8" in found.sections["suspects"][0].reason


NO_ROOM = """\
java.lang.ArithmeticException: / by zero
\tat store.Shelf.free(Shelf.java:14)
\tat store.Cellar.room(Cellar.java:12)
"""


def test_a_member_that_overrides_a_called_one_in_a_file_of_the_trace_is_a_suspect(shop: Workspace) -> None:
    found = {entry.name: entry for entry in run(shop, NO_ROOM).sections["suspects"]}
    override = next(entry for name, entry in found.items() if name.startswith("Cellar") and name.endswith("capacity"))
    assert "may run instead of `Shelf.capacity`, computes a value that store/src/main/java/store/Shelf.java:14" in override.reason
    assert (override.score or 0) > (found["Shelf.capacity"].score or 0)
    assert "Attic.capacity" not in found


def test_what_sets_a_field_of_the_failing_line_is_a_suspect(shop: Workspace) -> None:
    error = "java.lang.NullPointerException\n\tat store.Shelf.width(Shelf.java:18)\n\tat java.lang.Thread.run(Thread.java:840)\n"
    found = {entry.name: entry for entry in run(shop, error).sections["suspects"]}
    assert found["Shelf.relabel"].reason.startswith("sets `Shelf.label`, which store/src/main/java/store/Shelf.java:18 reads")
    assert "Shelf.free" not in found


def test_what_names_the_type_of_the_innermost_frame_is_a_suspect(shop: Workspace) -> None:
    error = "java.lang.IllegalStateException\n\tat store.Cellar.room(Cellar.java:12)\n"
    found = {entry.name: entry for entry in run(shop, error).sections["suspects"]}
    assert found["Reflection.KEPT"].reason.startswith(
        "has the name of the type `Cellar` as a string at store/src/main/java/store/Reflection.java:4"
    )
    assert "Reflection.isKept" not in found


def test_the_caller_of_the_last_frame_of_a_shortened_trace_is_a_suspect(shop: Workspace) -> None:
    short = "java.lang.ArithmeticException: / by zero\n\tat store.Shelf.free(Shelf.java:14)\n"
    found = {entry.name: entry for entry in run(shop, short).sections["suspects"]}
    assert found["Cellar.room"].reason.startswith("calls `free`, with which the trace ends")
    whole = run(shop, f"{short}\tat java.lang.Thread.run(Thread.java:840)\n")
    assert "Cellar.room" not in [entry.name for entry in whole.sections["suspects"]]


def test_what_calls_the_package_of_a_trace_is_a_suspect(shop: Workspace) -> None:
    trace = "Error: no device\n    at unlock (/app/node_modules/usb-driver/index.js:9:3)\n    at node:internal/main:12:1\n"
    found = {entry.name: entry for entry in run(shop, trace).sections["suspects"]}
    assert found["Drawer.open"].reason.startswith("calls `unlock` of the package `usb-driver`")
    assert found["Drawer.count"].reason.startswith("calls the package `usb-driver`")
    assert (found["Drawer.open"].score or 0) > (found["Drawer.count"].score or 0)


def test_a_frame_without_a_folder_leads_to_no_runtime(shop: Workspace) -> None:
    found = run(shop, "Error: offline\n    at padEnd (bundle.js:9:3)\n")
    assert found.summary["framesInRepository"] == 0
    reasons = [entry.reason for entry in found.sections.get("suspects", ())]
    assert not any("of the package" in reason or "calls the package" in reason for reason in reasons)


def test_other_frames_tell_the_root_of_a_file_with_a_frequent_name(shop: Workspace) -> None:
    counter = "main.serve()\n\t/home/me/depot/counter.go:4 +0x1d\n"
    scale = "goroutine 1 [running]:\nmain.weigh(...)\n\t/home/me/depot/scale.go:4\n"
    assert names(run(shop, f"panic: index out of range\n\n{scale}{counter}"), "suspects")[:2] == ["weigh", "serve"]
    elsewhere = scale.replace("/home/me/depot", "/home/me/scales/kitchen")
    assert names(run(shop, f"panic: index out of range\n\n{elsewhere}{counter}"), "suspects")[0] == "serve"


def test_both_accesses_of_a_data_race_count_alike(shop: Workspace) -> None:
    race = """\
WARNING: DATA RACE
Write at 0x00c0000784a0 by goroutine 41:
  example.org/stock/rack.(*Rack).fill()
      /go/src/example.org/stock/rack/rack.go:8 +0x789

Previous read at 0x00c0000784a0 by goroutine 29:
  example.org/stock/rack.(*Rack).Size()
      /go/src/example.org/stock/rack/rack.go:12 +0x1dd

Goroutine 41 (running) created at:
  example.org/stock/rack.Start()
      /go/src/example.org/stock/rack/rack.go:16 +0x23
"""
    found = run(shop, race)
    first = found.sections["suspects"][:2]
    assert [entry.name for entry in first] == ["Rack.fill", "Rack.Size"]
    assert all("raised the error" in entry.reason and (entry.score or 0) >= 1 for entry in first)
    assert found.summary["error"] == "data race"


def test_a_changed_source_map_is_read_again(shop: Workspace) -> None:
    error = "Error: offline\n    at work (/srv/build/app.js:1:10)\n"
    built = shop.root / "build" / "app.js.map"
    built.parent.mkdir()
    for source, name in (("../shop/options.py", "options_of"), ("../shop/prices.py", "price_of")):
        built.write_text(json.dumps({"version": 3, "sources": [source], "mappings": "AAAA", "file": source}))
        assert run(shop, error).sections["suspects"][0].name == name
    built.unlink()
    assert run(shop, error).summary["framesInRepository"] == 0


def test_an_answer_with_other_settings_is_computed_again(shop: Workspace) -> None:
    first = run(shop, TRACE)
    assert run(shop, TRACE).made_at == first.made_at
    kept = set((shop.data_dir / "workflows").iterdir())
    changed = msgspec.structs.replace(shop.settings, query_timeout=shop.settings.query_timeout + 1)
    with Workspace(shop.root, shop.data_dir, changed) as other:
        run(other, TRACE)
    assert set((shop.data_dir / "workflows").iterdir()) > kept


def test_nothing_says_so(shop: Workspace) -> None:
    found = run(shop, "goroutine 1 [running]:\nother/place.fn()\n\t/go/src/other/place.go:3 +0x1\n")
    assert found.summary["framesInRepository"] == 0
    assert found.nothing is not None or not names(found, "callChain")


def test_an_answer_keeps_to_its_budget(shop: Workspace) -> None:
    for budget in (200, 400, 1_000):
        answer = shop.graph.execute_workflow_template("bug-fix", {"error": TRACE}, budget=budget)
        assert len(json.dumps(answer.to_json(), separators=(",", ":"))) / 4 <= budget * 1.02
    first = shop.graph.execute_workflow_template("bug-fix", {"error": TRACE}, budget=300).answer
    second = shop.graph.execute_workflow_template("bug-fix", {"error": TRACE}, budget=300, cursor=first.cursor).answer
    assert first.cursor
    assert not set(names(first, "suspects")) & set(names(second, "suspects"))


@pytest.mark.parametrize(
    ("template", "parameters", "message"),
    [
        ("bugfix", {"error": "x"}, "Did you mean `bug-fix`?"),
        ("bug-fix", {}, "needs `error`"),
        ("bug-fix", {"error": "  "}, "needs `error`"),
        ("bug-fix", {"error": 3}, "must be a text"),
        ("bug-fix", {"error": "x", "eror": "y"}, "not `eror`"),
        ("bug-fix", {"error": "x" * 300_000}, "at most 200,000 characters"),
    ],
)
def test_wrong_requests_are_refused(shop: Workspace, template: str, parameters: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        shop.graph.execute_workflow_template(template, parameters)
