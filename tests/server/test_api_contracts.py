"""Descriptions of APIs in an index: operations, and the code that takes them, in a new index and after updates."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.__main__ import SETTINGS, check
from written_workspace import write

EDGES = (
    "MATCH (o:Symbol)-[i:IMPLEMENTED_BY]->(h:Symbol) "
    "RETURN o.name, h.relativePath, h.qualifiedName, i.framework, i.evidence ORDER BY o.relativePath, o.name"
)
PETS = """
//- openapi.yaml
openapi: 3.0.3
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example/api/v1"}]
paths:
  /pets:
    get: {operationId: listPets, responses: {}}
    post: {operationId: addPet, responses: {}}
  /pets/{petId}:
    get: {operationId: showPet, responses: {}}
  /health:
    get: {responses: {}}
"""
EXPRESS = """
//- src/app.ts
import express from "express";
import pets from "./pets";
const app = express();
app.get("/health", (req, res) => res.json({}));
app.use("/api/v1/pets", pets);
export default app;
//- src/pets.ts
import { Router } from "express";
import * as controller from "./controller";
import { wrap } from "./wrap";
const router = Router();
router.route("/").get(controller.list).post(wrap(controller.add));
const id = ":id(\\\\d+)";
var odd = odd + "/odd";
router.get(odd, controller.list);
router.get(`/${id}`, controller.show);
export default router;
//- src/controller.ts
export const list = (req, res) => res.json([]);
export function add(req, res) {}
export async function show(req, res) {}
//- src/wrap.ts
export const wrap = (f) => f;
"""
EXPRESS_EDGES = [
    ("GET /health", "src/app.ts", 'app.get("/health", (req, res) => res.json({}))', "Express", "route"),
    ("GET /pets", "src/controller.ts", "list", "Express", "route"),
    ("GET /pets/{petId}", "src/controller.ts", "show", "Express", "route"),
    ("POST /pets", "src/controller.ts", "add", "Express", "route"),
]


def edges(root: Path) -> list[tuple[object, ...]]:
    with Workspace.locate(root) as workspace:
        workspace.index()
        return list(workspace.cypher(EDGES).rows)


def test_an_update_reads_the_files_of_an_api_only_if_the_change_may_matter_to_it(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, PETS + EXPRESS + "//- src/other.ts\nexport const limit = 1;\n")
    indexer = Indexer(root, tmp_path / "kept", SETTINGS)
    indexer.refresh()

    def kept() -> set[str]:
        assert indexer._kept is not None
        return {path for path, _ in indexer._kept._files}

    (root / "src/other.ts").write_text("export const limit = 2;\n")
    assert indexer.refresh().rebuilt_because == ""
    assert kept() == {"src/other.ts"}
    controller = (root / "src/pets.ts").read_text()
    (root / "src/pets.ts").write_text(f"{controller}console.log(controller);\n")
    assert indexer.refresh().rebuilt_because == ""
    assert kept().isdisjoint({"openapi.yaml", "src/app.ts"})
    (root / "src/other.ts").write_text("export const limit = 2;\nexport const show = 3;\n")
    assert indexer.refresh().rebuilt_because == ""
    assert {"openapi.yaml", "src/app.ts", "src/pets.ts"} <= kept()


def test_routes_of_express_through_mounts_and_wrappers(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, PETS + EXPRESS)
    assert edges(root) == EXPRESS_EDGES


def test_a_trace_shows_the_handler_of_an_operation_and_the_operation_of_a_handler(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, PETS + EXPRESS)
    with Workspace.locate(root) as workspace:
        workspace.index()
        operation = workspace.trace("openapi.yaml > GET /pets/{petId}").text
        assert "Implemented by show (src/controller.ts:3): Express, GET /api/v1/pets/:id" in operation
        assert "Implements GET /pets/{petId} (openapi.yaml:" in workspace.trace("src/controller.ts > show").text
        assert "GET /pets/{petId}" in workspace.search("showPet").text


def test_an_update_of_a_handler_a_mount_and_a_contract_equals_a_new_index(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, PETS + EXPRESS)
    assert len(edges(root)) == 4
    write(root, "//- src/controller.ts\nexport const list = (req, res) => res.json([]);\nexport function add() {}\n")
    assert (
        "GET /pets/{petId}",
        "src/pets.ts",
        "router.get(`/${id}`, controller.show)",
        "Express",
        "registration",
    ) in edges(root)
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    text = (root / "src/app.ts").read_text(encoding="utf-8")
    (root / "src/app.ts").write_text(text.replace("/api/v1/pets", "/other"), encoding="utf-8")
    assert [row[0] for row in edges(root)] == ["GET /health"]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    write(root, PETS.replace("/pets", "/other"))
    assert [row[0] for row in edges(root)] == ["GET /health", "GET /other", "GET /other/{petId}", "POST /other"]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    (root / "openapi.yaml").unlink()
    assert edges(root) == []
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


TEMPLATES = """
//- src/schema.ts
import { gql } from "graphql-tag";
import { boats } from "./boats";

