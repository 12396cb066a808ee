type StateOf<M> = M extends { state: infer S } ? (S extends (...values: any[]) => infer R ? R : S) & ModulesOf<M> : M extends { modules: any } ? ModulesOf<M> : M;
type ModulesOf<M> = M extends { modules: infer N } ? { [K in keyof N]: StateOf<N[K]> } : {};
type GettersOf<M> = M extends { getters: infer G } ? { readonly [K in keyof G]: G[K] extends (...values: any[]) => infer R ? R : never } : any;
export declare class Store<O = any> {
  constructor(options: O);
  readonly state: StateOf<O>;
  readonly getters: GettersOf<O>;
  dispatch(type: any, payload?: any, options?: any): Promise<any>;
  commit(type: any, payload?: any, options?: any): void;
  replaceState(state: any): void;
  subscribe(handler: (mutation: any, state: StateOf<O>) => any, options?: any): () => void;
  subscribeAction(handler: any, options?: any): () => void;
  watch(getter: (state: StateOf<O>, getters: GettersOf<O>) => any, callback: any, options?: any): () => void;
  registerModule(path: any, module: any, options?: any): void;
  unregisterModule(path: any): void;
  hasModule(path: any): boolean;
  hotUpdate(options: any): void;
}
export declare function createStore<O>(options: O): Store<O>;
export declare function useStore(): Store;
export declare function mapState(...values: any[]): any;
export declare function mapGetters(...values: any[]): any;
export declare function mapActions(...values: any[]): any;
export declare function mapMutations(...values: any[]): any;
export declare function createNamespacedHelpers(namespace?: string): any;
declare const Vuex: { Store: typeof Store; createStore: typeof createStore; install(app: any): void };
export default Vuex;
