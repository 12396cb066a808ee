import { configNs, createDefaultUser, createUser, Status, UserService, type EntityId, type IEntity } from './index'

export class AdminService extends UserService {
  promote(id: EntityId): IEntity {
    return this.create(id)
  }
}

export function run(): Status {
  const service = new AdminService()
  createDefaultUser(service)
  return createUser('a').status
}

export function configure(): configNs.Config {
  return configNs.Config.load('app')
}
