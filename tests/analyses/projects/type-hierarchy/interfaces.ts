export interface Entity {
  id: string
}

export interface Serializable {
  serialize(): string
}

export interface Auditable extends Entity, Serializable {
  auditedAt: Date
}
