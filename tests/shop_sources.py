"""Sources of a small shop, which tests of the command line and of the console share."""

from __future__ import annotations

SHOP_SOURCES = {
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
