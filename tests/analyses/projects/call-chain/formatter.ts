import { sum } from './helper'
import type { Order } from './service'

export function formatTotal(order: Order): string {
  return `${sum(order.lines)} ${order.currency}`
}

export function fill(queue: { push(item: number): void }, loose: any): void {
  queue.push(1)
  loose.formatTotal(queue)
  loose.lost()
}