export const typeDefs = gql`
  type Boat { crew: Int }
  type Query { boats: [Boat!]!, lost: Boat }
`;
export const resolvers = {
  Query: { boats },
  Boat: { crew: (boat) => 1 },
};
//- src/boats.ts
export const boats = () => [];
"""


def test_a_schema_in_a_template_and_its_resolvers_are_updated_as_in_a_new_index(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, TEMPLATES)
    assert [row[:3] for row in edges(root)] == [("boats", "src/boats.ts", "boats"), ("crew", "src/schema.ts", "resolvers.crew")]
    schema = root / "src/schema.ts"
    written = schema.read_text(encoding="utf-8")
    schema.write_text(
        written.replace("lost: Boat", "lost: Boat, crews: Int").replace("{ boats }", "{ lost: boats }"), encoding="utf-8"
    )
    assert [row[0] for row in edges(root)] == ["crew", "lost"]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    schema.write_text(written.replace("gql`", "sql`"), encoding="utf-8")
    assert edges(root) == []
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


SELECTED = """
//- shop/client/boats.graphql
query Boats { boats { crew { name } length } }
//- shop/client/boats.ts
const CREW = gql`fragment CrewOfBoat on Boat { crew { name } }`
//- shop/schema.graphql
type Query { boats: [Boat!]! }
type Boat { crew: Person, length: Int }
type Person { name: String }
//- other/schema.graphql
type Person { name: String }
"""


def test_requests_of_graphql_lead_to_the_fields_that_they_select(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, SELECTED)
    asked = (
        "MATCH (s:Symbol)-[w:WIRED {role: 'request'}]->(f:Symbol) "
        "RETURN s.name, f.relativePath, f.qualifiedName, w.framework, w.line ORDER BY s.name, f.qualifiedName"
    )

    def requests() -> list[tuple[str, str, str]]:
        with Workspace.locate(root) as workspace:
            workspace.index()
            return [(row[0], row[1], row[2]) for row in workspace.cypher(asked).rows]

    crew = [("CREW", "shop/schema.graphql", "Boat.crew"), ("CREW", "shop/schema.graphql", "Person.name")]
    assert requests() == [
        ("Boats", "shop/schema.graphql", "Boat.crew"),
        ("Boats", "shop/schema.graphql", "Boat.length"),
        ("Boats", "shop/schema.graphql", "Person.name"),
        ("Boats", "shop/schema.graphql", "Query.boats"),
        *crew,
    ]
    schema = root / "shop/schema.graphql"
    schema.write_text(schema.read_text(encoding="utf-8").replace("boats: [Boat", "fleet: [Boat"), encoding="utf-8")
    assert requests() == crew
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


DESCRIBED = """
//- docs/api.md
# API

1. Read the health.
2. Go on.

## GET /health

It tells `ok`.

## `POST https://pets.example/api/v1/pets`

Adds a pet.

## DELETE /api/v1/pets/{id}
"""

TOPICS = """
//- asyncapi.yaml
asyncapi: 2.6.0
info: {title: Orders}
channels:
  orders.paid: {publish: {message: {payload: {type: object}}}}
