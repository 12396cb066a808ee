interface Object {
  constructor: Function; toString(): string; toLocaleString(): string; valueOf(): Object;
  hasOwnProperty(key: PropertyKey): boolean; isPrototypeOf(value: Object): boolean; propertyIsEnumerable(key: PropertyKey): boolean;
  __proto__?: any; __defineGetter__(key: PropertyKey, getter: () => any): void;
  __defineSetter__(key: PropertyKey, setter: (value: any) => void): void;
  __lookupGetter__(key: PropertyKey): (() => any) | undefined; __lookupSetter__(key: PropertyKey): ((value: any) => void) | undefined;
}
interface ObjectConstructor {
  new (value?: any): Object; (): any; (value: any): any; prototype: Object;
  assign<T extends {}, U>(target: T, source: U): T & U;
  assign<T extends {}, U, V>(target: T, second: U, third: V): T & U & V;
  assign<T extends {}, U, V, W>(target: T, second: U, third: V, fourth: W): T & U & V & W;
  assign(target: object, ...sources: any[]): any;
  create(prototype: object | null): any; create(prototype: object | null, properties: PropertyDescriptorMap & ThisType<any>): any;
  defineProperty<T>(target: T, key: PropertyKey, attributes: PropertyDescriptor & ThisType<any>): T;
  defineProperties<T>(target: T, properties: PropertyDescriptorMap & ThisType<any>): T;
  entries<T>(target: ArrayLike<T>): [string, T][]; entries<T extends object>(target: T): [string, T[keyof T]][]; entries(target: {}): [string, any][];
  freeze<F extends Function>(target: F): F; freeze<T>(target: T): Readonly<T>;
  fromEntries<T = any>(entries: Iterable<readonly [PropertyKey, T]>): { [key: string]: T }; fromEntries(entries: Iterable<readonly any[]>): any;
  getOwnPropertyDescriptor(target: any, key: PropertyKey): PropertyDescriptor | undefined;
  getOwnPropertyDescriptors<T>(target: T): { [P in keyof T]: TypedPropertyDescriptor<T[P]> } & { [key: string]: PropertyDescriptor };
  getOwnPropertyNames(target: any): string[]; getOwnPropertySymbols(target: any): symbol[]; getPrototypeOf(target: any): any;
  groupBy<K extends PropertyKey, T>(items: Iterable<T>, callback: (item: T, index: number) => K): Partial<Record<K, T[]>>;
  hasOwn(target: object, key: PropertyKey): boolean; is(left: any, right: any): boolean;
  isExtensible(target: any): boolean; isFrozen(target: any): boolean; isSealed(target: any): boolean;
  keys(target: {}): string[]; preventExtensions<T>(target: T): T; seal<T>(target: T): T;
  setPrototypeOf(target: any, prototype: object | null): any;
  values<T>(target: ArrayLike<T>): T[]; values<T extends object>(target: T): T[keyof T][]; values(target: {}): any[];
}
declare var Object: ObjectConstructor;

interface PropertyDescriptor { configurable?: boolean; enumerable?: boolean; value?: any; writable?: boolean; get?(): any; set?(value: any): void; }
interface TypedPropertyDescriptor<T> {
  configurable?: boolean; enumerable?: boolean; value?: T; writable?: boolean; get?: () => T; set?: (value: T) => void;
}
interface PropertyDescriptorMap { [key: PropertyKey]: PropertyDescriptor; }

interface Function {
  apply(this: Function, thisArg: any, args?: any): any; call(this: Function, thisArg: any, ...args: any[]): any;
  bind(this: any, thisArg: any, ...args: any[]): any; toString(): string; [Symbol.hasInstance](value: any): boolean;
  prototype: any; length: number; name: string; arguments: any; caller: Function;
}
interface FunctionConstructor { new (...args: string[]): Function; (...args: string[]): Function; prototype: Function; }
declare var Function: FunctionConstructor;
interface CallableFunction extends Function {}
interface NewableFunction extends Function {}
interface IArguments { [index: number]: any; length: number; callee: Function; [Symbol.iterator](): ArrayIterator<any>; }

