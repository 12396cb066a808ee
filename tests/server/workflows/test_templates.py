"""The workflows over a module and a feature, and the module that follows its siblings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.graphdb.scopes.fields import MAX_VALUES
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.graph_tools.records import GraphAnswer
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.data_folder import WORKFLOWS_FOLDER
from written_workspace import write

from tests.git_commands import git


def _member(name: str, title: str) -> str:
    return f"""
//- packages/{name}/package.json
{{"name": "@shop/{name}", "type": "module", "version": "1.0.0", "dependencies": {{"zod": "^3.2.0"}}}}
//- packages/{name}/src/index.ts
export * from './{name}-service'
//- packages/{name}/src/{name}-service.ts
import {{ Service }} from '../../core/service'
export class {title}Service extends Service {{
  run{title}(): number {{ return {len(name)} }}
}}
//- packages/{name}/test/{name}-service.test.ts
import {{ {title}Service }} from '../src/{name}-service'
test('{name}', () => {{ new {title}Service().run{title}() }})
"""


SHOP = (
    _member("stock-list", "StockList")
    + _member("price-list", "PriceList")
    + _member("mail-box", "MailBox")
    + """
//- package.json
{"name": "shop", "workspaces": ["packages/stock-list", "packages/price-list", "packages/mail-box"]}
//- packages/core/service.ts
export abstract class Service {}
//- app/main.ts
import { StockListService } from '../packages/stock-list/src/stock-list-service'
import { PriceListService } from '../packages/price-list/src/price-list-service'
import { MailBoxService } from '../packages/mail-box/src/mail-box-service'
export function main() { return [new StockListService().runStockList(), new PriceListService(), new MailBoxService()] }
//- docs/guide.md
# Guide

