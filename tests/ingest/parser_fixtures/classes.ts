import { EventEmitter } from 'node:events'
import { inject, injectable, memoize } from './container'
import type { Clock, Disposable as Releasable, Store } from './types'

/** What every repository can do. */
export abstract class Repository<out T extends { id: string }, in Query = string> extends EventEmitter {
  static readonly kinds = new Set<string>()
  static #opened = 0
  protected abstract readonly table: string
  declare readonly brand: unique symbol

  static {
    Repository.kinds.add('abstract')
    process.on('exit', () => {
      console.debug(`${Repository.#opened} repositories were opened`)
    })
  }

  constructor(
    protected readonly store: Store<T>,
    private clock?: Clock,
  ) {
    super()
    Repository.#opened += 1
  }

  /** How many repositories this process opened. */
  static get opened(): number {
    return Repository.#opened
  }

  abstract find(query: Query): Promise<T[]>
  protected abstract keyOf(item: T): string

  protected now(): number {
    return this.clock?.now() ?? Date.now()
  }
}

export interface Account {
  id: string
  email: string
}

@injectable({ scope: 'singleton' })
export class AccountRepository extends Repository<Account> implements Releasable, Iterable<Account> {
  protected readonly table = 'accounts'
  readonly #cache = new Map<string, Account>()
  static accessor instances = 0
  public limit?: number = 100
  private seen!: Set<string>;
  ['computed' + 1] = true;
  [key: `x-${string}`]: unknown

  @inject('logger')
  private logger!: { info(message: string): void }

  /** Runs on every change; bound, so that it can be handed around. */
  onChange = async (account: Account): Promise<void> => {
    this.#cache.set(account.id, account)
    this.emit('change', account)
  }

  get size(): number {
    return this.#cache.size
  }

  set size(value: number) {
    if (value < this.#cache.size) this.#cache.clear()
  }

  static async open(store: Store<Account>, ...rest: [Clock?]): Promise<AccountRepository> {
    const made = new AccountRepository(store, ...rest)
    await made.find('')
    return made
  }

  override find(query: string): Promise<Account[]>
  @memoize()
  override async find(query: string, limit?: number): Promise<Account[]> {
    const found = await this.store.query(this.table, query)
    for (const account of found) await this.onChange(account)
    return found.slice(0, limit ?? this.limit)
  }

  protected keyOf(account: Account): string {
    return account.id
  }

  // Not part of the interface: tests reach in here.
  #evict(id: string): boolean {
    return this.#cache.delete(id)
  }

  *[Symbol.iterator](): Iterator<Account> {
    yield* this.#cache.values()
  }

  async *pages(size = 10): AsyncGenerator<Account[]> {
    const all = [...this]
    while (all.length) yield all.splice(0, size)
  }

  release(): void {
    class Report {
      constructor(readonly count: number) {}

      print(): void {
        console.info(`${this.count} left`)
      }
    }
    new Report(this.size).print()
    for (const id of this.#cache.keys()) this.#evict(id)
  }
}

export const ReadOnly = class Frozen extends AccountRepository {
  override set size(_value: number) {
    throw new TypeError('this repository is read-only')
  }
}

export default class extends AccountRepository {}
