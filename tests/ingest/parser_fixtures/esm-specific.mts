#!/usr/bin/env -S node --experimental-strip-types
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import schema from './schema.json' with { type: 'json' }

const here = fileURLToPath(new URL('.', import.meta.url))
const plugin = import.meta.resolve('./plugin.mjs')

using handle = await openHandle(here)
await using pool = createPool()

const template = await readFile(`${here}/page.html`, 'utf8')
const { default: render, options } = await import(plugin)

if (import.meta.main) {
  await run()
}

for await (const row of pool.rows()) console.log(row)

/** Renders the page once, and again with every change. */
export async function run(): Promise<void> {
  const watcher = await import('./watch.mjs')
  await watcher.each(import.meta.dirname, async (change: string) => {
    console.log(render(template, { ...options, schema, change }))
  })
}

async function openHandle(path: string) {
  return { path, [Symbol.dispose]() {} }
}

function createPool() {
  return {
    async *rows() {
      yield handle.path
    },
    async [Symbol.asyncDispose]() {
      await Promise.resolve()
    },
  }
}

export const isMain = import.meta.url === `file://${process.argv[1]}`
export { run as default, type Options }
type Options = { watch: boolean }
