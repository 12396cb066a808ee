import { BaseService, Status, type Entity, type EntityId } from './types'

export class User implements Entity {
  status = Status.Active
  constructor(readonly id: EntityId) {}
}

export class UserService extends BaseService<User> {
  create(id: EntityId): User {
    return new User(id)
  }
}

export function createDefaultUser(service: UserService): User {
  return service.create('default')
}

export default function createUser(id: EntityId): User {
  return new User(id)
}
