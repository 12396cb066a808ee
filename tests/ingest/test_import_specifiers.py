"""What import statements name in languages without a resolver."""

from __future__ import annotations

from importlib import import_module

import pytest
from astrolabe.ingest.languages.syntax_only import import_statements
from astrolabe.ingest.languages.syntax_only.import_statements import SpecifierReader
from astrolabe.schema.languages import BY_NAME

#: Language, statement, specifiers, and the names that it brings into its file.
STATEMENTS = [
    ("python", "import os", ["os"], {"os"}),
    ("python", "import a.b.c, d as e", ["a.b.c", "a", "a.b", "d"], {"a", "e"}),
    ("python", "from a.b import c, d as e", ["a.b", "a.b.c", "a.b.d"], {"c", "e"}),
    ("python", "from . import x", [".", ".x"], {"x"}),
    ("python", "from . desk import x", [".desk", ".desk.x"], {"x"}),
    ("python", "from.. desk . till import(x, y)", ["..desk.till", "..desk.till.x", "..desk.till.y"], {"x", "y"}),
    ("python", "from.import x", [".", ".x"], {"x"}),
    ("python", "from ..up import (\n    one,  # why\n    two as three,\n)", ["..up", "..up.one", "..up.two"], {"one", "three"}),
    ("python", "from a import \\\n    b", ["a", "a.b"], {"b"}),
    ("python", "from a import *", ["a"], set()),
    ("python", "from __future__ import annotations", ["__future__", "__future__.annotations"], {"annotations"}),
    ("go", 'import "net/http"', ["net/http"], {"http"}),
    ("go", 'import (\n\t"fmt"\n\tx "a.b/c/v2" // why\n\t_ "a.b/go-side"\n)', ["fmt", "a.b/c/v2", "a.b/go-side"], {"fmt", "x"}),
    ("java", "import org.shop.Cart;", ["org.shop.Cart"], {"Cart"}),
    ("java", "import static org.shop.Cart.of;", ["org.shop.Cart.of"], {"of"}),
    ("java", "import org.shop.*;", [], set()),
    ("kotlin", "import org.shop.Cart as Basket", ["org.shop.Cart"], {"Basket"}),
    ("scala", "import org.shop.{Cart, Item => Thing, _}", ["org.shop.Cart", "org.shop.Item"], {"Cart", "Thing"}),
    ("rust", "use crate::a::B;", ["crate::a::B"], {"B"}),
    ("rust", "pub use a::{self, b::C as D, e::{F, G}};", ["a", "a::b::C", "a::e::F", "a::e::G"], {"a", "D", "F", "G"}),
    ("rust", "use super::*;", ["super::*"], set()),
    ("rust", "pub(crate) mod cart;", ["mod cart"], {"cart"}),
    ("c", '#include "a/b.h"', ['"a/b.h"'], set()),
    ("cpp", "#  include <vector>", ["<vector>"], set()),
    ("ruby", 'require_relative "../a"', ["./../a"], set()),
    ("ruby", "autoload :Cart, 'shop/cart'", ["shop/cart"], set()),
    ("php", "use Shop\\Cart;", ["Shop\\Cart"], {"Cart"}),
    ("php", "use function Shop\\total as sum;", ["Shop\\total"], {"sum"}),
    ("php", "use Shop\\{Cart, Pay\\Card as C};", ["Shop\\Cart", "Shop\\Pay\\Card"], {"Cart", "C"}),
    ("bash", "source ./lib.sh", ["./lib.sh"], set()),
    ("bash", '. "$(dirname "$0")/lib.sh"', ["./lib.sh"], set()),
    ("csharp", "using System.Linq;", [], set()),
    ("csharp", "using Text = System.String;", [""], {"Text"}),
    ("swift", "import Foundation", [], set()),
]


def reader_of(language: str) -> SpecifierReader:
    folder = import_module(f"astrolabe.ingest.languages.{BY_NAME[language].folder}")
    read: SpecifierReader = folder.READER.rules_for(b"", language).specifiers
    return read


def specifiers(language: str, statement: str) -> tuple[import_statements.Specifier, ...]:
    return import_statements.specifiers(reader_of(language), statement)


def local_names(language: str, statement: str) -> set[str]:
    return import_statements.local_names(reader_of(language), statement)


@pytest.mark.parametrize(("language", "statement", "named", "brought"), STATEMENTS)
def test_statement(language: str, statement: str, named: list[str], brought: set[str]) -> None:
    assert [specifier.text for specifier in specifiers(language, statement)] == named
    assert local_names(language, statement) == brought


@pytest.mark.parametrize("language", ["python", "go", "rust", "java", "php", "ruby", "c", "bash"])
@pytest.mark.parametrize("statement", ["", "use {{{{", "import", "from  import", "use a::{b", "}", "#include", "mod", "\x00"])
def test_a_broken_statement_names_nothing_or_something(language: str, statement: str) -> None:
    specifiers(language, statement)
    local_names(language, statement)
