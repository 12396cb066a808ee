export interface Snippet<P extends unknown[] = []> {
  (...values: P): any;
}
export interface Component<P = any, E = any, B = any> {
  (internals: any, props: P): E;
}
export declare class SvelteComponent<P = any, E = any, S = any> {
  $$prop_def: P;
  $on(type: string, listener: (event: any) => any): () => void;
  $set(props: Partial<P>): void;
  $destroy(): void;
}
export type ComponentType<C = SvelteComponent> = new (options: any) => C;
export type ComponentProps<C> = C extends { $$prop_def: infer P } ? P : C extends Component<infer P> ? P : any;
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
export interface MountOptions<P> {
  target: any;
  props?: P;
  context?: any;
  intro?: boolean;
}
export declare function mount<P, E>(component: Component<P, E>, options: MountOptions<P>): E;
export declare function hydrate<P, E>(component: Component<P, E>, options: MountOptions<P>): E;
export declare function unmount(component: any, options?: any): Promise<void>;
export declare function createRawSnippet(make: (...values: any[]) => any): Snippet<any[]>;
