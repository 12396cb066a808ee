import type { Ref, UnwrapRef } from 'vue';
type Method = (...values: any[]) => any;
type Values<G> = { readonly [K in keyof G]: G[K] extends (...values: any[]) => infer R ? R : UnwrapRef<G[K]> };
type Unwrapped<S> = { [K in keyof S]: UnwrapRef<S[K]> };
export interface StoreBase<S = any> {
  $id: string;
  $state: S;
  $patch(partial: any): void;
  $reset(): void;
  $subscribe(callback: (mutation: any, state: S) => void, options?: any): () => void;
  $onAction(callback: (context: any) => void, detached?: boolean): () => void;
  $dispose(): void;
}
export interface StoreDefinition<S = any> {
  (pinia?: Pinia | null, hot?: any): S;
  $id: string;
}
export interface Pinia {
  install(app: any): void;
  use(plugin: any): Pinia;
  state: Ref<any>;
}
export declare function createPinia(): Pinia;
export declare function setActivePinia(pinia: Pinia | undefined): Pinia | undefined;
export declare function getActivePinia(): Pinia | undefined;
interface Options<S, G, A> {
  state?: () => S;
  getters?: G & ThisType<StoreBase<S> & S & Values<G>> & Record<string, (state: S) => any>;
  actions?: A & ThisType<StoreBase<S> & S & Values<G> & A>;
}
export declare function defineStore<S, G = {}, A = {}>(id: string, options: Options<S, G, A>): StoreDefinition<StoreBase<S> & S & Values<G> & A>;
export declare function defineStore<T>(id: string, setup: (helpers: any) => T, options?: any): StoreDefinition<StoreBase & Unwrapped<T>>;
export declare function defineStore<S, G = {}, A = {}>(options: Options<S, G, A> & { id: string }): StoreDefinition<StoreBase<S> & S & Values<G> & A>;
export declare function storeToRefs<T>(store: T): { [K in keyof T]: T[K] extends Method ? T[K] : Ref<T[K]> };
export declare function mapState<S, K extends keyof S>(store: StoreDefinition<S>, keys: readonly K[]): { [P in K]: () => S[P] };
export declare function mapState<S, M extends Record<string, keyof S | ((store: S) => any)>>(store: StoreDefinition<S>, keys: M): { [P in keyof M]: () => M[P] extends keyof S ? S[M[P]] : M[P] extends (store: any) => infer R ? R : never };
export declare const mapGetters: typeof mapState;
export declare function mapWritableState<S, K extends keyof S>(store: StoreDefinition<S>, keys: readonly K[]): { [P in K]: { get: () => S[P]; set: (value: S[P]) => void } };
export declare function mapActions<S, K extends keyof S>(store: StoreDefinition<S>, keys: readonly K[]): { [P in K]: S[P] };
export declare function mapActions<S, M extends Record<string, keyof S>>(store: StoreDefinition<S>, keys: M): { [P in keyof M]: S[M[P]] };
export declare function mapStores(...stores: any[]): any;
export declare function acceptHMRUpdate(definition: any, hot: any): (module: any) => any;
