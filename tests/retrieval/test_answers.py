"""Whole answers over a small project with authentication, middleware and a login."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import tree_sitter_typescript
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.search import RankedResult
from astrolabe.schema.errors import UsageError
from tree_sitter import Language, Parser

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


@pytest.fixture(scope="module")
def auth(auth_project: Any, store: Callable[[Any], Any]) -> Any:
    return store(auth_project)


LOOKUP = f"""\
Search: "symbol = TokenService > validateToken" | 1 result | 261/8,000 tokens

TokenService.validateToken — {TOKENS}
    async method | exported | refs: 4 files
    Signature: async validateToken(token: string): Promise<JwtPayload | null>
    Extends: BaseValidator ({BASE})
    Calls: AuthConfig.getSecret ({CONFIG}), jwt.verify
    Called by: TokenService.refreshToken, LoginController.handle ({LOGIN}), AuthMiddleware.verify ({MIDDLEWARE}), \
test (test/tokenService.test.ts)
    Types in: token (string) | Types out: JwtPayload ({MODELS})"""

VALIDATE_SNAPSHOT = f"""\
// {TOKENS}

import jwt from 'jsonwebtoken';
import {{ JwtPayload }} from '../models/auth';
import {{ AuthConfig }} from '../config/auth';

export class TokenService extends BaseValidator {{
  private secret: string;

