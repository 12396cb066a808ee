import type { Core } from "./core"

declare global {
  function log(core: Core): void
  interface Array<T> {
    lastItem(): T | undefined
  }
}

declare module "./core" {
  interface Core {
    extra: boolean
  }
}
