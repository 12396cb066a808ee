"""One whole answer over a project that is indexed for real: what an agent reads, character by character."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from astrolabe.server.api.workspace import Workspace

SOURCES = {
    "src/auth/tokenService.ts": """\
import fs from 'fs';
import jwt from 'jsonwebtoken';
import { AuthError } from './errors';
import { JwtPayload, Session } from '../models/auth';
import { RefreshTokenStore } from './refreshStore';
import { AuthConfig } from '../config/auth';
import { BaseValidator } from '../base';

const TOKEN_EXPIRY = 3600;
const CLOCK_SKEW = 5;

export class TokenService extends BaseValidator {
  private secret: string;
  private store: RefreshTokenStore;
  private cache = new Map<string, Session>();

  async validateToken(token: string): Promise<JwtPayload | null> {
    try {
      return jwt.verify(token, this.secret ?? AuthConfig.getSecret()) as JwtPayload;
    } catch {
      return null;
    }
  }

  async refreshToken(token: string): Promise<string> {
    const payload = await this.validateToken(token);
    if (!payload) throw new AuthError('Invalid token');
    await this.store.rotate(payload);
    return jwt.sign({ userId: payload.userId }, this.secret, { expiresIn: TOKEN_EXPIRY });
  }

  clear(): void {
    fs.rmSync('x', { maxRetries: CLOCK_SKEW });
    this.cache.clear();
  }
}
""",
    "src/auth/errors.ts": "export class AuthError extends Error {}\n",
    "src/auth/refreshStore.ts": """\
import { JwtPayload } from '../models/auth';

export class RefreshTokenStore {
  async rotate(payload: JwtPayload): Promise<void> {}
}
""",
    "src/base.ts": "export class BaseValidator {}\n",
    "src/models/auth.ts": """\
export interface JwtPayload { userId: string }
export interface Session { id: string }
export interface LoginRequest { token: string }
export interface AuthResponse { payload: JwtPayload | null }
""",
    "src/middleware/auth.ts": """\
import { Request, Response, NextFunction } from 'express';
import { TokenService } from '../auth/tokenService';

export class AuthMiddleware {
  constructor(private readonly service: TokenService) {}

  async verify(req: Request, res: Response, next: NextFunction): Promise<void> {
    if (await this.service.validateToken(req.token)) next();
  }
}
""",
    "src/controllers/login.ts": """\
import { TokenService } from '../auth/tokenService';
import { AuthResponse, LoginRequest } from '../models/auth';

export class LoginController {
  private service = new TokenService();

  async handle(req: LoginRequest): Promise<AuthResponse> {
    return { payload: await this.service.validateToken(req.token) };
  }
}
""",
    "src/config/auth.ts": """\
import { ConfigProvider } from '../interfaces/config';

export class AuthConfig implements ConfigProvider {
  static getSecret(): string { return 's' }
  static getExpiry(): number { return 1 }
  static getIssuer(): string { return 'i' }
}
""",
    "src/interfaces/config.ts": "export interface ConfigProvider {}\n",
    "src/config/constants.ts": "export const AUTH_TOKEN_EXPIRY = 3600;\n",
}

ANSWERS = {
    # A single result: its calls and callers stand in its details, in the order of the source.
    "TokenService > validateToken": """\
Search: "symbol = TokenService > validateToken" | 1 result | 263/8,000 tokens

TokenService.validateToken — src/auth/tokenService.ts
    async method | exported | refs: 3 files
    Signature: async validateToken(token: string): Promise<JwtPayload | null>
    Extends: BaseValidator (src/base.ts)
    Calls: jwt.verify, AuthConfig.getSecret (src/config/auth.ts)
    Called by: TokenService.refreshToken, LoginController.handle (src/controllers/login.ts), \
AuthMiddleware.verify (src/middleware/auth.ts)
    Types in: token (string) | Types out: JwtPayload (src/models/auth.ts)

// src/auth/tokenService.ts

import jwt from 'jsonwebtoken';
import { JwtPayload } from '../models/auth';
import { AuthConfig } from '../config/auth';
import { BaseValidator } from '../base';

