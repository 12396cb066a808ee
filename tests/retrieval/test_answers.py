"""Whole answers over the project that the specification's examples are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

TOKENS = "src/auth/tokenService.ts"
MIDDLEWARE = "src/middleware/auth.ts"
LOGIN = "src/controllers/login.ts"
CONFIG = "src/config/auth.ts"
CONSTANTS = "src/config/constants.ts"
MODELS = "src/models/auth.ts"
BASE = "src/base.ts"

VALIDATE = f"{TOKENS}#TokenService.validateToken"
REFRESH = f"{TOKENS}#TokenService.refreshToken"
VERIFY = f"{MIDDLEWARE}#AuthMiddleware.verify"
HANDLE = f"{LOGIN}#LoginController.handle"
SECRET = f"{CONFIG}#AuthConfig.getSecret"


@pytest.fixture(scope="session")
def auth_project(new_project: Any) -> Any:
    project = new_project()
    project.file(
        TOKENS,
        """
import jwt from 'jsonwebtoken';
import fs from 'fs';
import { JwtPayload, Session } from '../models/auth';
import { RefreshTokenStore } from './refreshStore';
import { AuthConfig } from '../config/auth';
import { BaseValidator } from '../base';

const TOKEN_EXPIRY = 3600;
const CLOCK_SKEW = 5;

/** Issues and checks tokens. */
export class TokenService extends BaseValidator {
  private secret: string;
  private store: RefreshTokenStore;
  private cache = new Map<string, string>();

  constructor(secret: string) {
    this.secret = secret;
  }

  async validateToken(token: string): Promise<JwtPayload | null> {
    try {
      return jwt.verify(token, this.secret ?? AuthConfig.getSecret()) as JwtPayload;
    } catch {
      return null;
    }
  }

  async refreshToken(token: string): Promise<string> {
    const payload = await this.validateToken(token);
    await this.store.rotate(payload);
    return jwt.sign({ userId: payload.userId }, this.secret, { expiresIn: TOKEN_EXPIRY });
  }

  clear(): void {
    this.cache.clear();
  }
}
""",
        ("const", "TOKEN_EXPIRY"),
        ("const", "CLOCK_SKEW"),
        ("class", "TokenService"),
        ("property", "TokenService.secret"),
        ("property", "TokenService.store"),
        ("property", "TokenService.cache"),
        ("constructor", "TokenService.constructor"),
        ("method", "TokenService.validateToken"),
        ("method", "TokenService.refreshToken"),
        ("method", "TokenService.clear"),
    )
    project.file(
        MIDDLEWARE,
        """
import { Request, Response, NextFunction } from 'express';
import { TokenService } from '../auth/tokenService';

export class AuthMiddleware {
  constructor(private readonly tokens: TokenService) {}

  async verify(req: Request, res: Response, next: NextFunction): Promise<void> {
    const payload = await this.tokens.validateToken(req.headers.authorization);
    if (!payload) res.status(401).end();
    else next();
  }
}
""",
        ("class", "AuthMiddleware"),
        ("constructor", "AuthMiddleware.constructor"),
        ("method", "AuthMiddleware.verify"),
    )
    project.file(
        LOGIN,
        """
import { LoginRequest, AuthResponse } from '../models/auth';
import { TokenService } from '../auth/tokenService';

export class LoginController {
  async handle(req: LoginRequest): Promise<AuthResponse> {
    const payload = await new TokenService(req.secret).validateToken(req.token);
    return { ok: payload !== null };
  }
}
""",
        ("class", "LoginController"),
        ("method", "LoginController.handle"),
    )
    project.file(
        CONFIG,
        """
import { ConfigProvider } from '../interfaces/config';

export class AuthConfig implements ConfigProvider {
  static getSecret(): string {
    return process.env.AUTH_SECRET ?? '';
  }

  static getExpiry(): number {
    return 3600;
  }

