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
    text = "import { a } from './a'\ninterface P<T> { x: T }\nexport function F<T extends object>({ a, b }: P<T>) { return [a, b] }\n"
    assert api_of(text, "tsx") == ApiFacts()


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("typescript", "import fastify from 'fastify'\nconst s = fastify()\ns.route({ method: ['GET', 'HEAD'], url: '/a', handler: f })\nfunction f() {}", [("GET", "a"), ("HEAD", "a")]),
        ("typescript", "import { Hono } from 'hono'\nconst app = new Hono().basePath('/api')\napp.get('/a/:id', (c) => c.text(''))", [("GET", "api/a/:id")]),
        ("typescript", "import axios from 'axios'\naxios.get('/a', () => {})\nconst api = axios.create()\napi.get('/b', f)\nfunction f() {}", []),
        ("javascript", "module.exports = function (app) { app.get('/a', function (req, res) {}) }", [("GET", "a")]),
        ("python", "import requests\ndef f(): ...\nrequests.get('/a', f)\ns = requests.Session()\ns.post('/b', f)", []),
        ("python", "from aiohttp import web\nasync def f(r): ...\napp = web.Application()\napp.router.add_get('/a', f)", [("GET", "a")]),
        ("go", 'package a\nimport "net/http"\nfunc f(w http.ResponseWriter, r *http.Request) {}\nfunc main() { http.HandleFunc("GET /a/{id}", f); http.Handle("/b", http.HandlerFunc(f)) }', [("GET", "a/{id}"), ("*", "b")]),
        ("go", 'package a\nimport "github.com/gorilla/mux"\nfunc f() {}\nfunc main() { r := mux.NewRouter(); s := r.PathPrefix("/v1").Subrouter(); s.HandleFunc("/a", f).Methods("GET", http.MethodPut) }', [("GET", "v1/a"), ("PUT", "v1/a")]),
        ("go", 'package a\nimport "github.com/go-chi/chi/v5"\nfunc f() {}\nfunc main() { r := chi.NewRouter(); r.Route("/a", func(r chi.Router) { r.With(m).Get("/{id}", f) }) }', [("GET", "a/{id}")]),
    ],
)  # fmt: skip
def test_routes(language: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert routes(text, language) == expected
