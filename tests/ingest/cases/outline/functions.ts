// Prices are in cents everywhere.

import { readFile } from 'node:fs/promises'
import type { Currency } from './currency'

/** Rounds half up, as the tax office asks. */
export function round(cents: number): number {
  return Math.floor(cents + 0.5)
}

export function format(price: number): string
export function format(price: number, currency: Currency): string
export function format(price: number, currency?: Currency): string {
  const text = (price / 100).toFixed(2)
  return currency ? `${currency} ${text}` : text
}

export async function loadPrices<T extends object>(
  path: string,
  // what to do with each line
  parse: (line: string) => T,
  ...rest: string[]
): Promise<T[]> {
  const text = await readFile(path, 'utf8')

  function isEmpty(line: string) {
    return line.trim() === ''
  }

  return text
    .split('\n')
    .filter((line) => !isEmpty(line))
    .map((line) => {
      const value = parse(line)
      return value
    })
}

export function* pages(total: number, size = 20): Generator<[number, number]> {
  for (let at = 0; at < total; at += size) yield [at, Math.min(at + size, total)]
}

export async function* stream({ url, retries = 3 }: { url: string; retries?: number }) {
  yield url
  yield retries
}

declare function gtag(command: 'event', name: string): void

function unused(this: Window, ...names: string[]) {}

export default function () {
  return format(round(1.5))
}
