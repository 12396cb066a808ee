import type { Entity } from './interfaces'

export abstract class Repository<T extends Entity, ID = string> {
  abstract find(id: ID): T | undefined
}

export class Container<T> {
  constructor(readonly value: T) {}
}

export interface Queryable<T extends Entity> {
  query(filter: (item: T) => boolean): T[]
}

export class Store<in out T extends Entity, Key extends keyof T = keyof T, const Tags extends readonly string[] = []>
  extends Repository<T, string>
  implements Queryable<T>
{
  find(): T | undefined {
    return undefined
  }
  query(): T[] {
    return []
  }
  key?: Key
  tags?: Tags
}
