declare const RefSymbol: unique symbol;
export interface Ref<T = any, S = T> {
  get value(): T;
  set value(_: S);
  [RefSymbol]: true;
}
export interface ComputedRef<T = any> extends Ref<T> {
  readonly value: T;
}
export interface WritableComputedRef<T, S = T> extends Ref<T, S> {}
export interface ShallowRef<T = any, S = T> extends Ref<T, S> {}
export type MaybeRef<T = any> = T | Ref<T>;
export type MaybeRefOrGetter<T = any> = MaybeRef<T> | (() => T);
export type UnwrapRef<T> = T extends Ref<infer V, unknown> ? V : T;
export type ToRefs<T> = { [K in keyof T]: Ref<T[K]> };
export type PropType<T> = { new (...args: any[]): T } | { (): T };
export interface InjectionKey<T> extends Symbol {
  __type?: T;
}
export type WatchStopHandle = () => void;
export type Component = any;
export type Slot<T = any> = (props: T) => any;
export interface SetupContext {
  attrs: Record<string, unknown>;
  slots: Record<string, Slot | undefined>;
  emit: (event: string, ...values: any[]) => void;
  expose(exposed?: any): void;
}
export interface FunctionalComponent<P = {}, E = {}, S = any> {
  (props: P, context: SetupContext): any;
}
export interface DirectiveBinding<V = any> {
  value: V;
  oldValue: V | null;
  arg?: string;
  modifiers: Record<string, boolean>;
  instance: ComponentPublicInstance | null;
}
export type DirectiveHook<E = any, V = any> = (element: E, binding: DirectiveBinding<V>, node: any, former: any) => void;
export interface ObjectDirective<E = any, V = any> {
  created?: DirectiveHook<E, V>;
  beforeMount?: DirectiveHook<E, V>;
  mounted?: DirectiveHook<E, V>;
  beforeUpdate?: DirectiveHook<E, V>;
  updated?: DirectiveHook<E, V>;
  beforeUnmount?: DirectiveHook<E, V>;
  unmounted?: DirectiveHook<E, V>;
}
export type Directive<E = any, V = any> = ObjectDirective<E, V> | DirectiveHook<E, V>;
export interface Plugin<O = any> {
  install(app: App, options: O): any;
}
export interface ComponentCustomProperties {}
export interface ComponentPublicInstance extends ComponentCustomProperties {}
export interface ComponentInternalInstance {
  parent: ComponentInternalInstance | null;
  proxy: ComponentPublicInstance | null;
}
export declare function getCurrentInstance(): ComponentInternalInstance | null;
export interface App {
  use(plugin: any, ...options: any[]): this;
  mixin(mixin: any): this;
  component(name: string): any;
  component(name: string, component: any): this;
  directive(name: string, directive?: any): any;
  provide(key: any, value: any): this;
  mount(root: any): any;
  unmount(): void;
}
export declare function createApp(root: any, props?: any): App;
export declare function ref<T>(value: T): Ref<T>;
export declare function ref<T = any>(): Ref<T | undefined>;
export declare function shallowRef<T>(value: T): ShallowRef<T>;
export declare function shallowRef<T = any>(): ShallowRef<T | undefined>;
export declare function customRef<T>(factory: (track: () => void, trigger: () => void) => { get: () => T; set: (value: T) => void }): Ref<T>;
export declare function triggerRef(ref: Ref): void;
export declare function isRef<T>(value: Ref<T> | unknown): value is Ref<T>;
export declare function unref<T>(value: MaybeRef<T>): T;
export declare function toValue<T>(value: MaybeRefOrGetter<T>): T;
export declare function toRef<T>(getter: () => T): ComputedRef<T>;
export declare function toRef<T extends object, K extends keyof T>(object: T, key: K): Ref<T[K]>;
export declare function toRefs<T extends object>(object: T): ToRefs<T>;
export declare function toRaw<T>(value: T): T;
export declare function markRaw<T extends object>(value: T): T;
export declare function reactive<T extends object>(target: T): T;
export declare function shallowReactive<T extends object>(target: T): T;
export declare function readonly<T extends object>(target: T): T;
export declare function computed<T>(getter: (oldValue?: T) => T): ComputedRef<T>;
export declare function computed<T, S = T>(options: { get: (oldValue?: T) => T; set: (value: S) => void }): WritableComputedRef<T, S>;
export declare function watch<T>(source: Ref<T> | (() => T), callback: (value: T, oldValue: T, onCleanup: (f: () => void) => void) => any, options?: any): WatchStopHandle;
export declare function watch(source: any, callback: (value: any, oldValue: any, onCleanup: (f: () => void) => void) => any, options?: any): WatchStopHandle;
export declare function watchEffect(effect: (onCleanup: (f: () => void) => void) => void, options?: any): WatchStopHandle;
export declare function provide<T>(key: InjectionKey<T>, value: NoInfer<T>): void;
export declare function provide(key: string | number, value: any): void;
export declare function inject<T>(key: InjectionKey<T> | string): T | undefined;
export declare function inject<T>(key: InjectionKey<T> | string, fallback: T, treatAsFactory?: false): T;
export declare function useTemplateRef<T = unknown>(key: string): Readonly<ShallowRef<T | null>>;
export declare function useSlots(): any;
export declare function useAttrs(): Record<string, unknown>;
export declare function useModel<T extends object, K extends keyof T>(props: T, name: K): Ref<T[K]>;
export declare function nextTick(): Promise<void>;
export declare function nextTick<T>(callback: () => T): Promise<T>;
export declare function onMounted(hook: () => any): void;
export declare function onBeforeMount(hook: () => any): void;
export declare function onUpdated(hook: () => any): void;
export declare function onUnmounted(hook: () => any): void;
export declare function onBeforeUnmount(hook: () => any): void;
export declare function defineComponent<T>(options: T): T;
export declare function defineAsyncComponent<T>(source: () => Promise<T | { default: T }>): T;
export declare function h(type: any, ...rest: any[]): any;