//- topics.py
PAID = "orders.paid"
//- listeners.py
from celery import shared_task
from topics import PAID
@shared_task(queue=PAID)
def paid(order): ...
"""


def test_headings_of_documents_that_are_endpoints_lead_to_the_code_that_takes_them(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, DESCRIBED + EXPRESS)
    health, added = EXPRESS_EDGES[0], EXPRESS_EDGES[3]
    posted = ("POST https://pets.example/api/v1/pets", *added[1:])
    assert edges(root) == [health, posted]
    write(root, DESCRIBED.replace("## GET /health\n", ""))
    assert edges(root) == [posted]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
    write(root, "//- src/app.ts\nexport default 1;\n" + TOPICS)
    assert [row[:2] for row in edges(root)] == [("orders.paid", "listeners.py"), ("publish orders.paid", "listeners.py")]
    write(root, '//- topics.py\nPAID = "orders.settled"\n')
    assert edges(root) == []
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            """
//- app/main.py
from fastapi import FastAPI
from app import pets
app = FastAPI()
app.include_router(pets.router, prefix="/api/v1")
@app.get("/health")
def health(): ...
//- app/__init__.py
//- app/pets.py
from fastapi import APIRouter
router = APIRouter(prefix="/pets")
@router.get("/")
async def list_pets(): ...
@router.post("")
async def add_pet(): ...
@router.get("/{pet_id:int}")
async def show_pet(pet_id: int): ...
""",
            ["health", "list_pets", "show_pet", "add_pet"],
        ),
        (
            """
//- app.py
from flask import Flask, Blueprint
from flask.views import MethodView
bp = Blueprint("pets", __name__, url_prefix="/pets")
@bp.route("/", methods=["GET"])
def index(): ...
@bp.route("/", methods=["POST"])
def create(): ...
@bp.route("/<int:id>")
def show(id): ...
app = Flask(__name__)
app.register_blueprint(bp)
app.add_url_rule("/health", view_func=lambda: "ok")
""",
            ["app.register_blueprint(bp)", "index", "show", "create"],
        ),
        (
            """
//- shop/urls.py
from django.urls import include, path
urlpatterns = [path("api/v1/", include("pets.urls"))]
//- pets/urls.py
from django.urls import path
from . import views
urlpatterns = [path("pets/<int:pk>/", views.PetView.as_view())]
//- pets/__init__.py
//- pets/views.py
class PetView(View):
    def get(self, request, pk): ...
""",
            ["PetView.get"],
        ),
        (
            """
//- main.go
package main
import "github.com/gin-gonic/gin"
type Server struct { router *gin.Engine }
func (s *Server) routes() {
	v1 := s.router.Group("/api/v1")
	pets := v1.Group("/pets")
	{
		pets.GET("", s.listPets)
		pets.POST("", s.addPet)
		pets.GET("/:id", show)
	}
	s.router.GET("/health", func(c *gin.Context) {})
}
func (s *Server) listPets(c *gin.Context) {}
//- pets.go
package main
import "github.com/gin-gonic/gin"
func (s *Server) addPet(c *gin.Context) {}
func show(c *gin.Context) {}
""",
            ["Server.routes", "Server.listPets", "show", "Server.addPet"],
        ),
        (
            """
//- src/PetController.java
package shop;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/pets")
class PetController {
  @GetMapping List<Pet> all() { return null; }
  @PostMapping Pet add() { return null; }
  @GetMapping("/{id}") Pet one(@PathVariable long id) { return null; }
}
""",
            ["PetController.all", "PetController.one", "PetController.add"],
        ),
        (
            """
