"""Requests that code sends to endpoints of its own repository: edges from the sender to the code that serves the request."""

from __future__ import annotations

from pathlib import Path

from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from written_workspace import write

EDGES = (
    "MATCH (s:Symbol)-[w:WIRED {role: 'request'}]->(h:Symbol) "
    "RETURN s.name, h.relativePath, h.name, w.framework, w.evidence, w.text ORDER BY s.name, w.text"
)
SERVICES = """
//- stock/src/main/java/shop/stock/ItemController.java
package shop.stock;

import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/items")
public class ItemController {
    @GetMapping("/{id}") public String one(@PathVariable long id) { return ""; }
    @GetMapping("/best") public String best() { return ""; }
    @DeleteMapping("/{id}") public void remove(@PathVariable long id) { }
}
//- stock/src/main/java/shop/stock/Health.java
package shop.stock;

import org.springframework.web.bind.annotation.*;

@RestController
class Health { @GetMapping("/health") String well() { return ""; } }
//- stock/src/main/java/shop/stock/Routes.java
package shop.stock;

import static org.springframework.web.reactive.function.server.RequestPredicates.GET;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;
import org.springframework.web.reactive.function.server.*;

class Routes {
    RouterFunction<ServerResponse> all(Prices prices) { return route(GET("/prices/{id}"), prices::of); }
}
//- stock/src/main/java/shop/stock/Prices.java
package shop.stock;

class Prices { Object of(Object request) { return null; } }
//- stock/src/test/java/shop/stock/ItemTest.java
package shop.stock;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

class ItemTest {
    void tests(org.springframework.test.web.servlet.MockMvc mvc) throws Exception { mvc.perform(get("/items/{id}", 1)); }
}
//- tool/go.mod
module tool

go 1.22
//- tool/main.go
package main

import (
	"fmt"
	"net/http"

	"github.com/gorilla/mux"
)

const stock = "http://stock:8080"

type Client struct {
	http *http.Client
	base string
}

func (c *Client) Item(id string) { c.http.Get(stock + "/items/" + id) }

func (c *Client) Best() { http.Get(fmt.Sprintf("%s/items/best", stock)) }

func (c *Client) Elsewhere() { http.Get("https://api.example.com/items/best") }

func (c *Client) Unknown() { http.Get(c.base + "/items/" + c.base) }

func (c *Client) Versioned(id int) {
	request, _ := http.NewRequest(http.MethodPost, fmt.Sprintf("%s/api/v1/orders/%d", c.base, id), nil)
	c.http.Do(request)
}

func (c *Client) Well() { http.Get("http://tool:9000/health") }

func (c *Client) File(path string) { http.Get(fmt.Sprintf("%s/api/files%s", c.base, path)) }

func (c *Client) Style() { http.Get(c.base + "/shared/css/main.css") }

func (c *Client) Exact() { http.Get(c.base + "/api/words/one/two") }

func file(w http.ResponseWriter, r *http.Request) {}

func word(w http.ResponseWriter, r *http.Request) {}

func style(w http.ResponseWriter, r *http.Request) {}

func logged(next http.HandlerFunc, names ...string) http.Handler { return next }

func health(w http.ResponseWriter, r *http.Request) {}

func order(expiry int) http.HandlerFunc { return nil }

func main() {
	expiry := len(defaultExpiry)
	http.HandleFunc("GET /health", health)
	http.Handle("POST /api/v1/orders/{id}", logged(order(expiry), ""))
	http.HandleFunc("/shared/css/", style)
	api := mux.NewRouter().PathPrefix("/api").Subrouter()
	api.PathPrefix("/files").Handler(logged(file)).Methods("GET")
	api.Path("/words/one").HandlerFunc(word)
}
//- tool/limits.go
package main

const defaultExpiry = "two hours"
//- tool/main_test.go
package main

import "net/http/httptest"

func TestHealth() { httptest.NewRequest("GET", "/health", nil) }
"""
CLIENT = """
//- shop/src/main/java/shop/Buying.java
package shop;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import java.net.URI;
import java.net.http.HttpRequest;
import okhttp3.Request;

class Buying {
    private static final String STOCK = "http://stock";
    private final RestTemplate template = new RestTemplate();
    private WebClient client;
    void template(long id) { template.getForObject(STOCK + "/items/{id}", String.class, id); }
    void exchange(long id) { template.exchange(STOCK + "/items/" + id, HttpMethod.DELETE, null, String.class); }
    void reactive() { WebClient.create(STOCK).get().uri("/prices/{id}", 1).retrieve(); }
    void plain() { HttpRequest.newBuilder().uri(URI.create("http://localhost:8080/items/best")).GET().build(); }
    void square() { new Request.Builder().url("http://stock/items/7").delete().build(); }
    void below() { template.getForObject("http://stock/api/items/best", String.class); }
    void configured() { client.post().uri("/api/v1/orders/{id}", 2).retrieve(); }
    void short_() { client.get().uri("/items/{id}", 2).retrieve(); }
}
@FeignClient(name = "stock", path = "/items") interface Stock { @GetMapping("/{id}") String one(@PathVariable long id); }
@FeignClient(name = "other", url = "https://other.example.com") interface Other { @GetMapping("/items/best") String best(); }
"""
CONTROLLER = "stock/src/main/java/shop/stock/ItemController.java"


