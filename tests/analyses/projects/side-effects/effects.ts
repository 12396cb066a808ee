import "./polyfill"
import { helper } from "./setup"
import type { Shape } from "./setup"
import {} from "./setup"
import "./setup"

console.log("starting")
console.warn("careful")
process.stdout.write("out\n")

;(function () {
  console.log("classic")
})()

;(() => {
  helper()
})()

process.env.NODE_ENV = "test"
process.env.DEBUG = "1"

const config = await fetch("/config")
await new Promise((resolve) => setTimeout(resolve, 1))

if (process.env.CI) {
  console.log("ci")
}

try {
  helper()
} catch {
  console.error("failed")
}

for (const name of ["a", "b"]) {
  helper(name)
}

process.env.CI && helper("ci")

export function declared() {
  console.log("not at load")
}

export class Service {
  start() {
    helper()
  }
}

export interface Options {
  shape: Shape
}

export type Id = string

export enum Level {
  Low,
}

const local = { count: 0 }
local.count = 1
export const value = helper()
void config
