"""What still counts on endpoints, operations and types of contracts that a change takes away."""

from __future__ import annotations

from pathlib import Path

from tests.ingest.changes.changed_work_tree import compared, told

FLASK = {
    "app/__init__.py": "",
    "app/users.py": (
        "from flask import Blueprint\n\nusers = Blueprint('users', __name__)\n\n\n"
        "@users.get('/<int:id>')\ndef show(id):\n    return str(id)\n\n\n@users.post('/')\ndef add():\n    return ''\n"
    ),
    "app/main.py": (
        "from flask import Flask\nfrom app.users import users\n\n"
        "app = Flask(__name__)\napp.register_blueprint(users, url_prefix='/api')\n"
    ),
    "tests/test_users.py": (
        "def test_show(client):\n    assert client.get('/users/3').text == '3'\n\n\n"
        "def test_api(client):\n    assert client.get('/api/3').text == '3'\n    assert client.post('/api/').text == ''\n"
    ),
    "web/users.ts": (
        "export const show = (id: number) => fetch(`https://shop.example/api/${id}`)\n"
        "export const link = '/api/3'\nexport const go = (router: any) => router.push('/api/3')\n"
    ),
    "README.md": "# API\n\nAsk `/api/{}` for a user.\n",
}
EXPRESS = {
    "package.json": '{"name": "shop", "dependencies": {"express": "4"}}\n',
    "src/app.js": (
        "const express = require('express')\nconst app = express()\nconst list = (req, res) => res.json([])\n"
        "const one = (req, res) => res.json({})\napp.get('/items', list)\napp.get('/items/:id', one)\nmodule.exports = app\n"
    ),
    "openapi.yaml": (
        "openapi: 3.0.0\ninfo:\n  title: Shop\npaths:\n  /items:\n    get:\n      responses:\n        '200':\n"
        "          content:\n            application/json:\n              schema:\n"
        "                $ref: '#/components/schemas/Item'\n"
        "  /items/{id}:\n    get:\n      responses: {}\ncomponents:\n  schemas:\n    Item:\n      type: object\n"
    ),
}
PROTO = {
    "shop.proto": (
        'syntax = "proto3";\npackage shop;\n\nmessage Item {\n  string name = 1;\n}\n\n'
        "message Cart {\n  repeated Item items = 1;\n}\n\n"
        "service Carts {\n  rpc Add(Item) returns (Cart);\n  rpc Drop(Item) returns (Cart);\n}\n"
    ),
    "server.py": (
        "import shop_pb2_grpc\n\n\nclass CartsServicer(shop_pb2_grpc.CartsServicer):\n    def Add(self, request, context):\n"
        "        return None\n\n    def Drop(self, request, context):\n        return None\n"
    ),
}
GRAPHQL = {
    "schema.graphql": "type Query {\n  users: [User]\n  items: [Int]\n}\n\ntype User {\n  name: String\n}\n",
    "src/resolvers.ts": "export const resolvers = {\n  Query: {\n    users: () => [],\n    items: () => [],\n  },\n}\n",
    "package.json": '{"name": "shop", "dependencies": {"@apollo/server": "4"}}\n',
}


def test_calls_of_a_route_that_is_gone_are_told(tmp_path: Path) -> None:
    """By the whole path, in tests and in code of other languages; texts that send nothing are left out."""
    users = FLASK["app/users.py"].replace("@users.get('/<int:id>')\ndef show(id):\n    return str(id)\n\n\n", "")
    assert told(tmp_path, FLASK, {"app/users.py": users}) == [
        "tests/test_users.py:6 calls GET /api/{}, which is gone",
        "web/users.ts:1 calls GET /api/{}, which is gone",
    ]


def test_a_renamed_path_is_told_and_a_moved_route_is_not(tmp_path: Path) -> None:
    app = EXPRESS["src/app.js"].replace("'/items'", "'/goods'")
    test = "it('lists', () => request(app).get('/items'))\nit('shows', () => request(app).get('/items/4'))\n"
    assert told(tmp_path, {**EXPRESS, "test/items.test.js": test}, {"src/app.js": app}) == [
        "openapi.yaml:6 declares GET /items, which no code implements any more",
        "test/items.test.js:1 calls GET /items, which is gone",
    ]


def test_code_that_takes_an_operation_which_is_gone_is_told(tmp_path: Path) -> None:
    contract = EXPRESS["openapi.yaml"].replace("  /items/{id}:\n    get:\n      responses: {}\n", "")
    assert told(tmp_path, EXPRESS, {"openapi.yaml": contract}) == [
        "src/app.js:6 implements GET /items/{id}, which openapi.yaml does not declare any more"
    ]
    (symbol,) = compared(tmp_path).symbols
    assert (symbol.shown.name, symbol.changes) == ("GET /items/{id}", ("removed",))


def test_types_of_contracts_that_are_gone_are_told(tmp_path: Path) -> None:
    contract = EXPRESS["openapi.yaml"].replace("    Item:\n", "    Good:\n")
    assert told(tmp_path / "http", EXPRESS, {"openapi.yaml": contract}) == [
        "openapi.yaml:12 uses Item, which openapi.yaml does not declare any more"
    ]
    proto = PROTO["shop.proto"].replace("message Item", "message Good")
    assert told(tmp_path / "rpc", PROTO, {"shop.proto": proto}) == [
        f"shop.proto:{line} uses Item, which shop.proto does not declare any more" for line in (9, 13, 14)
    ]


def test_every_lost_type_of_a_contract_is_told_where_it_is_used(tmp_path: Path) -> None:
    proto = PROTO["shop.proto"].replace("message Item", "message Good").replace("message Cart", "message Basket")
    assert told(tmp_path, PROTO, {"shop.proto": proto}) == [
        "shop.proto:9 uses Item, which shop.proto does not declare any more",
        "shop.proto:13 uses Cart, which shop.proto does not declare any more",
        "shop.proto:13 uses Item, which shop.proto does not declare any more",
        "shop.proto:14 uses Cart, which shop.proto does not declare any more",
        "shop.proto:14 uses Item, which shop.proto does not declare any more",
    ]


def test_calls_of_a_service_that_are_gone_are_told(tmp_path: Path) -> None:
    proto = PROTO["shop.proto"].replace("  rpc Drop(Item) returns (Cart);\n", "")
    assert told(tmp_path, PROTO, {"shop.proto": proto}) == [
        "server.py:4 implements shop.Carts.Drop, which shop.proto does not declare any more"
    ]


def test_fields_of_graphql_that_are_gone_are_told(tmp_path: Path) -> None:
    schema = GRAPHQL["schema.graphql"].replace("  users: [User]\n", "")
    assert told(tmp_path, GRAPHQL, {"schema.graphql": schema}) == [
        "src/resolvers.ts:3 implements Query.users, which schema.graphql does not declare any more"
    ]


def test_a_change_that_keeps_all_endpoints_breaks_nothing(tmp_path: Path) -> None:
    users = FLASK["app/users.py"].replace("def show(id)", "def shown(id)").replace("<int:id>", "<id>")
    assert told(tmp_path, FLASK, {"app/users.py": users}) == []
