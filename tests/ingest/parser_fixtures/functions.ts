import { open, type FileHandle } from 'node:fs/promises'
import { parseLine, type LedgerEntry } from './ledger'
import { Money } from './money'

// ---------------------------------------------------------------------------
// Reading ledgers: plain text, an entry on each line, oldest first.
// ---------------------------------------------------------------------------

/**
 * Sum of all entries, in the currency of the first.
 *
 * @param entries what to add up
 * @returns zero when there are none
 */
export function total(entries: readonly LedgerEntry[]): Money {
  let sum = Money.zero(entries[0]?.currency ?? 'EUR')
  for (const entry of entries) sum = sum.plus(entry.amount)
  return sum
}

/** Reads a ledger line by line; broken lines are handed to `onBroken`. */
export async function readLedger(
  path: string,
  // called with the number of the line, from 1
  onBroken: (line: number, text: string) => void = () => {},
): Promise<LedgerEntry[]> {
  const file: FileHandle = await open(path)
  try {
    const entries: LedgerEntry[] = []
    let number = 0

    function take(text: string): void {
      number += 1
      const entry = parseLine(text)
      if (entry) entries.push(entry)
      else onBroken(number, text)
    }

    for await (const line of file.readLines()) take(line)
    return entries
  } finally {
    await file.close()
  }
}

export function formatAmount(amount: Money): string
export function formatAmount(amount: Money, locale: string): string
/** Writes an amount the way a locale does. */
export function formatAmount(amount: Money, locale: string = 'en-IE'): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: amount.currency }).format(amount.units)
}

export function* byMonth(entries: Iterable<LedgerEntry>): Generator<[month: string, entries: LedgerEntry[]]> {
  const months = new Map<string, LedgerEntry[]>()
  for (const entry of entries) {
    const month = entry.date.slice(0, 7)
    months.get(month)?.push(entry) ?? months.set(month, [entry])
  }
  yield* months
} // one entry for each month that has any

async function* follow(path: string, { interval = 1000, signal }: { interval?: number; signal: AbortSignal }) {
  while (!signal.aborted) {
    yield* await readLedger(path)
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
}

function merge(...ledgers: LedgerEntry[][]): LedgerEntry[] {
  return ledgers.flat().sort((a, b) => a.date.localeCompare(b.date))
}

function pick<const Keys extends readonly (keyof LedgerEntry)[], Row extends LedgerEntry = LedgerEntry>(
  entry: Row,
  ...keys: Keys
): Pick<Row, Keys[number]> {
  return Object.fromEntries(keys.map((key) => [key, entry[key]])) as Pick<Row, Keys[number]>
}

function assertBalanced(this: Console | void, entries: LedgerEntry[]): asserts entries is [LedgerEntry, ...LedgerEntry[]] {
  if (total(entries).units !== 0) throw new RangeError('the ledger does not balance')
}

export { follow, merge as mergeLedgers, pick }

export default async function (path: string) {
  const entries = await readLedger(path)
  assertBalanced(entries)
  return formatAmount(total(entries))
}
