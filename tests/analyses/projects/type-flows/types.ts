export interface User {
  id: UserId
  name: string
}

export class Role {
  constructor(readonly name: string) {}
}

export interface Token {
  value: string
}

export interface AuditEntry {
  at: Date
}

export interface Permission {
  scope: string
}

export type UserId = number

export enum Status {
  Active,
  Blocked,
}

export type People = User[]
export type Crowd = People | Map<string, Role>
export type Visitor = (entry: AuditEntry) => Token
export type Session = Readonly<{ token: Token; entries: AuditEntry[] }> & Pick<User, "id">
