import settings from './settings'
import { EventEmitter } from 'node:events'

export const TOKEN_EXPIRY = 3600
const RETRIES = 3, BACKOFF = 250 // milliseconds
let current: string | undefined
var legacy = 'kept for the old importer', older

/* The connection, as the settings file gives it. */
const { host, port: listenPort = 80, tls: { cert, key } = {}, ...options } = settings
export const [primary, , fallback = 'eu-west-1', ...spares] = settings.regions

export const ROLES = ['owner', 'editor', 'reader'] as const

let session = {
  token: '',
  expires: 0,
  nested: {
    renew() {
      return settings.renew(session.token)
    },
  },
  /** True while the token can be used. */
  get valid() {
    return this.token !== '' && this.expires > Date.now()
  },
  set valid(value: boolean) {
    if (!value) this.token = ''
  },
  async renew(): Promise<void> {
    const next = await settings.renew(this.token)
    this.token = next.token
  },
  *[Symbol.iterator]() {
    yield this.token
  },
}

export const limits = {
  rows: 1_000,
  columns: 0x40,
  depth: 2n ** 8n,
} satisfies Record<string, number | bigint>

const banner = `
  ${settings.name} listens on ${host}:${listenPort}
  function notCode() { return '}' }
`

export const PATTERN = /[/"'`{]+\/(?<name>\w+)/giu
export const emitter = new EventEmitter({ captureRejections: true }), started = Date.now()
declare const BUILD: string
declare let globalCounter: number

export let assignedLater: number
assignedLater = RETRIES * BACKOFF

const lazy = (() => {
  let value: string | undefined
  return () => (value ??= banner.trim())
})()

export const table = [
  { name: 'users', check: (row: object) => 'id' in row },
  {
    name: 'orders',
    check(row: object) {
      return 'total' in row && lazy() !== ''
    },
  },
]
