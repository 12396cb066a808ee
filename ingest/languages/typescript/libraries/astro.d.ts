export type GetStaticPathsItem = { params: { [K in string]: string | number | undefined }; props?: any };
export type GetStaticPaths = (options: any) => any;
type Paths<T> = T extends (...values: any[]) => infer R ? (R extends Promise<infer A> ? A : R) : never;
type Path<T> = Paths<T> extends (infer I)[] ? I : Paths<T> extends readonly (infer J)[] ? J : never;
export type InferGetStaticPropsType<T> = Path<T> extends { props: infer P } ? P : never;
export type InferGetStaticParamsType<T> = Path<T> extends { params: infer P } ? P : never;
export interface Page<T = any> {
  data: T[];
  start: number;
  end: number;
  total: number;
  currentPage: number;
  size: number;
  lastPage: number;
  url: { current: string; prev: string | undefined; next: string | undefined; first: string | undefined; last: string | undefined };
}
