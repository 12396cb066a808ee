export * from './sub-barrel'
export * as configNs from './config'
export { default as createUser } from './user'
export type { Entity as IEntity, EntityId } from './types'
