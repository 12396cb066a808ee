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
