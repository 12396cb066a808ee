import type { Ref } from 'vue';
export interface AsyncDataState<T> {
  data: Ref<T>;
  error: Ref<Error | undefined>;
  pending: Ref<boolean>;
  status: Ref<'idle' | 'pending' | 'success' | 'error'>;
  refresh(options?: any): Promise<void>;
  execute(options?: any): Promise<void>;
  clear(): void;
}
export type AsyncData<T> = AsyncDataState<T> & Promise<AsyncDataState<T>>;
export interface AsyncDataOptions<T, R> {
  transform?: (input: T) => R | Promise<R>;
  default?: () => any;
  [option: string]: any;
}
export declare function useAsyncData<T, R = T>(handler: (app?: any, options?: any) => Promise<T>, options?: AsyncDataOptions<T, R>): AsyncData<R | undefined>;
export declare function useAsyncData<T, R = T>(key: any, handler: (app?: any, options?: any) => Promise<T>, options?: AsyncDataOptions<T, R>): AsyncData<R | undefined>;
export declare function useFetch<T = any, R = T>(request: any, options?: AsyncDataOptions<T, R>): AsyncData<R | undefined>;
export declare const useLazyAsyncData: typeof useAsyncData;
export declare const useLazyFetch: typeof useFetch;
export declare function useNuxtData<T = any>(key: string): { data: Ref<T | undefined> };
export declare function useState<T>(key: string, init?: () => T | Ref<T>): Ref<T>;
export declare function useState<T>(init?: () => T | Ref<T>): Ref<T>;
export declare function useCookie<T = string | null | undefined>(name: string, options?: any): Ref<T>;
export declare function useNuxtApp(): any;
export declare function useRuntimeConfig(event?: any): any;
export declare function useAppConfig(): any;
export declare function useError(): Ref<any>;
export declare function useHead(input: any, options?: any): any;
export declare function useSeoMeta(input: any, options?: any): any;
export declare function useRequestHeaders(names?: string[]): Record<string, string>;
export declare function useRequestURL(): URL;
export declare function navigateTo(to: any, options?: any): Promise<any>;
export declare function abortNavigation(error?: any): any;
export declare function createError(error: any): Error;
export declare function showError(error: any): Error;
export declare function clearError(options?: any): Promise<void>;
export declare function callOnce(key: any, handler?: () => any): Promise<void>;
export declare function refreshNuxtData(keys?: any): Promise<void>;
export declare function clearNuxtData(keys?: any): void;
export declare function definePageMeta(meta: any): void;
export declare function defineNuxtPlugin<T>(plugin: (app: any) => T): any;
export declare function defineNuxtPlugin(plugin: any): any;
export declare function defineNuxtRouteMiddleware(middleware: (to: any, from: any) => any): any;