def edges(root: Path) -> list[tuple[object, ...]]:
    with Workspace.locate(root) as workspace:
        workspace.index()
        return list(workspace.cypher(EDGES).rows)


def test_requests_of_clients_and_tests_lead_to_the_code_that_serves_them(tmp_path: Path) -> None:
    """An equal segment goes before a parameter, and a path behind an unknown address needs two equal segments.

    The name of a service leads to its folder, even if its configuration puts all routes below one more segment.
    """
    root = tmp_path / "project"
    write(root, SERVICES + CLIENT)
    assert edges(root) == [
        ("Best", CONTROLLER, "best", "net/http", "call", "GET http://stock:8080/items/best"),
        ("File", "tool/main.go", "file", "net/http", "call", "GET {}/api/files{}"),
        ("Item", CONTROLLER, "one", "net/http", "call", "GET http://stock:8080/items/{}"),
        ("Style", "tool/main.go", "style", "net/http", "call", "GET {}/shared/css/main.css"),
        ("TestHealth", "tool/main.go", "health", "httptest", "call", "GET /health"),
        ("Versioned", "tool/main.go", "order", "net/http", "call", "POST {}/api/v1/orders/{}"),
        ("Well", "tool/main.go", "health", "net/http", "call", "GET http://tool:9000/health"),
        ("below", CONTROLLER, "best", "Spring", "call", "GET http://stock/api/items/best"),
        ("configured", "tool/main.go", "order", "Spring", "call", "POST {}/api/v1/orders/{id}"),
        ("exchange", CONTROLLER, "remove", "Spring", "call", "DELETE http://stock/items/{}"),
        ("one", CONTROLLER, "one", "Spring", "annotation", "GET http://stock/items/{id}"),
        ("plain", CONTROLLER, "best", "java.net.http", "call", "GET http://localhost:8080/items/best"),
        ("reactive", "stock/src/main/java/shop/stock/Prices.java", "of", "Spring", "call", "GET http://stock/prices/{id}"),
        ("square", CONTROLLER, "remove", "OkHttp", "call", "DELETE http://stock/items/7"),
        ("template", CONTROLLER, "one", "Spring", "call", "GET http://stock/items/{id}"),
        ("tests", CONTROLLER, "one", "Spring", "call", "GET /items/{id}"),
    ]


def test_an_update_of_a_route_or_a_request_equals_a_new_index(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, SERVICES)
    assert len(edges(root)) == 8
    write(root, CLIENT)
    assert len(edges(root)) == 16
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    path = root / CONTROLLER
    path.write_text(path.read_text(encoding="utf-8").replace('"/items"', '"/goods"'), encoding="utf-8")
    assert {row[2] for row in edges(root)} == {"health", "order", "of", "file", "style"}
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    path.unlink()
    (root / "tool/main.go").unlink()
    assert [row[0] for row in edges(root)] == ["reactive"]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


