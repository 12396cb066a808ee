export * from './user'
export { BaseService, Status } from './types'
