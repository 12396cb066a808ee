"""Stack traces of each runtime, and the frames that are read from them."""

from __future__ import annotations

import random
import time

import pytest
from astrolabe.retrieval.stack_traces.frame_parsing import read_failures
from astrolabe.retrieval.stack_traces.function_names import names_of

PYTHON = """\
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/shop/cart.py", line 12, in total
    return self.prices.sum()
           ^^^^^^^^^^^^^^^
  File "shop/prices.py", line 40, in <lambda>
    value.amount
AttributeError: 'NoneType' object has no attribute 'amount'
"""
PYTHON_CAUSE = """\
Traceback (most recent call last):
  File "a.py", line 1, in read
    x
KeyError: 'name'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "b.py", line 2, in load
    read()
shop.errors.Broken: no name
"""
NODE = """\
TypeError: Cannot read properties of undefined (reading 'total')
    at Cart.checkout [as pay] (/app/src/cart.ts:12:34)
    at new Order (file:///app/src/order.js:3:1)
    at async Promise.all (index 0)
    at /app/node_modules/express/lib/router.js:45:12
    at webpack:///./src/main.tsx?ab12:7:3
    at Object.<anonymous> (C:\\app\\src\\win.js:5:6)
"""
FIREFOX = """\
total@http://localhost:3000/static/js/cart.js:12:34
@http://localhost:3000/static/js/main.js:1:2
"""
GO = """\
panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x8 pc=0x626935]

goroutine 1 [running]:
github.com/acme/shop/cart.(*Cart).Total(0xc000010280, 0x2)
\t/home/me/go/src/github.com/acme/shop/cart/cart.go:242 +0x115
main.main.func1(...)
\t/home/me/shop/main.go:206
created by main.start in goroutine 7
\t/home/me/shop/start.go:9 +0x20
"""
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: closed
\tat com.acme.shop.Cart.lambda$total$0(Cart.java:31)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
Caused by: com.acme.shop.PriceException: none
\tat com.acme.shop.Prices$Table.<init>(Prices.java:8)
\t... 2 more
"""
RUST = """\
thread 'main' panicked at src/cart.rs:12:5:
index out of bounds
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/panicking.rs:665:5
   1: shop::cart::Cart::total::{{closure}}
             at ./src/cart.rs:12:5
   2: <shop::order::Order as core::fmt::Display>::fmt
             at ./src/order.rs:40:9
"""
RUBY = """\
/app/lib/shop/cart.rb:12:in 'Shop::Cart#total': undefined method 'amount' for nil (NoMethodError)
\tfrom /app/lib/shop/order.rb:8:in `block in pay'
\tfrom bin/shop:3:in `<main>'
"""
PHP = """\
PHP Fatal error:  Uncaught TypeError: total(): Argument #1 must be int in /app/src/Cart.php:12
Stack trace:
#0 /app/src/Order.php(34): Shop\\Cart->total('x')
#1 {main}
"""
CSHARP = """\
Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Cart.Total(Int32 count) in C:\\src\\Shop\\Cart.cs:line 12
   at Shop.Order.<PayAsync>d__5.MoveNext() in /src/Shop/Order.cs:line 40
"""
NATIVE = """\
    #0 0x55d in cart_total /src/shop/cart.c:12:3
#1  0x0000 in Order::pay (this=0x1) at ../src/order.cpp:40
"""
LUA = "shop/cart.lua:12: in function 'total'\n"
PYTEST = """\
tests/test_cart.py:3: in test_total
    cart.total()
shop/cart.py:9: in total
    raise ValueError("x")
