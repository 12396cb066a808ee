import express from 'express'
import cors from 'cors'
import { createStore } from './store'

'use strict'

const app = express()
process.env.NODE_ENV = 'test'
process.env['TZ'] ??= 'UTC'

app.use(cors())
app.use(express.json()); app.disable('x-powered-by')

// Health first: the balancer asks every second.
app.get('/health', (_request, response) => {
  response.json({ ok: true })
})

if (process.env.NODE_ENV !== 'production') {
  const { inspect } = await import('./inspect')
  app.use((request, _response, next) => {
    inspect(request)
    next()
  })
} else if (process.env.DEBUG) {
  app.enable('trace')
} else {
  app.enable('etag')
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close()
    process.exit(0)
  })
}

let attempts = 0
while (attempts < 3) attempts++
do { attempts -= 1 } while (attempts > 0)

try {
  await createStore().open()
} catch (error) {
  console.error('the store cannot be opened', error)
  throw error
} finally {
  console.info('store opened')
}

switch (process.argv[2]) {
  case 'serve':
    app.listen(3000)
    break
  default:
    console.info('usage: serve')
}

(function migrate() {
  function step(number: number) {
    console.info(`step ${number}`)
  }
  step(1)
})()

;(async () => {
  await warmUp()
})()

void (async function () {
  await warmUp()
}())

!function () { app.set('started', true) }()
;[1, 2].forEach((n) => app.set(`worker-${n}`, n))
new Worker('./worker.js')
void `template ${attempts}`
attempts++, app.emit('ready')
delete process.env.SECRET
debugger
outer: for (;;) { break outer }

{
  const scoped = app.get('env')
  console.info(scoped)
}

export const server = app.listen(0)
server.on('error', function onError(error: Error) {
  console.error(error)
})

async function warmUp(): Promise<void> {
  await fetch('http://localhost/health')
}

await warmUp()
// The end: nothing may follow.
