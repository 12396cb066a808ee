import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Database, type Row, type Transaction } from './database'
import { log, metrics } from './observability'
import type { Customer, Order, Page, Product, Query, Shipment, Supplier } from './records'
import { NotFound, Conflict } from './errors'

/** Options of a warehouse. */
export interface WarehouseOptions {
  readonly database: Database
  readonly cacheSize?: number
  readonly readOnly?: boolean
}

/**
 * Everything the warehouse keeps, in one place: products, orders, customers, shipments and suppliers.
 *
 * Reads go through small caches; each write runs in a transaction and tells the listeners afterwards.
 */
export class Warehouse extends EventEmitter {
  static readonly version = 7
  static #instances = 0

  readonly #database: Database
  private readonly cacheSize: number
  private readonly readOnly: boolean
  private products = new Map<string, Product>()
  private orders = new Map<string, Order>()
  private customers = new Map<string, Customer>()
  private shipments = new Map<string, Shipment>()
  private suppliers = new Map<string, Supplier>()
  protected opened?: Date
  lastError: Error | null = null

  constructor(options: WarehouseOptions) {
    super({ captureRejections: true })
    this.#database = options.database
    this.cacheSize = options.cacheSize ?? 1000
    this.readOnly = options.readOnly ?? false
    Warehouse.#instances += 1
    this.on('error', (error: Error) => {
      this.lastError = error
      log.error('warehouse', error)
    })
  }

  static get instances(): number {
    return Warehouse.#instances
  }

  get isOpen(): boolean {
    return this.opened !== undefined
  }

  async open(): Promise<this> {
    await this.#database.connect()
    this.opened = new Date()
    return this
  }

  async close(): Promise<void> {
    await this.#database.disconnect()
    this.opened = undefined
    for (const cache of [this.products, this.orders, this.customers, this.shipments, this.suppliers]) cache.clear()
  }

  /** The product with this sku; from the cache when it is there. */
  async findProduct(sku: string): Promise<Product | undefined> {
    const known = this.products.get(sku)
    if (known) return known
    const [row] = await this.#database.select('products', { sku })
    return row ? this.rememberProduct(row) : undefined
  }

  async requireProduct(sku: string): Promise<Product> {
    const found = await this.findProduct(sku)
    if (!found) throw new NotFound(`no product ${sku}`)
    return found
  }

  async listProducts(query: Query = {}, page: Page = { from: 0, size: 50 }): Promise<Product[]> {
    const rows = await this.#database.select('products', query, page)
    return rows.map((row) => this.rememberProduct(row))
  }

  async countProducts(query: Query = {}): Promise<number> {
    return this.#database.count('products', query)
  }