WEB = """
//- web/package.json
{"name": "web", "dependencies": {"axios": "^1", "@angular/core": "^18"}}
//- web/src/http.ts
import axios from 'axios'
export const http = axios.create({ baseURL: '/api' })
export default axios.create({ baseURL: import.meta.env.VITE_API })
export const notHttp = { get(path: string) { return path } }
//- web/src/goods.ts
import axios, { type AxiosInstance } from 'axios'
import remote, { http, notHttp } from './http'
import { client } from './made.gen'

const BASE = '/api'
const local = axios.create({ baseURL: BASE + '/goods' })
export const all = async () => (await fetch('/api/goods/')).json()
export const one = (id: number) => window.fetch(`${BASE}/goods/${id}?full=1`)
export const save = (body: unknown) => fetch(new URL('/api/goods', location.origin), { method: 'post', body: String(body) })
export const drop = (id: number) => axios.delete(`/api/goods/${id}`)
export const below = (id: number) => local.get(`/${id}`)
export const shared = (id: number) => http.get<string>(`/goods/${id}`)
export const configured = () => remote.get('/api/goods')
export const short = () => remote.get('/goods')
export const typed = (given: AxiosInstance) => given.post('/api/goods', {})
export const made = (id: number) => (client ?? client).put({ url: '/api/goods/{id}', path: { id } })
export const described = () => send({ url: '/api/goods', method: 'get' })
const root = () => import.meta.env.PROD ? `${window.ROOT}/api` : 'http://localhost:8080/api'
function address() { return import.meta.env.API || 'http://localhost/api' }
export const computed = (id: number) => axios({ method: 'delete', url: `${root()}/goods/${id}` })
export const guarded = (id: number) => fetch(`${address()}/goods/${id}`)
export const halt = (id: number) => axios.post(`/api/goods/${id}:pause`)
export const haltAll = () => axios.post('/api/goods/all:pause')
export const other = (id: number) => axios.post(`/api/goods/${id}:stop`)
export const outside = () => fetch('https://other.example.com/api/goods')
export const noClient = () => notHttp.get('/api/goods')
export const noMethod = () => show({ url: '/api/goods' })
export const unknown = (id: number) => fetch(`/nowhere/${id}`)
export const logs = () => log.info({ url: '/api/goods', method: 'get' })
export const mocks = () => cy.intercept({ url: '/api/goods', method: 'get' })
export const expects = () => expect(described).toHaveBeenCalledWith({ url: '/api/goods', method: 'get' })
export const declares = () => client.get({ url: '/api/goods' }, () => [])
export const adds = () => request({ url: '/api/goods', method: 'get', handler() { return [] } })
declare const log: any, cy: any, expect: any, request: any
declare function send(options: object): void
declare function show(options: object): void
//- web/src/service.ts
import { HttpClient } from '@angular/common/http'
export class GoodsService {
  constructor(private http: HttpClient) {}
  list() { return this.http.get<string[]>('/api/goods') }
}
//- web/src/calls.ts
import { LIMITS } from './limits'
export async function call(path: string, { body, ...options }: any = {}) {
  const sent = { credentials: 'include', ...options }
  return fetch(`${LIMITS.host}/api${path}`, { body: JSON.stringify(body), ...sent })
}
export const calls = {
  get: (path: string) => call(path),
  remove(path: string) { return call(path, { method: 'DELETE' }) },
}
export default class Client {
  constructor(private readonly base: string) {}
  send(method: string, path: string) { return call(`${this.base}${path}`, { method }) }
  local(path: string) { return path }
}
//- web/src/paths.ts
const GOODS = '/goods'
export const PATHS = { goods: GOODS, good: (id: number) => `${GOODS}/${id}` } as const
//- web/src/shop.ts
export * from './calls'
export { PATHS } from './paths'
export { default as Client } from './calls'
//- web/src/buying.ts
import { HttpClient } from '@angular/common/http'
import { inject } from '@angular/core'
import { calls, call, Client, PATHS } from './shop'
const client = new Client('/goods')
export const byObject = () => calls.get('/goods')
export const byConstant = (id: number) => calls.remove(PATHS.good(id))
export const byFunction = () => call(PATHS.goods, { method: 'POST' })
export const byClient = (id: number) => client.send('PUT', `/${id}`)
export const notSent = () => client.local('/goods')
export const byOptions = (body: string) => {
  const options = { method: 'POST', body }
  return call('/goods', options)
}
export const unknownOptions = (body: string) => {
  const options = adapted(body)
  return call('/goods', options)
}
export const withQuery = (query: string) => call(`/goods/all:pause${query}`, { method: 'POST' })
export const unclear = (end: string) => call(`/goods${end}`)
export const unknownPath = (path: string) => calls.get(path)
abstract class Resource {
  protected http = inject(HttpClient)
  protected abstract name: string
  protected address() { return `${environment.url}/api/${this.name}` }
  find(id: number) { return this.http.get(`${this.address()}/${id}`) }
  all() { return this.http.get(this.address()) }
}
export class GoodsResource extends Resource { protected name = 'goods' }
export class Dialog { constructor(private requests: Requests) {} save() { return this.requests.post('/api/goods', {}) } }
export class Cached { constructor(private memory: Memory) {} show() { return this.memory.get('/api/goods') } }
//- web/src/made.gen.ts
export const client = create()
declare function create(): any
//- web/src/Goods.vue
<script setup lang="ts">
async function reload() { await fetch('/api/goods') }
const costs = () => $fetch('/api/costs/all', { method: 'POST' })
const cost = (id: number) => $fetch(`/api/costs/${id}`, { method: 'PUT' })
</script>
<template><button @click="reload">a</button></template>
//- web/server/api/costs/[id].put.ts
export default defineEventHandler(event => saveCost(event))
//- web/server/api/costs/all.post.ts
export default definePrivateHandler('costs', event => event)
//- web/server/api/costs/[id].get.ts
export default defineEventHandler(event => readCost(event))
//- server/package.json
{"name": "server", "dependencies": {"express": "^4"}}
//- server/app.js
const express = require('express')
const { listed } = require('./handlers')
const app = express()
app.get('/api/goods', listed)
app.get('/health', function healthy(request, response) { response.send('ok') })
module.exports = app
//- server/handlers/index.js
module.exports = { listed: require('./listed') }
//- server/handlers/listed.js
const listed = wrap(async (request, response) => response.json([]))
module.exports = listed
//- server/app.test.js
const request = require('supertest')
const app = require('./app')
function answers() { return request(app).get('/health') }
test('answers', answers)
"""
SHOP_API = """
//- api/pyproject.toml
[project]
name = "api"
dependencies = ["fastapi"]
//- api/goods.py
from fastapi import APIRouter

router = APIRouter(prefix="/goods")


@router.get("/")
def read_all(): return []


@router.get("/{id}")
def read_one(id: int): return {}


@router.put("/{id}")
def change(id: int): return {}


@router.post("/")
def create(): return {}


@router.delete("/{id}")
def remove(id: int): return {}


@router.post("/{id}:pause")
def pause(id: int): return {}


@router.post("/{id}:resume")
def resume(id: int): return {}


@router.post("/all:pause")
def pause_all(): return {}


@router.post("/all:resume")
def resume_all(): return {}
//- api/main.py
from fastapi import FastAPI

from goods import router
from settings import settings

app = FastAPI()
app.include_router(router, prefix=PREFIX)
//- api/settings.py
settings = None
"""