type PropertyKey = string | number | symbol;
type Partial<T> = { [P in keyof T]?: T[P] };
type Required<T> = { [P in keyof T]-?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type Record<K extends keyof any, T> = { [P in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type NonNullable<T> = T & {};
type Parameters<F extends (...args: any) => any> = F extends (...args: infer P) => any ? P : never;
type ConstructorParameters<C extends abstract new (...args: any) => any> = C extends abstract new (...args: infer P) => any ? P : never;
type ReturnType<F extends (...args: any) => any> = F extends (...args: any) => infer R ? R : any;
type InstanceType<C extends abstract new (...args: any) => any> = C extends abstract new (...args: any) => infer R ? R : any;
type ThisParameterType<F> = F extends (this: infer U, ...args: never) => any ? U : unknown;
type OmitThisParameter<F> = unknown extends ThisParameterType<F> ? F : F extends (...args: infer A) => infer R ? (...args: A) => R : F;
type Awaited<T> = T extends PromiseLike<infer V> ? Awaited<V> : T;
type Uppercase<S extends string> = intrinsic;
type Lowercase<S extends string> = intrinsic;
type Capitalize<S extends string> = intrinsic;
type Uncapitalize<S extends string> = intrinsic;
type NoInfer<T> = intrinsic;
interface ThisType<T> {}
type WeakKey = object | symbol;
interface ArrayLike<T> { readonly length: number; readonly [index: number]: T; }
interface ConcatArray<T> {
  readonly length: number; readonly [index: number]: T; join(separator?: string): string; slice(start?: number, end?: number): T[];
}
type FlatArray<A, Depth extends number> = A extends ReadonlyArray<infer E> ? FlatArray<E, Depth> : A;
type FlatItem<T> = T extends ReadonlyArray<infer E> ? E : T;

interface IteratorYieldResult<T> { done?: false; value: T; }
interface IteratorReturnResult<R> { done: true; value: R; }
type IteratorResult<T, R = any> = IteratorYieldResult<T> | IteratorReturnResult<R>;
interface Iterator<T, TReturn = any, TNext = any> {
  next(...values: [] | [TNext]): IteratorResult<T, TReturn>; return?(value?: TReturn): IteratorResult<T, TReturn>;
  throw?(error?: any): IteratorResult<T, TReturn>;
}
interface Iterable<T, TReturn = any, TNext = any> { [Symbol.iterator](): Iterator<T, TReturn, TNext>; }
interface IterableIterator<T, TReturn = any, TNext = any> extends Iterator<T, TReturn, TNext>, Iterable<T, TReturn, TNext> {
  [Symbol.iterator](): IterableIterator<T, TReturn, TNext>;
}
interface IteratorObject<T, TReturn = unknown, TNext = unknown> extends Iterator<T, TReturn, TNext>, Iterable<T, TReturn, TNext> {
  [Symbol.iterator](): IteratorObject<T, TReturn, TNext>; [Symbol.dispose](): void; [Symbol.toStringTag]: string;
  map<U>(callback: (value: T, index: number) => U): IteratorObject<U, undefined, unknown>;
  filter<S extends T>(callback: (value: T, index: number) => value is S): IteratorObject<S, undefined, unknown>;
  filter(callback: (value: T, index: number) => unknown): IteratorObject<T, undefined, unknown>;
  take(limit: number): IteratorObject<T, undefined, unknown>; drop(count: number): IteratorObject<T, undefined, unknown>;
  flatMap<U>(callback: (value: T, index: number) => Iterator<U> | Iterable<U>): IteratorObject<U, undefined, unknown>;
  reduce(callback: (previous: T, current: T, index: number) => T): T;
  reduce(callback: (previous: T, current: T, index: number) => T, initial: T): T;
  reduce<U>(callback: (previous: U, current: T, index: number) => U, initial: U): U;
  toArray(): T[]; forEach(callback: (value: T, index: number) => void): void;
  some(callback: (value: T, index: number) => unknown): boolean; every(callback: (value: T, index: number) => unknown): boolean;
  find<S extends T>(callback: (value: T, index: number) => value is S): S | undefined;
  find(callback: (value: T, index: number) => unknown): T | undefined;
}
interface IteratorConstructor {
  new <T = any>(): IteratorObject<T>; from<T>(source: Iterator<T> | Iterable<T>): IteratorObject<T, undefined, unknown>;
  prototype: IteratorObject<any>;
}
declare var Iterator: IteratorConstructor;
type BuiltinIteratorReturn = undefined;
interface ArrayIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> { [Symbol.iterator](): ArrayIterator<T>; }
interface MapIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> { [Symbol.iterator](): MapIterator<T>; }
interface SetIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> { [Symbol.iterator](): SetIterator<T>; }
interface StringIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> { [Symbol.iterator](): StringIterator<T>; }
interface RegExpStringIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> { [Symbol.iterator](): RegExpStringIterator<T>; }
interface Generator<T = unknown, TReturn = any, TNext = any> extends IteratorObject<T, TReturn, TNext> {
  next(...values: [] | [TNext]): IteratorResult<T, TReturn>; return(value: TReturn): IteratorResult<T, TReturn>;
  throw(error: any): IteratorResult<T, TReturn>;
  [Symbol.iterator](): Generator<T, TReturn, TNext>;
}
interface GeneratorFunction extends Function { new (...args: any[]): Generator; (...args: any[]): Generator; prototype: Generator; }
interface GeneratorFunctionConstructor {
  new (...args: string[]): GeneratorFunction; (...args: string[]): GeneratorFunction; prototype: GeneratorFunction;
}
interface AsyncIterator<T, TReturn = any, TNext = any> {
  next(...values: [] | [TNext]): Promise<IteratorResult<T, TReturn>>;
  return?(value?: TReturn | PromiseLike<TReturn>): Promise<IteratorResult<T, TReturn>>;
  throw?(error?: any): Promise<IteratorResult<T, TReturn>>;
}
interface AsyncIterable<T, TReturn = any, TNext = any> { [Symbol.asyncIterator](): AsyncIterator<T, TReturn, TNext>; }
interface AsyncIterableIterator<T, TReturn = any, TNext = any> extends AsyncIterator<T, TReturn, TNext>, AsyncIterable<T, TReturn, TNext> {
  [Symbol.asyncIterator](): AsyncIterableIterator<T, TReturn, TNext>;
}
interface AsyncIteratorObject<T, TReturn = unknown, TNext = unknown> extends AsyncIterator<T, TReturn, TNext>, AsyncIterable<T, TReturn, TNext> {
  [Symbol.asyncIterator](): AsyncIteratorObject<T, TReturn, TNext>; [Symbol.asyncDispose](): Promise<void>;
}
interface AsyncGenerator<T = unknown, TReturn = any, TNext = any> extends AsyncIteratorObject<T, TReturn, TNext> {
  next(...values: [] | [TNext]): Promise<IteratorResult<T, TReturn>>;
  return(value: TReturn | PromiseLike<TReturn>): Promise<IteratorResult<T, TReturn>>;
  throw(error: any): Promise<IteratorResult<T, TReturn>>; [Symbol.asyncIterator](): AsyncGenerator<T, TReturn, TNext>;
}
interface AsyncGeneratorFunction extends Function {
  new (...args: any[]): AsyncGenerator; (...args: any[]): AsyncGenerator; prototype: AsyncGenerator;
}

interface ReadonlyArray<T> extends Iterable<T> {
  readonly length: number; readonly [index: number]: T;
  at(index: number): T | undefined; toString(): string; toLocaleString(locales?: Intl.LocalesArgument, options?: any): string;
  concat(...items: (T | ConcatArray<T>)[]): T[]; join(separator?: string): string; slice(start?: number, end?: number): T[];
  includes(value: T, from?: number): boolean; indexOf(value: T, from?: number): number; lastIndexOf(value: T, from?: number): number;
  every<S extends T>(callback: (value: T, index: number, array: readonly T[]) => value is S, thisArg?: any): this is readonly S[];
  every(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): boolean;
  some(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): boolean;
  forEach(callback: (value: T, index: number, array: readonly T[]) => void, thisArg?: any): void;
  map<U>(callback: (value: T, index: number, array: readonly T[]) => U, thisArg?: any): U[];
  filter<S extends T>(callback: (value: T, index: number, array: readonly T[]) => value is S, thisArg?: any): S[];
  filter(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T[];
  find<S extends T>(callback: (value: T, index: number, array: readonly T[]) => value is S, thisArg?: any): S | undefined;
  find(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T | undefined;
  findIndex(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): number;
  findLast<S extends T>(callback: (value: T, index: number, array: readonly T[]) => value is S, thisArg?: any): S | undefined;
  findLast(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T | undefined;
  findLastIndex(callback: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): number;
  reduce(callback: (previous: T, current: T, index: number, array: readonly T[]) => T): T;
  reduce(callback: (previous: T, current: T, index: number, array: readonly T[]) => T, initial: T): T;
  reduce<U>(callback: (previous: U, current: T, index: number, array: readonly T[]) => U, initial: U): U;
  reduceRight(callback: (previous: T, current: T, index: number, array: readonly T[]) => T): T;
  reduceRight(callback: (previous: T, current: T, index: number, array: readonly T[]) => T, initial: T): T;
  reduceRight<U>(callback: (previous: U, current: T, index: number, array: readonly T[]) => U, initial: U): U;
  flatMap<U>(callback: (value: T, index: number, array: T[]) => U | ReadonlyArray<U>, thisArg?: any): U[];
  flat(depth?: 1): FlatItem<T>[]; flat(depth: number): FlatArray<T, number>[];
  toReversed(): T[]; toSorted(compare?: (left: T, right: T) => number): T[]; toSpliced(start: number, count?: number, ...items: T[]): T[];
  with(index: number, value: T): T[];
  entries(): ArrayIterator<[number, T]>; keys(): ArrayIterator<number>; values(): ArrayIterator<T>; [Symbol.iterator](): ArrayIterator<T>;
}
interface Array<T> extends ReadonlyArray<T> {
  length: number; [index: number]: T; [Symbol.unscopables]: any;
  at(index: number): T | undefined; toString(): string; toLocaleString(locales?: Intl.LocalesArgument, options?: any): string;
  push(...items: T[]): number; pop(): T | undefined; shift(): T | undefined; unshift(...items: T[]): number;
  concat(...items: (T | ConcatArray<T>)[]): T[]; join(separator?: string): string; slice(start?: number, end?: number): T[];
  splice(start: number, count?: number, ...items: T[]): T[]; reverse(): T[]; sort(compare?: (left: T, right: T) => number): this;
  fill(value: T, start?: number, end?: number): this; copyWithin(target: number, start: number, end?: number): this;
  includes(value: T, from?: number): boolean; indexOf(value: T, from?: number): number; lastIndexOf(value: T, from?: number): number;
  every<S extends T>(callback: (value: T, index: number, array: T[]) => value is S, thisArg?: any): this is S[];
  every(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): boolean;
  some(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): boolean;
  forEach(callback: (value: T, index: number, array: T[]) => void, thisArg?: any): void;
  map<U>(callback: (value: T, index: number, array: T[]) => U, thisArg?: any): U[];
  filter<S extends T>(callback: (value: T, index: number, array: T[]) => value is S, thisArg?: any): S[];
  filter(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T[];
  find<S extends T>(callback: (value: T, index: number, array: T[]) => value is S, thisArg?: any): S | undefined;
  find(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T | undefined;
  findIndex(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): number;
  findLast<S extends T>(callback: (value: T, index: number, array: T[]) => value is S, thisArg?: any): S | undefined;
  findLast(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T | undefined;
  findLastIndex(callback: (value: T, index: number, array: T[]) => unknown, thisArg?: any): number;
  reduce(callback: (previous: T, current: T, index: number, array: T[]) => T): T;
  reduce(callback: (previous: T, current: T, index: number, array: T[]) => T, initial: T): T;
  reduce<U>(callback: (previous: U, current: T, index: number, array: T[]) => U, initial: U): U;
  reduceRight(callback: (previous: T, current: T, index: number, array: T[]) => T): T;
  reduceRight(callback: (previous: T, current: T, index: number, array: T[]) => T, initial: T): T;
  reduceRight<U>(callback: (previous: U, current: T, index: number, array: T[]) => U, initial: U): U;
  flatMap<U>(callback: (value: T, index: number, array: T[]) => U | ReadonlyArray<U>, thisArg?: any): U[];
  flat(depth?: 1): FlatItem<T>[]; flat(depth: number): FlatArray<T, number>[];
  toReversed(): T[]; toSorted(compare?: (left: T, right: T) => number): T[]; toSpliced(start: number, count?: number, ...items: T[]): T[];
  with(index: number, value: T): T[];
  entries(): ArrayIterator<[number, T]>; keys(): ArrayIterator<number>; values(): ArrayIterator<T>; [Symbol.iterator](): ArrayIterator<T>;
}
interface ArrayConstructor {
  new <T = any>(length?: number): T[]; new <T>(...items: T[]): T[];
  <T = any>(length?: number): T[]; <T>(...items: T[]): T[];
  isArray(value: any): value is any[]; of<T>(...items: T[]): T[]; prototype: any[]; [Symbol.species]: ArrayConstructor;
  from<T>(source: Iterable<T> | ArrayLike<T>): T[];
  from<T, U>(source: Iterable<T> | ArrayLike<T>, callback: (value: T, index: number) => U, thisArg?: any): U[];
  fromAsync<T>(source: AsyncIterable<T> | Iterable<T | PromiseLike<T>> | ArrayLike<T | PromiseLike<T>>): Promise<Awaited<T>[]>;
  fromAsync<T, U>(source: AsyncIterable<T> | Iterable<T> | ArrayLike<T>, callback: (value: Awaited<T>, index: number) => U, thisArg?: any): Promise<Awaited<U>[]>;
}
declare var Array: ArrayConstructor;
interface TemplateStringsArray extends ReadonlyArray<string> { readonly raw: readonly string[]; }

interface PromiseLike<T> {
  then<A = T, B = never>(fulfilled?: ((value: T) => A | PromiseLike<A>) | null, rejected?: ((reason: any) => B | PromiseLike<B>) | null): PromiseLike<A | B>;
}
interface Promise<T> extends PromiseLike<T> {
  then<A = T, B = never>(fulfilled?: ((value: T) => A | PromiseLike<A>) | null, rejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<A | B>;
  catch<B = never>(rejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B>;
  finally(settled?: (() => void) | null): Promise<T>; [Symbol.toStringTag]: string;
}
interface PromiseFulfilledResult<T> { status: "fulfilled"; value: T; }
interface PromiseRejectedResult { status: "rejected"; reason: any; }
type PromiseSettledResult<T> = PromiseFulfilledResult<T> | PromiseRejectedResult;
interface PromiseWithResolvers<T> { promise: Promise<T>; resolve: (value: T | PromiseLike<T>) => void; reject: (reason?: any) => void; }
interface PromiseConstructor {
  new <T>(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T>;
  prototype: Promise<any>; [Symbol.species]: PromiseConstructor;
  all<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }>;
  all<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>[]>;
  allSettled<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [P in keyof T]: PromiseSettledResult<Awaited<T[P]>> }>;
  allSettled<T>(values: Iterable<T | PromiseLike<T>>): Promise<PromiseSettledResult<Awaited<T>>[]>;
  race<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>; race<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>>;
  any<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>; any<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>>;
  reject<T = never>(reason?: any): Promise<T>;
  resolve<T>(value: T): Promise<Awaited<T>>; resolve(): Promise<void>;
  withResolvers<T>(): PromiseWithResolvers<T>;
  try<T, A extends unknown[]>(callback: (...args: A) => T | PromiseLike<T>, ...args: A): Promise<Awaited<T>>;
}
declare var Promise: PromiseConstructor;
type PromiseConstructorLike = new <T>(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void) => PromiseLike<T>;

interface ReadonlyMap<K, V> extends Iterable<[K, V]> {
  readonly size: number; get(key: K): V | undefined; has(key: K): boolean;
  forEach(callback: (value: V, key: K, map: ReadonlyMap<K, V>) => void, thisArg?: any): void;
  entries(): MapIterator<[K, V]>; keys(): MapIterator<K>; values(): MapIterator<V>; [Symbol.iterator](): MapIterator<[K, V]>;
}
interface Map<K, V> extends ReadonlyMap<K, V> {
  size: number; get(key: K): V | undefined; has(key: K): boolean; set(key: K, value: V): this; delete(key: K): boolean; clear(): void;
  forEach(callback: (value: V, key: K, map: Map<K, V>) => void, thisArg?: any): void;
  entries(): MapIterator<[K, V]>; keys(): MapIterator<K>; values(): MapIterator<V>; [Symbol.iterator](): MapIterator<[K, V]>;
  [Symbol.toStringTag]: string;
}
interface MapConstructor {
  new <K = any, V = any>(entries?: readonly (readonly [K, V])[] | null): Map<K, V>; new <K, V>(entries?: Iterable<readonly [K, V]> | null): Map<K, V>;
  prototype: Map<any, any>; [Symbol.species]: MapConstructor;
  groupBy<K, T>(items: Iterable<T>, callback: (item: T, index: number) => K): Map<K, T[]>;
}
declare var Map: MapConstructor;
interface ReadonlySetLike<T> { readonly size: number; has(value: T): boolean; keys(): Iterator<T>; }
interface ReadonlySet<T> extends Iterable<T> {
  readonly size: number; has(value: T): boolean; forEach(callback: (value: T, same: T, set: ReadonlySet<T>) => void, thisArg?: any): void;
  entries(): SetIterator<[T, T]>; keys(): SetIterator<T>; values(): SetIterator<T>; [Symbol.iterator](): SetIterator<T>;
  union<U>(other: ReadonlySetLike<U>): Set<T | U>; intersection<U>(other: ReadonlySetLike<U>): Set<T & U>;
  difference<U>(other: ReadonlySetLike<U>): Set<T>;
  symmetricDifference<U>(other: ReadonlySetLike<U>): Set<T | U>; isSubsetOf(other: ReadonlySetLike<unknown>): boolean;
  isSupersetOf(other: ReadonlySetLike<unknown>): boolean; isDisjointFrom(other: ReadonlySetLike<unknown>): boolean;
}
interface Set<T> extends ReadonlySet<T> {
  size: number; has(value: T): boolean; add(value: T): this; delete(value: T): boolean; clear(): void;
  forEach(callback: (value: T, same: T, set: Set<T>) => void, thisArg?: any): void;
  entries(): SetIterator<[T, T]>; keys(): SetIterator<T>; values(): SetIterator<T>; [Symbol.iterator](): SetIterator<T>; [Symbol.toStringTag]: string;
  union<U>(other: ReadonlySetLike<U>): Set<T | U>; intersection<U>(other: ReadonlySetLike<U>): Set<T & U>;
  difference<U>(other: ReadonlySetLike<U>): Set<T>;
  symmetricDifference<U>(other: ReadonlySetLike<U>): Set<T | U>; isSubsetOf(other: ReadonlySetLike<unknown>): boolean;
  isSupersetOf(other: ReadonlySetLike<unknown>): boolean; isDisjointFrom(other: ReadonlySetLike<unknown>): boolean;
}
interface SetConstructor {
  new <T = any>(values?: readonly T[] | null): Set<T>; new <T>(values?: Iterable<T> | null): Set<T>; prototype: Set<any>;
  [Symbol.species]: SetConstructor;
}
declare var Set: SetConstructor;
interface WeakMap<K extends WeakKey, V> {
  get(key: K): V | undefined; has(key: K): boolean; set(key: K, value: V): this; delete(key: K): boolean; [Symbol.toStringTag]: string;
}
interface WeakMapConstructor {
  new <K extends WeakKey = WeakKey, V = any>(entries?: readonly (readonly [K, V])[] | null): WeakMap<K, V>;
  new <K extends WeakKey, V>(entries: Iterable<readonly [K, V]>): WeakMap<K, V>; prototype: WeakMap<WeakKey, any>;
}
declare var WeakMap: WeakMapConstructor;
interface WeakSet<T extends WeakKey> { has(value: T): boolean; add(value: T): this; delete(value: T): boolean; [Symbol.toStringTag]: string; }
interface WeakSetConstructor {
  new <T extends WeakKey = WeakKey>(values?: readonly T[] | null): WeakSet<T>; new <T extends WeakKey = WeakKey>(values: Iterable<T>): WeakSet<T>;
  prototype: WeakSet<WeakKey>;
}
declare var WeakSet: WeakSetConstructor;
interface WeakRef<T extends WeakKey> { deref(): T | undefined; [Symbol.toStringTag]: "WeakRef"; }
interface WeakRefConstructor { new <T extends WeakKey>(target: T): WeakRef<T>; prototype: WeakRef<any>; }
declare var WeakRef: WeakRefConstructor;
interface FinalizationRegistry<T> {
  register(target: WeakKey, held: T, token?: WeakKey): void; unregister(token: WeakKey): boolean; [Symbol.toStringTag]: "FinalizationRegistry";
}
interface FinalizationRegistryConstructor { new <T>(cleanup: (held: T) => void): FinalizationRegistry<T>; prototype: FinalizationRegistry<any>; }
declare var FinalizationRegistry: FinalizationRegistryConstructor;

interface Symbol {
  toString(): string; valueOf(): symbol; description: string | undefined; [Symbol.toPrimitive](hint: string): symbol; [Symbol.toStringTag]: string;
}
interface SymbolConstructor {
  (description?: string | number): symbol; for(key: string): symbol; keyFor(value: symbol): string | undefined; readonly prototype: Symbol;
  readonly asyncDispose: unique symbol; readonly asyncIterator: unique symbol; readonly dispose: unique symbol; readonly hasInstance: unique symbol;
  readonly isConcatSpreadable: unique symbol; readonly iterator: unique symbol; readonly match: unique symbol; readonly matchAll: unique symbol;
  readonly metadata: unique symbol; readonly replace: unique symbol; readonly search: unique symbol; readonly species: unique symbol;
  readonly split: unique symbol; readonly toPrimitive: unique symbol; readonly toStringTag: unique symbol; readonly unscopables: unique symbol;
}
declare var Symbol: SymbolConstructor;

interface String extends Iterable<string> {
  readonly length: number; readonly [index: number]: string; toString(): string; valueOf(): string;
  at(index: number): string | undefined; charAt(index: number): string; charCodeAt(index: number): number;
  codePointAt(index: number): number | undefined;
  concat(...parts: string[]): string; endsWith(part: string, end?: number): boolean; includes(part: string, from?: number): boolean;
  indexOf(part: string, from?: number): number; lastIndexOf(part: string, from?: number): number; isWellFormed(): boolean; toWellFormed(): string;
  localeCompare(other: string, locales?: Intl.LocalesArgument, options?: Intl.CollatorOptions): number; normalize(form?: string): string;
  match(pattern: string | RegExp): RegExpMatchArray | null;
  match(matcher: { [Symbol.match](text: string): RegExpMatchArray | null }): RegExpMatchArray | null;
  matchAll(pattern: RegExp): RegExpStringIterator<RegExpExecArray>;
  search(pattern: string | RegExp | { [Symbol.search](text: string): number }): number;
  padEnd(length: number, fill?: string): string; padStart(length: number, fill?: string): string; repeat(count: number): string;
  replace(pattern: string | RegExp, replacement: string): string;
  replace(pattern: string | RegExp, replacer: (substring: string, ...args: any[]) => string): string;
  replace(pattern: { [Symbol.replace](text: string, replacement: string): string }, replacement: string): string;
  replaceAll(pattern: string | RegExp, replacement: string): string;
  replaceAll(pattern: string | RegExp, replacer: (substring: string, ...args: any[]) => string): string;
  slice(start?: number, end?: number): string; split(separator: string | RegExp, limit?: number): string[];
  split(splitter: { [Symbol.split](text: string, limit?: number): string[] }, limit?: number): string[];
  startsWith(part: string, from?: number): boolean; substr(start: number, length?: number): string; substring(start: number, end?: number): string;
  toLocaleLowerCase(locales?: Intl.LocalesArgument): string; toLocaleUpperCase(locales?: Intl.LocalesArgument): string; toLowerCase(): string;
  toUpperCase(): string;
  trim(): string; trimEnd(): string; trimLeft(): string; trimRight(): string; trimStart(): string; [Symbol.iterator](): StringIterator<string>;
  anchor(name: string): string; big(): string; blink(): string; bold(): string; fixed(): string; fontcolor(color: string): string;
  fontsize(size: string | number): string;
  italics(): string; link(url: string): string; small(): string; strike(): string; sub(): string; sup(): string;
}
interface StringConstructor {
  new (value?: any): String; (value?: any): string; prototype: String;
  fromCharCode(...codes: number[]): string; fromCodePoint(...points: number[]): string;
  raw(template: { raw: readonly string[] | ArrayLike<string> }, ...values: any[]): string;
}
declare var String: StringConstructor;
interface Boolean { valueOf(): boolean; toString(): string; }
interface BooleanConstructor { new (value?: any): Boolean; <T>(value?: T): boolean; prototype: Boolean; }
declare var Boolean: BooleanConstructor;
interface Number {
  toExponential(digits?: number): string; toFixed(digits?: number): string; toPrecision(digits?: number): string; toString(radix?: number): string;
  valueOf(): number;
  toLocaleString(locales?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions): string;
}
interface NumberConstructor {
  new (value?: any): Number; (value?: any): number; prototype: Number;
  EPSILON: number; MAX_SAFE_INTEGER: number; MAX_VALUE: number; MIN_SAFE_INTEGER: number; MIN_VALUE: number;
  NaN: number; NEGATIVE_INFINITY: number; POSITIVE_INFINITY: number;
  isFinite(value: unknown): boolean; isInteger(value: unknown): boolean; isNaN(value: unknown): boolean; isSafeInteger(value: unknown): boolean;
  parseFloat(text: string): number; parseInt(text: string, radix?: number): number;
}
declare var Number: NumberConstructor;
interface BigInt {
  toString(radix?: number): string; toLocaleString(locales?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions): string; valueOf(): bigint;
  [Symbol.toStringTag]: "BigInt";
}
interface BigIntConstructor {
  (value: bigint | boolean | number | string): bigint; asIntN(bits: number, value: bigint): bigint; asUintN(bits: number, value: bigint): bigint;
  prototype: BigInt;
}
declare var BigInt: BigIntConstructor;

interface RegExpMatchArray extends Array<string> {
  0: string; index?: number; input?: string; groups?: { [key: string]: string }; indices?: RegExpIndicesArray;
}
interface RegExpExecArray extends Array<string> {
  0: string; index: number; input: string; groups?: { [key: string]: string }; indices?: RegExpIndicesArray;
}
interface RegExpIndicesArray extends Array<[number, number]> { groups?: { [key: string]: [number, number] }; }
interface RegExp {
  exec(text: string): RegExpExecArray | null; test(text: string): boolean; compile(pattern: string, flags?: string): this; toString(): string;
  lastIndex: number;
  source: string; flags: string; global: boolean; ignoreCase: boolean; multiline: boolean;
  dotAll: boolean; hasIndices: boolean; sticky: boolean; unicode: boolean; unicodeSets: boolean;
  [Symbol.match](text: string): RegExpMatchArray | null; [Symbol.matchAll](text: string): RegExpStringIterator<RegExpMatchArray>;
  [Symbol.search](text: string): number;
  [Symbol.replace](text: string, replacement: string): string;
  [Symbol.replace](text: string, replacer: (substring: string, ...args: any[]) => string): string;
  [Symbol.split](text: string, limit?: number): string[];
}
interface RegExpConstructor {
  new (pattern: RegExp | string, flags?: string): RegExp; (pattern: RegExp | string, flags?: string): RegExp;
  prototype: RegExp; [Symbol.species]: RegExpConstructor; escape(text: string): string;
  $1: string; $2: string; $3: string; $4: string; $5: string; $6: string; $7: string; $8: string; $9: string; input: string; lastMatch: string;
  lastParen: string;
  leftContext: string; rightContext: string; $_: string; "$&": string; "$+": string; "$`": string; "$'": string;
}
declare var RegExp: RegExpConstructor;

interface Date {
  getDate(): number; getDay(): number; getFullYear(): number; getHours(): number; getMilliseconds(): number; getMinutes(): number; getMonth(): number;
  getSeconds(): number; getTime(): number; getTimezoneOffset(): number; getYear(): number; getUTCDate(): number; getUTCDay(): number;
  getUTCFullYear(): number;
  getUTCHours(): number; getUTCMilliseconds(): number; getUTCMinutes(): number; getUTCMonth(): number; getUTCSeconds(): number;
  setDate(day: number): number; setFullYear(value: number, ...rest: number[]): number; setHours(value: number, ...rest: number[]): number;
  setMilliseconds(ms: number): number; setMinutes(value: number, ...rest: number[]): number; setMonth(value: number, ...rest: number[]): number;
  setSeconds(value: number, ...rest: number[]): number; setTime(time: number): number; setYear(year: number): number; setUTCDate(day: number): number;
  setUTCFullYear(value: number, ...rest: number[]): number; setUTCHours(value: number, ...rest: number[]): number;
  setUTCMilliseconds(ms: number): number; setUTCMinutes(value: number, ...rest: number[]): number;
  setUTCMonth(value: number, ...rest: number[]): number;
  setUTCSeconds(value: number, ...rest: number[]): number; toDateString(): string; toGMTString(): string; toISOString(): string;
  toJSON(key?: any): string;
  toLocaleDateString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  toLocaleString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  toLocaleTimeString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string; toString(): string; toTimeString(): string;
  toUTCString(): string; valueOf(): number;
  [Symbol.toPrimitive](hint: "default" | "string"): string; [Symbol.toPrimitive](hint: "number"): number;
  [Symbol.toPrimitive](hint: string): string | number;
}
interface DateConstructor {
  new (value?: number | string | Date): Date; new (year: number, month: number, ...rest: number[]): Date;
  (): string; prototype: Date; now(): number; parse(text: string): number;
  UTC(year: number, ...rest: number[]): number;
}
declare var Date: DateConstructor;

interface ErrorOptions { cause?: unknown; }
interface Error { name: string; message: string; stack?: string; cause?: unknown; toString(): string; }
interface ErrorConstructor {
  new (message?: string, options?: ErrorOptions): Error; (message?: string, options?: ErrorOptions): Error; prototype: Error;
  captureStackTrace(target: object, above?: Function): void; stackTraceLimit: number; isError(value: unknown): value is Error;
}
declare var Error: ErrorConstructor;
interface ErrorClass<E extends Error> extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): E; (message?: string, options?: ErrorOptions): E; prototype: E;
}
interface EvalError extends Error {}
interface EvalErrorConstructor extends ErrorClass<EvalError> {}
declare var EvalError: EvalErrorConstructor;
interface RangeError extends Error {}
interface RangeErrorConstructor extends ErrorClass<RangeError> {}
declare var RangeError: RangeErrorConstructor;
interface ReferenceError extends Error {}
interface ReferenceErrorConstructor extends ErrorClass<ReferenceError> {}
declare var ReferenceError: ReferenceErrorConstructor;
interface SyntaxError extends Error {}
interface SyntaxErrorConstructor extends ErrorClass<SyntaxError> {}
declare var SyntaxError: SyntaxErrorConstructor;
interface TypeError extends Error {}
interface TypeErrorConstructor extends ErrorClass<TypeError> {}
declare var TypeError: TypeErrorConstructor;
interface URIError extends Error {}
interface URIErrorConstructor extends ErrorClass<URIError> {}
declare var URIError: URIErrorConstructor;
interface AggregateError extends Error { errors: any[]; }
interface AggregateErrorConstructor {
  new (errors: Iterable<any>, message?: string, options?: ErrorOptions): AggregateError;
  (errors: Iterable<any>, message?: string, options?: ErrorOptions): AggregateError; prototype: AggregateError;
}
declare var AggregateError: AggregateErrorConstructor;
interface SuppressedError extends Error { error: any; suppressed: any; }
interface SuppressedErrorConstructor {
  new (error: any, suppressed: any, message?: string): SuppressedError; (error: any, suppressed: any, message?: string): SuppressedError;
  prototype: SuppressedError;
}
declare var SuppressedError: SuppressedErrorConstructor;

interface Disposable { [Symbol.dispose](): void; }
interface AsyncDisposable { [Symbol.asyncDispose](): PromiseLike<void>; }
interface DisposableStack extends Disposable {
  disposed: boolean; dispose(): void; use<T extends Disposable | null | undefined>(value: T): T; adopt<T>(value: T, dispose: (value: T) => void): T;
  defer(dispose: () => void): void; move(): DisposableStack; [Symbol.dispose](): void; [Symbol.toStringTag]: string;
}
interface DisposableStackConstructor { new (): DisposableStack; prototype: DisposableStack; }
declare var DisposableStack: DisposableStackConstructor;
interface AsyncDisposableStack extends AsyncDisposable {
  disposed: boolean; disposeAsync(): Promise<void>; use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T;
  adopt<T>(value: T, dispose: (value: T) => PromiseLike<void> | void): T;
  defer(dispose: () => PromiseLike<void> | void): void; move(): AsyncDisposableStack; [Symbol.asyncDispose](): Promise<void>;
  [Symbol.toStringTag]: string;
}
interface AsyncDisposableStackConstructor { new (): AsyncDisposableStack; prototype: AsyncDisposableStack; }
declare var AsyncDisposableStack: AsyncDisposableStackConstructor;

interface JSON {
  parse(text: string, reviver?: (this: any, key: string, value: any, context?: any) => any): any;
  stringify(value: any, replacer?: ((this: any, key: string, value: any) => any) | (string | number)[] | null, space?: string | number): string;
  rawJSON(text: string): any; isRawJSON(value: unknown): boolean; [Symbol.toStringTag]: string;
}
declare var JSON: JSON;
interface Math {
  E: number; LN10: number; LN2: number; LOG10E: number; LOG2E: number; PI: number; SQRT1_2: number; SQRT2: number;
  abs(x: number): number; acos(x: number): number; acosh(x: number): number; asin(x: number): number; asinh(x: number): number;
  atan(x: number): number; atanh(x: number): number;
  atan2(y: number, x: number): number; cbrt(x: number): number; ceil(x: number): number; clz32(x: number): number; cos(x: number): number;
  cosh(x: number): number; exp(x: number): number;
  expm1(x: number): number; f16round(x: number): number; floor(x: number): number; fround(x: number): number; hypot(...values: number[]): number;
  imul(x: number, y: number): number;
  log(x: number): number; log1p(x: number): number; log10(x: number): number; log2(x: number): number; max(...values: number[]): number;
  min(...values: number[]): number;
  pow(x: number, y: number): number; random(): number; round(x: number): number; sign(x: number): number; sin(x: number): number;
  sinh(x: number): number; sqrt(x: number): number;
  tan(x: number): number; tanh(x: number): number; trunc(x: number): number; [Symbol.toStringTag]: string;
}
declare var Math: Math;
interface Reflect {
  apply<T, A extends readonly any[], R>(target: (this: T, ...args: A) => R, thisArg: T, args: Readonly<A>): R;
  apply(target: Function, thisArg: any, args: ArrayLike<any>): any;
  construct<A extends readonly any[], R>(target: new (...args: A) => R, args: Readonly<A>, newTarget?: Function): R;
  construct(target: Function, args: ArrayLike<any>, newTarget?: Function): any;
  defineProperty(target: object, key: PropertyKey, attributes: PropertyDescriptor & ThisType<any>): boolean;
  deleteProperty(target: object, key: PropertyKey): boolean;
  get<T extends object, K extends PropertyKey>(target: T, key: K, receiver?: unknown): K extends keyof T ? T[K] : any;
  getOwnPropertyDescriptor(target: object, key: PropertyKey): PropertyDescriptor | undefined;
  getPrototypeOf(target: object): object | null; has(target: object, key: PropertyKey): boolean; isExtensible(target: object): boolean;
  ownKeys(target: object): (string | symbol)[];
  preventExtensions(target: object): boolean; set(target: object, key: PropertyKey, value: any, receiver?: any): boolean;
  setPrototypeOf(target: object, prototype: object | null): boolean;
  [Symbol.toStringTag]: string;
}
declare var Reflect: Reflect;
interface ProxyHandler<T extends object> {
  apply?(target: T, thisArg: any, args: any[]): any; construct?(target: T, args: any[], newTarget: Function): object;
  defineProperty?(target: T, key: string | symbol, attributes: PropertyDescriptor): boolean;
  deleteProperty?(target: T, key: string | symbol): boolean;
  get?(target: T, key: string | symbol, receiver: any): any;
  getOwnPropertyDescriptor?(target: T, key: string | symbol): PropertyDescriptor | undefined;
  getPrototypeOf?(target: T): object | null; has?(target: T, key: string | symbol): boolean; isExtensible?(target: T): boolean;
  ownKeys?(target: T): ArrayLike<string | symbol>;
  preventExtensions?(target: T): boolean; set?(target: T, key: string | symbol, value: any, receiver: any): boolean;
  setPrototypeOf?(target: T, prototype: object | null): boolean;
}
interface ProxyConstructor {
  new <T extends object>(target: T, handler: ProxyHandler<T>): T;
  revocable<T extends object>(target: T, handler: ProxyHandler<T>): { proxy: T; revoke: () => void };
}
declare var Proxy: ProxyConstructor;

type ArrayBufferLike = ArrayBuffer | SharedArrayBuffer;
interface ArrayBuffer {
  byteLength: number; detached: boolean; maxByteLength: number; resizable: boolean; slice(start?: number, end?: number): ArrayBuffer;
  resize(length: number): void; transfer(length?: number): ArrayBuffer; transferToFixedLength(length?: number): ArrayBuffer;
  [Symbol.toStringTag]: string;
}
interface ArrayBufferConstructor {
  new (length: number, options?: { maxByteLength?: number }): ArrayBuffer; isView(value: any): value is ArrayBufferView; prototype: ArrayBuffer;
  [Symbol.species]: ArrayBufferConstructor;
}
declare var ArrayBuffer: ArrayBufferConstructor;
interface SharedArrayBuffer {
  byteLength: number; growable: boolean; maxByteLength: number; grow(length: number): void; slice(start?: number, end?: number): SharedArrayBuffer;
  [Symbol.toStringTag]: "SharedArrayBuffer";
}
interface SharedArrayBufferConstructor {
  new (length: number, options?: { maxByteLength?: number }): SharedArrayBuffer; prototype: SharedArrayBuffer;
  [Symbol.species]: SharedArrayBufferConstructor;
}
declare var SharedArrayBuffer: SharedArrayBufferConstructor;
interface ArrayBufferView { buffer: ArrayBufferLike; byteLength: number; byteOffset: number; }
interface DataView extends ArrayBufferView {
  buffer: ArrayBufferLike; byteLength: number; byteOffset: number; [Symbol.toStringTag]: string;
  getBigInt64(offset: number, little?: boolean): bigint; getBigUint64(offset: number, little?: boolean): bigint;
  getFloat16(offset: number, little?: boolean): number;
  getFloat32(offset: number, little?: boolean): number; getFloat64(offset: number, little?: boolean): number; getInt8(offset: number): number;
  getInt16(offset: number, little?: boolean): number;
  getInt32(offset: number, little?: boolean): number; getUint8(offset: number): number; getUint16(offset: number, little?: boolean): number;
  getUint32(offset: number, little?: boolean): number;
  setBigInt64(offset: number, value: bigint, little?: boolean): void; setBigUint64(offset: number, value: bigint, little?: boolean): void;
  setFloat16(offset: number, value: number, little?: boolean): void;
  setFloat32(offset: number, value: number, little?: boolean): void; setFloat64(offset: number, value: number, little?: boolean): void;
  setInt8(offset: number, value: number): void;
  setInt16(offset: number, value: number, little?: boolean): void; setInt32(offset: number, value: number, little?: boolean): void;
  setUint8(offset: number, value: number): void;
  setUint16(offset: number, value: number, little?: boolean): void; setUint32(offset: number, value: number, little?: boolean): void;
}
interface DataViewConstructor { new (buffer: ArrayBufferLike, byteOffset?: number, byteLength?: number): DataView; prototype: DataView; }
declare var DataView: DataViewConstructor;
interface TypedArray<E> extends ArrayBufferView, Iterable<E> {
  [index: number]: E; BYTES_PER_ELEMENT: number; buffer: ArrayBufferLike; byteLength: number; byteOffset: number; length: number;
  at(index: number): E | undefined; copyWithin(target: number, start: number, end?: number): this; fill(value: E, start?: number, end?: number): this;
  every(callback: (value: E, index: number, array: this) => unknown): boolean;
  some(callback: (value: E, index: number, array: this) => unknown): boolean;
  filter(callback: (value: E, index: number, array: this) => unknown): this; map(callback: (value: E, index: number, array: this) => E): this;
  find(callback: (value: E, index: number, array: this) => unknown): E | undefined;
  findIndex(callback: (value: E, index: number, array: this) => unknown): number;
  findLast(callback: (value: E, index: number, array: this) => unknown): E | undefined;
  findLastIndex(callback: (value: E, index: number, array: this) => unknown): number;
  forEach(callback: (value: E, index: number, array: this) => void): void;
  includes(value: E, from?: number): boolean; indexOf(value: E, from?: number): number; lastIndexOf(value: E, from?: number): number;
  join(separator?: string): string;
  reduce(callback: (previous: E, current: E, index: number, array: this) => E, initial?: E): E;
  reduce<U>(callback: (previous: U, current: E, index: number, array: this) => U, initial: U): U;
  reduceRight(callback: (previous: E, current: E, index: number, array: this) => E, initial?: E): E;
  reduceRight<U>(callback: (previous: U, current: E, index: number, array: this) => U, initial: U): U;
  reverse(): this; set(source: ArrayLike<E>, offset?: number): void; slice(start?: number, end?: number): this;
  sort(compare?: (left: E, right: E) => number): this; subarray(start?: number, end?: number): this;
  toLocaleString(locales?: Intl.LocalesArgument, options?: any): string; toReversed(): this; toSorted(compare?: (left: E, right: E) => number): this;
  toString(): string; with(index: number, value: E): this;
  entries(): ArrayIterator<[number, E]>; keys(): ArrayIterator<number>; values(): ArrayIterator<E>; [Symbol.iterator](): ArrayIterator<E>;
  [Symbol.toStringTag]: string;
}
interface TypedArrayConstructor<E, A> {
  new (length?: number): A; new (source: Iterable<E> | ArrayLike<E>): A; new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): A;
  prototype: A; BYTES_PER_ELEMENT: number;
  [Symbol.species]: any; of(...items: E[]): A; from(source: Iterable<E> | ArrayLike<E>): A;
  from<T>(source: Iterable<T> | ArrayLike<T>, callback: (value: T, index: number) => E, thisArg?: any): A;
}
interface Int8Array extends TypedArray<number> {}
interface Int8ArrayConstructor extends TypedArrayConstructor<number, Int8Array> {}
declare var Int8Array: Int8ArrayConstructor;
interface Uint8Array extends TypedArray<number> {
  toBase64(options?: { alphabet?: "base64" | "base64url"; omitPadding?: boolean }): string; toHex(): string;
  setFromBase64(text: string, options?: any): { read: number; written: number }; setFromHex(text: string): { read: number; written: number };
}
interface Uint8ArrayConstructor extends TypedArrayConstructor<number, Uint8Array> {
  fromBase64(text: string, options?: any): Uint8Array; fromHex(text: string): Uint8Array;
}
declare var Uint8Array: Uint8ArrayConstructor;
interface Uint8ClampedArray extends TypedArray<number> {}
interface Uint8ClampedArrayConstructor extends TypedArrayConstructor<number, Uint8ClampedArray> {}
declare var Uint8ClampedArray: Uint8ClampedArrayConstructor;
interface Int16Array extends TypedArray<number> {}
interface Int16ArrayConstructor extends TypedArrayConstructor<number, Int16Array> {}
declare var Int16Array: Int16ArrayConstructor;
interface Uint16Array extends TypedArray<number> {}
interface Uint16ArrayConstructor extends TypedArrayConstructor<number, Uint16Array> {}
declare var Uint16Array: Uint16ArrayConstructor;
interface Int32Array extends TypedArray<number> {}
interface Int32ArrayConstructor extends TypedArrayConstructor<number, Int32Array> {}
declare var Int32Array: Int32ArrayConstructor;
interface Uint32Array extends TypedArray<number> {}
interface Uint32ArrayConstructor extends TypedArrayConstructor<number, Uint32Array> {}
declare var Uint32Array: Uint32ArrayConstructor;
interface Float16Array extends TypedArray<number> {}
interface Float16ArrayConstructor extends TypedArrayConstructor<number, Float16Array> {}
declare var Float16Array: Float16ArrayConstructor;
interface Float32Array extends TypedArray<number> {}
interface Float32ArrayConstructor extends TypedArrayConstructor<number, Float32Array> {}
declare var Float32Array: Float32ArrayConstructor;
interface Float64Array extends TypedArray<number> {}
interface Float64ArrayConstructor extends TypedArrayConstructor<number, Float64Array> {}
declare var Float64Array: Float64ArrayConstructor;
interface BigInt64Array extends TypedArray<bigint> {}
interface BigInt64ArrayConstructor extends TypedArrayConstructor<bigint, BigInt64Array> {}
declare var BigInt64Array: BigInt64ArrayConstructor;
interface BigUint64Array extends TypedArray<bigint> {}
interface BigUint64ArrayConstructor extends TypedArrayConstructor<bigint, BigUint64Array> {}
declare var BigUint64Array: BigUint64ArrayConstructor;
interface Atomics {
  add<E>(array: TypedArray<E>, index: number, value: E): E; and<E>(array: TypedArray<E>, index: number, value: E): E;
  compareExchange<E>(array: TypedArray<E>, index: number, expected: E, replacement: E): E;
  exchange<E>(array: TypedArray<E>, index: number, value: E): E;
  isLockFree(size: number): boolean; load<E>(array: TypedArray<E>, index: number): E;
  notify(array: Int32Array | BigInt64Array, index: number, count?: number): number;
  or<E>(array: TypedArray<E>, index: number, value: E): E; pause(iterations?: number): void;
  store<E>(array: TypedArray<E>, index: number, value: E): E;
  sub<E>(array: TypedArray<E>, index: number, value: E): E; xor<E>(array: TypedArray<E>, index: number, value: E): E;
  wait(array: Int32Array | BigInt64Array, index: number, value: number | bigint, timeout?: number): "ok" | "not-equal" | "timed-out";
  waitAsync(array: Int32Array | BigInt64Array, index: number, value: number | bigint, timeout?: number): { async: boolean; value: any };
  [Symbol.toStringTag]: "Atomics";
}
declare var Atomics: Atomics;

declare namespace Intl {
  type LocalesArgument = string | Locale | readonly (string | Locale)[] | undefined;
  interface Formatter<O = any> { resolvedOptions(): O; }
  interface FormatterConstructor<F, O = any> {
    new (locales?: LocalesArgument, options?: O): F; (locales?: LocalesArgument, options?: O): F;
    supportedLocalesOf(locales: LocalesArgument, options?: any): string[]; prototype: F;
  }
  interface CollatorOptions {
    usage?: string; localeMatcher?: string; numeric?: boolean; caseFirst?: string; sensitivity?: string; collation?: string;
    ignorePunctuation?: boolean;
  }
  interface Collator extends Formatter { compare(left: string, right: string): number; }
  var Collator: FormatterConstructor<Collator, CollatorOptions>;
  interface NumberFormatOptions {
    style?: string; currency?: string; unit?: string; notation?: string; useGrouping?: boolean | string; minimumFractionDigits?: number;
    maximumFractionDigits?: number; [option: string]: any;
  }
  interface FormatPart { type: string; value: string; }
  interface NumberFormatPart extends FormatPart {}
  interface NumberFormat extends Formatter {
    format(value: number | bigint | string): string; formatToParts(value?: number | bigint | string): NumberFormatPart[];
    formatRange(start: number | bigint, end: number | bigint): string;
    formatRangeToParts(start: number | bigint, end: number | bigint): NumberFormatPart[];
  }
  var NumberFormat: FormatterConstructor<NumberFormat, NumberFormatOptions>;
  interface DateTimeFormatOptions {
    year?: string; month?: string; day?: string; weekday?: string; hour?: string; minute?: string; second?: string; timeZone?: string;
    hour12?: boolean; dateStyle?: string; timeStyle?: string; [option: string]: any;
  }
  interface DateTimeFormatPart extends FormatPart {}
  interface ResolvedDateTimeFormatOptions {
    locale: string; calendar: string; numberingSystem: string; timeZone: string; hourCycle?: string; hour12?: boolean;
  }
  interface DateTimeFormat extends Formatter<ResolvedDateTimeFormatOptions> {
    format(date?: Date | number): string; formatToParts(date?: Date | number): DateTimeFormatPart[];
    formatRange(start: Date | number, end: Date | number): string; formatRangeToParts(start: Date | number, end: Date | number): DateTimeFormatPart[];
  }
  var DateTimeFormat: FormatterConstructor<DateTimeFormat, DateTimeFormatOptions>;
  type LDMLPluralRule = "zero" | "one" | "two" | "few" | "many" | "other";
  interface PluralRules extends Formatter { select(value: number): LDMLPluralRule; selectRange(start: number, end: number): LDMLPluralRule; }
  var PluralRules: FormatterConstructor<PluralRules>;
  type RelativeTimeFormatUnit = "year" | "years" | "quarter" | "quarters" | "month" | "months" | "week" | "weeks" | "day" | "days" | "hour" | "hours" | "minute" | "minutes" | "second" | "seconds";
  interface RelativeTimeFormat extends Formatter {
    format(value: number, unit: RelativeTimeFormatUnit): string; formatToParts(value: number, unit: RelativeTimeFormatUnit): FormatPart[];
  }
  var RelativeTimeFormat: FormatterConstructor<RelativeTimeFormat>;
  interface ListFormat extends Formatter { format(list: Iterable<string>): string; formatToParts(list: Iterable<string>): FormatPart[]; }
  var ListFormat: FormatterConstructor<ListFormat>;
  interface DisplayNames extends Formatter { of(code: string): string | undefined; }
  var DisplayNames: FormatterConstructor<DisplayNames>;
  interface DurationFormat extends Formatter { format(duration: any): string; formatToParts(duration: any): FormatPart[]; }
  var DurationFormat: FormatterConstructor<DurationFormat>;
  interface SegmentData { segment: string; index: number; input: string; isWordLike?: boolean; }
  interface Segments extends Iterable<SegmentData> {
    containing(index?: number): SegmentData | undefined; [Symbol.iterator](): IterableIterator<SegmentData>;
  }
  interface Segmenter extends Formatter { segment(text: string): Segments; }
  var Segmenter: FormatterConstructor<Segmenter>;
  interface Locale {
    baseName: string; calendar?: string; caseFirst?: string; collation?: string; hourCycle?: string; language: string; numberingSystem?: string;
    numeric?: boolean; region?: string; script?: string; maximize(): Locale; minimize(): Locale; toString(): string; getCalendars(): string[];
    getCollations(): string[];
    getHourCycles(): string[]; getNumberingSystems(): string[]; getTimeZones(): string[] | undefined; getTextInfo(): any; getWeekInfo(): any;
  }
  interface LocaleConstructor { new (tag: string | Locale, options?: any): Locale; prototype: Locale; }
  var Locale: LocaleConstructor;
  function getCanonicalLocales(locales?: LocalesArgument): string[];
  function supportedValuesOf(key: string): string[];
}

type ClassDecorator = <F extends Function>(target: F) => F | void;
type PropertyDecorator = (target: Object, key: string | symbol) => void;
type MethodDecorator = <T>(target: Object, key: string | symbol, descriptor: TypedPropertyDescriptor<T>) => TypedPropertyDescriptor<T> | void;
type ParameterDecorator = (target: Object, key: string | symbol | undefined, index: number) => void;
type DecoratorMetadataObject = Record<PropertyKey, unknown> & object;
type DecoratorMetadata = DecoratorMetadataObject;
interface ClassDecoratorContext<C extends abstract new (...args: any) => any = abstract new (...args: any) => any> {
  kind: "class"; name: string | undefined; addInitializer(initializer: (this: C) => void): void; metadata: DecoratorMetadata;
}
interface ClassElementDecoratorContext<This> {
  name: string | symbol; static: boolean; private: boolean; metadata: DecoratorMetadata; addInitializer(initializer: (this: This) => void): void;
}
interface ClassMethodDecoratorContext<This = unknown, Value extends (this: This, ...args: any) => any = (this: This, ...args: any) => any> extends ClassElementDecoratorContext<This> {
  kind: "method"; access: { has(object: This): boolean; get(object: This): Value };
}
interface ClassGetterDecoratorContext<This = unknown, Value = unknown> extends ClassElementDecoratorContext<This> {
  kind: "getter"; access: { has(object: This): boolean; get(object: This): Value };
}
interface ClassSetterDecoratorContext<This = unknown, Value = unknown> extends ClassElementDecoratorContext<This> {
  kind: "setter"; access: { has(object: This): boolean; set(object: This, value: Value): void };
}
interface ClassAccessorDecoratorContext<This = unknown, Value = unknown> extends ClassElementDecoratorContext<This> {
  kind: "accessor"; access: { has(object: This): boolean; get(object: This): Value; set(object: This, value: Value): void };
}
interface ClassFieldDecoratorContext<This = unknown, Value = unknown> extends ClassElementDecoratorContext<This> {
  kind: "field"; access: { has(object: This): boolean; get(object: This): Value; set(object: This, value: Value): void };
}
interface ClassAccessorDecoratorTarget<This, Value> { get(this: This): Value; set(this: This, value: Value): void; }
interface ClassAccessorDecoratorResult<This, Value> {
  get?(this: This): Value; set?(this: This, value: Value): void; init?(this: This, value: Value): Value;
}
type ClassMemberDecoratorContext = ClassMethodDecoratorContext | ClassGetterDecoratorContext | ClassSetterDecoratorContext | ClassFieldDecoratorContext | ClassAccessorDecoratorContext;
type DecoratorContext = ClassDecoratorContext | ClassMemberDecoratorContext;

interface ImportMeta { url: string; dirname: string; filename: string; resolve(specifier: string): string; }
interface ImportAttributes { [key: string]: string; }
interface ImportCallOptions { with?: ImportAttributes; assert?: ImportAttributes; }

declare var NaN: number;
declare var Infinity: number;
declare function eval(source: string): any;
declare function parseInt(text: string, radix?: number): number;
declare function parseFloat(text: string): number;
declare function isNaN(value: number): boolean;
declare function isFinite(value: number): boolean;
declare function encodeURI(text: string): string;
declare function encodeURIComponent(text: string | number | boolean): string;
declare function decodeURI(text: string): string;
declare function decodeURIComponent(text: string): string;
declare function escape(text: string): string;
declare function unescape(text: string): string;
