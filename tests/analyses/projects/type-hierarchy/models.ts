import type { Entity, Serializable } from './interfaces'

export abstract class BaseModel implements Entity {
  abstract id: string
}

export class User extends BaseModel implements Serializable {
  id = 'user'
  serialize(): string {
    return this.id
  }
}

export class AdminUser extends User {
  override id = 'admin'
}

export class RemoteError extends Error {}
