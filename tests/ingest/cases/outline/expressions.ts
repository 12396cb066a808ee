import express from 'express'
import cors from 'cors'
import { router } from './router'

const app = express()

app.use(cors())
app.use('/api', router)
app.get('/health', (request, response) => {
  response.json({ ok: true })
})

if (process.env.NODE_ENV !== 'production') {
  app.use((request, response, next) => {
    console.log(request.url)
    next()
  })
} else {
  app.disable('etag')
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    process.exit(0)
  })
}

try {
  await app.start()
} catch (error) {
  console.error(error)
} finally {
  console.log('started')
}

;(async () => {
  await warmUp()
})()

!function () { console.log('old school') }()

process.env.TZ = 'UTC'
label: while (true) break label

switch (process.argv[2]) {
  case 'serve':
    app.listen(3000)
}

async function warmUp() {}

describe('cart', () => {
  it(`adds ${1} thing`, async () => {
    await add()
  })
})

app
  .route('/users')
  .get(async (request, response) => {
    response.json(await users())
  })

window.onerror = debounce(function report(error) {
  send(error)
}, 100)

new MutationObserver((records) => {
  records.forEach(apply)
}).observe(document, { subtree: true })

;(function () {
  function start() {
    send(1)
  }
}).call(this)

fetch('/users')
  .then((response) => {
    return response.json()
  })
  .catch((error) => {
    report(error)
  })
