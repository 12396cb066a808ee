"""Routes and services in the facts of one file."""

from __future__ import annotations

import pytest
from astrolabe.ingest.facts.api import ApiFacts
from astrolabe.ingest.languages.extraction import extract_facts


def api_of(text: str, language: str) -> ApiFacts:
    facts = extract_facts(text.encode(), language)
    assert facts.problems == []
    return facts.api or ApiFacts()


def routes(text: str, language: str) -> list[tuple[str, str]]:
    """Return the routes of routers of the file itself: those of imported ones depend on other files."""
    found = [route for route in api_of(text, language).routes if not route.router.module]
    return [(route.method, "/".join(part for part in route.path.split("/") if part)) for route in found]


def test_declarations_of_any_kind_are_read() -> None:
    text = "interface P<T> { x: T }\nexport function F<T extends object>({ a, b }: P<T>) { return [a, b] }\n"
    assert api_of(text, "tsx") == ApiFacts()


FASTIFY = """
import fastify from 'fastify'
const s = fastify()
s.route({ method: ['GET', 'HEAD'], url: '/a', handler: f })
function f() {}
"""
HONO = """
import { Hono } from 'hono'
const app = new Hono().basePath('/api')
app.get('/a/:id', (c) => c.text(''))
"""
AXIOS = """
import axios from 'axios'
axios.get('/a', () => {})
const api = axios.create()
api.get('/b', f)
function f() {}
"""
PLUGIN = "module.exports = function (app) { app.get('/a', function (req, res) {}) }"
REQUESTS = """
import requests
def f(): ...
requests.get('/a', f)
s = requests.Session()
s.post('/b', f)
"""
AIOHTTP = """
from aiohttp import web
async def f(r): ...
app = web.Application()
app.router.add_get('/a', f)
"""
NET_HTTP = """package a
import "net/http"
func f(w http.ResponseWriter, r *http.Request) {}
func main() {
	http.HandleFunc("GET /a/{id}", f)
	http.Handle("/b", http.HandlerFunc(f))
}
"""
GORILLA = """package a
import "github.com/gorilla/mux"
func f() {}
func main() {
	r := mux.NewRouter()
	s := r.PathPrefix("/v1").Subrouter()
	s.HandleFunc("/a", f).Methods("GET", http.MethodPut)
}
"""
CHI = """package a
import "github.com/go-chi/chi/v5"
func f() {}
func main() {
	r := chi.NewRouter()
	r.Route("/a", func(r chi.Router) { r.With(m).Get("/{id}", f) })
}
"""


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("typescript", FASTIFY, [("GET", "a"), ("HEAD", "a")]),
        ("typescript", HONO, [("GET", "api/a/:id")]),
        ("typescript", AXIOS, []),
        ("javascript", PLUGIN, [("GET", "a")]),
        ("python", REQUESTS, []),
        ("python", AIOHTTP, [("GET", "a")]),
        ("go", NET_HTTP, [("GET", "a/{id}"), ("*", "b")]),
        ("go", GORILLA, [("GET", "v1/a"), ("PUT", "v1/a")]),
        ("go", CHI, [("GET", "a/{id}")]),
    ],
)
def test_routes(language: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert routes(text, language) == expected


def services(text: str, language: str) -> list[tuple[str, str]]:
    """Return the service and the operation of each implementation; the operation is "" for a class."""
    return [(each.service, each.operation) for each in api_of(text, language).services]


def test_only_bases_of_classes_are_services_in_csharp() -> None:
    assert services("class A : global::Shop.Cart.CartBase {}", "csharp") == [("Cart", "")]
    assert services("class A(Cart.CartBase inner) : Other { Cart.CartBase of; }", "csharp") == []


def test_only_bases_of_classes_are_services_in_kotlin() -> None:
    assert services("object A : Closeable, CartGrpc.CartImplBase() {}", "kotlin") == [("Cart", "")]
    assert services("class A(val inner: CartGrpc.CartImplBase) { fun of() = CartImplBase() }", "kotlin") == []


def test_traits_of_generated_modules_are_services_in_rust() -> None:
    method = "{ async fn add_item(&self) {} }"
    assert services(f"impl<T: Send> pb::cart_store_server::CartStore for Store<T> {method}", "rust") == [
        ("CartStore", "add_item")
    ]
    assert services(f"use pb::cart_store_server::*;\nimpl CartStore for Store {method}", "rust") == [("CartStore", "add_item")]
    assert services(f"use pb::cart_store_client::*;\nimpl CartStore for Store {method}", "rust") == []


@pytest.mark.parametrize("count", range(6))
def test_an_import_in_a_class_has_no_value(count: int) -> None:
    texts = "".join(f'TEXT_{number} = "/other{number}/"\n' for number in range(count))
    test = "class Goods(TestCase):\n    from shop import GOODS\n\n    def test_list(self):\n        self.client.get(self.GOODS)\n"
    assert api_of(f"from django.test import TestCase\n{texts}\n{test}", "python") == ApiFacts()
