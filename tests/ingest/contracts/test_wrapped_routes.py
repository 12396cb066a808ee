"""Routes that functions of the repository add: wrappers of a registration, and functions that get a router."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_workspace import analysed

GO = """
//- go.mod
module shop

go 1.22

require github.com/go-chi/chi/v5 v5.0.0
//- openapi.yaml
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /v1/carts:
    get: {responses: {}}
    post: {responses: {}}
  /v1/carts/{id}:
    get: {responses: {}}
    delete: {responses: {}}
  /admin/users:
    get: {responses: {}}
  /admin/stats:
    get: {responses: {}}
  /ping:
    get: {responses: {}}
  /v2/orders:
    get: {responses: {}}
    put: {responses: {}}
  /v2/bills:
    get: {responses: {}}
  /v3/bills:
    get: {responses: {}}
    put: {responses: {}}
  /v4/carts:
    get: {responses: {}}
    put: {responses: {}}
//- web/router.go
package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Router struct {
	mux *chi.Mux
}

func New() *Router { return &Router{mux: chi.NewRouter()} }

func (r *Router) AddRoute(method, pattern string, h http.HandlerFunc) {
	r.mux.MethodFunc(method, pattern, logged(h))
}

func (r *Router) get(pattern string, h http.HandlerFunc) { r.AddRoute(http.MethodGet, pattern, h) }

func logged(h http.HandlerFunc) http.HandlerFunc { return h }

func (r *Router) ping(w http.ResponseWriter, q *http.Request) {}

func (r *Router) Start() {
	r.get("/ping", r.ping)
	r.mux.Route("/admin", mountAdmin)
}
//- web/admin.go
package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func mountAdmin(r chi.Router) {
	r.Get("/users", users)
	addStats(r)
}

func users(w http.ResponseWriter, q *http.Request) {}
//- web/stats.go
package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func addStats(r chi.Router) { r.Get(statsPath, stats) }

func stats(w http.ResponseWriter, q *http.Request) {}
//- web/orders.go
package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

const (
	statsPath = "/stats"
	maxOrders = 3
)

func handle(r chi.Router, verb, path string, h http.HandlerFunc) {
	r.MethodFunc(verb, path, func(w http.ResponseWriter, q *http.Request) { h(w, q) })
}

func orders(w http.ResponseWriter, q *http.Request)  {}
func replace(w http.ResponseWriter, q *http.Request) {}

func addOrders(r chi.Router) { handle(r, "PUT", "/orders", replace) }

func V2(root *chi.Mux) {
	root.Route("/v2", func(r chi.Router) {
		handle(r, "GET", "/orders", orders)
		addOrders(r)
	})
}

type bills struct{ store map[string]string }

func (b *bills) redirect(to map[string]string) http.HandlerFunc { return nil }

func newBills(r chi.Router) (*bills, error) { return &bills{}, nil }

func (b *bills) list(w http.ResponseWriter, q *http.Request) {}

func addBills(r chi.Router) {
	made, _ := newBills(r)
	r.Get("/v3/bills", made.list)
	r.Put("/v3/bills", made.redirect(made.store))
}

type plain struct{ mux *http.ServeMux }

func (p *plain) PUT(route string, h http.HandlerFunc) { p.handle(http.MethodPut, route, h) }

func (p *plain) handle(method, route string, h http.Handler) { p.mux.Handle(method+" "+route, h) }

func (p *plain) Handle(pattern string, h http.Handler) { p.mux.Handle(pattern, h) }

type Admin struct{ plain }

func NewAdmin() *Admin { return &Admin{} }

type Log struct{}

func (l *Log) AddRoute(method, text string, h http.HandlerFunc) {}

func note(l *Log) { l.AddRoute("GET", "/v2/bills", orders) }
//- carts/api.go
package carts

import (
	"net/http"

	"shop/web"
)

type API struct{ router *web.Router }

func (a *API) list(w http.ResponseWriter, q *http.Request)   {}
func (a *API) add(w http.ResponseWriter, q *http.Request)    {}
func (a *API) show(w http.ResponseWriter, q *http.Request)   {}
func (a *API) remove(w http.ResponseWriter, q *http.Request) {}

