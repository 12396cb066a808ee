"""What blocks of code import and call, read by their tokens."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.blocks.code import code_references
from astrolabe.ingest.documents.blocks.imports import ALIAS
from astrolabe.ingest.documents.sections import CodeBlock

from tests.linear_time import is_linear, processor_seconds


def read(*blocks: str, language: str) -> list[tuple[str, int, str, tuple[str, ...]]]:
    """Return the form, the line, the text and the names of what blocks name; each block begins at a line of hundreds.

    New names of imports are left out; they have a test of their own.
    """
    found = code_references(CodeBlock(100 * number, language, text) for number, text in enumerate(blocks, 1))
    return [(each.form, each.line, each.text, each.names) for each in found if each.form != ALIAS]


@pytest.mark.parametrize(
    ("language", "code", "aliases"),
    [
        ("python", "import shop.orders as so\nfrom shop import load as ld, Cart\nimport os\n", {"so": "*", "ld": "load"}),
        ("ts", 'import open, { Cart as C, Till } from "@acme/shop"\nconst tax = require("@acme/tax")\n', {
            "open": "default", "C": "Cart", "tax": "*",
        }),
        ("php", "use Acme\\Till as T;\nuse Acme\\{Level, Gone as Lost};\n", {"T": "Till", "Lost": "Gone"}),
    ],
)  # fmt: skip
def test_imports_give_new_names(language: str, code: str, aliases: dict[str, str]) -> None:
    found = code_references([CodeBlock(1, language, code)])
    assert {each.names[0]: each.names[1] for each in found if each.form == ALIAS} == aliases


def test_calls_of_python_lead_through_imports_aliases_and_values() -> None:
    found = read(
        "from shop import (\n    Cart,  # the basket\n    load as ld,\n)\nimport shop.orders as so\n",
        'cart = Cart()\ncart.add("a.b()", 3)  # cart.gone()\nso.place(cart)\nwith Cart() as c:\n    c.total()\n'
        "x = ld()\nx.size()\n",
        language="python",
    )
    assert found == [
        ("import", 100, "shop", ("Cart", "load")),
        ("import", 104, "shop.orders", ()),
        ("call", 200, "shop", ("Cart",)),
        ("instance call", 201, "shop", ("Cart", "add")),
        ("call", 202, "shop.orders", ("place",)),
        ("call", 203, "shop", ("Cart",)),
        ("chain", 204, "shop", ("Cart", "__enter__", "total")),
        ("call", 205, "shop", ("load",)),
        ("instance call", 206, "shop", ("load", "size")),
    ]


def test_names_that_a_block_makes_itself_are_not_taken_for_others() -> None:
    code = (
        "def total(): ...\ntotal()\nclient = connect()\nclient.send()\nfor cart in carts:\n    print(cart)\n"
        "self.run()\nOther.run()\n"
    )
    assert read(code, language="python") == [("code", 107, "Other.run()", ())]


def test_a_session_of_python_has_output_that_is_no_code() -> None:
    code = ">>> import shop\n>>> def f():\n...     shop.load()\nshop.printed()\n>>> shop.open_cart()\n"
    assert [each for each in read(code, language="pycon") if each[0] == "call"] == [
        ("call", 102, "shop", ("load",)),
        ("call", 104, "shop", ("open_cart",)),
    ]


def test_imports_of_javascript_may_span_lines() -> None:
    code = (
        "import Shop, {\n  open,\n  type Cart as C,\n} from '@acme/shop'\nconst { close, tax: t } = require('@acme/tax')\n"
        "const all = require('@acme/all')\nopen(1); t(); all.load()\nconst s = new Shop()\ns.run()\n"
    )
    assert read(code, language="ts") == [
        ("import", 100, "@acme/shop", ("open", "Cart")),
        ("import", 104, "@acme/tax", ("close", "tax")),
        ("import", 105, "@acme/all", ()),
        ("call", 106, "@acme/shop", ("open",)),
        ("call", 106, "@acme/tax", ("tax",)),
        ("call", 106, "@acme/all", ("load",)),
        ("call", 107, "@acme/shop", ("default",)),
        ("instance call", 108, "@acme/shop", ("default", "run")),
    ]


def test_go_has_packages_with_and_without_an_import() -> None:
    code = (
        'import (\n\t"fmt"\n\tcfg "example.com/shop/config"\n)\nfunc main() {\n\tc := cfg.New()\n\tc.Set("x")\n\tshop.Open()\n}\n'
    )
    assert read(code, language="go") == [
        ("import", 101, "fmt", ()),
        ("import", 102, "example.com/shop/config", ()),
        ("call", 105, "example.com/shop/config", ("New",)),
        ("instance call", 106, "example.com/shop/config", ("New", "Set")),
        ("package call", 107, "shop", ("Open",)),
    ]


def test_java_has_declared_types() -> None:
    code = (
        'import acme.Shop;\nimport acme.Cart;\nCart cart = Shop.open("x").get();\ncart.total();\n'
        "Money m = cart.sum();\nm.add();\n"
    )
    assert read(code, language="java") == [
        ("import", 100, "acme.Shop", ("Shop",)),
        ("import", 101, "acme.Cart", ("Cart",)),
        ("use", 102, "acme.Cart", ("Cart",)),
        ("call", 102, "acme.Shop", ("Shop", "open")),
        ("chain", 102, "acme.Shop", ("Shop", "open", "get")),
        ("instance call", 103, "acme.Cart", ("Cart", "total")),
        ("use", 104, "", ("Money",)),
        ("instance call", 104, "acme.Cart", ("Cart", "sum")),
        ("chain", 105, "", ("Money", "add")),
    ]


def test_languages_that_are_not_read_name_nothing() -> None:
    assert read("import shop\nshop.load()\n", language="console") == []


def test_a_name_of_two_imported_go_packages_is_unknown() -> None:
    code = 'import (\n\t"log"\n\t"example.com/shop/log"\n\t"example.com/shop/cart"\n)\nlog.Println(1)\ncart.Open()\n'
    called = [(each.text, each.names) for each in code_references([CodeBlock(1, "go", code)]) if each.form == "call"]
    assert called == [("example.com/shop/cart", ("Open",))]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("language", ["python", "ts", "go", "java", "rust", "php"])
@pytest.mark.parametrize(
    "part",
    [
        "import {",
        "from a import (",
        "a.b",
        "a = ",
        '"',
        "'''",
        "/*",
        "const a",
        "x(",
        "\n",
        "use ",
        "with ",
        "a: b, ",
        "<a, ",
        "`",
        "use A\\{",
        "a->",
        "'a.b.c', ",
        "A\\",
        "A\\B ",
    ],
)
def test_odd_code_is_read_in_linear_time(language: str, part: str) -> None:
    def seconds(size: int) -> float:
        return processor_seconds(lambda: read(part * size, (part + "\n") * size, language=language))

    assert is_linear(seconds, 2_000)


@pytest.mark.parametrize(
    ("language", "part"), [("kotlin", "class A("), ("kotlin", "class A(a: b) : "), ("cpp", "A *a"), ("cpp", "a->b(")]
)
def test_odd_classes_and_pointers_are_read_in_linear_time(language: str, part: str) -> None:
    assert is_linear(lambda size: processor_seconds(lambda: read(part * size, language=language)), 2_000)


def test_names_without_an_import_and_members_of_values_are_kept() -> None:
    code = (
        "options = ShopOptions.default\nclient = connect()\nclient.load_cart(1)\nraise CartError if failed\n"
        "Orders\n  .where(open: true)\n  .with_total(:sum)\n"
    )
    assert read(code, language="ruby") == [
        ("use", 100, "", ("ShopOptions", "default")),
        ("package call", 102, "", ("client", "load_cart")),
        ("use", 103, "", ("CartError",)),
        ("use", 104, "", ("Orders",)),
        ("chain", 105, "", ("Orders", "where")),
        ("chain", 106, "", ("Orders", "where", "with_total")),
    ]


def test_an_imported_name_that_is_not_called_is_a_use() -> None:
    code = "from shop import Cart, ShopError\n\ndef load(cart: Cart):\n    raise ShopError\n"
    assert read(code, language="python")[1:] == [("use", 102, "shop", ("Cart",)), ("use", 103, "shop", ("ShopError",))]


def test_long_chains_of_members_are_read_in_linear_time() -> None:
    def seconds(size: int) -> float:
        return processor_seconds(lambda: read("cart()" + "\n.with_item(1)" * size, language="ruby"))

    assert is_linear(seconds, 500)


def test_a_fragment_of_go_names_types_of_a_package() -> None:
    assert read("s := &shop.Config{Port: 80}\ns.port = 3\n", language="go") == [
        ("use", 100, "", ("shop", "Config")),
        ("chain", 100, "", ("shop", "Config", "Port")),
        ("chain", 101, "", ("shop", "Config", "port")),
    ]


@pytest.mark.parametrize(
    ("language", "code", "chains"),
    [
        (
            "ts",
            "app.on().go(1)\nconst shop = new Shop({ port: 80 })\nshop.cart().total()\n",
            ["Shop (0 port", "Shop cart", "Shop cart total"],
        ),
        ("ts", "function pay(cart: Cart, next) { cart.items.first() }\n", ["Cart items first"]),
        ("go", "cart, err := shop.Open(1)\ncart.Total()\n", ["shop Open Total"]),
        ("go", "func (h *Handler) Serve(cart *shop.Cart) {\n\tcart.Total()\n}\n", ["shop Cart Total"]),
        ("go", "cart := shop.Open()\nwalk(func() { cart = strings.Trim(1) })\ncart.Total()\n", ["shop Open Total"]),
        ("rust", "let cart = Cart::new().with(1);\nlet item = Item { price: 2 };\n", ["Cart new with", "Item price"]),
        ("csharp", "var cart = new Cart { Size = 3 };\ncart.Total();\n", ["Cart Size", "Cart Total"]),
        ("java", "void pay(Cart cart) {\n  cart.total();\n}\n", ["Cart total"]),
        ("python", "class Cart2: ...\ncart = Cart2()\ncart.total()\n", []),
    ],
)
def test_members_lead_through_types_and_results(language: str, code: str, chains: list[str]) -> None:
    assert [" ".join(names) for form, _, _, names in read(code, language=language) if form == "chain"] == chains


def test_an_annotation_is_a_use() -> None:
    code = "@Since(1)\nprivate String name;\n"
    found = read(code, language="java")
    assert [(form, text, names) for form, _, text, names in found] == [("code", "@Since", ()), ("use", "", ("String",))]