def test_requests_of_pages_lead_to_the_servers_of_the_repository(tmp_path: Path) -> None:
    """A page may be served by a program in another language, and a client may be declared by another file.

    Behind an unknown address, two segments must be equal.
    """
    root = tmp_path / "project"
    write(root, WEB.split("//- server/")[0] + SHOP_API.replace("PREFIX", '"/api"'))
    found = {(name, handler) for name, _, handler, *_ in edges(root)}
    assert found == {
        ("all", "read_all"),
        ("one", "read_one"),
        ("save", "create"),
        ("drop", "remove"),
        ("below", "read_one"),
        ("shared", "read_one"),
        ("configured", "read_all"),
        ("typed", "create"),
        ("made", "change"),
        ("described", "read_all"),
        ("computed", "remove"),
        ("halt", "pause"),
        ("haltAll", "pause_all"),
        ("list", "read_all"),
        ("reload", "read_all"),
        ("cost", "export default defineEventHandler(event => saveCost(event))"),
        ("costs", "export default definePrivateHandler('costs', event => event)"),
        ("byObject", "read_all"),
        ("byConstant", "remove"),
        ("byFunction", "create"),
        ("byClient", "change"),
        ("byOptions", "create"),
        ("withQuery", "pause_all"),
        ("GoodsResource", "read_one"),
        ("GoodsResource", "read_all"),
    }
    path = root / "web/src/http.ts"
    path.write_text(path.read_text(encoding="utf-8").replace("'/api'", "'/other'"), encoding="utf-8")
    assert {row[0] for row in edges(root)} == {name for name, _ in found} - {"shared"}
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


