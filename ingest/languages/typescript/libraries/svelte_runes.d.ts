export declare function $state<T>(initial: T): T;
export declare function $state<T>(): T | undefined;
export declare namespace $state {
  function raw<T>(initial: T): T;
  function raw<T>(): T | undefined;
  function snapshot<T>(state: T): T;
  function eager<T>(value: T): T;
}
export declare function $derived<T>(expression: T): T;
export declare namespace $derived {
  function by<T>(make: () => T): T;
}
export declare function $effect(run: () => void | (() => void)): void;
export declare namespace $effect {
  function pre(run: () => void | (() => void)): void;
  function tracking(): boolean;
  function pending(): number;
  function root(run: () => void | (() => void)): () => void;
}
export declare function $inspect<T extends any[]>(...values: T): { with(run: (type: 'init' | 'update', ...values: T) => void): void };