//- src/pets.controller.ts
import { Controller, Get, Post } from "@nestjs/common";
@Controller("pets")
export class PetsController {
  @Get() all() {}
  @Post() add() {}
  @Get(":id") one() {}
}
//- src/main.ts
import { NestFactory } from "@nestjs/core";
async function main() { const app = await NestFactory.create(M); app.setGlobalPrefix("api/v1"); }
""",
            ["PetsController.all", "PetsController.one", "PetsController.add"],
        ),
    ],
    ids=["fastapi", "flask", "django", "gin", "spring", "nest"],
)
def test_routes_of_frameworks(tmp_path: Path, code: str, expected: list[str]) -> None:
    root = tmp_path / "project"
    write(root, PETS + code)
    assert [row[2] for row in edges(root)] == expected


SERVICES = """
//- api/v1/greeter.proto
syntax = "proto3";
package hello.v1;
option go_package = "example.com/gen/hello/v1;hellov1";
service Greeter { rpc SayHello(Req) returns (Res); rpc Wave(Req) returns (Res); }
//- api/v2/greeter.proto
syntax = "proto3";
package hello.v2;
option go_package = "example.com/gen/hello/v2;hellov2";
service Greeter { rpc SayHello(Req) returns (Res); }
//- schema.graphql
type Query { users(first: Int): [User] me: User }
type Mutation { createUser(name: String): User }
type User { id: ID! fullName: String }
//- events.yaml
asyncapi: 2.6.0
info: {title: Events}
channels:
  order.created: {subscribe: {message: {payload: {type: object}}}}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            """
//- server/server.go
package server
import (
	pb "example.com/gen/hello/v1"
	second "example.com/gen/hello/v2"
)
type server struct { pb.UnimplementedGreeterServer }
type other struct{}
func start(s grpc.ServiceRegistrar) { second.RegisterGreeterServer(s, &other{}) }
func (o *other) SayHello(r *second.Req) (*second.Res, error) { return nil, nil }
//- server/hello.go
package server
func (s *server) SayHello(r *pb.Req) (*pb.Res, error) { return nil, nil }
""",
            [("SayHello", "server.SayHello"), ("SayHello", "other.SayHello")],
        ),
        (
            """
//- server.py
from api.v1 import greeter_pb2_grpc
class Greeter(greeter_pb2_grpc.GreeterServicer):
    def SayHello(self, request, context): ...
""",
            [("SayHello", "Greeter.SayHello")],
        ),
        (
            """
//- resolvers.ts
import { me } from "./me";
export const resolvers = { Query: { users: () => [], me }, User: { fullName(u) { return u.name } } };
const Mutation: MutationResolvers = { createUser: async () => ({}) };
//- me.ts
export const me = () => null;
""",
            [
                ("createUser", "Mutation.createUser"),
                ("fullName", "resolvers.fullName"),
                ("me", "me"),
                ("users", "resolvers.users"),
            ],
        ),
        (
            """
//- schema.ts
import { builder } from "./builder";
import { me } from "./me";
const User = builder.objectRef<Row>("User");
User.implement({ fields: (t) => ({ id: t.exposeID("id"), fullName: t.string({ resolve: fullName }) }) });
function fullName(user) { return user.name }
function list() { return [] }
builder.queryType({ fields: (t) => ({ users: t.field({ type: [User], resolve: list }) }) });
builder.queryField("me", (t) => t.field({ type: User, resolve: me }));
builder.mutationFields((t) => ({ createUser: t.field({ type: User, resolve: create }) }));
function create(input) { return input }
//- builder.ts
export const builder = new SchemaBuilder({});
//- me.ts
export const me = () => null;
""",
            [
                ("createUser", "create"),
                ("fullName", "fullName"),
                ("me", "me"),
                ("users", "list"),
            ],
        ),
        (
            """
//- users.resolver.ts
import { Resolver, Query, Mutation, ResolveField } from "@nestjs/graphql";
import { EventPattern, GrpcMethod } from "@nestjs/microservices";
@Resolver(() => User)
export class UsersResolver {
  @Query(() => [User], { name: "users" }) all() {}
  @Mutation(() => User) createUser() {}
  @ResolveField() fullName() {}
  @EventPattern("order.created") ordered() {}
}
""",
            [
                ("order.created", "UsersResolver.ordered"),
                ("createUser", "UsersResolver.createUser"),
                ("fullName", "UsersResolver.fullName"),
                ("users", "UsersResolver.all"),
            ],
        ),
        (
            """
//- schema.py
import strawberry
@strawberry.type
class Query:
    @strawberry.field
    def users(self) -> list[str]: ...
@strawberry.type
class Mutation:
    @strawberry.mutation
    def create_user(self, name: str) -> str: ...
""",
            [("createUser", "Mutation.create_user"), ("users", "Query.users")],
        ),
        (
            """
//- resolvers.go
package graph
type queryResolver struct{ *Resolver }
func (r *queryResolver) Users(first *int) ([]*User, error) { return nil, nil }
func (r *mutationResolver) CreateUser(name string) (*User, error) { return nil, nil }
func (r *userResolver) FullName(ctx context.Context, user *User) (string, error) { return "", nil }
func (r *userResolver) secret() string { return "" }
""",
            [
                ("createUser", "mutationResolver.CreateUser"),
                ("fullName", "userResolver.FullName"),
                ("users", "queryResolver.Users"),
            ],
        ),
        (
            """
//- src/greeter.cc
class GreeterImpl final : public hello::v1::Greeter::Service {
 public:
  Status Wave(ServerContext* context, const Req* request, Res* reply) override { return Status::OK; }
};
class Client { std::unique_ptr<Greeter::Stub> stub; Status Wave() { return Status::OK; } };
""",
            [("Wave", "GreeterImpl.Wave")],
        ),
        (
            """
//- lib/greeter.rb
class GreeterServer < Hello::V1::Greeter::Service
  def wave(request, _call)
    Res.new
  end
end
class Client < Greeter::Stub
  def say_hello; end
end
""",
            [("Wave", "GreeterServer.wave")],
        ),
        (
            """
//- src/main/java/shop/Greeting.java
package shop;
import hello.v1.GreeterGrpc;
public class Greeting {
    static class Polite extends GreeterGrpc.GreeterImplBase {
        @Override
        public void wave(Req request, StreamObserver<Res> observer) { observer.onNext(wave(request)); }
        static Res wave(Req request) { return null; }
    }
}
//- orders/asyncapi.yaml
asyncapi: 3.0.0
info: {title: Orders}
channels:
  created: {address: order.created, messages: {}}
operations:
  onCreated: {action: receive, channel: {$ref: "#/channels/created"}}
  announce: {action: send, channel: {$ref: "#/channels/created"}}
//- orders/src/main/java/shop/Orders.java
package shop;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
@KafkaListener(topics = Orders.CREATED)
class Orders {
    static final String CREATED = "order.created";
    @KafkaHandler
    void created(Order order) {}
    @JmsListener(destination = "${orders.queue}")
    void configured(Order order) {}
}
""",
            [("Wave", "Greeting.Polite.wave"), ("created", "Orders.created"), ("onCreated", "Orders.created")],
        ),
        (
            """
//- Services/GreeterService.cs
namespace Hello.Services;
public sealed class GreeterService(ILogger<GreeterService> log) : Hello.V1.Greeter.GreeterBase, IDisposable
{
    public override Task<Res> Wave(Req request, ServerCallContext context) => null;
    public void Dispose() {}
}
public class Client : Greeter.GreeterClient { public void Wave() {} }
""",
            [("Wave", "GreeterService.Wave")],
        ),
        (
            """
//- GreeterService.kt
package hello
class GreeterService(private val log: Log) : GreeterGrpcKt.GreeterCoroutineImplBase(), Closeable {
    override suspend fun wave(request: Req): Res = res { }
}
class Probe(val base: GreeterGrpc.GreeterImplBase) { fun wave() {} }
""",
            [("Wave", "GreeterService.wave")],
        ),
        (
            """
//- src/greeter.rs
use hello::v1::greeter_server::{Greeter, GreeterServer};
pub struct Polite;
#[tonic::async_trait]
impl Greeter for Polite {
    async fn wave(&self, request: Request<Req>) -> Result<Response<Res>, Status> { todo!() }
}
//- src/other.rs
use crate::people::Greeter;
pub struct Rude;
impl Greeter for Rude { fn wave(&self) {} }
""",
            [("Wave", "Polite.wave")],
        ),
        (
            """
//- src/first.rs
use hello::v1::greeter_server::{Greeter, GreeterServer};
pub struct Polite;
#[tonic::async_trait]
impl Greeter for Polite {
    async fn wave(&self, request: Request<Req>) -> Result<Response<Res>, Status> { todo!() }
}
//- src/second.rs
use hello::v1::greeter_server::{Greeter, GreeterServer};
pub struct Curt;
#[tonic::async_trait]
impl Greeter for Curt {
    async fn wave(&self, request: Request<Req>) -> Result<Response<Res>, Status> { todo!() }
}
""",
            [("Wave", "Curt.wave"), ("Wave", "Polite.wave")],
        ),
    ],
    ids=[
        "grpc of Go",
        "grpc of Python",
        "map of resolvers",
        "builder of a schema",
        "decorators",
        "strawberry",
        "gqlgen",
        "grpc of C++",
        "grpc of Ruby",
        "overloads and listeners of Java",
        "grpc of C#",
        "grpc of Kotlin",
        "tonic",
        "tonic in two programs",
    ],
)
def test_services_and_resolvers(tmp_path: Path, code: str, expected: list[tuple[str, str]]) -> None:
    root = tmp_path / "project"
    write(root, SERVICES + code)
    assert sorted((row[0], row[2]) for row in edges(root)) == sorted(expected)


