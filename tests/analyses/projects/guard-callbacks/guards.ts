import type { Admin, Animal, Cat, Person, User } from "./types"

export function isUser(person: Person): person is User {
  return person.kind === "user"
}

export const isAdmin = (person: Person): person is Admin => person.kind === "admin"

export function isCat(animal: Animal): animal is Cat {
  return animal.species === "cat"
}

export function assertDefined<T>(value: T | undefined): asserts value is T {
  if (value === undefined) throw new Error()
}

export function assertUser(person: Person): asserts person is User {
  if (person.kind !== "user") throw new Error()
}

export function formatPerson(person: Person): string {
  return person.kind
}

export function collect(people: Person[], animals: Animal[], maybe: (string | undefined)[]) {
  const users = people.filter(isUser)
  const admins = people.filter(isAdmin)
  const cats = animals.filter(isCat)
  const first = people.find(isUser)
  maybe.forEach(assertDefined)
  people.map(formatPerson)
  return { users, admins, cats, first }
}

export function filterByGuard<T, S extends T>(items: T[], guard: (item: T) => item is S): S[] {
  return items.filter(guard)
}

export function assertAll<T>(items: unknown[], check: (item: unknown) => asserts item is T): asserts items is T[] {
  items.forEach(check)
}

export function processPeople(people: Person[], format: (person: Person) => string): string[] {
  return people.map(format)
}
