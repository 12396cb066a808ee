import defaults from './defaults'

export const TIMEOUT = 30_000 // milliseconds
const a = 1, b = 2
let current: string | undefined
var legacy = true, older

const { host, port: listenPort = 80, ...options } = defaults
export const [first, , third = 'x', ...others] = ['a', 'b', 'c', 'd']

export const config = {
  name: 'app',
  limits: { rows: 100, nested: { deep: true } },
  onStart() {
    return TIMEOUT
  },
  get url() { return `http://${host}:${listenPort}` },
} as const satisfies object

export const PATTERN = /[/"'`{]+/gu
const text = `
  a template with ${config.name} and
  function fake() { return "}" }
`
export const lookup = new Map([
  ['a', 1],
  ['b', 2],
])
using handle = open()
export let assigned
assigned = text

declare const VERSION: string
declare let process: { env: Record<string, string> }

function open() { return { [Symbol.dispose]() {} } }