export class TokenService extends BaseValidator {
  private secret: string;

  async validateToken(token: string): Promise<JwtPayload | null> {
    try {
      return jwt.verify(token, this.secret ?? AuthConfig.getSecret()) as JwtPayload;
    } catch {
      return null;
    }
  }
}""",
    "TokenService > refreshToken": """\
Search: "symbol = TokenService > refreshToken" | 1 result | 302/8,000 tokens

TokenService.refreshToken — src/auth/tokenService.ts
    async method | exported | refs: none
    Signature: async refreshToken(token: string): Promise<string>
    Extends: BaseValidator (src/base.ts)
    Calls: TokenService.validateToken, AuthError (src/auth/errors.ts), RefreshTokenStore.rotate (src/auth/refreshStore.ts), \
jwt.sign
    Types in: token (string)

// src/auth/tokenService.ts

import jwt from 'jsonwebtoken';
import { AuthError } from './errors';
import { JwtPayload } from '../models/auth';
import { RefreshTokenStore } from './refreshStore';
import { BaseValidator } from '../base';

const TOKEN_EXPIRY = 3600;

export class TokenService extends BaseValidator {
  private secret: string;
  private store: RefreshTokenStore;

  async validateToken(token: string): Promise<JwtPayload | null> {
    // … 5 lines
  }

  async refreshToken(token: string): Promise<string> {
    const payload = await this.validateToken(token);
    if (!payload) throw new AuthError('Invalid token');
    await this.store.rotate(payload);
    return jwt.sign({ userId: payload.userId }, this.secret, { expiresIn: TOKEN_EXPIRY });
  }
}""",
    "AuthConfig": """\
Search: "symbol = AuthConfig" | 1 result | 125/8,000 tokens

AuthConfig — src/config/auth.ts
    class | exported | refs: 1 file
    Implements: ConfigProvider (src/interfaces/config.ts)
    Members: getSecret(), getExpiry(), getIssuer()

// src/config/auth.ts

import { ConfigProvider } from '../interfaces/config';

export class AuthConfig implements ConfigProvider {
  static getSecret(): string { return 's' }
  static getExpiry(): number { return 1 }
  static getIssuer(): string { return 'i' }
}""",
    "AUTH_TOKEN_EXPIRY": """\
Search: "symbol = AUTH_TOKEN_EXPIRY" | 1 result | 61/8,000 tokens

AUTH_TOKEN_EXPIRY — src/config/constants.ts
    const | exported | refs: none
    Type: number (value: 3600)

// src/config/constants.ts

export const AUTH_TOKEN_EXPIRY = 3600;""",
}


@pytest.fixture(scope="module")
def workspace(opened_project: Callable[[Mapping[str, str]], Workspace]) -> Workspace:
    return opened_project(SOURCES)


@pytest.mark.parametrize("path", ANSWERS)
def test_the_answer_about_one_symbol(workspace: Workspace, path: str) -> None:
    assert workspace.symbol(path).text == ANSWERS[path]


def test_the_answer_about_several_symbols(workspace: Workspace) -> None:
    found = workspace.search(
        "verify a request and handle a login by validating the token", paths=["src/auth/", "src/middleware/", "src/controllers/"]
    )
    graph, *snapshots = [item.text for item in found.items]
    numbers = {result.breadcrumb.split(" > ", 1)[1].replace(" > ", "."): place for place, result in enumerate(found, 1)}
    validate, verify, handle = (
        f"[{numbers[name]}] {name}" for name in ("TokenService.validateToken", "AuthMiddleware.verify", "LoginController.handle")
    )
    assert f"  {verify} → {validate}\n" in graph
    assert f"  {handle} → {validate}\n" in graph
    assert f"  Hub: {validate} — called by " in graph
    assert len(snapshots) == len({result.file for result in found})
    assert [text.split("\n", 1)[0] for text in snapshots] == [
        f"// {path}" for path in dict.fromkeys(result.file for result in found)
    ]
