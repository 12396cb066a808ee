"""Consoles of a small project: one that the tests of a module share, and one of its own for a test that changes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from console_server import Console, serve

FILES = {
    "src/auth/verify.ts": """\
/** Checks the signature of a token against a secret. */
export function verifySignature(token: string, secret: string): boolean {
  return token.endsWith(secret)
}
""",
    "src/auth/tokenService.ts": """\
import { verifySignature } from './verify'

export interface Validator {
  validateToken(token: string): boolean
}

/** Issues tokens and decides whether they are valid. */
export class TokenService implements Validator {
  constructor(private readonly secret: string) {}

  /** Tells whether a token was issued here and has not expired. */
  validateToken(token: string): boolean {
    return verifySignature(token, this.secret)
  }
}
""",
    "src/routes/login.ts": """\
import { TokenService } from '../auth/tokenService'

const service = new TokenService('s3cret')

/** Handles the login form. */
export function handleLogin(token: string): string {
  return service.validateToken(token) ? 'welcome' : 'denied'
}
""",
}


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console that the tests of a module share and do not change."""
    root = tmp_path_factory.mktemp("console") / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with Workspace.locate(root) as workspace:
        yield from serve(workspace)


@pytest.fixture
def fresh_console(shop: Path) -> Iterator[Console]:
    """A console of a project that has no index yet."""
    with Workspace.locate(shop) as workspace:
        yield from serve(workspace)
