"""A small shop in two modules, indexed once, that all tests of scopes ask."""

from __future__ import annotations

from collections.abc import Iterator

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


@pytest.fixture(scope="session")
def shop_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The workspace of the shop, with its index."""
    root = tmp_path_factory.mktemp("scopes")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Workspace.locate(root) as workspace:
        workspace.index()
        yield workspace