  static getIssuer(): string {
    return 'sample';
  }
}
""",
        ("class", "AuthConfig"),
        ("method", "AuthConfig.getSecret"),
        ("method", "AuthConfig.getExpiry"),
        ("method", "AuthConfig.getIssuer"),
    )
    project.file("src/interfaces/config.ts", "export interface ConfigProvider {}", ("interface", "ConfigProvider"))
    project.file(CONSTANTS, "export const AUTH_TOKEN_EXPIRY = 3600;", ("const", "AUTH_TOKEN_EXPIRY"))
    project.file(
        MODELS,
        """
export interface JwtPayload {
  userId: string;
}

export interface LoginRequest {
  token: string;
  secret: string;
}

export type AuthResponse = { ok: boolean };

export type Session = { id: string };
""",
        ("interface", "JwtPayload"),
        ("interface", "LoginRequest"),
        ("type", "AuthResponse"),
        ("type", "Session"),
    )
    project.file(BASE, "export abstract class BaseValidator {}", ("class", "BaseValidator"))
    project.file(
        "test/tokenService.test.ts",
        """
import { TokenService } from '../src/auth/tokenService';

test('validateToken rejects a token that was tampered with', async () => {
  expect(await new TokenService('s').validateToken('x')).toBeNull();
});
""",
        ("expression", "test"),
        is_test=True,
    )
    project.use_import(VALIDATE, "jsonwebtoken", "jwt")
    project.use_import(VALIDATE, "../models/auth", "JwtPayload")
    project.use_import(VALIDATE, "../config/auth", "AuthConfig")
    project.refer(VALIDATE, f"{TOKENS}#TokenService.secret")
    project.call_external(VALIDATE, "jsonwebtoken#verify")
    project.call(VALIDATE, SECRET)
    project.use_import(REFRESH, "jsonwebtoken", "jwt")
    project.refer(REFRESH, f"{TOKENS}#TokenService.secret")
    project.refer(REFRESH, f"{TOKENS}#TokenService.store")
    project.refer(REFRESH, f"{TOKENS}#TOKEN_EXPIRY")
    project.call(REFRESH, VALIDATE)
    project.call_external(REFRESH, "jsonwebtoken#sign")
    project.use_import(f"{TOKENS}#TokenService.store", "./refreshStore", "RefreshTokenStore")
    project.refer(f"{TOKENS}#TokenService.clear", f"{TOKENS}#TokenService.cache")
    project.inherit(f"{TOKENS}#TokenService", f"{BASE}#BaseValidator")
    project.inherit(f"{CONFIG}#AuthConfig", "src/interfaces/config.ts#ConfigProvider", "implements")
    project.use_import(VERIFY, "express", "Request")
    project.use_import(VERIFY, "express", "Response")
    project.use_import(VERIFY, "express", "NextFunction")
    project.call(VERIFY, VALIDATE)
    project.call(HANDLE, VALIDATE)
    project.call(HANDLE, f"{TOKENS}#TokenService.constructor")
    project.use_import(HANDLE, "../models/auth", "LoginRequest", "AuthResponse")
    project.use_import(HANDLE, "../auth/tokenService", "TokenService")
    project.call("test/tokenService.test.ts#test", VALIDATE)
    project.flow(VALIDATE, f"{MODELS}#JwtPayload", "return")
    project.flow(HANDLE, f"{MODELS}#LoginRequest", "param", "req", 0)
    project.flow(HANDLE, f"{MODELS}#AuthResponse", "return")
    project.export(TOKENS, f"{TOKENS}#TokenService", "default")
    project.export(TOKENS, f"{TOKENS}#TokenService", "Tokens")
    project.import_file(MIDDLEWARE, TOKENS)
    project.import_file(LOGIN, TOKENS)
    project.import_file(TOKENS, CONFIG)
    return project


@pytest.fixture(scope="session")
def auth(auth_project: Any, store: Callable[[Any], Any]) -> Any:
    return store(auth_project)


def test_show(auth: Any) -> None:
    for q in ("symbol = validateToken", "symbol = TokenService > refreshToken", "symbol = TokenService", "where are tokens validated", "symbol = src/auth/tokenService.ts", "symbol = AUTH_TOKEN_EXPIRY","symbol = AuthConfig"):
        a = auth.engine().search(q)
        print("=" * 30, q, a.tokens, a.hint)
        for t in a.texts:
            print("---", t.priority)
            print(t.text)
    assert 0
