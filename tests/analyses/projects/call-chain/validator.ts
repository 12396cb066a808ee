import { sum } from './helper'
import type { Order } from './service'

export const isPayable = (order: Order): boolean => sum(order.lines) > 0

export class Queue {
  private items: number[] = []
  push(item: number): void {
    this.items.push(item)
    this.flush()
  }
  flush(): void {}
}

export class Log {
  push(line: string): void {
    this.flush()
  }
  private flush(): void {}
}
