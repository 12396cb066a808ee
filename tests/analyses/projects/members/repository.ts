export interface Repository<T, K = string> {
  readonly name: string
  size?: number
  find(id: K): T | undefined
  save<U extends T>(item: U, ...rest: T[]): Promise<void>
  [id: string]: unknown
  (query: string): T[]
  new (name: string): Repository<T, K>
  onChange: (item: T) => void
  get count(): number
  set count(value: number)
}

export interface Empty {}

export interface Config {
  host: string
  port?: number
  readonly tags: readonly string[]
}

export type Shape = {
  kind: 'circle'
  area(): number
}

export function plain(): void {}
