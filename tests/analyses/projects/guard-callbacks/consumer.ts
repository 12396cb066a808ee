import { assertAll, assertDefined, filterByGuard, isAdmin, isCat, isUser } from "./guards"
import type { Animal, Person } from "./types"

export function consume(people: Person[], animals: readonly Animal[]) {
  const users = people.filter(isUser)
  const first = people.find(isUser)
  const admins = people.filter(isAdmin)
  const cats = animals.filter(isCat)
  people.forEach(assertDefined)
  const chosen = filterByGuard(people, isUser)
  assertAll(people, assertDefined)
  return { users, first, admins, cats, chosen }
}
