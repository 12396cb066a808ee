import type { Admin, Person, Result, Shape, User } from "./types"

export function isUser(person: Person): person is User {
  return person.kind === "user"
}

export function assertAdmin(person: Person): asserts person is Admin {
  if (person.kind !== "admin") {
    throw new Error("no admin")
  }
}

export function assertDefined<T>(value: T | undefined): asserts value {
  if (value === undefined) throw new Error("undefined")
}

export function processInput(input: string | number | boolean) {
  if (typeof input === "string") {
    return input.trim()
  }
  if (typeof input === "number") {
    return input.toFixed(2)
  }
  return String(input)
}

export function handleError(error: unknown) {
  if (error instanceof TypeError) {
    return "type"
  }
  if (error instanceof RangeError) {
    return "range"
  }
  return "other"
}

export function describeAnimal(animal: { swim(): void } | { fly(): void }) {
  if ("swim" in animal) {
    animal.swim()
  } else {
    animal.fly()
  }
}

export function getArea(shape: Shape): number {
  switch (shape.type) {
    case "circle":
      return Math.PI * shape.radius ** 2
    case "square":
      return shape.side ** 2
    case "triangle":
      return (shape.base * shape.height) / 2
    default: {
      const exhaustive: never = shape
      return exhaustive
    }
  }
}

export function handleResult<T>(result: Result<T>) {
  if (result.ok === true) {
    return result.value
  }
  return result.error.message
}

export function greet(name: string | null, title?: string) {
  if (name != null) {
    console.log(name)
  }
  if (title !== undefined) {
    console.log(title)
  }
}

export function same(left: string | number, right: string | boolean) {
  if (left === right) {
    return left
  }
  return undefined
}

export function first(value: string | string[]) {
  return Array.isArray(value) ? value[0] : value
}

export function lengthOf(text: string | null | undefined): number {
  if (!text) {
    return 0
  }
  return text.length
}

export function strict(date: unknown): Date {
  if (!(date instanceof Date)) {
    throw new Error("no date")
  }
  return date
}

export function positive(user: User | null) {
  if (user !== null) {
    return user.name
  }
  return ""
}

function assertNever(value: never): never {
  throw new Error(String(value))
}

export function label(person: Person) {
  if (isUser(person)) return "user"
  if (person.kind === "admin") return "admin"
  if (person.kind === "guest") return "guest"
  return assertNever(person)
}

export function either(value: unknown) {
  if (typeof value === "string" || typeof value === "number") {
    return value
  }
  return undefined
}

export function both(value: Date | null) {
  if (value !== null && value instanceof Date) {
    return value.getTime()
  }
  return 0
}

export class Registry {
  private people: Person[] = []

  admins() {
    const strictly = (person: Person) => {
      assertAdmin(person)
      return person.level
    }
    return this.people.map(strictly)
  }

  size() {
    return this.people.length
  }
}
