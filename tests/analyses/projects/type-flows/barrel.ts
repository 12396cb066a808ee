export * from "./types"
export type { Token as Ticket } from "./types"