E   ValueError: x
"""

Expected = list[tuple[str, str, list[tuple[str, int, tuple[str, ...]]]]]
CASES: dict[str, tuple[str, Expected]] = {
    "python": (
        PYTHON,
        [
            (
                "AttributeError",
                "'NoneType' object has no attribute 'amount'",
                [("shop/prices.py", 40, ()), ("/usr/lib/python3/site-packages/shop/cart.py", 12, ("total",))],
            )
        ],
    ),
    "python, a cause": (
        PYTHON_CAUSE,
        [("KeyError", "'name'", [("a.py", 1, ("read",))]), ("Broken", "no name", [("b.py", 2, ("load",))])],
    ),
    "node": (
        NODE,
        [
            (
                "TypeError",
                "Cannot read properties of undefined (reading 'total')",
                [
                    ("/app/src/cart.ts", 12, ("Cart", "checkout")),
                    ("app/src/order.js", 3, ("Order",)),
                    ("/app/node_modules/express/lib/router.js", 45, ()),
                    ("src/main.tsx", 7, ()),
                    ("C:/app/src/win.js", 5, ()),
                ],
            )
        ],
    ),
    "firefox": (FIREFOX, [("", "", [("static/js/cart.js", 12, ("total",)), ("static/js/main.js", 1, ())])]),
    "go": (
        GO,
        [
            (
                "",
                "runtime error: invalid memory address or nil pointer dereference",
                [
                    ("/home/me/go/src/github.com/acme/shop/cart/cart.go", 242, ("Cart", "Total")),
                    ("/home/me/shop/main.go", 206, ("main", "main")),
                    ("/home/me/shop/start.go", 9, ("main", "start")),
                ],
            )
        ],
    ),
    "java": (
        JAVA,
        [
            ("PriceException", "none", [("com/acme/shop/Prices.java", 8, ("Prices", "Table"))]),
            (
                "IllegalStateException",
                "closed",
                [
                    ("com/acme/shop/Cart.java", 31, ("Cart", "total")),
                    ("java/util/ArrayList.java", 1511, ("ArrayList", "forEach")),
                ],
            ),
        ],
    ),
    "rust": (
        RUST,
        [
            (
                "panic",
                "index out of bounds",
                [
                    ("src/cart.rs", 12, ()),
                    ("/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/panicking.rs", 665, ("rust_begin_unwind",)),
                    ("src/cart.rs", 12, ("Cart", "total")),
                    ("src/order.rs", 40, ("Order", "fmt")),
                ],
            )
        ],
    ),
    "ruby": (
        RUBY,
        [
            (
                "NoMethodError",
                "undefined method 'amount' for nil",
                [("/app/lib/shop/cart.rb", 12, ("Cart", "total")), ("/app/lib/shop/order.rb", 8, ("pay",)), ("bin/shop", 3, ())],
            )
        ],
    ),
    "php": (
        PHP,
        [
            (
                "TypeError",
                "total(): Argument #1 must be int",
                [("/app/src/Cart.php", 12, ()), ("/app/src/Order.php", 34, ("Cart", "total"))],
            )
        ],
    ),
    "csharp": (
        CSHARP,
        [
            (
                "NullReferenceException",
                "Object reference not set to an instance of an object.",
                [("C:/src/Shop/Cart.cs", 12, ("Cart", "Total")), ("/src/Shop/Order.cs", 40, ("Order", "PayAsync"))],
            )
        ],
    ),
    "native": (
        NATIVE,
        [("", "", [("/src/shop/cart.c", 12, ("cart_total",)), ("../src/order.cpp", 40, ("Order", "pay"))])],
    ),
    "lua": (LUA, [("", "", [("shop/cart.lua", 12, ("total",))])]),
    "pytest": (
        PYTEST,
        [("ValueError", "x", [("shop/cart.py", 9, ("total",)), ("tests/test_cart.py", 3, ("test_total",))])],
    ),
}

LOGGED_JAVA = """\
java.lang.IllegalArgumentException: Invalid character ' '
\tat org.acme.web.Uri.verify(Uri.java:42) ~[acme-web-6.2.11.jar:6.2.11]
\tat app//shop.orders.Cart.lambda$total$3(Cart.java:29) ~[classes/:2.0-SNAPSHOT]
\tat java.base/java.util.Optional.map(Optional.java:260) ~[na:na]
\tat shop.orders.Proxy$$Lambda$4661/0x000000c8.accept(Unknown Source) ~[na:na]
\tat shop.Main.main(Main.java:7) [main/:na]
"""
LOGGED_GO = """\
panic: closed
shop/cart.(*Cart).Total(0xc000010280)
\t./internal/cart/cart.go:242 +0x115 fp=0xc00067 sp=0xc00068 pc=0x8cd378
"""
COMPOSED = """\
api-1  | Traceback (most recent call last):
api-1  |   File "/srv/shop/cart.py", line 12, in total
api-1  |     return self.prices.sum()
api-1  | ValueError: x
"""


@pytest.mark.parametrize(
    ("text", "error", "frames"),
    [
        (
            LOGGED_JAVA,
            "IllegalArgumentException",
            [
                ("org/acme/web/Uri.java", 42),
                ("shop/orders/Cart.java", 29),
                ("java/util/Optional.java", 260),
                ("shop/Main.java", 7),
            ],
        ),
        (LOGGED_GO, "", [("internal/cart/cart.go", 242)]),
        (COMPOSED, "ValueError", [("/srv/shop/cart.py", 12)]),
    ],
)
def test_what_loggers_add_to_lines_is_ignored(text: str, error: str, frames: list[tuple[str, int]]) -> None:
    (failure,) = read_failures(text)
    assert failure.error == error
    assert [(frame.path, frame.line) for frame in failure.frames] == frames


@pytest.mark.parametrize("name", CASES)
def test_a_trace_of_a_runtime(name: str) -> None:
    text, expected = CASES[name]
    for surrounded in (
        text,
        f"It broke:\n\n```\n{text}```\nPlease help.\n",
        "\n".join("    " + line for line in text.splitlines()),
    ):
        found = [
            (each.error, each.message, [(frame.path, frame.line, frame.names) for frame in each.frames])
            for each in read_failures(surrounded)
        ]
        assert found == expected


HANDLED = """\
Traceback (most recent call last):
  File "/srv/shop/cart.py", line 9, in price_of
    return TABLE[item]
