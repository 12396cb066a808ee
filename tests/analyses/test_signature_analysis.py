"""Signatures and modifiers of every kind of symbol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.signature import signature_of, type_parameters
from astrolabe.retrieval.source.signature_parts import SignatureParameter, TypeParameter

#: Symbol, signature, modifiers.
SIGNATURES = [
    ("add", "add(a: number, b: number): number", "exported"),
    ("hidden", "hidden(value: string): void", ""),
    ("load", "load<T extends object>(url: string, options: { retry?: number } = {}): Promise<T>", "exported async"),
    ("multiply", "multiply(a: number, b = 2): number", "exported"),
    ("identity", "identity<T>(value: T): Promise<T>", "exported async"),
    ("legacy", "legacy(this: Window, ...args: string[]): string", "exported"),
    ("numbers", "numbers(limit: number): Generator<number>", "exported generator"),
    ("Named", "interface Named", "exported"),
    ("Named > name", "name: string", ""),
    ("Aged", "interface Aged extends Named", "exported"),
    ("Aged > age", "age?: number", "readonly"),
    ("Aged > describe", "describe(prefix: string): string", ""),
    ("Animal", "class Animal<T = string> implements Named", "exported abstract"),
    ("Animal > count", "count: number", "static"),
    ("Animal > sound", "sound: T", "protected readonly"),
    ("Animal > name", "name", ""),
    ("Animal > tag", "tag: string", "declare"),
    ("Animal > constructor", "constructor(sound: T)", ""),
    ("Animal > move", "move(distance: number): void", "abstract"),
    ("Animal > fetch", "fetch(url: string): Promise<string>", "async"),
    ("Animal > label", "get label(): string", ""),
    ("Animal > create", "create<U>(factory: () => U): U", "private static"),
    ("Dog", "class Dog extends Animal<string> implements Named, Aged", "exported default"),
    ("Dog > move", "move(distance: number): void", "override"),
    ("Dog > describe", "describe(prefix: string): string", ""),
    ("Pair", "type Pair<A, B = A> = [A, B]", "exported"),
    ("Handler", "type Handler = (event: string) => void", ""),
    ("Flag", "const enum Flag", "exported"),
    ("Flag > On", "On = 1", ""),
    ("Colour", "enum Colour", "exported"),
    ("Outside", "enum Outside", "exported declare"),
    ("title", "const title: string", "exported"),
    ("inferred", "const inferred = 3", "exported"),
    ("current", "let current: number | undefined", "exported"),
    ("old", "var old: string[]", ""),
    ("VERSION", "const VERSION: string", "declare"),
    ("external", "external(id: number): void", "declare"),
    ("Tools", "namespace Tools", "exported"),
    ("Tools > hammer", "hammer(force: number): boolean", "exported"),
    ("Tools > inner", "const inner: number", ""),
    ("later", "const later = 1", "exported"),
]

#: Symbol, parameters, written type of the result or of the value.
PARTS = [
    ("add", [SignatureParameter("a", "number"), SignatureParameter("b", "number")], "number"),
    (
        "load",
        [SignatureParameter("url", "string"), SignatureParameter("options", "{ retry?: number }", default="{}")],
        "Promise<T>",
    ),
    ("multiply", [SignatureParameter("a", "number"), SignatureParameter("b", None, default="2")], "number"),
    ("legacy", [SignatureParameter("this", "Window"), SignatureParameter("args", "string[]", rest=True)], "string"),
    ("Animal > create", [SignatureParameter("factory", "() => U")], "U"),
    ("title", [], "string"),
    ("Aged > age", [], "number"),
    ("Animal > name", [], None),
    ("Named", [], None),
]

#: A signature, then name, constraint, default and modifiers of its type parameters.
TYPE_PARAMETERS = [
    ("load<T extends object>(url: string): T", [TypeParameter("T", "object")]),
    ("class Dog extends Animal<string>", []),
    ("type Keys<T, K extends keyof T = keyof T> = K", [TypeParameter("T"), TypeParameter("K", "keyof T", "keyof T")]),
    ("f<const in out T>(a: T): void", [TypeParameter("T", None, None, ("const", "in", "out"))]),
    ("f<F extends (a: string) => void = () => void>(f: F): void", [TypeParameter("F", "(a: string) => void", "() => void")]),
    ("less(a: number): boolean", []),
    ("[Symbol.iterator]<T>(): T", [TypeParameter("T")]),
    ("const f = a < b", []),
]

EMPTY = [("nothing", "notFound"), ("label2", "notFound"), ("move", "ambiguous")]


@pytest.mark.parametrize(("path", "signature", "modifiers"), SIGNATURES)
def test_signatures_and_modifiers(project: Callable[[str], Any], path: str, signature: str, modifiers: str) -> None:
    found = signature_of(project("signature").subject(path))
    assert found.signature == signature
    assert " ".join(found.modifiers) == modifiers
    assert found.nothing is None


@pytest.mark.parametrize(("path", "parameters", "type"), PARTS)
def test_parts(project: Callable[[str], Any], path: str, parameters: list[SignatureParameter], type: str | None) -> None:
    declaration = signature_of(project("signature").subject(path)).declarations[0]
    assert list(declaration.parameters) == parameters
    assert declaration.type == type


@pytest.mark.parametrize(("signature", "expected"), TYPE_PARAMETERS)
def test_type_parameters(signature: str, expected: list[TypeParameter]) -> None:
    assert list(type_parameters(signature)) == expected


def test_both_accessors_of_a_name_are_declarations(project: Callable[[str], Any]) -> None:
    found = signature_of(project("signature").subject("Animal > label"))
    assert [declaration.signature for declaration in found.declarations] == ["get label(): string", "set label(value: string)"]


@pytest.mark.parametrize(("path", "kind"), EMPTY)
def test_each_nothing_says_which(project: Callable[[str], Any], path: str, kind: str) -> None:
    found = signature_of(project("signature").subject(path))
    assert (found.signature, found.modifiers) == ("", ())
    assert found.nothing is not None
    assert found.nothing.kind == kind