`StockListService` counts what is left.
"""
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("shop")
    write(root, SHOP)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sell things")
    with Workspace.locate(root) as workspace:
        yield workspace


def run(workspace: Workspace, template: str, **values: str) -> GraphAnswer:
    return workspace.graph.execute_workflow_template(template, values, budget=8_000).answer


def names(answer: GraphAnswer, section: str) -> list[str]:
    return [entry.name for entry in answer.sections.get(section, ())]


def test_a_new_module_follows_its_siblings(shop: Workspace) -> None:
    answer = run(shop, "create-module", name="orderQueue", dependencies="zod, @shop/mail-box, left-pad")
    assert answer.subject is not None
    assert answer.subject.at == "packages/order-queue"
    assert names(answer, "files") == [
        "packages/order-queue/package.json",
        "packages/order-queue/src/index.ts",
        "packages/order-queue/src/order-queue-service.ts",
        "packages/order-queue/test/order-queue-service.test.ts",
    ]
    manifest, index, service, _ = answer.sections["files"]
    assert json.loads(manifest.code[0]) == {
        "name": "@shop/order-queue",
        "type": "module",
        "version": "1.0.0",
        "dependencies": {"zod": "^3.2.0", "@shop/mail-box": "*", "left-pad": "*"},
    }
    assert index.code == ("export * from './order-queue-service'\n",)
    assert service.details == ("exports class OrderQueueService",)
    assert names(answer, "registrations") == ["app/main.ts", "package.json"]
    assert [entry.reason for entry in answer.sections["dependencies"]] == [
        "other manifests ask for ^3.2.0",
        "a part of the repository",
        "nothing in the repository uses it yet",
    ]


@pytest.mark.long
def test_siblings_may_have_more_files_than_a_list_of_a_chain(tmp_path: Path) -> None:
    for module in ("carts", "users"):
        folder = tmp_path / "src" / module
        (folder / "parts").mkdir(parents=True)
        (folder / "api.py").write_text("import msgspec\n\n\ndef answer():\n    return msgspec\n")
        for number in range(MAX_VALUES // 2 + 10):
            (folder / "parts" / f"part{number}.py").write_text("PART = 1\n")
    with Workspace.locate(tmp_path) as workspace:
        answer = workspace.graph.execute_workflow_template("create-module", {"name": "src/orders"}).answer
    assert [entry.name for entry in answer.sections["packages"]] == ["msgspec"]
    assert "src/orders/api.py" in [entry.at for entry in answer.sections["files"]]


KINDS = '''
//- lib/start.py
from lib import rates, taxes

def start():
    return rates.rates(), taxes.taxes()
//- lib/rates.py
"""The rates."""

def rates():
    """Return the exchange rates of all currencies."""
    return []
//- lib/taxes.py
"""The taxes."""

def taxes():
    """Return the taxes of a country within the bounds of the law."""
    return []
//- lib/views/list.py
def list_view():
    return "list"
'''


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"name": "lib/fees.py", "like": "lib/rates.py"}, "lib/fees.py"),
        ({"name": "lib/fees", "like": "lib/rates.py"}, "lib/fees.py"),
        ({"name": "lib/fees.py"}, "lib/fees.py"),
        ({"name": "lib/forms", "like": "lib/views"}, "lib/forms"),
    ],
)
def test_a_new_module_is_named_with_or_without_extension_and_may_have_one_sibling(
    tmp_path: Path, values: dict[str, str], place: str
) -> None:
    write(tmp_path, KINDS)
    with Workspace.locate(tmp_path) as workspace:
        answer = run(workspace, "create-module", **values)
    assert answer.subject is not None
    assert answer.subject.at == place
    assert names(answer, "files")[0].startswith(place)
    assert not any(".py.py" in name for name in names(answer, "files"))


def test_a_feature_that_is_new_has_the_nearest_code_and_nonsense_has_none(tmp_path: Path) -> None:
    write(tmp_path, KINDS)
    with Workspace.locate(tmp_path) as workspace:
        answer = run(workspace, "implement-feature", feature="export exchange rates as parquet")
        assert names(answer, "similar")[:1] == ["rates"]
        nonsense = run(workspace, "implement-feature", feature="xyzzy plugh quux")
    assert nonsense.nothing is not None
    assert nonsense.sections == {}


def test_a_plan_writes_nothing_unless_it_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with Workspace.locate(tmp_path) as workspace:
        values = {"name": "packages/order-queue"}
        run(workspace, "create-module", **values)
        assert not (tmp_path / "packages" / "order-queue").exists()
        written = workspace.graph.create_module(values)
        assert sorted(written) == sorted(
            path.relative_to(tmp_path).as_posix() for path in (tmp_path / "packages/order-queue").rglob("*") if path.is_file()
        )
        with pytest.raises(UsageError, match="already exists, so nothing was written"):
            workspace.graph.create_module(values)
        answer = run(workspace, "create-module", **values)
        assert answer.nothing is not None
        assert answer.nothing.reason == "exists"


@pytest.mark.parametrize("name", ["../outside", "/etc/x", "a/../../b", "", "a\nb", "x;y"])
def test_names_that_lead_elsewhere_are_refused(shop: Workspace, name: str) -> None:
    with pytest.raises(UsageError):
        run(shop, "create-module", name=name)


def test_files_are_not_written_through_links(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    write(root, SHOP)
    (root / "packages" / "order-queue").symlink_to(outside)
    with Workspace.locate(root) as workspace, pytest.raises(UsageError, match="leads out of the repository"):
        workspace.graph.create_module({"name": "packages/order-queue"})
    assert list(outside.iterdir()) == []


def test_a_changed_module_has_its_surface_dependants_and_tests(shop: Workspace) -> None:
    answer = run(shop, "update-module", module="@shop/stock-list", change="count the stock of each shelf")
    assert "packages/stock-list/src/stock-list-service.ts" in names(answer, "toChange")
    surface = {entry.name: entry.reason for entry in answer.sections["publicSurface"]}
    assert surface["StockListService"] == "used by 1 file outside: app/main.ts"
    assert names(answer, "dependants") == ["app/main.ts"]
    assert names(answer, "dependencies") == ["packages/core/service.ts"]
    assert names(answer, "tests") == ["packages/stock-list/test/stock-list-service.test.ts"]
    assert names(answer, "documents") == ["Guide"]
    assert [entry.name for entry in answer.sections["recentChanges"]] == ["Sell things"]
    assert answer.queries["dependencies"].startswith("files(path__startswith='packages/stock-list/')")
    assert run(shop, "update-module", module="app/main.ts").subject is not None


def test_a_module_that_is_not_there_is_told_with_those_that_are(shop: Workspace) -> None:
    answer = run(shop, "update-module", module="stok-list")
    assert answer.nothing is not None
    assert answer.nothing.reason == "absent"
    assert "@shop/stock-list" in names(answer, "candidates")


def test_a_feature_has_code_to_follow_and_places_to_register(shop: Workspace) -> None:
    answer = run(shop, "implement-feature", feature="a service that lists the stock and the prices of vouchers")
    assert any(name.startswith("packages/") for name in names(answer, "toChange"))
    assert "Service" in names(answer, "extensionPoints")
    assert names(answer, "registrations") == ["app/main.ts"]
    assert "vouchers" in names(answer, "gaps")
    assert "stock" not in names(answer, "gaps")


def test_a_word_in_another_form_is_no_gap(tmp_path: Path) -> None:
    source = 'def warehouse_of(item):\n    """List the warehouses of an item."""\n    return item.warehouse\n'
    (tmp_path / "stock.py").write_text(source)
    with Workspace.locate(tmp_path) as workspace:
        answer = run(workspace, "implement-feature", feature="list the warehouses of an item with vouchers")
    assert "vouchers" in names(answer, "gaps")
    assert "warehouses" not in names(answer, "gaps")


def test_an_upgrade_has_a_plan_in_order(shop: Workspace) -> None:
    answer = run(shop, "upgrade-feature", feature="StockListService", upgrade="count by shelf")
    assert names(answer, "core") == ["StockListService"]
    assert [(entry.number, entry.at, entry.kind) for entry in answer.sections["plan"]][:2] == [
        ("1", "packages/stock-list/src/stock-list-service.ts", "file"),
        ("2", "app/main.ts", "file"),
    ]
    assert names(answer, "plan")[-1] == "packages/stock-list/test/stock-list-service.test.ts"
    assert "shop" in names(answer, "affectedModules")
    absent = run(shop, "upgrade-feature", feature="zzqx")
    assert absent.nothing is not None


def test_answers_are_kept_by_generation_and_parameters(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with Workspace.locate(tmp_path) as workspace:
        first = run(workspace, "update-module", module="@shop/mail-box")
        folder = workspace.data_dir / WORKFLOWS_FOLDER
        assert len(list(folder.iterdir())) == 1
        assert first.made_at
        assert run(workspace, "update-module", module="@shop/mail-box") == first
        run(workspace, "update-module", module="@shop/price-list")
        (kept, other) = sorted(folder.iterdir())
        kept.write_text("damaged")
        assert run(workspace, "update-module", module="@shop/mail-box").sections == first.sections
        (tmp_path / "packages/mail-box/src/letter.ts").write_text("export class Letter {}\n")
        assert run(workspace, "update-module", module="@shop/mail-box").summary["files"] == 4
        assert other.exists()
        workspace.remove_index()
        assert not folder.exists()
