export interface Item { id: string }
