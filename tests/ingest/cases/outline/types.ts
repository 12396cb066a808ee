/** A place on the map. */
export interface Place<T = unknown> extends Named, Dated<T> {
  readonly id: string
  tags?: string[]
  (query: string): Place
  new (id: string): Place
  [key: `data-${string}`]: string
  /** Metres. */
  distanceTo(other: Place): number
  on(event: 'move', listener: (place: Place) => void): void
  on(event: 'close', listener: () => void): void
  get label(): string
  set label(value: string)
}

interface Named {
  name: string
}

interface Dated<T> { at: Date; of: T }

export type Id = string
type Shape =
  | { kind: 'circle'; radius: number }
  | { kind: 'square'; side: number }
type Handler<E extends Event = Event> = (event: E) => void
export type Unwrap<T> = T extends Promise<infer U> ? Unwrap<U> : T
type Getters<T> = {
  [K in keyof T as `get${Capitalize<string & K>}`]: () => T[K]
}
export type Api = {
  find(id: Id): Place
  remove: (id: Id) => void
}

export enum Level {
  /** For development. */
  Debug,
  Info = 10,
  Error = Info << 1,
}

export const enum Color { Red = 'red', Green = 'green' }
declare enum Outside { A }

export type { Shape, Handler as EventHandler }
