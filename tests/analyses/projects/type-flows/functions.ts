import type { AuditEntry, Crowd, Permission, Role, Ticket, Token, User, UserId, Visitor } from "./barrel"
import { Status } from "./types"

export function findUser(id: UserId): User {
  throw id
}

export function describe(target: string | User): string {
  return String(target)
}

export function admin(user: User & { admin: boolean }): boolean {
  return user.admin
}

export async function load(id: UserId): Promise<User | null> {
  return null
}

export function permissions(): Map<UserId, Set<Permission>> {
  return new Map()
}

export function login(pair: [User, Token]): [Token, Date] {
  return [pair[1], new Date()]
}

export function names(users: User[]): string[] {
  return users.map((user) => user.name)
}

export function audit(write: (entry: AuditEntry) => Token, other?: Visitor): void {
  write({ at: new Date() })
}

export function setStatus(user: User, status: Status): void {}

export function gather(crowd: Crowd): void {}

export function renew(ticket: Ticket): Ticket {
  return ticket
}

export function grant(role: Role, user: User, again: User): Record<string, Role> {
  return {}
}

export const pick = (users: ReadonlyArray<Readonly<User>>): Partial<User> => users[0]

export function plain(text: string, count = 1): void {}

export function nothing() {}

export function untyped(value, { id }: { id: UserId }) {
  return value
}

export const current: User | undefined = undefined

export const visit: Visitor = (entry) => ({ value: String(entry.at) })

export interface Shelf {
  label: string
}

export function revoke(this: User, token: Token): void {}
