import { EventEmitter } from 'node:events'
import { Injectable, Inject } from './container'
import type { Logger, Store } from './types'

export abstract class Base<T extends object = {}> {
  static #count = 0
  protected abstract readonly name: string

  static {
    Base.#count = 1
  }

  constructor(
    protected readonly logger: Logger,
    private store?: Store<T>,
  ) {}

  /** How many there are. */
  static get count(): number {
    return Base.#count
  }

  abstract load(id: string): Promise<T>

  protected log(message: string): void {
    this.logger.info(`${this.name}: ${message}`)
  }
}

@Injectable({ scope: 'request' })
export class UserRepository extends Base<User> implements Store<User> {
  protected readonly name = 'users'
  #cache = new Map<string, User>()
  declare extra: string
  [key: string]: unknown

  @Inject('clock') private clock!: () => Date

  onChange = (user: User) => {
    this.emitter.emit('change', user)
  }

  private readonly emitter = new EventEmitter()

  async load(id: string): Promise<User> {
    const known = this.#cache.get(id)
    if (known) return known
    return this.#fetch(id)
  }

  // Not cached: only load may do that.
  async #fetch(id: string): Promise<User> {
    class Row {
      constructor(readonly id: string) {}
      toUser(): User {
        return { id: this.id }
      }
    }
    return new Row(id).toUser()
  }

  get(key: string): User
  get(key: number): User
  get(key: string | number): User {
    return { id: String(key) }
  }

  set size(value: number) {
    void value
  }

  *[Symbol.iterator]() {
    yield* this.#cache.values()
  }

  static override toString() { return 'users' }
}

interface User {
  id: string
}

export const Anonymous = class extends Base {
  name = 'anonymous'
  async load() {
    return {}
  }
}

export default class extends UserRepository {}

export class Widget {
  @Input()
  /** Shown above the rest. */
  title = ''

  @Output() // told to the parent
  close() {
    return this.title
  }

  ['']() {
    return 1
  }
}

@(sealed as ClassDecorator)
export class Sealed {}