  async createProduct(data: Omit<Product, 'id'>): Promise<Product> {
    this.refuseWrites('create a product')
    return this.#database.transaction(async (transaction) => {
      const [existing] = await transaction.select('products', { sku: data.sku })
      if (existing) throw new Conflict(`product ${data.sku} exists`)
      const row = await transaction.insert('products', { ...data, id: this.identify('product', data.sku) })
      const made = this.rememberProduct(row)
      this.emit('product:created', made)
      return made
    })
  }

  async updateProduct(sku: string, changes: Partial<Product>): Promise<Product> {
    this.refuseWrites('change a product')
    const before = await this.requireProduct(sku)
    const row = await this.#database.transaction((transaction) => transaction.update('products', before.id, changes))
    this.forgetProduct(sku)
    const after = this.rememberProduct(row)
    this.emit('product:updated', { before, after })
    return after
  }

  async deleteProduct(sku: string): Promise<void> {
    this.refuseWrites('delete a product')
    const found = await this.requireProduct(sku)
    await this.#database.transaction(async (transaction: Transaction) => {
      await transaction.delete('products', found.id)
    })
    this.forgetProduct(sku)
    this.emit('product:deleted', found)
  }

  async *streamProducts(query: Query = {}, size = 100): AsyncGenerator<Product> {
    for (let from = 0; ; from += size) {
      const page = await this.listProducts(query, { from, size })
      yield* page
      if (page.length < size) return
    }
  }

  onProduct(event: 'created' | 'updated' | 'deleted', listener: (product: Product) => void): () => void {
    this.on(`product:${event}`, listener)
    return () => {
      this.off(`product:${event}`, listener)
    }
  }

  private rememberProduct(row: Row): Product {
    const product = row as unknown as Product
    if (this.products.size >= this.cacheSize) {
      const [oldest] = this.products.keys()
      if (oldest !== undefined) this.products.delete(oldest)
    }
    this.products.set(product.sku, product)
    metrics.gauge('warehouse.products', this.products.size)
    return product
  }

  private forgetProduct(sku: string): boolean {
    return this.products.delete(sku)
  }

  /** The order with this number; from the cache when it is there. */
  async findOrder(number: string): Promise<Order | undefined> {
    const known = this.orders.get(number)
    if (known) return known
    const [row] = await this.#database.select('orders', { number })
    return row ? this.rememberOrder(row) : undefined
  }

  async requireOrder(number: string): Promise<Order> {
    const found = await this.findOrder(number)
    if (!found) throw new NotFound(`no order ${number}`)
    return found
  }

  async listOrders(query: Query = {}, page: Page = { from: 0, size: 50 }): Promise<Order[]> {
    const rows = await this.#database.select('orders', query, page)
    return rows.map((row) => this.rememberOrder(row))
  }

  async countOrders(query: Query = {}): Promise<number> {
    return this.#database.count('orders', query)
  }

  async createOrder(data: Omit<Order, 'id'>): Promise<Order> {
    this.refuseWrites('create a order')
    return this.#database.transaction(async (transaction) => {
      const [existing] = await transaction.select('orders', { number: data.number })
      if (existing) throw new Conflict(`order ${data.number} exists`)
      const row = await transaction.insert('orders', { ...data, id: this.identify('order', data.number) })
      const made = this.rememberOrder(row)
      this.emit('order:created', made)
      return made
    })
  }

  async updateOrder(number: string, changes: Partial<Order>): Promise<Order> {
    this.refuseWrites('change a order')
    const before = await this.requireOrder(number)
    const row = await this.#database.transaction((transaction) => transaction.update('orders', before.id, changes))
    this.forgetOrder(number)
    const after = this.rememberOrder(row)
    this.emit('order:updated', { before, after })
    return after
  }

  async deleteOrder(number: string): Promise<void> {
    this.refuseWrites('delete a order')
    const found = await this.requireOrder(number)
    await this.#database.transaction(async (transaction: Transaction) => {
      await transaction.delete('orders', found.id)
    })
    this.forgetOrder(number)
    this.emit('order:deleted', found)
  }

  async *streamOrders(query: Query = {}, size = 100): AsyncGenerator<Order> {
    for (let from = 0; ; from += size) {
      const page = await this.listOrders(query, { from, size })
      yield* page
      if (page.length < size) return
    }
  }

  onOrder(event: 'created' | 'updated' | 'deleted', listener: (order: Order) => void): () => void {
    this.on(`order:${event}`, listener)
    return () => {
      this.off(`order:${event}`, listener)
    }
  }

  private rememberOrder(row: Row): Order {
    const order = row as unknown as Order
    if (this.orders.size >= this.cacheSize) {
      const [oldest] = this.orders.keys()
      if (oldest !== undefined) this.orders.delete(oldest)
    }
    this.orders.set(order.number, order)
    metrics.gauge('warehouse.orders', this.orders.size)
    return order
  }

  private forgetOrder(number: string): boolean {
    return this.orders.delete(number)
  }

  /** The customer with this email; from the cache when it is there. */
  async findCustomer(email: string): Promise<Customer | undefined> {
    const known = this.customers.get(email)
    if (known) return known
    const [row] = await this.#database.select('customers', { email })
    return row ? this.rememberCustomer(row) : undefined
  }

  async requireCustomer(email: string): Promise<Customer> {
    const found = await this.findCustomer(email)
    if (!found) throw new NotFound(`no customer ${email}`)
    return found
  }

  async listCustomers(query: Query = {}, page: Page = { from: 0, size: 50 }): Promise<Customer[]> {
    const rows = await this.#database.select('customers', query, page)
    return rows.map((row) => this.rememberCustomer(row))
  }

  async countCustomers(query: Query = {}): Promise<number> {
    return this.#database.count('customers', query)
  }

  async createCustomer(data: Omit<Customer, 'id'>): Promise<Customer> {
    this.refuseWrites('create a customer')
    return this.#database.transaction(async (transaction) => {
      const [existing] = await transaction.select('customers', { email: data.email })
      if (existing) throw new Conflict(`customer ${data.email} exists`)
      const row = await transaction.insert('customers', { ...data, id: this.identify('customer', data.email) })
      const made = this.rememberCustomer(row)
      this.emit('customer:created', made)
      return made
    })
  }

  async updateCustomer(email: string, changes: Partial<Customer>): Promise<Customer> {
    this.refuseWrites('change a customer')
    const before = await this.requireCustomer(email)
    const row = await this.#database.transaction((transaction) => transaction.update('customers', before.id, changes))
    this.forgetCustomer(email)
    const after = this.rememberCustomer(row)
    this.emit('customer:updated', { before, after })
    return after
  }

  async deleteCustomer(email: string): Promise<void> {
    this.refuseWrites('delete a customer')
    const found = await this.requireCustomer(email)
    await this.#database.transaction(async (transaction: Transaction) => {
      await transaction.delete('customers', found.id)
    })
    this.forgetCustomer(email)
    this.emit('customer:deleted', found)
  }

  async *streamCustomers(query: Query = {}, size = 100): AsyncGenerator<Customer> {
    for (let from = 0; ; from += size) {
      const page = await this.listCustomers(query, { from, size })
      yield* page
      if (page.length < size) return
    }
  }

  onCustomer(event: 'created' | 'updated' | 'deleted', listener: (customer: Customer) => void): () => void {
    this.on(`customer:${event}`, listener)
    return () => {
      this.off(`customer:${event}`, listener)
    }
  }

  private rememberCustomer(row: Row): Customer {
    const customer = row as unknown as Customer
    if (this.customers.size >= this.cacheSize) {
      const [oldest] = this.customers.keys()
      if (oldest !== undefined) this.customers.delete(oldest)
    }
    this.customers.set(customer.email, customer)
    metrics.gauge('warehouse.customers', this.customers.size)
    return customer
  }

  private forgetCustomer(email: string): boolean {
    return this.customers.delete(email)
  }

  /** The shipment with this tracking; from the cache when it is there. */
  async findShipment(tracking: string): Promise<Shipment | undefined> {
    const known = this.shipments.get(tracking)
    if (known) return known
    const [row] = await this.#database.select('shipments', { tracking })
    return row ? this.rememberShipment(row) : undefined
  }

  async requireShipment(tracking: string): Promise<Shipment> {
    const found = await this.findShipment(tracking)
    if (!found) throw new NotFound(`no shipment ${tracking}`)
    return found
  }

  async listShipments(query: Query = {}, page: Page = { from: 0, size: 50 }): Promise<Shipment[]> {
    const rows = await this.#database.select('shipments', query, page)
    return rows.map((row) => this.rememberShipment(row))
  }

  async countShipments(query: Query = {}): Promise<number> {
    return this.#database.count('shipments', query)
  }

  async createShipment(data: Omit<Shipment, 'id'>): Promise<Shipment> {
    this.refuseWrites('create a shipment')
    return this.#database.transaction(async (transaction) => {
      const [existing] = await transaction.select('shipments', { tracking: data.tracking })
      if (existing) throw new Conflict(`shipment ${data.tracking} exists`)
      const row = await transaction.insert('shipments', { ...data, id: this.identify('shipment', data.tracking) })
      const made = this.rememberShipment(row)
      this.emit('shipment:created', made)
      return made
    })
  }

  async updateShipment(tracking: string, changes: Partial<Shipment>): Promise<Shipment> {
    this.refuseWrites('change a shipment')
    const before = await this.requireShipment(tracking)
    const row = await this.#database.transaction((transaction) => transaction.update('shipments', before.id, changes))
    this.forgetShipment(tracking)
    const after = this.rememberShipment(row)
    this.emit('shipment:updated', { before, after })
    return after
  }

  async deleteShipment(tracking: string): Promise<void> {
    this.refuseWrites('delete a shipment')
    const found = await this.requireShipment(tracking)
    await this.#database.transaction(async (transaction: Transaction) => {
      await transaction.delete('shipments', found.id)
    })
    this.forgetShipment(tracking)
    this.emit('shipment:deleted', found)
  }

  async *streamShipments(query: Query = {}, size = 100): AsyncGenerator<Shipment> {
    for (let from = 0; ; from += size) {
      const page = await this.listShipments(query, { from, size })
      yield* page
      if (page.length < size) return
    }
  }

  onShipment(event: 'created' | 'updated' | 'deleted', listener: (shipment: Shipment) => void): () => void {
    this.on(`shipment:${event}`, listener)
    return () => {
      this.off(`shipment:${event}`, listener)
    }
  }

  private rememberShipment(row: Row): Shipment {
    const shipment = row as unknown as Shipment
    if (this.shipments.size >= this.cacheSize) {
      const [oldest] = this.shipments.keys()
      if (oldest !== undefined) this.shipments.delete(oldest)
    }
    this.shipments.set(shipment.tracking, shipment)
    metrics.gauge('warehouse.shipments', this.shipments.size)
    return shipment
  }

  private forgetShipment(tracking: string): boolean {
    return this.shipments.delete(tracking)
  }

  /** The supplier with this vat; from the cache when it is there. */
  async findSupplier(vat: string): Promise<Supplier | undefined> {
    const known = this.suppliers.get(vat)
    if (known) return known
    const [row] = await this.#database.select('suppliers', { vat })
    return row ? this.rememberSupplier(row) : undefined
  }

  async requireSupplier(vat: string): Promise<Supplier> {
    const found = await this.findSupplier(vat)
    if (!found) throw new NotFound(`no supplier ${vat}`)
    return found
  }

  async listSuppliers(query: Query = {}, page: Page = { from: 0, size: 50 }): Promise<Supplier[]> {
    const rows = await this.#database.select('suppliers', query, page)
    return rows.map((row) => this.rememberSupplier(row))
  }

  async countSuppliers(query: Query = {}): Promise<number> {
    return this.#database.count('suppliers', query)
  }

  async createSupplier(data: Omit<Supplier, 'id'>): Promise<Supplier> {
    this.refuseWrites('create a supplier')
    return this.#database.transaction(async (transaction) => {
      const [existing] = await transaction.select('suppliers', { vat: data.vat })
      if (existing) throw new Conflict(`supplier ${data.vat} exists`)
      const row = await transaction.insert('suppliers', { ...data, id: this.identify('supplier', data.vat) })
      const made = this.rememberSupplier(row)
      this.emit('supplier:created', made)
      return made
    })
  }

  async updateSupplier(vat: string, changes: Partial<Supplier>): Promise<Supplier> {
    this.refuseWrites('change a supplier')
    const before = await this.requireSupplier(vat)
    const row = await this.#database.transaction((transaction) => transaction.update('suppliers', before.id, changes))
    this.forgetSupplier(vat)
    const after = this.rememberSupplier(row)
    this.emit('supplier:updated', { before, after })
    return after
  }

  async deleteSupplier(vat: string): Promise<void> {
    this.refuseWrites('delete a supplier')
    const found = await this.requireSupplier(vat)
    await this.#database.transaction(async (transaction: Transaction) => {
      await transaction.delete('suppliers', found.id)
    })
    this.forgetSupplier(vat)
    this.emit('supplier:deleted', found)
  }

  async *streamSuppliers(query: Query = {}, size = 100): AsyncGenerator<Supplier> {
    for (let from = 0; ; from += size) {
      const page = await this.listSuppliers(query, { from, size })
      yield* page
      if (page.length < size) return
    }
  }

  onSupplier(event: 'created' | 'updated' | 'deleted', listener: (supplier: Supplier) => void): () => void {
    this.on(`supplier:${event}`, listener)
    return () => {
      this.off(`supplier:${event}`, listener)
    }
  }

  private rememberSupplier(row: Row): Supplier {
    const supplier = row as unknown as Supplier
    if (this.suppliers.size >= this.cacheSize) {
      const [oldest] = this.suppliers.keys()
      if (oldest !== undefined) this.suppliers.delete(oldest)
    }
    this.suppliers.set(supplier.vat, supplier)
    metrics.gauge('warehouse.suppliers', this.suppliers.size)
    return supplier
  }

  private forgetSupplier(vat: string): boolean {
    return this.suppliers.delete(vat)
  }

  protected refuseWrites(what: string): void {
    if (this.readOnly) throw new Conflict(`cannot ${what}: the warehouse is read-only`)
  }

  private identify(kind: string, key: string): string {
    return createHash('sha1').update(`${kind}:${key}`).digest('hex').slice(0, 16)
  }
}