  async validateToken(token: string): Promise<JwtPayload | null> {{
    try {{
      return jwt.verify(token, this.secret ?? AuthConfig.getSecret()) as JwtPayload;
    }} catch {{
      return null;
    }}
  }}
}}"""


def test_a_lookup_answers_with_connections_and_one_snapshot(auth: Any) -> None:
    answer = auth.engine().search(SearchRequest("symbol = TokenService > validateToken"))
    assert [text.text for text in answer.texts] == [LOOKUP, VALIDATE_SNAPSHOT]
    assert [text.priority for text in answer.texts] == [1.0, 0.999]
    assert answer.tokens == 261
    assert answer.hint is None


def test_a_question_answers_with_several_files_best_first(auth: Any) -> None:
    answer = auth.engine(minimum_relevance_threshold=0.02).search(SearchRequest("where are tokens validated"))
    assert answer.results[0].breadcrumb == f"{TOKENS} > TokenService > validateToken"
    files = list(dict.fromkeys(result.file for result in answer.results))
    assert [text.text.split("\n")[0] for text in answer.texts[1:]] == [f"// {file}" for file in files]
    scores = [result.score for result in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) >= 0.02
    priorities = [text.priority for text in answer.texts]
    assert priorities[0] == 1.0
    assert all(one > other for one, other in pairwise(priorities))
    assert "Graph:\n" in answer.texts[0].text
    assert "[1] TokenService.validateToken" in answer.texts[0].text


def test_results_of_one_file_share_one_snapshot(auth: Any) -> None:
    answer = auth.engine().search(SearchRequest("refresh or validate a token", paths=[TOKENS]))
    assert {result.name for result in answer.results} >= {"validateToken", "refreshToken"}
    assert len(answer.texts) == 2
    assert answer.texts[1].text.count("export class TokenService") == 1
    assert "import { RefreshTokenStore } from './refreshStore';" in answer.texts[1].text


def test_tests_stand_behind_what_they_test(auth: Any) -> None:
    results = auth.engine().search(SearchRequest("validateToken rejects a token", limit=20)).results
    places = {result.file: place for place, result in reversed(list(enumerate(results)))}
    assert places[TOKENS] < places["test/tokenService.test.ts"]


FILTERED = [
    ({"paths": ["src/config"]}, "src/config/"),
    ({"paths": ["**/login.ts"]}, LOGIN),
    ({"paths": ["test"]}, "test/"),
    ({"languages": ["typescript"]}, ""),
]


@pytest.mark.parametrize(("filters", "prefix"), FILTERED)
def test_filters_reach_every_result(auth: Any, filters: dict[str, Any], prefix: str) -> None:
    results = auth.engine().search(SearchRequest("token secret", limit=20, **filters)).results
    assert results
    assert all(result.file.startswith(prefix) for result in results)


NOTHING = [
    ({"paths": ["lib/"]}, 'No indexed file matches path "lib/". Folders at the root: src/, test/.'),
    ({"paths": ["auth/tokenService.ts"]}, f'No indexed file matches path "auth/tokenService.ts". Similar paths: {TOKENS}.'),
    ({"languages": ["python"]}, 'No indexed file matches language "python". The index holds typescript.'),
    (
        {"paths": ["src"], "languages": ["jsx"]},
        'No indexed file matches path "src" and language "jsx". The index holds typescript.',
    ),
]


@pytest.mark.parametrize(("filters", "hint"), NOTHING)
def test_filters_that_admit_nothing_are_named(auth: Any, filters: dict[str, Any], hint: str) -> None:
    answer = auth.engine().search(SearchRequest("token", **filters))
    assert answer.results == ()
    assert answer.texts == ()
    assert answer.hint == hint


def test_a_question_about_something_else_gets_the_nearest_as_a_hint(auth: Any) -> None:
    answer = auth.engine().search(SearchRequest("quarterly revenue spreadsheet of the sales department"))
    assert answer.results == ()
    assert answer.texts == ()
    assert answer.hint is not None
    assert answer.hint.startswith("Nothing in the index is ")
    assert answer.tokens == -(-len(answer.hint) // 4)


def test_the_nearest_symbols_are_named_once(auth: Any) -> None:
    answer = auth.engine(minimum_relevance_threshold=1.0).search(SearchRequest("where is a token validated"))
    assert answer.hint is not None
    named = re.findall("`symbol = (.+?)`", answer.hint)
    assert len(named) > 1
    assert len(set(named)) == len(named)


NAMED = [
    (
        "revenue of validateTokn spreadsheets",
        'Named like "validateTokn": symbol = validateToken (src/auth/tokenService.ts:',
    ),
    ("quarterly AUTH_TOKEN_EXPIRY figures of spreadsheets in departments", f"symbol = AUTH_TOKEN_EXPIRY ({CONSTANTS}:1)."),
]


@pytest.mark.parametrize(("query", "hint"), NAMED)
def test_a_question_without_an_answer_is_told_of_the_names_in_it(auth: Any, query: str, hint: str) -> None:
    answer = auth.engine(minimum_relevance_threshold=1.0).search(SearchRequest(query))
    assert answer.results == ()
    assert answer.hint is not None
    assert hint in answer.hint


def test_a_limit_without_a_budget_shows_the_whole_ranking(auth: Any) -> None:
    answer = auth.engine().search(SearchRequest("token", limit=7))
    assert len(answer.results) == 7
    assert answer.budget is None
    assert "7 results" in answer.texts[0].text
    assert "/8,000" not in answer.texts[0].text


@pytest.mark.parametrize("budget", [250, 400, 600, 1200])
def test_an_answer_keeps_to_its_budget_and_names_what_it_leaves_out(auth: Any, budget: int) -> None:
    everything = auth.engine(minimum_relevance_threshold=0.0).search(SearchRequest("token", budget=20_000))
    answer = auth.engine(minimum_relevance_threshold=0.0).search(SearchRequest("token", budget=budget))
    assert answer.tokens <= budget < everything.tokens
    assert 1 <= len(answer.results) < len(everything.results)
    assert "Beyond the budget: symbol = " in answer.texts[0].text


def test_the_threshold_of_the_settings_is_the_gate(auth: Any) -> None:
    strict = auth.engine(minimum_relevance_threshold=1.0).search(SearchRequest("where are tokens validated"))
    assert strict.results == ()


HOSTILE = [
    "x" * 10_000,
    "validate " * 1_100,
    "'; DROP TABLE chunks; --",
    "name = 'x' OR 1=1",
    '" AND NOT (a OR b) NEAR "',
    "(((((",
    "*:* +must -not ~0.5 ^2 \\",
    "\x00\x01\x7f",
    "\ud800 lone surrogate",
    "данные 世界 🎉 é",
    "{}[]<>|&;$`",
    "\n\t\r",
    "?",
]


@pytest.mark.parametrize("query", [query for query in HOSTILE if query.strip()])
def test_no_query_breaks_the_search(auth: Any, query: str) -> None:
    for search in (auth.engine().search(SearchRequest(query)), auth.engine().search(SearchRequest(query, limit=3))):
        assert search.texts or search.hint


@pytest.mark.parametrize("query", ["", " ", "\n\t\r"])
def test_an_empty_query_is_refused_in_a_sentence(auth: Any, query: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        auth.engine().search(SearchRequest(query))


def test_a_file_is_shown_with_its_connections(auth: Any) -> None:
    answer = auth.engine().search(SearchRequest(f"symbol = {TOKENS}"))
    assert answer.results[0].kind == "file"
    assert answer.results[0].id == TOKENS
    assert f"    Imports: {CONFIG}\n    Imported by: {LOGIN}, {MIDDLEWARE}\n" in answer.texts[0].text
    assert answer.texts[1].text.split("\n")[2:] == auth.project.texts[TOKENS]


def test_a_large_class_and_a_large_file_are_shown_with_their_bodies_collapsed(auth: Any) -> None:
    for query in ("symbol = TokenService", f"symbol = {TOKENS}"):
        answer = auth.engine().search(SearchRequest(query, budget=700))
        text = answer.texts[1].text
        assert "  async validateToken(token: string): Promise<JwtPayload | null>;\n" in text
        assert "jwt.verify" not in text
        assert "private store: RefreshTokenStore;" in text
        assert answer.tokens <= 700


def test_a_symbol_that_is_too_long_alone_is_cut_and_says_so(auth: Any) -> None:
    answer = auth.engine().search(SearchRequest(f"symbol = {TOKENS} > TokenService > refreshToken", budget=160))
    assert answer.tokens <= 160
    # What stays open is closed.
    assert re.search(r"\n    // … \d+ further lines do not fit the token budget\n  }\n}$", answer.texts[1].text)


def test_call_trees_follow_the_call_depth_of_the_settings(auth: Any) -> None:
    text = auth.engine(call_depth=2).search(SearchRequest("symbol = LoginController > handle")).texts[0].text
    assert (
        f"Graph:\n  [1] LoginController.handle ({LOGIN})\n"
        f"    → TokenService.constructor ({TOKENS})\n"
        f"    → TokenService.validateToken ({TOKENS})\n      → AuthConfig.getSecret ({CONFIG})\n"
    ) in text
    shallow = auth.engine(call_depth=1).search(SearchRequest("symbol = LoginController > handle")).texts[0].text
    assert "Graph:" not in shallow


def test_callers_are_listed_for_a_class_through_its_constructor(auth: Any) -> None:
    text = auth.engine().search(SearchRequest("symbol = TokenService")).texts[0].text
    assert f"Called by: LoginController.handle ({LOGIN})" in text


def test_every_snapshot_is_valid_source(auth: Any) -> None:
    parser = Parser(Language(tree_sitter_typescript.language_typescript()))
    for name in ("validateToken", "TokenService", "AuthMiddleware > verify", "getSecret", "AuthResponse", "LoginRequest > token"):
        for text in auth.engine().search(SearchRequest(f"symbol = {name}")).texts[1:]:
            assert not parser.parse(text.text.encode()).root_node.has_error, text.text


def test_results_carry_what_interfaces_show(auth: Any) -> None:
    result = auth.engine().search(SearchRequest("symbol = AUTH_TOKEN_EXPIRY")).results[0]
    assert result == RankedResult(
        id=auth.id(f"{CONSTANTS}#AUTH_TOKEN_EXPIRY"),
        file=CONSTANTS,
        start_line=1,
        end_line=1,
        name="AUTH_TOKEN_EXPIRY",
        kind="const",
        breadcrumb=f"{CONSTANTS} > AUTH_TOKEN_EXPIRY",
        score=1.0,
        tokens=10,
        signature="const AUTH_TOKEN_EXPIRY = 3600",
    )