func (a *API) Register(r *web.Router) {
	r.AddRoute("GET", "/v1/carts", a.list)
	r.AddRoute(http.MethodPost, "/v1/carts", a.add)
	a.router.AddRoute(http.MethodGet, "/v1/carts/{id}", a.show)
	made := web.New()
	admin := web.NewAdmin()
	admin.PUT("/v4/carts", a.add)
	admin.Handle("GET /v4/carts", http.HandlerFunc(a.list))
	made.AddRoute(http.MethodDelete, "/v1/carts/{id}", http.HandlerFunc(a.remove))
}
"""
PYTHON = """
//- openapi.yaml
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /api/carts:
    get: {responses: {}}
    post: {responses: {}}
  /api/carts/{id}:
    get: {responses: {}}
    delete: {responses: {}}
  /health:
    get: {responses: {}}
//- shop/__init__.py
//- shop/server.py
from fastapi import APIRouter, FastAPI

app = FastAPI()


class Api:
    def __init__(self, prefix):
        self.router = APIRouter()

    def add(self, path, handler, method="GET"):
        self.router.add_api_route("/api" + path, logged(handler), methods=[method])

    def get(self, path):
        return self.router.get(f"/api{path}")

    def delete(self, path):
        def decorate(function):
            self.router.add_api_route(f"/api{path}", function, methods=["DELETE"])
            return function

        return decorate


def logged(handler):
    return handler


def open_route(path: str):
    return app.get(path)
//- shop/carts.py
from shop.server import Api, open_route

api = Api("/api")


def list_carts(): ...


def add_cart(): ...


api.add("/carts", list_carts, "GET")
api.add("/carts", handler=add_cart, method="POST")


@api.get("/carts/{id}")
def show(id): ...


@api.delete("/carts/{id}")
def remove(id): ...


@open_route("/health")
def health(): ...
"""
CONTRACT = """
//- openapi.yaml
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /carts:
    get: {responses: {}}
    post: {responses: {}}
  /carts/{id}:
    get: {responses: {}}
    delete: {responses: {}}
  /api/users:
    get: {responses: {}}
  /api/me:
    get: {responses: {}}
"""
TYPESCRIPT = (
    CONTRACT
    + """//- package.json
{"name": "shop"}
//- src/server.ts
import express, { Handler } from "express";

export class Server {
  private app = express();

  add(method: string, path: string, handler: Handler) {
    this.app[method.toLowerCase() as "get"](path, handler);
  }
  get(path: string, ...handlers: Handler[]) {
    this.app.get(path, ...handlers);
  }
}
export const server = new Server();

export abstract class Controller {
  readonly router = express.Router();
  protected base = "/api";
  protected route(path: string, handler: Handler) {
    this.router.get(`${this.base}${path}`, wrap(handler));
  }
}
const wrap = (handler: Handler) => handler;
//- src/carts.ts
import { server, Server } from "./server";

export const list = (req, res) => res.json([]);
export function add(req, res) {}
export function show(req, res) {}
class Carts {
  constructor(private server: Server) {
    this.server.add("DELETE", "/carts/:id", this.remove.bind(this));
  }
  remove(req, res) {}
}
server.get("/carts", check, list);
server.add("post", "/carts", add);
export function mount(to: Server) {
  to.get("/carts/:id", async (req, res) => show(req, res));
}
function check() {}
//- src/users.ts
import { Controller } from "./server";

export class Users extends Controller {
  constructor() {
    super();
    this.route("/users", this.list);
    super.route("/me", (req, res) => this.me(req, res));
  }
  list = (req, res) => res.json([]);
  me(req, res) {}
}
"""
)
TABLES_OF_TYPESCRIPT = f"""
{CONTRACT}
//- package.json
{{"name": "shop"}}
//- src/server.ts
import express from "express";
import {{ list, add, show, remove, me }} from "./carts";
import users from "./users";

