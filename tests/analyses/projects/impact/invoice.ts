import { tax, rate, type Price, type Printer } from './domain'

export function total(price: Price): number {
  return price.amount + tax(price)
}

export function bill(price: Price, printer: Printer): void {
  printer.print(String(total(price)))
}

export function makeBilling() {
  return {
    settle(price: Price): number {
      return total(price)
    },
  }
}

export const discounted = () => rate / 2
