export interface Snippet<P extends unknown[] = []> {
  (...values: P): any;
}
export type Component<P = any, E = any, B = any> = any;
export declare class SvelteComponent {}
export type ComponentProps<C> = C extends { $$prop_def: infer P } ? P : any;
export declare function getContext<T>(key: any): T;
export declare function setContext<T>(key: any, context: T): T;
export declare function hasContext(key: any): boolean;
export declare function getAllContexts<T = Map<any, any>>(): T;
export declare function createContext<T>(): [() => T, (context: T) => T];
export declare function createEventDispatcher<E = any>(): (type: keyof E, detail?: any, options?: any) => boolean;
export declare function onMount(run: () => any): void;
export declare function onDestroy(run: () => any): void;
export declare function beforeUpdate(run: () => void): void;
export declare function afterUpdate(run: () => void): void;
export declare function tick(): Promise<void>;
export declare function settled(): Promise<void>;
export declare function untrack<T>(run: () => T): T;
export declare function flushSync<T = void>(run?: () => T): T;
export declare function mount(component: any, options: any): any;
export declare function hydrate(component: any, options: any): any;
export declare function unmount(component: any, options?: any): Promise<void>;
export declare function createRawSnippet(make: (...values: any[]) => any): Snippet<any[]>;