def test_methods_of_swagger_inflector_have_the_ids_of_operations(tmp_path: Path) -> None:
    root = tmp_path / "project"
    code = """
//- src/main/java/shop/PetController.java
package shop;
import io.swagger.oas.inflector.models.RequestContext;
import io.swagger.oas.inflector.models.ResponseContext;
public class PetController {
    public ResponseContext listPets(final RequestContext request) { return null; }
    public ResponseContext addPet(String name) { return null; }
}
"""
    write(root, PETS + code)
    assert [(row[0], row[2]) for row in edges(root)] == [("GET /pets", "PetController.listPets")]


def test_what_several_routes_may_mean_stays_apart(tmp_path: Path) -> None:
    root = tmp_path / "project"
    app = 'import express from "express";\nconst app = express();\napp.get("/health", (q, r) => r.end());\n'
    write(root, f"{PETS}\n//- a.ts\n{app}\n//- b.ts\n{app}\n")
    assert edges(root) == []


def test_operations_of_a_description_in_several_files(tmp_path: Path) -> None:
    root = tmp_path / "project"
    parts = """
//- api/openapi.yaml
openapi: 3.1.0
servers: [{url: /api/v1}]
paths:
  /pets: {$ref: "paths/pets.yaml"}
  /pets/{petId}: {$ref: "./paths/others.yaml#/~1one~1pet"}
  /health: {$ref: "https://pets.example/health.yaml"}
//- api/paths/pets.yaml
get:
  operationId: listPets
  responses:
    "200": {content: {application/json: {schema: {$ref: ../schemas/Pets.yaml}}}}
post:
  operationId: addPet
  responses:
    "201": {description: made}
//- api/paths/others.yaml
/one/pet:
  get:
    responses:
      "200": {content: {application/json: {schema: {$ref: "../schemas/all.yaml#/Pet"}}}}
"""
    write(root, parts + EXPRESS)
    assert edges(root) == [
        ("GET /one/pet", "src/controller.ts", "show", "Express", "route"),
        ("GET", "src/controller.ts", "list", "Express", "route"),
        ("POST", "src/controller.ts", "add", "Express", "route"),
    ]
    with Workspace.locate(root) as workspace:
        rows = workspace.cypher("MATCH (s:Symbol {kind: 'operation'}) RETURN s.signature ORDER BY s.relativePath, s.name").rows
        assert rows == [("GET /one/pet(): Pet",), ("GET(): Pets",), ("POST()",)]
    (root / "api/openapi.yaml").write_text("openapi: 3.1.0\npaths:\n  /pets: {$ref: paths/others.yaml}\n")
    assert edges(root) == []
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


