import type { Item } from "./types"
export const key = (item: Item) => item.id
