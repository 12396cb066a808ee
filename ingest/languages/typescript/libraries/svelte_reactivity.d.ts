export declare class SvelteMap<K, V> extends Map<K, V> {
  constructor(entries?: Iterable<readonly [K, V]> | null);
}
export declare class SvelteSet<T> extends Set<T> {
  constructor(values?: Iterable<T> | null);
}
export declare class SvelteDate extends Date {}
export declare class SvelteURL extends URL {}
export declare class SvelteURLSearchParams extends URLSearchParams {}
export declare class MediaQuery {
  constructor(query: string, fallback?: boolean);
  readonly current: boolean;
}
export declare function createSubscriber(start: (update: () => void) => any): () => void;
