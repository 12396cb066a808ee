export interface User {
  kind: "user"
  name: string
}

export interface Admin {
  kind: "admin"
  name: string
  level: number
}

export interface Guest {
  kind: "guest"
}

export type Person = User | Admin | Guest

export type Shape =
  | { type: "circle"; radius: number }
  | { type: "square"; side: number }
  | { type: "triangle"; base: number; height: number }

export type Result<T> = { ok: true; value: T } | { ok: false; error: Error }
