"""Two small repositories, each indexed once, that all tests of scopes ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace

FILES = {
    "package.json": '{"name": "shop", "version": "1.0.0", "dependencies": {"uuid": "^9.0.0"}}\n',
    "src/money.ts": """\
export interface Price { amount: number }

export class Amount implements Price {
  constructor(public amount: number) {}
  plus(other: Amount): Amount { return new Amount(add(this.amount, other.amount)) }
}

export class Discounted extends Amount {
  plus(other: Amount): Amount { return super.plus(other) }
}

export function add(one: number, other: number): number {
  return one + other
}

function never(): number { return 3 }
""",
    "src/cart.ts": """\
import { Amount } from './money'
import { send } from './mail'

export class Cart {
  total(items: Amount[]): Amount {
    return items.reduce((sum, item) => sum.plus(item), new Amount(0))
  }
  pay(items: Amount[]): void {
    send(this.total(items))
  }
}
""",
    "src/mail.ts": """\
import type { Cart } from './cart'

export function send(what: unknown): void { even(3) }

export function even(count: number): boolean { return count === 0 || odd(count - 1) }
export function odd(count: number): boolean { return count !== 0 && even(count - 1) }
""",
    "tests/cart.test.ts": """\
import { Cart } from '../src/cart'

export function testsThePayment(): void {
  new Cart().pay([])
}
""",
    "tools/package.json": '{"name": "tools", "version": "2.0.0"}\n',
    "tools/run.py": """\
def main():
    helper("x")


def helper(text):
    return text.upper()
""",
    "tools/Main.kt": "fun start() { stop() }\nfun stop() {}\n",
}


@pytest.fixture(scope="module")
def shop_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The workspace of the shop, with its index."""
    yield from _indexed(tmp_path_factory.mktemp("scopes"), FILES)


PORTAL = {
    "package.json": '{"name": "portal", "private": true, "workspaces": ["web", "api-gateway"]}\n',
    "web/package.json": '{"name": "web", "version": "1.0.0", "dependencies": {"react": "^18.0.0"}}\n',
    "web/src/Login.tsx": """\
import React from 'react'

export class Login extends React.Component {
  render() { return <form /> }
}

class Hint extends React.Component {
  render() { return <p /> }
}
""",
    "web/src/labels.ts": "export const TITLE = 'Portal'\n",
    "api-gateway/package.json": '{"name": "api-gateway", "version": "1.0.0"}\n',
    "api-gateway/src/users.ts": """\
import { database } from './database'

export class UserService {
  authenticate(id: number): unknown {
    return database.query('SELECT id, email FROM users WHERE id = $1', [id])
  }
}

/** Stores the email that {@link UserService} compares. */
export function storeEmail(id: number, email: string): void {
  database.query('UPDATE users SET email = $1 WHERE id = $2', [email, id])
}
""",
    "api-gateway/src/database.ts": """\
export const database = { query(text: string, values: unknown[]): unknown { return [text, values] } }
""",
    "api-gateway/src/routes.ts": """\
import { UserService } from './users'

export function login(id: number): unknown {
  return new UserService().authenticate(id)
}

export function retry(id: number): unknown {
  return login(id)
}
""",
    "api-gateway/src/audit.ts": """\
import type { UserService } from './users'

export let audited: UserService[] = []
""",
    "api-gateway/src/main.ts": """\
import { login } from './routes'
import { audited } from './audit'

export const started = [login, audited]
""",
    "tools/check.ts": """\
import { UserService } from '../api-gateway/src/users'

export function check(): unknown { return new UserService().authenticate(1) }
""",
    "db/migrations/0001_users.sql": """\
CREATE TABLE users (
  id integer PRIMARY KEY,
  email text NOT NULL,
  nick text
);
CREATE TABLE visits (id integer PRIMARY KEY, user_id integer REFERENCES users(id), page text);
CREATE TABLE drafts (id integer PRIMARY KEY);
CREATE VIEW long_visits AS SELECT id, page FROM visits;
""",
    "db/migrations/0002_shorter.sql": """\
ALTER TABLE users DROP COLUMN nick;
DROP TABLE drafts;
""",
    "prd.md": """\
# Portal

Pages come from `visits`.

## Workflow: User Onboarding

1. The user signs in with `UserService.authenticate`.
2. The address is kept by `storeEmail()`.
3. A greeting is sent.

## Data

`users.email` is compared without case. The code is in [users](api-gateway/src/users.ts).
""",
    "docs/more.md": "# More\n\nSee [the onboarding](../prd.md#workflow-user-onboarding).\n",
}


@pytest.fixture(scope="module")
def portal_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The workspace of a portal with two packages, a database and documents, with its index."""
    yield from _indexed(tmp_path_factory.mktemp("portal"), PORTAL)


def _indexed(root: Path, files: dict[str, str]) -> Iterator[Workspace]:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Workspace.locate(root) as workspace:
        workspace.index()
        yield workspace