def test_templates_that_repeat_other_templates_are_read_in_linear_time(tmp_path: Path) -> None:
    levels = [f"const part{level + 1} = `/{f'${{part{level}}}' * 30}`" for level in range(5)]
    page = "\n".join(["const part0 = String(location)", *levels, "export const long = () => fetch(part5)\n"])
    root = tmp_path / "project"
    write(
        root,
        f"//- page.ts\n{page}export const short = () => fetch('/goods')\n{SHOP_API.replace('PREFIX', '')}".replace(
            ", prefix=)", ")"
        ),
    )
    assert {(name, handler) for name, _, handler, *_ in edges(root)} == {("short", "read_all")}


def test_the_code_of_a_server_may_compute_where_its_routes_begin(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, WEB.split("//- server/")[0] + SHOP_API.replace("PREFIX", "settings.PREFIX"))
    found = {(name, handler) for name, _, handler, *_ in edges(root)}
    assert {("all", "read_all"), ("one", "read_one"), ("drop", "remove"), ("made", "change")} <= found


def test_requests_of_javascript_lead_to_routes_of_javascript(tmp_path: Path) -> None:
    """A call that declares a route sends no request."""
    root = tmp_path / "project"
    write(root, WEB)
    found = {(name, handler, framework, text) for name, _, handler, framework, _, text in edges(root)}
    assert ("all", "listed", "fetch", "GET /api/goods/") in found
    assert ("described", "listed", "client", "GET /api/goods") in found
    assert ("answers", "healthy", "supertest", "GET /health") in found
    assert {name for name, *_ in found} == {
        "all",
        "configured",
        "described",
        "list",
        "reload",
        "answers",
        "cost",
        "costs",
        "byObject",
        "unclear",
        "GoodsResource",
    }


PYTHON_SENDERS = """
//- api/cache.py
def cached(redis_client):
    return redis_client.get("/api/goods/")
//- api/pyproject.toml
[project]
name = "api"
dependencies = ["fastapi", "httpx"]
//- tests/test_goods.py
import os

import httpx
import requests
from fastapi.testclient import TestClient

from api.main import app

BASE = os.environ["BASE"]
client = TestClient(app)


def test_all():
    with TestClient(app, base_url="http://testserver") as own:
        assert own.get("/api/goods/").json() == []


def test_one():
    assert client.get(f"{BASE}/goods/{7}").status_code == 200


def test_fixture(api_client):
    api_client.delete("/api/goods/%d" % 7)
    api_client.delete(f"/api/goods/{7}")


def test_cache(client: Cache):
    client.get("/api/goods/")


def create():
    return requests.request("POST", "http://localhost:8000/api/goods", json={})


def change(number):
    with httpx.Client(base_url="http://api:8000/api") as connection:
        return connection.put(f"/goods/{number}")


def short(number):
    return requests.get(f"{BASE}/goods/{number}")


def outside():
    return httpx.get("https://other.example.com/api/goods/")


def unfinished():
    return client.get(f"{BASE}/goods/{
"""


