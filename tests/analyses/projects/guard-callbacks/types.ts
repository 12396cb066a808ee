export interface User { kind: "user"; name: string }
export interface Admin { kind: "admin"; level: number }
export interface Guest { kind: "guest" }
export type Person = User | Admin | Guest

export interface Cat { species: "cat" }
export interface Dog { species: "dog" }
export type Animal = Cat | Dog
