"""What a path alone says about a file."""

from __future__ import annotations

import pytest
from astrolabe.ingest.files.path_roles import is_declaration_file, is_migration_script, is_test_path
from astrolabe.schema.languages import extension_of, language_of

LANGUAGES = [("a.ts", "typescript"), ("x/a.d.mts", "typescript"), ("a.tsx", "tsx"), ("a.TS", None), ("ts", None), (".ts", None)]
EXTENSIONS = [("a.d.ts", ".ts"), ("a/b.c/d", ""), (".js", ""), ("a/.x.js", ".js"), ("a.", ".")]
DECLARATIONS = [
    ("a.d.ts", True),
    ("x/a.d.mts", True),
    ("a.d.cts", True),
    ("a.d.css.ts", True),
    ("a.d.tsx", False),
    ("a.ts", False),
    ("ad.ts", False),
    ("x.d/a.ts", False),
    ("a.d.js", False),
]
TESTS = [
    ("test/a.ts", True),
    ("src/shop/CartSpec.scala", True),
    ("src/__tests__/a.js", True),
    ("packages/x/tests/deep/a.ts", True),
    ("spec/a.js", True),
    ("e2e/login.ts", True),
    ("cypress/support.ts", True),
    ("src/__mocks__/fs.js", True),
    ("src/a.test.ts", True),
    ("src/a.spec.tsx", True),
    ("src/a-test.js", True),
    ("src/a_test.mjs", True),
    ("src/a.e2e-spec.ts", True),
    ("src/a.cy.ts", True),
    ("src/a.test-d.ts", True),
    ("test.js", True),
    ("src/testing/harness.ts", False),
    ("src/latest/a.ts", False),
    ("src/contest.ts", False),
    ("src/attest.js", False),
    ("src/inspect.ts", False),
    ("src/test-bed/a.ts", False),
    ("src/spec.md", False),
    ("src/protest/a.ts", False),
    ("src/testutil/render.ts", True),
    ("src/test_helpers/render.ts", True),
    ("packages/shop-test-utils/src/render.ts", True),
    ("packages/shop-tests/src/render.ts", True),
    ("packages/shop-test/src/render.ts", False),
    ("src/testimonials/list.ts", False),
    ("src/test-suite-runner/run.ts", False),
    ("src/testing-library/render.ts", False),
    ("src/features/test-cases/list.ts", False),
]
OTHER_TESTS = [
    ("pkg/server_test.go", True),
    ("pkg/testing.go", False),
    ("tests/test_cart.py", True),
    ("shop/test_cart.py", True),
    ("shop/cart_test.py", True),
    ("shop/conftest.py", True),
    ("shop/tests.py", True),
    ("shop/testing.py", False),
    ("shop/latest.py", False),
    ("t/unit/app.py", True),
    ("src/t/app.py", False),
    ("spec/cart_spec.rb", True),
    ("lib/cart_spec.rb", True),
    ("src/test/java/CartFixture.java", True),
    ("src/main/java/CartTest.java", True),
    ("src/main/java/Contest.java", False),
    ("src/main/java/CartIT.java", True),
    ("src/main/java/MarcSpec.java", False),
    ("shop-test/src/main/java/shop/test/Carts.java", False),
    ("src/main/java/shop/tests/data/Carts.java", False),
    ("cart/src/main/kotlin/PriceSuite.kt", False),
    ("src/commonTest/kotlin/Cart.kt", True),
    ("src/Shop.Tests/Cart.cs", True),
    ("src/Shop.Tests.Web/Cart.cs", True),
    ("Tests/ShopTests/Cart.swift", True),
    ("src/CartSpecs.cs", True),
    ("src/attests/cart.cs", False),
    ("src/cart_unittest.cc", True),
    ("src/tests.rs", True),
    ("src/contests.rs", False),
    ("internal/btesting/db.go", True),
    ("internal/store/storetesting/db.go", True),
    ("internal/testing/db.go", False),
    ("pkg/abtesting/split.go", False),
    ("internal/testutil/db.go", True),
    ("internal/testutils/db.go", True),
    ("pkg/testhelpers/db.go", True),
    ("pkg/testdata/db.go", True),
    ("pkg/httptest/server.go", False),
    ("src/testFixtures/java/Carts.java", True),
    ("src/testIntegration/java/Carts.java", True),
    ("src/main/java/org/testng/Runner.java", False),
    ("cart-test-support/src/main/java/Carts.java", True),
    ("cart-testing-support/src/main/kotlin/Carts.kt", True),
    ("src/Shop.TestUtils/Carts.cs", True),
    ("src/Shop.Testing/Carts.cs", False),
    ("unittests/ADT/Map.cpp", True),
    ("src/MapTest.cpp", True),
    ("src/Contest.cpp", False),
    ("crates/tests-integration/src/lib.rs", True),
    ("shop/testcases/pay.py", True),
    ("parser/src/test_src/levels.rs", True),
    ("shop/integration_tests/pay.py", True),
    ("shop/testing/pay.py", False),
    ("shop/latests/pay.py", False),
]


@pytest.mark.parametrize(("path", "expected"), LANGUAGES)
def test_language(path: str, expected: str | None) -> None:
    assert language_of(path) == expected


@pytest.mark.parametrize(("path", "expected"), EXTENSIONS)
def test_extension(path: str, expected: str) -> None:
    assert extension_of(path) == expected


@pytest.mark.parametrize(("path", "expected"), DECLARATIONS)
def test_declaration_file(path: str, expected: bool) -> None:
    assert is_declaration_file(path) is expected


@pytest.mark.parametrize(("path", "expected"), TESTS + OTHER_TESTS)
def test_test_path(path: str, expected: bool) -> None:
    assert is_test_path(path) is expected


def test_scripts_about_migrations() -> None:
    named = ("tools/validate-migrations.ts", "migrate.py", "db/MigrationRunner.java", "check_migration_2.rb", "schemaMigrator.js")
    assert all(is_migration_script(path) for path in named)
    others = ("migrations/users.ts", "immigration.py", "migratory_birds.py", "src/Emigrate.java", "orders.sql")
    assert not any(is_migration_script(path) for path in others)
