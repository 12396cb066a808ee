import type { Schema } from './schema'

export type UserId = string & { readonly __brand: 'UserId' }

/** Where a request stands. */
export type Status = 'idle' | 'loading' | 'failed' | 'done'

type Shape =
  | { kind: 'circle'; radius: number }
  | { kind: 'rectangle'; width: number; height: number }

type WithTimestamps<T> = T & {
  createdAt: Date
  updatedAt?: Date
}

type Optional<T, Keys extends keyof T = keyof T> = Omit<T, Keys> & { [K in Keys]?: T[K] }

export type Mutable<T> = {
  -readonly [K in keyof T]-?: T[K]
}

type Handlers<Api> = { [namespace in keyof Api]: { [method in keyof Api[namespace]]: Api[namespace][method] } }

export type Getters<T extends object> = {
  [K in keyof T as K extends string ? `get${Capitalize<K>}` : never]: () => T[K]
}

export type Unwrap<T> = T extends Promise<infer Inner>
  ? Unwrap<Inner>
  : T extends readonly (infer Item extends object)[]
    ? Item
    : T

type Route = `/${string}` | `/${string}/:${number}`
export type EventName<Prefix extends string = 'on'> = `${Prefix}${Capitalize<Status>}`

export type Handler<in E, out R = void> = (this: Window, event: E, ...rest: unknown[]) => R
type Constructor<T> = abstract new (...args: any[]) => T
type Pair = readonly [first: string, second?: number, ...rest: boolean[]]
type Column = Schema['columns'][number]['name']
type Config = typeof import('./config', { with: { 'resolution-mode': 'import' } })
type Predicate<T> = (value: unknown) => value is T

/** The client that the code generator writes. */
export type Client = {
  /** Finds one user. */
  find(id: UserId): Promise<{ id: UserId } | undefined>
  remove: (id: UserId) => Promise<void>
  readonly base: URL
  [extra: string]: unknown
}

export type { Shape, Optional as Partially, Route, Constructor, Pair, Column, Config, Predicate, WithTimestamps }
