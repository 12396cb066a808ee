import { throttle } from './timing'
import type { Cart, CartItem, Coupon } from './cart'

const isFree = (item: CartItem) => item.price === 0

export const cents = (amount: number): number => Math.round(amount * 100)

/** Finds the first item that a predicate accepts. */
export const findItem = <T extends CartItem>(items: readonly T[], accepts: (item: T) => boolean): T | undefined => {
  for (const item of items) {
    if (accepts(item)) return item
  }
  return undefined
}

export const toLine = ({ name, price, quantity = 1 }: CartItem) => ({ label: `${quantity} × ${name}`, sum: price * quantity })

const firstAndLast = ([first, ...rest]: string[]) => [first, rest.at(-1)]

export const subtotal = (cart: Cart): number =>
  cart.items
    .filter((item) => !isFree(item))
    .reduce((sum, item) => sum + item.price * (item.quantity ?? 1), 0)

export const applyCoupon =
  (coupon: Coupon) =>
  (cart: Cart): Cart => {
    const rate = 1 - coupon.percent / 100
    return { ...cart, items: cart.items.map((item) => ({ ...item, price: item.price * rate })) }
  }

export const saveCart = throttle(async (cart: Cart) => {
  await fetch('/cart', { method: 'PUT', body: JSON.stringify(cart) })
}, 250)

let onChange: ((cart: Cart) => void) | null = (cart) => {
  void saveCart(cart)
}

export const reducers = {
  /** Puts an item into the cart. */
  add: (cart: Cart, item: CartItem): Cart => ({ ...cart, items: [...cart.items, item] }),
  remove: (cart: Cart, name: string): Cart => {
    const items = cart.items.filter((item) => item.name !== name)
    return { ...cart, items }
  },
  clear: function (cart: Cart): Cart {
    return { ...cart, items: [] }
  },
}

const priceList = new Map<string, () => number>([
  [
    'flat',
    () => {
      return cents(4.9)
    },
  ],
  ['free', () => 0],
])

export default (cart: Cart) => {
  onChange?.(cart)
  return { total: subtotal(cart), lines: cart.items.map(toLine), list: priceList, firstAndLast }
}
