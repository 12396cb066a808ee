import type { Auditable, Serializable } from './interfaces'
import { BaseModel } from './models'

export class AuditedModel extends BaseModel implements Auditable, Serializable {
  id = 'audited'
  auditedAt = new Date()
  serialize(): string {
    return this.id
  }
}
