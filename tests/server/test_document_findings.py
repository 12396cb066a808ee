"""What lint says of documents: links, anchors, paths and members that are not there, and nothing that is not sure."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.history.git import GitRepository
from astrolabe.retrieval.lint.drift.misspelled_terms import misspelled_terms
from astrolabe.retrieval.lint.model.term_history import SYMBOL, Term, TermHistory
from astrolabe.retrieval.text_search.indexed_text import FileText, IndexedTexts
from astrolabe.server.api.workspace import open_workspace
from astrolabe.server.project.former_declarations import former_declarations
from astrolabe.server.project.term_history import term_history
from written_workspace import write

from tests.git_commands import git

REPOSITORY = """
//- src/cart.py
class Cart:
    def add(self): ...
//- docs/guide.md
# Guide
## Set up
## More {#start}
[gone](gone.md) [image](logo.png) [route](./pages/intro) [built](api.html) [site](/x/y.md) [far](../../issues/1.md)
[here](#set-up) [given](#start) [nowhere](#never-there) [other](other.md#part-two) [lost](other.md#part-three)
`Cart.add()` `Cart.discount_of_day()` `src/cart.py` `src/shop/basket.py` `src/path/to/foo.py` `lib/none.py` `src/main.py`
[number](1234.fix.md) `Order.newBuilder()`
//- src/shop/order.py
//- tests/pages/index.md
[gone on purpose](gone.md)
//- docs/order.proto
syntax = "proto3";
message Order { string id = 1; }
//- docs/templates/record.md
[an example](0005-other.md)
//- docs/other.md
# Part two
//- docs/parts.mmd
flowchart LR
  A[src/cart.py] --> B[src/shop/ledger.py]
//- docs/people.md
# People
<!-- ALL-CONTRIBUTORS-LIST:START -->
[translated](#translation-someone)
<!-- ALL-CONTRIBUTORS-LIST:END -->
[nobody](#translation-nobody)
//- docs/cli.md
::: mkdocs-click
    :module: shop.cli
//- docs/use.md
[command](cli.md#shop-open) [title](titles.md#by-hand)
```java
show(Cart.ofToday());
```
//- docs/titles.md
<h5>By hand</h5>
//- docs/templates-in-blocks.md
[nowhere](#of-the-block)
```
{{ cart.total }}
```
//- docs/versionhistory.md
`Cart.older_name()` is gone
//- CHANGELOG.md
# Changes
- `Cart.old_name()` and `src/before.py` are gone
//- FEATURE_REQUESTS.md
Offer `Cart.later_name()`.
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str]]:
    root = tmp_path_factory.mktemp("repository")
    write(root, REPOSITORY)
    (root / "docs" / "unread.txt").write_text("x")
    with open_workspace(root) as workspace:
        answer = workspace.lint(checks=["warnings"]).answer
    return [(each.file, each.line, each.message) for each in answer.diagnostics or () if each.source == "documents"]


def test_what_is_not_there_is_told_with_its_place(found: list[tuple[str, int, str]]) -> None:
    told = {(file, line, message.split('"')[1]) for file, line, message in found}
    assert told == {
        ("docs/guide.md", 4, "gone.md"),
        ("docs/guide.md", 5, "#never-there"),
        ("docs/guide.md", 5, "#part-three"),
        ("docs/guide.md", 6, "Cart"),
        ("docs/guide.md", 6, "src/shop/basket.py"),
        ("docs/parts.mmd", 2, "src/shop/ledger.py"),
        ("docs/people.md", 5, "#translation-nobody"),
        ("docs/templates-in-blocks.md", 1, "#of-the-block"),
    }


def test_a_finding_says_what_to_do(found: list[tuple[str, int, str]]) -> None:
    assert all(message.endswith(("Correct or remove the link.", "Correct or remove the name.")) for _, _, message in found)


BLOCKS = """
//- shop/__init__.py
//- shop/cart.py
def total(): ...
//- package.json
{"name": "@acme/shop"}
//- index.ts
export const open = 1
//- tests/shop.test.ts
const testcloseAllNow = 1
//- README.md
# Shop [whole](#readme)
```python
from shop.cart import total, discount_rate
from shop.basket import total
from other.thing import nothing_here
from shop import cart
cart.total()
cart.tax_rate()
cart.my_function()
def later_total(): ...
cart.later_total()
```
```ts
import { open, closeAll } from "@acme/shop";
import { unknownThing } from "elsewhere";
```
"""


def test_imports_and_calls_in_blocks_that_lead_nowhere_are_told(tmp_path: Path) -> None:
    write(tmp_path, BLOCKS)
    with open_workspace(tmp_path) as workspace:
        answer = workspace.lint(checks=["warnings"]).answer
    assert [(each.line, each.message.split('"')[1]) for each in answer.diagnostics or ()] == [
        (3, "discount_rate"),
        (4, "shop.basket"),
        (8, "tax_rate"),
        (14, "closeAll"),
    ]


BEFORE = """
//- src/cart.py
import os
def load_basket(path): ...
def total_price(items): ...
parser.add_argument("--dry-run", "--sp-count-all")
def isWritable(stream): ...
LIMIT = os.environ["SHOP_MAX_ITEMS"]
A, B = os.environ["SHOP_HOME_URL"], os.environ["SHOP_API_KEY"]
URL = "/users/{id}/orders"
# Call function print_totals for a list.
COPIES = settings.get("copies_to_buyer")
print("the mail_subject of all")
class Voucher: ...
class Receipt: ...
class Till:
    def count(self): ...
    def reopen(self): ...
def refund(order): ...
def print_labels(): ...
def count_stamps(): ...
MODE = os.environ["KIOSK_MODE"]
SLEEP = os.environ["SHOP_SLEEP_TIME"]
TOWN = os.environ["SHOP_TOWNS"]
parser.add_argument("--locale", "copies")
refund_all = print("STAMP_MODE")
def count_pennies(): ...
def reset_stamps(): ...
def keep_pennies(): ...
def sealCrates(): ...
    # Count like ``count_envelopes``.
    and then like ``count_envelopes``
# The rounding is that of count_pennies.
def count_coins():
    '''Count like count_pennies.'''
    load("./count_pennies.py")
    assert stamps, "Call reset_stamps before the first stamp."
    return namedtuple("Coins", "old keep_pennies new")
def read_towns():
    return os.environ["SHOP_" + "TOWNS"]
//- examples/market.py
def close_market(): ...
//- src/Parcel.kt
fun Basket.weighParcel(): Int = 0
//- src/kiosk.ts
// Nobody may reopen it.
export const options = {
  silentKiosk: false,
  render(frame) {
    return wakeScreen(frame)
  },
}
//- src/Clock.java
class Stopwatch {
    private final ZonedClock clock;
    private int seconds_left = 0;
}
//- package.json
{"scripts": {
  "build:docs": "x",
  "test": "y"
}}
//- docs/guide.md
# Guide
Call `load_basket()` and `Shop.total_price(items)`, or `external_call()`.
Run `shop --dry-run --other-flag`, `npm run build:docs` and `npm run test`. Set `SHOP_MAX_ITEMS` and `SHOP_HOME_URL`.
`GET /users/{id}/orders`
`load_basket` was removed.
`print_totals` and `send_invoice` are elsewhere.
Of `ZonedClock`, `SellerAccount` and `seconds_left`, the last belongs to the code.
Prices are in `src/prices.py`, and your own code is in `src/main.py`. `./check.sh` and `./other.sh` check `SHOP_BUILD_TAG`.
Give `copies_to_buyer` a number, and `mail_subject` a text, then call `fill_basket()`.
Set `SHOP_MAX_ITEMS`. A cart is saved at once. This is not slow. `load_basket` is gone. It was removed.
Run `shop --sp-count-all` with `SHOP_TOWNS`.
A stream has `isReadable()` and `isWritable()`.
## Parcels
A `Voucher` and `Cart.refund(order)`, `weighParcel()`, `silentKiosk` or `KIOSK_MODE`, but `wakeScreen()` and `java.util.Receipt`.
```python
from src.cart import print_labels
from stamps import count_stamps
shop.print_labels(count_stamps())
stamps.print_labels()
```
A `Till.reopen()` and `Till.count()`, or `close_market()`.
Of `count_pennies()`, `reset_stamps()` and `keep_pennies()`, only the last is still used.
With `--locale de` and `--copies 2`, `count_envelopes` is no code, and `send_fax_now()` is elsewhere, as is `sealCrates()`.
```
shop.silentKiosk=3
![in a block](img/chart.png)
```
```python
# export SHOP_SLEEP_TIME=3
```
![prices](img/chart.png) [more](more/start.md) <img src="img/logo.png"> ![made](img/made.svg)
## The former labels
`print_labels()`
//- docs/build.md
# Build
```sh
SHOP_MAX_ITEMS=$PWD/items
./configure --prefix=$SHOP_MAX_ITEMS/build
export SHOP_SLEEP_TIME=3
```
//- docs/usage.rst
Usage
=====

Call ``load_basket()`` and
``total_price(items)``.

.. code-block:: bash

   shop --dry-run

``load_basket`` was
removed.

.. deprecated:: 1.2
   Call no ``load_basket``.

.. A comment: ``load_basket``.

Limits go like this::

   SHOP_MAX_ITEMS=3 shop

Set ``SHOP_MAX_ITEMS``.

The folder of :func:`~shop.load_basket` is ``total_price``.
//- src/prices.py
PRICES = {}
//- check.sh
echo checked
//- .drone.yml
tags: ${SHOP_BUILD_TAG}
//- docs/img/chart.png
PNG
//- docs/img/logo.png
PNG of the logo
//- docs/more/start.md
# Start
//- docs/figures.rst
.. image:: img/chart.png
//- src/mail.py
def send_invoice(): ...
//- src/filling.py
def fill_basket(): ...
//- src/fax.py
def send_fax_now(): ...
//- vendor/accounts/account.go
type SellerAccount struct {}
"""
AFTER = """
//- src/crates.go
package crates
func SealCrates() {}
//- src/filling.py
def fill_basket_of_buyer(): ...
//- examples/market.py
//- src/Parcel.kt
fun Basket.labelParcel(): Int = 0
//- src/kiosk.ts
// Nobody may reopen it.
export const options = {}
//- src/cart.py
import os
def open_basket(path): ...
def total_price(items): ...
class Till:
    def count(self): ...
A, B = os.environ["SHOP_HOME_URL"], os.environ["SHOP_API_KEY"]
parser.add_argument(f"--{"sp-"}count-all", stream.isReadable())
# The rounding is that of count_pennies.
def count_coins():
    '''Count like count_pennies.'''
    load("./count_pennies.py")
    assert stamps, "Call reset_stamps before the first stamp."
    return namedtuple("Coins", "old keep_pennies new")
def read_towns():
    return os.environ["SHOP_" + "TOWNS"]
//- package.json
{"scripts": {
  "test": "y"
}}
"""


def test_what_a_commit_removed_is_told_with_the_commit(tmp_path: Path) -> None:
    write(tmp_path, BEFORE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Start")
    write(tmp_path, AFTER)
    (tmp_path / "src" / "prices.py").unlink()
    (tmp_path / "check.sh").unlink()
    (tmp_path / "docs" / "img" / "chart.png").unlink()
    (tmp_path / "docs" / "more" / "start.md").unlink()
    (tmp_path / "docs" / "more").rmdir()
    (tmp_path / "docs" / "img" / "logo.png").rename(tmp_path / "logo.png")
    (tmp_path / ".drone.yml").unlink()
    (tmp_path / "src" / "Clock.java").unlink()
    (tmp_path / "vendor" / "accounts" / "account.go").unlink()
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qam", "Open baskets")
    (tmp_path / "src" / "mail.py").unlink()
    git(tmp_path, "commit", "-qam", "Split mails out (#12)")
    (tmp_path / "src" / "fax.py").unlink()
    git(tmp_path, "commit", "-qam", "Moved faxes and letters to separate projects")
    with open_workspace(tmp_path) as workspace:
        answer = workspace.lint(checks=["warnings"]).answer
    told = {
        (each.line, each.message.partition(", which was ")[0], "Open baskets" in each.message)
        for each in answer.diagnostics or ()
        if each.file == "docs/guide.md"
    }
    assert told == {
        (2, 'The document names "load_basket"', True),
        (3, 'The document names "--dry-run"', True),
        (3, 'The document names the script "build:docs"', True),
        (3, 'The document names the setting "SHOP_MAX_ITEMS"', True),
        (4, 'The document names the endpoint "/users/{id}/orders"', True),
        (7, 'The document names "seconds_left"', True),
        (8, 'The document names "src/prices.py"', True),
        (8, 'The document names "./check.sh"', True),
        (9, 'The document names "copies_to_buyer"', True),
        (10, 'The document names the setting "SHOP_MAX_ITEMS"', True),
        (9, 'The document names "fill_basket"', True),
        (14, 'The document names "Voucher"', True),
        (14, 'The document names "refund"', True),
        (14, 'The document names "weighParcel"', True),
        (14, 'The document names "silentKiosk"', True),
        (14, 'The document names the setting "KIOSK_MODE"', True),
        (16, 'The document names "print_labels"', True),
        (18, 'The document names "print_labels"', True),
        (21, 'The document names "reopen"', True),
        (22, 'The document names "count_pennies"', True),
        (22, 'The document names "reset_stamps"', True),
        (23, 'The document names "--locale"', True),
        (29, 'The document names the setting "SHOP_SLEEP_TIME"', True),
        (31, 'The document shows "img/chart.png"', True),
        (31, 'The document links to "more/start.md"', True),
    }
    built = [(each.line, each.message.split('"')[1]) for each in answer.diagnostics or () if each.file == "docs/build.md"]
    assert built == [(5, "SHOP_SLEEP_TIME")]
    figures = [(each.line, each.column, each.message) for each in answer.diagnostics or () if each.file == "docs/figures.rst"]
    assert [(line, column, message.split('"')[1]) for line, column, message in figures] == [(1, 12, "img/chart.png")]
    assert [(each.line, each.message.split('"')[1]) for each in answer.diagnostics or () if each.file == "docs/usage.rst"] == [
        (4, "load_basket"),
        (9, "--dry-run"),
        (21, "SHOP_MAX_ITEMS"),
        (23, "SHOP_MAX_ITEMS"),
        (25, "load_basket"),
    ]
    renamed = next(each.message for each in answer.diagnostics or () if "load_basket" in each.message)
    assert 'renamed to "open_basket" by commit' in renamed
    declared = former_declarations(GitRepository(tmp_path), [Term(SYMBOL, "seconds_left"), Term(SYMBOL, "other_call")], 5.0)
    assert declared == {Term(SYMBOL, "seconds_left"): {"src/Clock.java"}}


def test_the_removals_of_more_files_than_a_command_can_name_are_found(tmp_path: Path) -> None:
    write(tmp_path, "//- src/prices.py\nPRICES = {}\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Start")
    (tmp_path / "src" / "prices.py").unlink()
    git(tmp_path, "commit", "-qam", "Read prices from the warehouse")
    history = term_history(tmp_path)
    assert history is not None
    absent = [f"docs/{number:06}/{'page-of-the-handbook' * 10}.md" for number in range(20_000)]
    found = history.removed_files(["src/prices.py", *absent])
    assert {path: removal.subject for path, removal in found.items()} == {"src/prices.py": "Read prices from the warehouse"}


def test_a_file_that_comes_and_goes_is_not_missing(tmp_path: Path) -> None:
    write(tmp_path, "//- README.md\nDescribe the change in `notes/next.md` or `notes/old.md`.\n")
    git(tmp_path, "init", "-q")
    for number in range(3):
        write(tmp_path, f"//- notes/next.md\nChange {number}\n//- notes/old.md\nOld\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", f"Change {number}")
        (tmp_path / "notes" / "next.md").unlink()
        if number == 2:
            (tmp_path / "notes" / "old.md").unlink()
        git(tmp_path, "commit", "-qam", f"Release {number}")
    history = term_history(tmp_path)
    assert history is not None
    found = history.removed_files(["notes/next.md", "notes/old.md"])
    assert {path: removal.subject for path, removal in found.items()} == {"notes/old.md": "Release 2"}


DESCRIBED = """
//- shop/__init__.py
from .cart import Cart, checkout, open_cart, close_cart, count_items, total_price, _private
__all__ = ["Cart", "checkout", "open_cart", "close_cart", "count_items", "total_price"]
//- shop/cart.py
class Cart: ...
class CartStore: ...
class MailSender: ...
def checkout(): ...
def open_cart(): ...
def close_cart(): ...
def count_items(): ...
def total_price(): ...
def _private(): ...
//- README.md
# Shop
```python
from shop import Cart
```
`checkout`, `open_cart`, `close_cart` and `count_items` do the rest.
```mermaid
flowchart LR
  Cart --> CartStore --> MailSender --> count_items
  CartStore --> PriceService
  MailSender --> Customer
```
//- docs/idea.md
# Idea
```mermaid
flowchart LR
  CartStore --> StockService --> PaymentGate
```
"""


def test_exports_that_no_document_mentions_are_hints(tmp_path: Path) -> None:
    write(tmp_path, DESCRIBED)
    with open_workspace(tmp_path) as workspace:
        hints = workspace.lint(checks=["hints"]).answer.diagnostics or ()
    assert [(each.file, each.line, each.message) for each in hints] == [
        ("shop/cart.py", 8, '"shop/__init__.py" exports "total_price", and no document mentions it.')
    ]


def test_exported_values_are_hints_too_but_not_names_beyond_ascii(tmp_path: Path) -> None:
    write(tmp_path, DESCRIBED)
    cart = tmp_path / "shop/cart.py"
    cart.write_text(cart.read_text(encoding="utf-8") + "MAX_ITEMS = 3\ndef größe(): ...\n", encoding="utf-8")
    package = tmp_path / "shop/__init__.py"
    text = package.read_text(encoding="utf-8")
    text = text.replace("import Cart", "import MAX_ITEMS, größe, Cart").replace('["Cart"', '["MAX_ITEMS", "größe", "Cart"')
    package.write_text(text, encoding="utf-8")
    (tmp_path / "docs/size.md").write_text("# Size\n\nThe size is `größe`.\n", encoding="utf-8")
    with open_workspace(tmp_path) as workspace:
        hints = workspace.lint(checks=["hints"]).answer.diagnostics or ()
    assert [each.message.split('"')[3] for each in hints] == ["total_price", "MAX_ITEMS"]


def test_pages_that_are_made_from_code_mention_all_exports(tmp_path: Path) -> None:
    write(tmp_path, DESCRIBED)
    write(tmp_path, "//- docs/api.rst\nAPI\n===\n\n.. automodule:: shop\n")
    with open_workspace(tmp_path) as workspace:
        assert not workspace.lint(checks=["hints"]).answer.diagnostics


def test_a_node_that_nobody_has_is_told_where_the_other_nodes_are_code(tmp_path: Path) -> None:
    write(tmp_path, DESCRIBED)
    with open_workspace(tmp_path) as workspace:
        found = workspace.lint(checks=["warnings"]).answer.diagnostics or ()
    assert [(each.file, each.line, each.message.split('"')[1]) for each in found] == [("README.md", 9, "PriceService")]


def test_a_node_beyond_ascii_is_not_told(tmp_path: Path) -> None:
    write(tmp_path, DESCRIBED.replace("PriceService", "PreisGröße"))
    (tmp_path / "shop/size.py").write_text("# PreisGröße is the size.\n", encoding="utf-8")
    with open_workspace(tmp_path) as workspace:
        found = workspace.lint(checks=["warnings"]).answer.diagnostics or ()
    assert not [each for each in found if "The diagram" in each.message]


#: A program with flags and settings, and documents that name others.
PROGRAM = """
//- pyproject.toml
[project]
name = "stall"
scripts = { stall = "stall.cli:cli" }
//- stall/__init__.py
//- stall/cli.py
import os
import click

STORE = os.environ["STALL_STORE"]
LIMIT = os.environ["STALL_LIMIT"]
TOKEN = os.environ["STALL_TOKEN"]
HOST = os.environ["STALL_HOST"]
PORT = os.environ["STALL_PORT"]

@click.group()
def cli(): ...

@cli.command()
@click.option("--dry-run")
@click.option("--max-items")
@click.option("--out-file")
def sell(dry_run, max_items, out_file): ...
//- docs/use.md
# Use
Set `STALL_TIMEOUT`, `STALL_PORT` or `GITHUB_STALL_ID`.

```sh
stall sell --dry-run --most-items 3
stall sell --help
other sell --lost-flag
stall sell now -- --most-items 4
```
`STALL_CACHE` was removed. The columns are `ITEM_NAME`.
The plugin stall-mail reads `STALL_MAIL_TOKEN`.
//- docs/secrets.md
# Secrets
Each secret is a variable `STALL_SECRET_<NAME>`, such as `STALL_SECRET_TILL`.
//- docs/CHANGES.md
# Changes
Adds `STALL_OLD`.
"""


def _undeclared(root: Path) -> list[tuple[str, int, str]]:
    with open_workspace(root) as workspace:
        found = workspace.lint(checks=["warnings"]).answer.diagnostics or ()
    return [(each.file, each.line, each.message.split('"')[1]) for each in found]


def test_flags_and_settings_that_no_code_declares_are_told_once(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for flag in ("--most-items", "--max-items"):  # a flag that a commit removed is not told again as an unknown one
        write(tmp_path, PROGRAM.replace('option("--max-items")', f'option("{flag}")'))
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", f"Read {flag}")
    assert _undeclared(tmp_path) == [("docs/use.md", 2, "STALL_TIMEOUT"), ("docs/use.md", 5, "--most-items")]


def test_settings_whose_names_code_puts_together_are_not_told(tmp_path: Path) -> None:
    write(tmp_path, PROGRAM)
    code = 'import os\ndef read(name): return os.environ["STALL_" + name.upper()]\n'
    (tmp_path / "stall/more.py").write_text(code)
    assert ("docs/use.md", 2, "STALL_TIMEOUT") in _undeclared(tmp_path)
    (tmp_path / "stall/more.py").write_text(f"{code}read('timeout')\n")
    assert _undeclared(tmp_path) == [("docs/use.md", 5, "--most-items")]


ELSEWHERE = """
//- .gitignore
docs/license.md
//- docs/guide.md
# Guide
[written by a build](license.md) [moved](terms.md) [of another repository](fields.md)
## Limits %{#limits-of-use}%
## Costs {/* #prices */}
## 1. First steps
## Second steps :id=second
## Fourth steps {: .wide #fourth }
[limits](#limits-of-use) [costs](#prices) [first](#a1-first-steps) [second](#second) [fourth](#fourth) [third](#a3-third-steps)
//- docs/versioned_docs/version-1.2/guide.md
[moved since](terms.md)
//- docs/changelog.md
[moved since](terms.md)
//- docs/usage.md
# Usage
//- src/rules/naming.md
[usage](../usage.md) [nowhere](../nowhere.md)
//- docs/about/terms.md
//- docs/about/nowhere.md
{{#include ../parts/note.md}}
//- docs/parts/note.md
[on the page](#of-the-page)
"""
SITE = """
//- website/docusaurus.config.js
module.exports = {};
//- docs/start/first.md
[from the root of the documents](usage.md) [beside](./usage.md)
"""


def test_what_a_build_or_another_place_of_the_document_has_is_not_told(tmp_path: Path) -> None:
    write(tmp_path, ELSEWHERE)
    (tmp_path / "docs" / "rules").mkdir()
    (tmp_path / "docs" / "rules" / "naming-rules.md").symlink_to("../../src/rules/naming.md")
    write(tmp_path, SITE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    with open_workspace(tmp_path) as workspace:
        answer = workspace.lint(checks=["warnings"]).answer
    told = [(each.file, each.line, each.message.split('"')[1]) for each in answer.diagnostics or ()]
    assert told == [
        ("docs/guide.md", 2, "terms.md"),
        ("docs/guide.md", 8, "#a3-third-steps"),
        ("docs/start/first.md", 1, "./usage.md"),
        ("src/rules/naming.md", 1, "../nowhere.md"),
    ]


def _committed(root: Path, day: int, *, message: str) -> None:
    git(root, "add", ".")
    # The author wrote the change much earlier.
    git(root, "commit", "-qm", message, "--date", "2024-01-01T12:00:00Z", date=f"2024-03-{day:02}T12:00:00Z")


def test_a_name_that_a_document_took_up_after_its_removal_is_not_told(tmp_path: Path) -> None:
    code = tmp_path / "src" / "cart.py"
    guide = tmp_path / "docs" / "guide.md"
    write(
        tmp_path,
        "//- src/cart.py\ndef load_basket(path): ...\n//- src/index.py\nX = 1\n"
        "//- docs/guide.md\nCall `load_basket()`, not `save`.\n"
        "//- docs/moves.md\nCall `open_basket()` instead of `load_basket()`.\n",
    )
    git(tmp_path, "init", "-q")
    _committed(tmp_path, 1, message="Start")
    code.write_text("def open_basket(path): ...\n")
    (tmp_path / "src" / "index.py").unlink()
    _committed(tmp_path, 2, message="Open baskets")
    guide.write_text("Call `load_basket()`, not `save`.\n\nThe shop of `load_basket()` starts in `src/index.py`.\n")
    _committed(tmp_path, 5, message="Write more")
    with open_workspace(tmp_path) as workspace:
        answer = workspace.lint(checks=["warnings"]).answer
    assert [(each.line, each.message.split('"')[1]) for each in answer.diagnostics or ()] == [(1, "load_basket")]


#: Names of the code, of which the documents write most as they are.
NAMES = (
    "open_basket total_price discount_of_day count_of_all_items seller_account max_items_in_cart load_prices close_basket "
    "print_receipt count_returns refund_buyer ship_parcel weigh_parcel label_parcel stamp_letter count_stamps"
)
SPELLED = {
    "docs/other.md": "`count_of_all_item` and `MAX_ITEMS_IN_CARTS`, but also `left_pad_all_lines` of another program.\n",
    "docs/settings.md": f"""# Settings of {" ".join(f"`{name}`" for name in NAMES.split())}

| `alert_on_missing_price` | whether a missing price is an error |
| `seller_acount` | too short to be sure |
| `RANDOM_RECEIPT_N` | for any number |
| `count_of_all_item` | the other form of a name above |
| `refund_all_buyer` | a parameter in the example |

```js
shop.onRefund((error, refund_all_buyer) => refund_all_buyer.length)
```
""",
    "docs/usage.rst": "``alert_on_missing_price``\n",
    "src/shop.py": f'{NAMES}\nsettings["alert_on_missing_prices"], RANDOM_RECEIPT_, refund_all_buyers\n',
}


def test_names_with_one_wrong_letter_are_told_in_documents_about_the_code() -> None:
    texts = IndexedTexts(FileText(path, text.encode()) for path, text in SPELLED.items())

    def told(present: set[str]) -> list[tuple[str, int, int, str]]:
        history = TermHistory(lambda _words, _indexed: present, lambda _: {}, lambda _: {}, lambda _: {})
        return [(each.file, each.line, each.column, each.message) for each in misspelled_terms(texts, history)]

    message = (
        'The document names "alert_on_missing_price", which no code has. The code has "alert_on_missing_prices". '
        "Correct the name."
    )
    assert told(set()) == [("docs/settings.md", 3, 4, message)]
    assert told({"alert_on_missing_price"}) == []


LABELS = """
//- docs/guide.md
# Guide
[costs](#prices) [here](#set-apart) [gone](other.md#costs)

(set-apart)=
Text.
//- docs/other.md
(prices)=
# Prices of carts
"""


def test_a_link_to_a_label_of_another_document_is_not_told(tmp_path: Path) -> None:
    write(tmp_path, LABELS)
    with open_workspace(tmp_path) as workspace:
        answer = workspace.lint(checks=["warnings"]).answer
    assert [(each.line, each.message.split('"')[1]) for each in answer.diagnostics or ()] == [(2, "#costs")]
