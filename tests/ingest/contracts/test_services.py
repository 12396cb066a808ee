"""Services and operations that code implements by the names in their contracts."""

from __future__ import annotations

from pathlib import Path

from written_workspace import analysed

HANDLERS = """
//- src/openapi/api.yaml
openapi: 3.0.3
info: {title: Boats, version: "1"}
x-openapi-router-controller: harbor.boats
paths:
  /boats:
    x-eov-operation-handler: v1/boats
    get: {operationId: listBoats, responses: {}}
    post: {operationId: addBoat, x-eov-operation-handler: v2/boats, x-eov-operation-id: create, responses: {}}
    put: {operationId: lostBoat, responses: {}}
  /crews:
    get: {operationId: crews, responses: {}}
//- src/api/v1/boats.ts
export const listBoats = () => [];
export const create = () => 1;
//- src/api/v2/boats.ts
export const create = () => 2;
//- other/api/v1/boats.ts
export const listBoats = () => [];
//- harbor/boats.py
def crews(): ...
"""
#: Two programs have services of one name in different packages, and the code does not import the package.
ECHOES = """
//- harbor/proto/echo.proto
syntax = "proto3";
package harbor;
service Echo { rpc Say(Text) returns (Text); }
//- harbor/server/src/EchoServer.java
package org.harbor;
class EchoServer extends EchoGrpc.EchoImplBase {
    @Override
    public void say(Text text) {}
}
//- harbor/proto/tower.proto
syntax = "proto3";
package harbor;
service Tower { rpc Light(Text) returns (Text); rpc Dim(Text) returns (Text); }
//- harbor/proto/tower.swagger.json
{
  "swagger": "2.0",
  "paths": {
    "/v1/light": {"post": {"operationId": "Tower_Light"}},
    "/v1/dim": {"post": {"operationId": "Tower_Dim"}},
    "/v1/say": {"post": {"operationId": "Echo_Say"}}
  }
}
//- harbor/server/src/TowerServer.java
package org.harbor;
class TowerServer extends TowerGrpc.TowerImplBase {
    @Override
    public void light(Text text) {}
}
//- harbor/proto/lamp.proto
syntax = "proto3";
package harbor;
service Lamp {
  rpc Watch(Text) returns (stream Text);
  rpc Blink(Text) returns (stream Text) {
    option (google.api.http) = {get: "/v1/lamps/{lamp_id}" additional_bindings {put: "/v2/lamps"}};
    option (openapi.operation) = {post: "/v1/lamps"};
  }
}
//- harbor/proto/openapi.yaml
openapi: 3.0.3
info: {title: Lamps, version: "1"}
servers: [{url: /v1}]
paths:
  /lamps/{lampId}: {get: {operationId: blinkLamp, responses: {}}}
  /v2/lamps: {put: {operationId: blinkAll, responses: {}}}
  /lamps: {post: {operationId: newLamp, responses: {}}}
//- go.mod
module shipping
//- harbor/lamp/lamp.go
package lamp

import "shipping/harbor/proto"

type Lamp struct{}
type Proxy struct{}
type Store struct{}

func (s *Store) Watch(from, to int, stream proto.Lamp_WatchServer) error     { return nil }
func (l *Lamp) Watch(text *proto.Text, stream proto.Lamp_WatchServer) error  { return nil }
func (p *Proxy) Watch(text *proto.Text, stream proto.Lamp_WatchServer) error { return nil }
func (l *Lamp) Blink(text *proto.Text, stream proto.Lamp_BlinkServer) error  { return nil }
func (p *Proxy) Send(text *proto.Text, stream proto.Lamp_BlinkServer) error  { return nil }
//- shipyard/echo.proto
syntax = "proto3";
package shipyard;
service Echo { rpc Say(Text) returns (Text); }
//- other/EchoProxy.java
package org.other;
class EchoProxy extends EchoGrpc.EchoImplBase {
    @Override
    public void say(Text text) {}
}
"""


def _implementations(root: Path, text: str) -> list[str]:
    content = analysed(root, text)
    names = {symbol.id: symbol for symbol in content.symbols}
    return sorted(
        f"{names[edge.from_id].name}: {names[edge.to_id].relative_path} {names[edge.to_id].name}, {edge.framework}"
        for edge in content.implementations
    )


def test_a_description_names_the_modules_of_handlers(tmp_path: Path) -> None:
    assert _implementations(tmp_path, HANDLERS) == [
        "GET /boats: src/api/v1/boats.ts listBoats, OpenAPI",
        "GET /crews: harbor/boats.py crews, Connexion",
        "POST /boats: src/api/v2/boats.ts create, OpenAPI",
    ]


def test_of_services_with_one_name_in_several_packages_the_nearest_counts(tmp_path: Path) -> None:
    assert _implementations(tmp_path, ECHOES) == [
        "Blink: harbor/lamp/lamp.go Blink, gRPC",
        "GET /lamps/{lampId}: harbor/lamp/lamp.go Blink, gRPC",
        "Light: harbor/server/src/TowerServer.java light, gRPC",
        "POST /v1/light: harbor/server/src/TowerServer.java light, gRPC",
        "PUT /v2/lamps: harbor/lamp/lamp.go Blink, gRPC",
        "Say: harbor/server/src/EchoServer.java say, gRPC",
        "Watch: harbor/lamp/lamp.go Watch, gRPC",
        "Watch: harbor/lamp/lamp.go Watch, gRPC",
    ]