def test_files_of_yaml_are_sources_only_if_they_describe_an_api(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, "//- a.ts\nexport const a = 1\n//- api/settings.yaml\nopenapi: yes\n//- api/pets.json\n{}\n")
    files = "MATCH (f:File) RETURN f.relativePath, f.language ORDER BY f.relativePath"
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(files).rows == [("a.ts", "typescript")]
    (root / "api/pets.json").write_text('{\n\t"swagger": "2.0",\n\t"paths": {"/a": {"get": {"x": "\\ud83d\\ude00"}}}\n}', "utf-8")
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(files).rows == [("a.ts", "typescript"), ("api/pets.json", "openapi")]
        assert "GET /a" in workspace.search("symbol = api/pets.json > GET /a").text
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


ROUTE_FILES = """
//- docs/api.md
# API

## GET /api/users

## PUT /api/users/{id}

## DELETE /api/users/{id}

## GET /api/files/{path}

## GET /feed.json

## POST /api/orders/{id}

## PATCH /api/trees/{id}

## GET /api/trees

## GET /health

## GET /api/stock
//- pages/api/orders/[id].js
export default async function order(req, res) { res.status(200).json({}) }
//- pages/api/stock/index.ts
const stock = (req: NextApiRequest, res: NextApiResponse) => res.json([])
export default stock
//- pages/stock.tsx
export default function stock(req, res) { return null }
//- shop/src/app/(admin)/api/users/route.ts
export async function GET(request: Request) { return Response.json([]) }
//- shop/src/app/(admin)/api/users/[id]/route.ts
const replace = async () => new Response()
export { replace as PUT }
export const DELETE = async () => new Response()
//- shop/src/app/_hidden/api/files/[path]/route.ts
export const GET = () => new Response()
//- site/src/routes/api/files/[path=name]/+server.ts
export const GET = () => new Response()
//- site/src/routes/api/files/[path=name]/data.ts
export const GET = () => new Response()
//- orchard/server/api/trees/[id].patch.ts
export default defineEventHandler(async event => ({ id: event.context.params.id }))
//- orchard/server/api/trees/index.ts
import { eventHandler } from 'h3'
export default eventHandler(() => [])
//- orchard/server/routes/health.get.js
export default defineEventHandler(() => 'ok')
//- orchard/server/middleware/log.ts
export default defineEventHandler(() => {})
//- blog/src/pages/feed.json.ts
export const GET = () => new Response()
"""


