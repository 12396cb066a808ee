export interface User {
  id: number
  name: string
  email: string
}

// Conditional types
export type IsString<T> = T extends string ? true : false
export type TypeName<T> = T extends string ? "string" : T extends number ? "number" : T extends boolean ? "boolean" : "object"
export type UnpackPromise<T> = T extends Promise<infer U> ? U : T
export type UnpackArray<T> = T extends (infer Item)[] ? Item : never
export type FunctionReturnType<F> = F extends (...args: never[]) => infer R ? R : never
export type Entries<T> = T extends Map<infer K extends string, infer V> ? [K, V] : never

// Mapped types
export type Nullable<T> = { [K in keyof T]: T[K] | null }
export type ReadonlyDeep<T> = { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
export type RequiredFields<T> = { [K in keyof T]-?: T[K] }
export type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]: () => T[K] }

// Template literal types
export type EventName<T extends string> = `on${T}`
export type PropGetter<T extends string> = `get${Capitalize<T>}`
export type CssProperty = `${"margin" | "padding"}-${"top" | "bottom"}`
export type ApiEndpoint<V extends string, R extends string> = `/api/${V}/${R}/list`

// Utility types
export type PartialUser = Partial<User>
export type RequiredUser = Required<User>
export type ReadonlyUser = Readonly<User>
export type UserRecord = Record<string, User>
export type UserNameEmail = Pick<User, "name" | "email">
export type UserWithoutEmail = Omit<User, "email">
export type NonNullString = NonNullable<string | null>
export type FnReturn = ReturnType<typeof create>
export type FnParams = Parameters<typeof create>

declare function create(name: string): User

// Unions, intersections, access, operators
export type StringOrNumber = string | number
export type HttpMethod = "GET" | "POST" | "PUT"
export type WithTimestamp<T> = T & { createdAt: Date }
export type UserName = User["name"]
export type UserIdOrName = User["id" | "name"]
export type UserKeys = keyof User
export type Creator = typeof create

// Nested
export type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T
export type IsArray<T> = T extends readonly unknown[] ? (T extends string[] ? "strings" : "array") : false
export type Listed = Array<Partial<User>>

// Simple
export type UserId = number
export type Callback = (user: User) => void
export type Pair = [User, UserId]
export interface NotAnAlias { value: string }
