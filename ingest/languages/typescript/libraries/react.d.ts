export type PropsWithChildren<P = unknown> = P & { children?: any };
export interface FunctionComponent<P = {}> {
  (props: P): any;
  displayName?: string;
}
export type FC<P = {}> = FunctionComponent<P>;
export type VFC<P = {}> = FunctionComponent<P>;
export declare class Component<P = {}, S = {}> {
  constructor(props: P);
  readonly props: Readonly<P>;
  state: Readonly<S>;
  context: any;
  refs: any;
  setState(state: any, callback?: () => void): void;
  forceUpdate(callback?: () => void): void;
  render(): any;
}
export declare class PureComponent<P = {}, S = {}> extends Component<P, S> {}
