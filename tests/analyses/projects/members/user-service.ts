import { Empty } from './repository'

abstract class BaseService {
  protected abstract load(): void
}

export abstract class UserService extends BaseService implements Empty {
  private readonly users: Map<string, string> = new Map()
  static instances = 0
  #secret: string = 'hidden'
  public limit?: number;
  [key: string]: unknown

  constructor(
    protected readonly name: string,
    limit = 10,
  ) {
    super()
    this.limit = limit
  }

  public find(id: string): string | undefined {
    return this.users.get(id)
  }

  private async refresh(force: boolean): Promise<void> {
    if (force) this.users.clear()
  }

  protected static create(): UserService | null {
    return null
  }

  abstract save(id: string): boolean

  override load(): void {}

  get size(): number {
    return this.users.size
  }

  set size(value: number) {
    this.limit = value
  }

  untyped() {
    return this.#secret
  }

  onChange = (id: string): void => {
    this.find(id)
  }

  static {
    UserService.instances = 1
  }
}

export enum Level {
  Low,
  High = 5,
}

export const api = {
  version: 1,
  ping(): string {
    return 'pong'
  },
  nested: { deep: () => 1 },
}