def test_requests_and_tests_of_python_lead_to_the_code_that_serves_them(tmp_path: Path) -> None:
    """A test sends its requests to its own program, wherever their URLs begin. Other requests need two equal segments."""
    root = tmp_path / "project"
    write(root, SHOP_API.replace("PREFIX", "settings.PREFIX") + PYTHON_SENDERS)
    found = {(name, handler, framework) for name, _, handler, framework, *_ in edges(root)}
    assert found == {
        ("test_all", "read_all", "FastAPI"),
        ("test_one", "read_one", "FastAPI"),
        ("test_fixture", "remove", "pytest"),
        ("create", "create", "requests"),
        ("change", "change", "httpx"),
    }


def test_tests_of_django_lead_to_views(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(
        root,
        """
//- manage.py
//- shop/urls.py
from django.urls import path

from . import views

urlpatterns = [path("goods/<int:pk>/", views.goods), path("health/", views.health)]
//- shop/views.py
def goods(request, pk): return None
def health(request): return None
//- shop/tests.py
from django.test import TestCase


class GoodsTest(TestCase):
    def test_goods(self):
        self.client.get("/goods/7/")


class Other:
    def health(self):
        self.client.get("/health/")
""",
    )
    assert [(name, handler, framework) for name, _, handler, framework, *_ in edges(root)] == [("test_goods", "goods", "Django")]


DJANGO_ROUTERS = """
//- manage.py
//- site/urls.py
from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter
import shop.orders.urls
import shop.goods.urls

from shop.api import BoatViewSet, CrewViewSet, PierViewSet
from shop.views import front, search, words

router = DefaultRouter()
router.register(r"boats", BoatViewSet)
router.register("crews", CrewViewSet, basename="sailor")
router.register(r"piers", PierViewSet)

extra = [path("words/", words, name="words")]
fronts = [re_path(r"^$", front, name="front")]
urlpatterns = fronts + [
    re_path(
        r"^api/",
        include([re_path("^search/", include([re_path("^$", search, name="search")])), *router.urls]),
    ),
    path("extra/", include((extra, "more"))),
    path("orders/", include(shop.orders.urls)),
]
urlpatterns += [path("goods/", include(shop.goods.urls, namespace="wares"))]
//- shop/__init__.py
//- shop/orders/__init__.py
//- shop/orders/urls.py
from django.urls import path
from . import views
app_name = "orders"
urlpatterns = [path("<int:pk>/", views.show, name="show")]
//- shop/orders/views.py
def show(request, pk): return None
//- shop/goods/__init__.py
//- shop/goods/urls.py
from django.urls import path
from . import views
app_name = "goods"
urlpatterns = [path("<int:pk>/", views.good, name="show"), path("order/", views.OrderView.as_view(), name="order")]
//- shop/goods/views.py
from django.views.generic import FormView
def good(request, pk): return None
class OrderView(FormView):
    def get(self, request): return None
//- shop/views/__init__.py
from .pages import front, search, words
//- shop/views/pages.py
def front(request): return None
def search(request): return None
def words(request): return None
//- shop/api.py
from rest_framework import mixins, viewsets
from rest_framework.decorators import action
from .bases import BaseViewSet

class BoatViewSet(BaseViewSet):
    queryset = Boat.objects.select_related("pier")
    def list(self, request): return None
    @action(detail=True, methods=["post"], url_path="set-sail")
    def sail(self, request, pk): return None
    @sail.mapping.delete
    def stop(self, request, pk): return None

class CrewViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    @action(["get"], False)
    def all_names(self, request): return None

class PierViewSet(viewsets.ReadOnlyModelViewSet[Pier]):
    queryset = Pier.objects.all()

class UnusedViewSet(viewsets.ModelViewSet):
    pass
//- shop/bases.py
from rest_framework.viewsets import ModelViewSet
class BaseViewSet(ModelViewSet):
    def list(self, request): return None
    def destroy(self, request, pk): return None
//- shop/test_more.py
from shop.testing import ShopTestCase

class MoreTest(ShopTestCase):
    def test_more(self): self.client.get("/api/boats/")
//- shop/cache.py
class Cache(BaseMixin):
    def read(self): return self.client.get("/api/boats/")
//- shop/tests.py
from django.urls import reverse
from rest_framework.test import APITestCase

class ShopTest(APITestCase):
    ENDPOINT = "/api/boats/"

    def setUp(self):
        self.detail = reverse("boat-detail", args=[1])

    def test_list(self): self.client.get(self.ENDPOINT)
    def test_one(self): self.client.get(f"{self.ENDPOINT}1/")
    def test_destroy(self): self.client.delete(self.detail)
    def test_sail(self): self.client.post("/api/boats/1/set-sail/")
    def test_stop(self): self.client.delete(reverse("boat-sail", args=[1]))
    def test_crews(self): self.client.get(reverse(viewname="sailor-list"))
    def test_names(self): self.client.get("/api/crews/all_names/")
    def test_pier(self): self.client.get("/api/piers/1/")
    def test_no_pier(self): self.client.delete("/api/piers/1/")
    def test_unused(self): self.client.get("/1/")
    def test_front(self): self.client.get(reverse("front"))
    def test_search(self): self.client.get("/api/search/?q=boat")
    def test_words(self): self.client.get(reverse("more:words"))
    def test_show(self): self.client.get(reverse("orders:show", args=[1]))
    def test_good(self): self.client.get(reverse("wares:show", args=[1]) + "?all=1")
    def test_form(self): self.client.get("/goods/order/")
    def test_order(self): self.client.post(reverse("wares:order"))
"""


def test_routers_nested_patterns_and_names_of_django(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, DJANGO_ROUTERS)

    def found() -> dict[str, str]:
        return {name: f"{path.removeprefix('shop/')} {handler}" for name, path, handler, *_ in edges(root)}

    expected = {
        "test_list": "api.py list",
        "test_more": "api.py list",
        "test_one": "bases.py BaseViewSet",
        "test_destroy": "bases.py destroy",
        "test_sail": "api.py sail",
        "test_stop": "api.py stop",
        "test_crews": "api.py CrewViewSet",
        "test_names": "api.py all_names",
        "test_pier": "api.py PierViewSet",
        "test_front": "views/pages.py front",
        "test_search": "views/pages.py search",
        "test_words": "views/pages.py words",
        "test_show": "orders/views.py show",
        "test_good": "goods/views.py good",
        "test_form": "goods/views.py get",
        "test_order": "goods/views.py OrderView",
    }
    assert found() == expected
    bases = root / "shop/bases.py"
    bases.write_text(bases.read_text(encoding="utf-8").replace("def destroy", "def retrieve"), encoding="utf-8")
    urls = root / "site/urls.py"
    urls.write_text(urls.read_text(encoding="utf-8").replace('basename="sailor"', 'basename="crew"'), encoding="utf-8")
    del expected["test_crews"]
    assert found() == expected | {"test_one": "bases.py retrieve", "test_destroy": "bases.py BaseViewSet"}
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


FLASK = """
//- shop/pages/__init__.py
from flask import Blueprint
pages = Blueprint("pages", __name__, url_prefix="/pages")
from . import front
//- shop/pages/front.py
from . import pages
@pages.route("/front")
def front(): return ""
//- shop/api.py
from flask import Blueprint
from flask_restful import Api, Resource

bp = Blueprint("api", __name__, url_prefix="/api")
api = Api(bp)

class Boats(Resource):
    def get(self): return []
    def post(self): return {}

class Boat(Resource):
    def get(self, number): return {}

api.add_resource(Boats, "/boats", "/ships")
api.add_resource(Boat, "/boats/<int:number>", endpoint="boat")
//- shop/app.py
from flask import Flask
from shop.api import bp
from shop.pages import pages as page_blueprint

app = Flask(__name__)
app.register_blueprint(page_blueprint)
app.register_blueprint(bp)
//- tests/test_api.py
def test_all(client): client.get("/api/boats")
def test_other(client): client.post("/api/ships")
def test_one(client): client.get("/api/boats/7")
def test_outside(client): client.get("/boats/7")
def test_page(client): client.get("/pages/front")
"""


def test_resources_and_blueprints_of_flask(tmp_path: Path) -> None:
    write(tmp_path, FLASK)
    found = {name: handler for name, _, handler, *_ in edges(tmp_path)}
    assert found == {"test_all": "get", "test_other": "post", "test_one": "get", "test_page": "front"}