def test_headings_lead_to_routes_that_are_files(tmp_path: Path) -> None:
    write(tmp_path, ROUTE_FILES)
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        assert [tuple(row) for row in workspace.cypher(EDGES).rows] == [
            ("DELETE /api/users/{id}", "shop/src/app/(admin)/api/users/[id]/route.ts", "DELETE", "Next.js", "route"),
            ("GET /api/files/{path}", "site/src/routes/api/files/[path=name]/+server.ts", "GET", "SvelteKit", "route"),
            ("GET /api/stock", "pages/api/stock/index.ts", "stock", "Next.js", "route"),
            ("GET /api/trees", "orchard/server/api/trees/index.ts", "export default eventHandler(() => [])", "Nuxt", "route"),
            ("GET /api/users", "shop/src/app/(admin)/api/users/route.ts", "GET", "Next.js", "route"),
            ("GET /feed.json", "blog/src/pages/feed.json.ts", "GET", "Astro", "route"),
            (
                "GET /health",
                "orchard/server/routes/health.get.js",
                "export default defineEventHandler(() => 'ok')",
                "Nuxt",
                "route",
            ),
            (
                "PATCH /api/trees/{id}",
                "orchard/server/api/trees/[id].patch.ts",
                "export default defineEventHandler(async event => ({ id: event.context.params.id",
                "Nuxt",
                "route",
            ),
            ("POST /api/orders/{id}", "pages/api/orders/[id].js", "order", "Next.js", "route"),
            ("PUT /api/users/{id}", "shop/src/app/(admin)/api/users/[id]/route.ts", "replace", "Next.js", "route"),
        ]