const app = express();
const routes = [
  {{ method: "get", path: "/carts", handler: list }},
  {{ method: "post", path: "/carts", handler: add }},
];
for (const route of routes) app[route.method](route.path, logged(route.handler));
const shown = [["/carts/:id", show]];
for (const [path, handler] of shown) {{
  app.get(path, handler);
}}
[{{ path: "/carts/:id", handler: remove }}].forEach(({{ path, handler }}) => app.delete(path, handler));
for (const [path, handler] of Object.entries({{ "/api/me": me }})) app.get(path, handler);
Object.entries({{ "/api": users }}).forEach(([path, router]) => app.use(path, router));
for (const path of unknown()) app.get(path, show);
const logged = (handler) => handler;
//- src/carts.ts
export const list = (req, res) => res.json([]);
export function add(req, res) {{}}
export function show(req, res) {{}}
export function remove(req, res) {{}}
export const me = () => null;
//- src/users.ts
import {{ Router }} from "express";
import {{ list }} from "./carts";
const router = Router();
router.get("/users", list);
export default router;
"""
ECHO = f"""
{CONTRACT}
//- go.mod
module shop

go 1.22

require github.com/labstack/echo/v4 v4.12.0
//- web/router.go
package web

import (
	"github.com/labstack/echo/v4"

	"shop/checks"
)

func New(store *Store) *echo.Echo {{
	router := base(store).(*echo.Echo)
	handler := NewHandler(store, checks.NewClock())
	api := router.Group("/api")
	api.GET(UsersURL, wrapped(handler.Users), checks.Signed, checks.Allowed(checks.ListUsers))
	api.GET(MeURL, wrapped(handler.Me), checks.Signed)
	router.GET("/carts", handler.Carts, checks.Signed)
	return router
}}

func base(store *Store) any                             {{ return echo.New() }}
func wrapped(next echo.HandlerFunc) echo.HandlerFunc    {{ return next }}
//- web/handler.go
package web

import (
	"github.com/labstack/echo/v4"

	"shop/checks"
)

const (
	UsersURL = "/users"
	MeURL    = "/me"
)

type Store struct{{}}
type Handler struct{{ store *Store }}

func NewHandler(store *Store, clock *checks.Clock) *Handler {{ return &Handler{{store}} }}
func (h *Handler) Users(c echo.Context) error               {{ return nil }}
func (h *Handler) Me(c echo.Context) error                  {{ return nil }}
func (h *Handler) Carts(c echo.Context) error               {{ return nil }}
//- checks/checks.go
package checks

import "github.com/labstack/echo/v4"

const ListUsers = 1

type Clock struct{{}}

func NewClock() *Clock                                  {{ return &Clock{{}} }}
func Signed(next echo.HandlerFunc) echo.HandlerFunc     {{ return next }}
func Allowed(permission int) echo.MiddlewareFunc        {{ return Signed }}
"""
FUNCTIONS_OF_JAVASCRIPT = f"""
{CONTRACT}
//- package.json
{{"name": "shop"}}
//- src/server.js
const express = require("express");
const shop = express();
require("./carts")(shop, logged);
require("./users")(shop);
require("./client").load(shop);
//- src/carts.js
const store = require("./store");
module.exports = (service, logged) => {{
  service.get("/carts", logged(store.list));
  service.post("/carts", store.add);
  service.get("/carts/:id", (req, res) => res.json(store.list(req.params.id)));
}};
//- src/users.js
const {{ list }} = require("./store");
const {{ USERS_URL }} = require("./paths");
function addUsers(api) {{
  api.get(USERS_URL, list);
}}
module.exports = addUsers;
//- src/client.js
exports.fetchAll = (client, done) => {{
  client.get("/api/me", (error, body) => done(body));
  client.delete("/carts/:id", (error) => done(error));
}};
//- src/paths.js
const USERS_URL = "/api/users";
module.exports = {{ USERS_URL }};
//- src/store.js
exports.list = (req, res) => res.json([]);
exports.add = (req, res) => res.end();
"""
TABLES_OF_PYTHON = f"""
{CONTRACT}
//- shop/views.py
from fastapi import APIRouter

