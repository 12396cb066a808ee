export function add(a: number, b: number): number {
  return a + b
}

function hidden(value: string): void {
  void value
}

export async function load<T extends object>(url: string, options: { retry?: number } = {}): Promise<T> {
  return JSON.parse(url) as T
}

export const multiply = (a: number, b = 2): number => a * b

export const identity = async <T,>(value: T): Promise<T> => value

export const legacy = function named(this: Window, ...args: string[]): string {
  return args.join()
}

export function* numbers(limit: number): Generator<number> {
  yield limit
}

export interface Named {
  name: string
}

export interface Aged extends Named {
  readonly age?: number
  describe(prefix: string): string
}

export abstract class Animal<T = string> implements Named {
  static count: number = 0
  protected readonly sound: T
  name = 'animal'
  declare tag: string
  constructor(sound: T) {
    this.sound = sound
  }
  abstract move(distance: number): void
  async fetch(url: string): Promise<string> {
    return url
  }
  get label(): string {
    return this.name
  }
  set label(value: string) {
    this.name = value
  }
  private static create<U>(factory: () => U): U {
    return factory()
  }
}

export default class Dog extends Animal<string> implements Named, Aged {
  age = 3
  override move(distance: number): void {
    void distance
  }
  describe(prefix: string): string {
    return prefix
  }
}

export type Pair<A, B = A> = [A, B]
type Handler = (event: string) => void

export const enum Flag {
  On = 1,
}
export enum Colour {
  Red = 'red',
}
export declare enum Outside {
  A,
}

export const title: string = 'x'
export const inferred = 3
export let current: number | undefined
var old: string[] = []

declare const VERSION: string
declare function external(id: number): void

export namespace Tools {
  export function hammer(force: number): boolean {
    return force > 1
  }
  const inner: number = 1
}

const later = 1
export { later }
old.push(title)
hidden(String(inferred))
