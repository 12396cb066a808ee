"""The parts of signatures in Go, Java and Python."""

from __future__ import annotations

import pytest
from astrolabe.ingest.languages.registry import language
from astrolabe.schema.signatures import SignatureParameter, SignatureParts, TypeParameter

P, T = SignatureParameter, TypeParameter
NOTHING = SignatureParts((), None)
SIGNATURES: list[tuple[str, str, SignatureParts]] = [
    (
        "go",
        "func (r *Repo[T]) Find(name string, options ...Option) (*Account, error)",
        SignatureParts((P("name", "string"), P("options", "Option", rest=True)), "(*Account, error)"),
    ),
    (
        "go",
        "func Map[K comparable, V any](m map[K]V, each func(a, b int) bool) (found []V, ok bool)",
        SignatureParts(
            (P("m", "map[K]V"), P("each", "func(a, b int) bool")), "(found []V, ok bool)", (T("K", "comparable"), T("V", "any"))
        ),
    ),
    (
        "go",
        "func Sum(a, b *Account, _ int) Account",
        SignatureParts((P("a", "*Account"), P("b", "*Account"), P("_", "int")), "Account"),
    ),
    ("go", "Close(context.Context, int) error", SignatureParts((P("", "context.Context"), P("", "int")), "error")),
    ("go", "func init()", NOTHING),
    ("go", "Amount int", NOTHING),
    (
        "java",
        "static <T extends Account, U> Optional<T> find(final String name, @Nullable List<? super U> found, int... more)",
        SignatureParts(
            (P("name", "String"), P("found", "List<? super U>"), P("more", "int", rest=True)),
            "Optional<T>",
            (T("T", "Account"), T("U")),
        ),
    ),
    ("java", "Cart(Map<String, Item> items)", SignatureParts((P("items", "Map<String, Item>"),), None)),
    ("java", "default void close()", SignatureParts((), "void")),
    ("java", "int total(int values[])", SignatureParts((P("values", "int[]"),), "int")),
    ("java", "private final List<Item> items", SignatureParts((), "List<Item>")),
    (
        "python",
        "async def find(self, name: str, /, *accounts: Account, key: 'Account' = None, limit=3, **rest: int) -> list[Account]",
        SignatureParts(
            (
                P("self", None),
                P("name", "str"),
                P("accounts", "Account", rest=True),
                P("key", "'Account'", default="None"),
                P("limit", None, default="3"),
                P("rest", "int", rest=True),
            ),
            "list[Account]",
        ),
    ),
    ("python", "def first[T: Account](items: list[T], *, last=False) -> T", SignatureParts(
        (P("items", "list[T]"), P("last", None, default="False")), "T", (T("T", "Account"),)
    )),
    ("python", "total: int = 3", SignatureParts((), "int")),
    ("python", "total = 3", NOTHING),
    ("python", "def broken(a: int, b", SignatureParts((), None)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "signature", "expected"), SIGNATURES)
def test_a_signature_has_its_parts(name: str, signature: str, expected: SignatureParts) -> None:
    read = language(name).signature_parts
    assert read is not None
    assert read(signature) == expected