router = APIRouter()

@router.get("/users")
def users(): ...

@router.get("/me")
def me(): ...

def list_carts(): ...
def add(): ...
def show(id): ...
def remove(id): ...
//- shop/main.py
from fastapi import FastAPI
from shop.views import add, list_carts, remove, router, show

app = FastAPI()
ROUTES = [
    ("/carts", "GET", list_carts),
    ("/carts", "POST", add),
    ("/carts/{{id}}", "GET", show),
]
for path, method, view in ROUTES:
    app.add_api_route(path, view, methods=[method])
for path, view in {{"/carts/{{id}}": remove}}.items():
    app.add_api_route(path, endpoint=view, methods=["DELETE"])
for prefix, inner in {{"/api": router}}.items():
    app.include_router(inner, prefix=prefix)
"""

TABLES_OF_GO = f"""
{CONTRACT}
//- go.mod
module shop

go 1.22

require github.com/gorilla/mux v1.8.0
//- web/routes.go
package web

import (
	"net/http"

	"github.com/gorilla/mux"
)

type Route struct {{
	Name    string
	Method  string
	Pattern string
	Handler http.HandlerFunc
}}

type Routes []Route

var routes = Routes{{
	Route{{"List", "GET", "/carts", list}},
	{{Name: "Add", Method: http.MethodPost, Pattern: "/carts", Handler: add}},
}}

func New() *mux.Router {{
	router := mux.NewRouter()
	for _, route := range routes {{
		var handler http.Handler
		handler = route.Handler
		handler = logged(handler, route.Name)
		router.Methods(route.Method).Path(route.Pattern).Name(route.Name).Handler(handler)
	}}
	shown := []struct {{
		path    string
		handler http.HandlerFunc
	}}{{{{"/carts/{{id}}", show}}}}
	for i := range shown {{
		router.HandleFunc(shown[i].path, shown[i].handler).Methods("GET")
	}}
	for path, handler := range map[string]http.HandlerFunc{{"/carts/{{id}}": remove}} {{
		router.Path(path).Methods(http.MethodDelete).HandlerFunc(handler)
	}}
	api := router.PathPrefix("/api").Subrouter()
	handlers := map[string]struct {{
		method string
		serve  http.HandlerFunc
	}}{{"/me": {{"GET", me}}, "/users": {{serve: users, method: "GET"}}}}
	for path, h := range handlers {{
		api.HandleFunc(path, h.serve).Methods(h.method)
	}}
	for _, route := range load() {{
		router.HandleFunc(route.Pattern, show)
	}}
	return router
}}

func logged(inner http.Handler, name string) http.Handler {{ return inner }}
func load() []Route {{ return nil }}
//- web/carts.go
package web

import "net/http"

func list(w http.ResponseWriter, r *http.Request)   {{}}
func add(w http.ResponseWriter, r *http.Request)    {{}}
func show(w http.ResponseWriter, r *http.Request)   {{}}
func remove(w http.ResponseWriter, r *http.Request) {{}}
func me(w http.ResponseWriter, r *http.Request)     {{}}
func users(w http.ResponseWriter, r *http.Request)  {{}}
"""

SERVICES_OF_GO = f"""
{CONTRACT}
//- schema.graphql
schema {{ mutation: RootMutation }}
type RootMutation {{ addCart(name: String!): Cart, removeCart(id: Int!): Cart, login: Cart, open: Cart }}
type Cart {{ id: Int! }}
//- go.mod
module shop

go 1.22
//- web/handlers.go
package web

import (
	kit "github.com/go-kit/kit/transport/http"
	"github.com/gorilla/mux"
)

func New(service Service) *mux.Router {{
	router := mux.NewRouter()
	router.Methods("GET").Path("/carts").Handler(kit.NewServer(listEndpoint(service, NewLogger()), decodeList, encode))
	router.Methods("POST").Path("/carts").Handler(kit.NewServer(addEndpoint, decodeAdd, encode))
	return router
}}

