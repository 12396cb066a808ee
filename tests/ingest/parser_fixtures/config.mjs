// @ts-check
import { defineConfig } from './define.mjs'

/** @type {import('./define.mjs').Config} */
const shared = {
  "extends": ["recommended", "strict"],
  "ignores": ["**/dist/**"],
  "rules": {
    "no-console": "error",
    "max-lines": ["warn", { "max": 400 }],
  },
}

export default defineConfig([
  shared,
  {
    files: ['**/*.test.js'],
    rules: { 'no-console': 'off' },
    setup() {
      return { globals: ['describe', 'it'] }
    },
  },
])
