import { formatTotal } from './formatter'
import { isPayable, isPayable as check } from './validator'

export interface Order {
  lines: number[]
  currency: string
}

export function checkout(order: Order): string {
  if (!isPayable(order)) {
    return 'refused'
  }
  audit('checkout')
  return check(order) ? formatTotal(order) : ''
}

export function preview(order: Order): string {
  return formatTotal(order)
}

function audit(step: string): void {
  console.log(step)
}

export const steps = ['a', 'b'].map((step) => audit(step))

export const idle = (): void => {}
