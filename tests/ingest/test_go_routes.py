"""Routes of each router of Go, and requests, as facts of one file."""

from __future__ import annotations

import pytest
from astrolabe.ingest.contracts.route_paths import segments_of
from astrolabe.ingest.languages.extraction import extract_facts

_VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
HEAD = """package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/mux"
	"github.com/julienschmidt/httprouter"
	"github.com/labstack/echo/v4"
)

func one() {}
func two() {}
"""
ROUTES = {
    "gin": (
        """r := gin.Default()
	r.GET("/a", one)
	r.Any("/b", one)
	r.Handle("PUT", "/c", one)
	r.Handle(http.MethodPatch, "/d", one)
	r.Match([]string{"GET", "HEAD"}, "/e", one)
	r.Match([]string{http.MethodGet, http.MethodPost}, "/f", two, one)
	g := r.Group("/v1", two)
	g.Group("/in").DELETE("/:id", one)""",
        "GET /a; * /b; PUT /c; PATCH /d; GET /e; HEAD /e; GET /f; POST /f; DELETE /v1/in/:id",
    ),
    "echo": (
        """e := echo.New()
	e.GET("/a", one)
	e.Any("/b", one)
	e.Add("PUT", "/c", one)
	e.Match([]string{echo.GET, echo.POST}, "/d", one)
	e.Group("/v1").PATCH("/e/:id", one)""",
        "GET /a; * /b; PUT /c; GET /d; POST /d; PATCH /v1/e/:id",
    ),
    "chi": (
        """r := chi.NewRouter()
	r.Get("/a", one)
	r.Method("PUT", "/b", one)
	r.MethodFunc(http.MethodDelete, "/c", one)
	r.HandleFunc("/d", one)
	r.With(two).Post("/e", one)
	r.Route("/v1", func(r chi.Router) {
		r.Get("/{id}", one)
		r.Group(func(r chi.Router) { r.Put("/f", one) })
	})""",
        "GET /a; PUT /b; DELETE /c; * /d; POST /e; GET /v1/{id}; PUT /v1/f",
    ),
    "fiber": (
        """app := fiber.New()
	app.Get("/a", one)
	app.All("/b", one)
	app.Add("PUT", "/c", two, one)
	app.Group("/v1").Delete("/d/:id", one)""",
        "GET /a; * /b; PUT /c; DELETE /v1/d/:id",
    ),
    "gorilla": (
        """r := mux.NewRouter()
	r.HandleFunc("/a", one).Methods("GET", http.MethodHead)
	r.HandleFunc("/b", one)
	s := r.PathPrefix("/v1").Subrouter()
	s.HandleFunc("/{id:[0-9]+}", one).Methods(http.MethodDelete)""",
        "GET /a; HEAD /a; * /b; DELETE /v1/{id:[0-9]+}",
    ),
    "httprouter": (
        """r := httprouter.New()
	r.GET("/a/:id", one)
	r.Handle("PUT", "/b/*rest", one)
	r.HandlerFunc(http.MethodPost, "/c", one)""",
        "GET /a/:id; PUT /b/*rest; POST /c",
    ),
    "net/http": (
        """mux := http.NewServeMux()
	mux.HandleFunc("GET /a/{id}", one)
	mux.Handle("POST shop.com/b/{rest...}", http.HandlerFunc(one))
	mux.HandleFunc("/{$}", one)
	http.HandleFunc("/c/", one)""",
        "GET /a/{id}; POST /b/{rest...}; * /{$}; * /c/",
    ),
}


def test_methods_of_controllers_in_texts_are_routes_of_beego() -> None:
    source = """package routers

import (
	"github.com/beego/beego/v2/server/web"

	"shop/controllers"
)

func init() {
	web.Router("/carts", &controllers.Carts{}, "get,head:List;post:Add")
	web.Router("/all", new(controllers.Carts), "*:Any")
	web.AddNamespace(web.NewNamespace("/v1",
		web.NSNamespace("/users", web.NSRouter("/:id", &controllers.Users{})),
		web.NSGet("/ping", ping),
	))
	other.Router("/no", &controllers.Carts{}, "get:List")
}

func ping() {}
"""
    facts = extract_facts(source.encode(), "go")
    assert facts.api is not None
    found = [
        (route.method, "/".join(filter(None, route.path.split("/"))), route.handler and route.handler.name)
        for route in facts.api.routes
    ]
    assert found == [
        *((verb, "v1/users/:id", f"Users.{verb.title()}") for verb in _VERBS),
        ("GET", "v1/ping", None),
        ("GET", "carts", "Carts.List"),
        ("HEAD", "carts", "Carts.List"),
        ("POST", "carts", "Carts.Add"),
        ("*", "all", "Carts.Any"),
    ]
    assert {route.handler.module for route in facts.api.routes if route.handler is not None} == {"shop/controllers"}


@pytest.mark.parametrize("router", ROUTES)
def test_routes_of_routers(router: str) -> None:
    body, wanted = ROUTES[router]
    facts = extract_facts(f"{HEAD}\nfunc main() {{\n\t{body}\n}}\n".encode(), "go")
    assert facts.api is not None
    found = [f"{route.method} /{route.path.lstrip('/')}".replace("//", "/") for route in facts.api.routes]
    assert found == wanted.split("; ")
    assert {facts.symbols[route.symbol].name for route in facts.api.routes} == {"one"}


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("/a/{id}", ("a", "{}")),
        ("/a/{rest...}", ("a", "{*}")),
        ("/{$}", ()),
        ("/a/{$}", ("a",)),
        ("/a/*rest", ("a", "{*}")),
        ("/a/:id/b", ("a", "{}", "b")),
        ("/a/*/b/*", ("a", "{}", "b", "{*}")),
    ],
)
def test_paths_of_routers(path: str, segments: tuple[str, ...]) -> None:
    assert segments_of(path) == segments


def test_requests_that_tests_give_to_handlers_and_middleware_are_not_sent() -> None:
    source = """package main

import (
	"net/http"
	"net/http/httptest"

	"shop/serving"
)

type guard struct{}

func (g *guard) check(w http.ResponseWriter, r *http.Request) bool { return true }

func newGuard() *guard { return &guard{} }

func TestMiddleware(t *testing.T) {
	request, err := http.NewRequest("GET", "/checked", nil)
	recorder := httptest.NewRecorder()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {})
	logged(handler).ServeHTTP(recorder, request)
	own := newGuard()
	own.check(recorder, httptest.NewRequest("GET", "/checked", nil))
	http.HandlerFunc(list).ServeHTTP(recorder, httptest.NewRequest("GET", "/checked", nil))
}

func TestRouter(t *testing.T) {
	request := httptest.NewRequest("GET", "/routed", nil)
	recorder := httptest.NewRecorder()
	logged(routes()).ServeHTTP(recorder, request)
	serving.Serve(recorder, httptest.NewRequest("GET", "/helped", nil))
	serve(recorder, httptest.NewRequest("POST", "/helped", nil))
	app.Test(httptest.NewRequest("GET", "/tested", nil))
}
"""
    facts = extract_facts(source.encode(), "go")
    assert facts.api is not None
    sent = [f"{request.method} {request.url}" for request in facts.api.requests]
    assert sent == ["GET /routed", "GET /helped", "POST /helped", "GET /tested"]
