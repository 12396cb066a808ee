import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Logger } from './logging';
import type { Cart, CartLine, Discount } from './cart';
import { formatPrice, roundCents } from './money';

const MAX_LINES = 100;
const FREE_SHIPPING_FROM = 5000;
const SHIPPING = 490;
let created = 0;

type LineFilter = (line: CartLine) => boolean;

/** Works out what a cart costs. */
export class CartPricing extends EventEmitter {
  private logger: Logger;
  private discounts: Discount[] = [];
  private cache = new Map<string, number>();
  private currency = 'EUR';
  readonly region: string;

  constructor(logger: Logger, region: string) {
    super();
    this.logger = logger;
    this.region = region;
    created += 1;
  }

  add(discount: Discount): void {
    this.discounts.push(discount);
    this.cache.clear();
  }

  remove(name: string): void {
    this.discounts = this.discounts.filter((discount) => discount.name !== name);
  }

  key(cart: Cart): string {
    return createHash('sha1').update(JSON.stringify(cart)).digest('hex');
  }

  /** Price of the goods alone, in cents. */
  subtotal(cart: Cart, filter: LineFilter = () => true): number {
    if (cart.lines.length > MAX_LINES) {
      throw new RangeError(`a cart holds at most ${MAX_LINES} lines`);
    }
    const lines = cart.lines.filter(filter);
    return roundCents(lines.reduce((sum, line) => sum + line.price * line.count, 0));
  }

  shipping(cart: Cart): number {
    const goods = this.subtotal(cart);
    const isFree = goods >= FREE_SHIPPING_FROM;
    return isFree ? 0 : SHIPPING;
  }

  discounted(cart: Cart): number {
    return this.discounts.reduce((price, discount) => discount.apply(price), this.subtotal(cart));
  }

  total(cart: Cart): number {
    const key = this.key(cart);
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const price = this.discounted(cart) + this.shipping(cart);
    this.cache.set(key, price);
    return price;
  }

  label(cart: Cart): string {
    return formatPrice(this.total(cart), this.currency);
  }

  warn(message: string): void {
    this.logger.warn(message);
  }
}