KeyError: 'apple'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/shop/app.py", line 30, in answer
    {code}
ValueError: no price
"""


@pytest.mark.parametrize(
    ("code", "errors"),
    [
        ("raise ValueError('no price')", ["KeyError", "ValueError"]),
        ("told = float(text)", ["ValueError", "KeyError"]),
    ],
)
def test_a_handler_that_raises_tells_of_what_it_handled(code: str, errors: list[str]) -> None:
    assert [each.error for each in read_failures(HANDLED.format(code=code))] == errors


def test_a_trace_may_have_lost_its_indentation() -> None:
    flat = "\n".join(line.strip() for line in HANDLED.partition("\n\n")[0].splitlines()[1:])
    assert [(each.error, each.message) for each in read_failures(flat)] == [("KeyError", "'apple'")]


def test_a_name_may_stand_in_the_next_line() -> None:
    wrapped = HANDLED.partition("\n\n")[0].replace("line 9, in price_of", "line 9, in\nprice_of")
    (found,) = read_failures(wrapped)
    assert (found.error, [(frame.line, frame.names) for frame in found.frames]) == ("KeyError", [(9, ("price_of",))])


def test_the_arguments_of_a_go_call_may_go_on_in_the_next_lines() -> None:
    # As in messages of commits, which are wrapped at 72 characters.
    text = """panic: runtime error: index out of range
shop/cart.(*Cart).Total(0xc420017752, 0x9, {0xabc7c0, 0xc4200f0d00}, 0xc4200f64e8,
0x4, 0x12a05f200, 0x0, 0x0, 0x0,
0x0, ...)
\t/home/me/shop/cart/cart.go:84 +0x1fc
main.main()
\t/home/me/shop/main.go:7 +0x20
an event.handle(the order, which is paid,
0x4)
\t/home/me/shop/event.go:3 +0x20
"""
    (failure,) = read_failures(text)
    assert [(frame.path.rpartition("/")[2], frame.line, frame.names[-1:]) for frame in failure.frames] == [
        ("cart.go", 84, ("Total",)),
        ("main.go", 7, ("main",)),
        ("event.go", 3, ()),
    ]


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("github.com/acme/shop/cart.Map[...].Get", ("Map", "Get")),
        ("Object.keys", ("keys",)),
        ("<top (required)>", ()),
        ("rescue in block (2 levels) in Cart.total", ("Cart", "total")),
        ("Shop\\Cart::total", ("Cart", "total")),
        ("std::vector<int>::at", ("vector", "at")),
        ("app//com.acme.CartKt.total", ("CartKt", "total")),
        ("core::ops::function::FnOnce::call_once", ("FnOnce", "call_once")),
        ("", ()),
    ],
)
def test_names_of_functions(written: str, names: tuple[str, ...]) -> None:
    assert names_of(written) == names


@pytest.mark.parametrize(
    "text", ["", "hello", "at", "at (", "at a(b:c)", 'File "', "#0", "panic: ", "x" * 100_000, "\0\n\r\x1b[31m"]
)
def test_text_without_a_trace_has_no_frames(text: str) -> None:
    assert not [frame for failure in read_failures(text) for frame in failure.frames]


def test_no_text_takes_long() -> None:
    letters = "at File \"a.go:1(:)@#0 in '`<>\\/ \n\tError: "
    generator = random.Random(1)
    started = time.process_time()
    for _ in range(20):
        read_failures("".join(generator.choice(letters) for _ in range(20_000)))
    for piece in ("at ", "a.", "(", "at a (", ":1", "in ", "block in ", "<a>", "panic: "):
        read_failures("\n".join([piece * (900 // len(piece))] * 100))
    assert time.process_time() - started < 10
