export interface Entity {
  id: EntityId
}

export type EntityId = string

export enum Status {
  Active = 'active',
  Closed = 'closed',
}

export abstract class BaseService<T extends Entity> {
  protected items: T[] = []
  abstract create(id: EntityId): T
  find(id: EntityId): T | undefined {
    return this.items.find((item) => item.id === id)
  }
}
