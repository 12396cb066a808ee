export type Subscriber<T> = (value: T) => void;
export type Unsubscriber = () => void;
export type Updater<T> = (value: T) => T;
export interface Readable<T> {
  subscribe(run: Subscriber<T>, invalidate?: () => void): Unsubscriber;
}
export interface Writable<T> extends Readable<T> {
  set(value: T): void;
  update(updater: Updater<T>): void;
}
export declare function writable<T>(value?: T, start?: any): Writable<T>;
export declare function readable<T>(value?: T, start?: any): Readable<T>;
export declare function derived<S, T>(store: Readable<S>, fn: (value: S) => T, initial?: T): Readable<T>;
type Stores = [Readable<any>, ...Readable<any>[]] | Readable<any>[];
type StoresValues<S> = { [K in keyof S]: S[K] extends Readable<infer U> ? U : never };
export declare function derived<S extends Stores, T>(stores: S, fn: (values: StoresValues<S>) => T, initial?: T): Readable<T>;
export declare function derived<T>(stores: any, fn: (values: any, set: (value: T) => void) => any, initial?: T): Readable<T>;
export declare function get<T>(store: Readable<T>): T;
export declare function readonly<T>(store: Readable<T>): Readable<T>;
export declare function toStore<T>(get: () => T): Readable<T>;
export declare function toStore<T>(get: () => T, set: (value: T) => void): Writable<T>;
export declare function fromStore<T>(store: Readable<T>): { current: T };
