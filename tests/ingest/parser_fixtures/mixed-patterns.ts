import fs = require('node:fs')
import type { Loader } from './loader'

/** The data half: a class and an interface of one name are one type. */
interface Settings {
  readonly path: string
  watch?(listener: () => void): void
}

/** The code half. */
class Settings {
  #values = new Map<string, unknown>()

  get<T>(name: string): T | undefined
  get<T>(name: string, fallback: T): T
  get<T>(name: string, fallback?: T): T | undefined {
    return (this.#values.get(name) as T) ?? fallback
  }

  async reload(): Promise<this> {
    const { parse } = await import('./parser')
    const format = this.path.endsWith('.json') ? await import('./json.js') : undefined
    this.#values = parse(fs.readFileSync(this.path, 'utf8'), format?.options)
    return this
  }
}

namespace Settings {
  export const defaults: Readonly<Record<string, string>> = { theme: 'light' }
  export type Name = keyof typeof defaults
}

function load(path: string): Settings
// With a loader the file is read later.
function load(path: string, loader: Loader): Promise<Settings>
function load(path: string, loader?: Loader): Settings | Promise<Settings> {
  const settings = Object.assign(new Settings(), { path })
  return loader ? loader.fill(settings) : settings
}

load.cache = new Map<string, Settings>()

declare function gtag(command: 'event', name: string): void
declare function gtag(command: 'set', values: object): void
declare class Ambient {
  static create(): Ambient
  private constructor()
  value: number
}
declare var process: { argv: string[] }
declare abstract class Shapeless<T> { abstract area(): T }

function themeOf(settings: Settings) {
  return settings.get('theme', Settings.defaults.theme)
}
function isDark(settings: Settings) {
  return themeOf(settings) === 'dark'
}

let handler = <Loader>(<unknown>function named(this: void) {
  return gtag('event', 'load')
})

function outer() {
  using file = openFile('a')
  return inner()

  function inner() {
    try {
      label: for (const each of [1, 2, 3]) {
        if (each > 1) continue label
        queueMicrotask(async () => {
          await using lock = await file.lock()
          return lock
        })
      }
    } catch {
      return handler
    }
  }
}

declare function openFile(name: string): Disposable & { lock(): Promise<AsyncDisposable> }

type Api = { settings: Settings; ambient: Ambient; shape: Shapeless<number>; outer: typeof outer; theme: [typeof themeOf, typeof isDark] }

export = load