func listEndpoint(service Service, logger Logger) Endpoint {{ return nil }}
func addEndpoint(request any) (any, error)                  {{ return nil, nil }}
func decodeList()                                           {{}}
func decodeAdd()                                            {{}}
func encode()                                               {{}}
func NewLogger() Logger                                     {{ return nil }}
//- graph/resolver.go
package graph

import (
	"shop/carts"
	"shop/generated"
)

type resolver struct {{
	carts.Resolver
	accounts
	name string
}}

type accounts struct{{}}

func (r *resolver) RootMutation() generated.RootMutationResolver {{ return r }}
func (r *resolver) Open() error                                {{ return nil }}
func (a *accounts) Login() error                               {{ return nil }}
//- carts/add.go
package carts

func (r *Resolver) AddCart(name string) error {{ return nil }}
//- carts/resolver.go
package carts

type Resolver struct{{}}

func (r *Resolver) RemoveCart(id int) error {{ return nil }}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param(
            GO,
            [
                "DELETE /v1/carts/{id} API.remove",
                "GET /admin/stats stats",
                "GET /admin/users users",
                "GET /ping Router.ping",
                "GET /v1/carts API.list",
                "GET /v1/carts/{id} API.show",
                "GET /v2/orders orders",
                "GET /v3/bills bills.list",
                "GET /v4/carts API.list",
                "POST /v1/carts API.add",
                "PUT /v2/orders replace",
                "PUT /v3/bills bills.redirect",
                "PUT /v4/carts API.add",
            ],
            id="go",
        ),
        pytest.param(
            PYTHON,
            [
                "DELETE /api/carts/{id} remove",
                "GET /api/carts list_carts",
                "GET /api/carts/{id} show",
                "GET /health health",
                "POST /api/carts add_cart",
            ],
            id="python",
        ),
        pytest.param(
            TYPESCRIPT,
            [
                "DELETE /carts/{id} Carts.remove",
                "GET /api/me Users.constructor",
                "GET /api/users Users.list",
                "GET /carts list",
                "GET /carts/{id} mount",
                "POST /carts add",
            ],
            id="typescript",
        ),
        pytest.param(
            TABLES_OF_TYPESCRIPT,
            [
                "DELETE /carts/{id} remove",
                "GET /api/me me",
                "GET /api/users list",
                "GET /carts list",
                "GET /carts/{id} show",
                "POST /carts add",
            ],
            id="tables of typescript",
        ),
        pytest.param(ECHO, ["GET /api/me Handler.Me", "GET /api/users Handler.Users", "GET /carts Handler.Carts"], id="echo"),
        pytest.param(
            FUNCTIONS_OF_JAVASCRIPT,
            ["GET /api/users list", "GET /carts list", "GET /carts/{id} module.exports", "POST /carts add"],
            id="functions of javascript",
        ),
        pytest.param(
            TABLES_OF_PYTHON,
            [
                "DELETE /carts/{id} remove",
                "GET /api/me me",
                "GET /api/users users",
                "GET /carts list_carts",
                "GET /carts/{id} show",
                "POST /carts add",
            ],
            id="tables of python",
        ),
        pytest.param(
            TABLES_OF_GO,
            [
                "DELETE /carts/{id} remove",
                "GET /api/me me",
                "GET /api/users users",
                "GET /carts list",
                "GET /carts/{id} show",
                "POST /carts add",
            ],
            id="tables of go",
        ),
        pytest.param(
            SERVICES_OF_GO,
            [
                "GET /carts listEndpoint",
                "POST /carts addEndpoint",
                "RootMutation.addCart Resolver.AddCart",
                "RootMutation.login accounts.Login",
                "RootMutation.open resolver.Open",
                "RootMutation.removeCart Resolver.RemoveCart",
            ],
            id="services of go",
        ),
    ],
)
def test_routes_through_functions_of_the_repository(tmp_path: Path, code: str, expected: list[str]) -> None:
    graph = analysed(tmp_path, code)
    names = {symbol.id: symbol.qualified_name for symbol in graph.symbols}
    found = [f"{names[each.from_id]} {names[each.to_id]}" for each in graph.implementations]
    assert sorted(found) == expected
