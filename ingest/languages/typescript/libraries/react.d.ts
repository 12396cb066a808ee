export = React;
export as namespace React;
declare namespace React {
  type PropsWithChildren<P = unknown> = P & { children?: any };
  interface FunctionComponent<P = {}> {
    (props: P): any;
    displayName?: string;
  }
  type FC<P = {}> = FunctionComponent<P>;
  type VFC<P = {}> = FunctionComponent<P>;
  class Component<P = {}, S = {}> {
    constructor(props: P);
    readonly props: Readonly<P>;
    state: Readonly<S>;
    context: any;
    refs: any;
    setState(state: any, callback?: () => void): void;
    forceUpdate(callback?: () => void): void;
    render(): any;
  }
  class PureComponent<P = {}, S = {}> extends Component<P, S> {}
  interface Context<T> {
    Provider: FunctionComponent<{ value: T; children?: any }>;
    Consumer: FunctionComponent<{ children: (value: T) => any }>;
    displayName?: string;
  }
  interface MutableRefObject<T> {
    current: T;
  }
  interface RefObject<T> {
    readonly current: T | null;
  }
  type SetStateAction<S> = S | ((former: S) => S);
  type Dispatch<A> = (action: A) => void;
  function createContext<T>(value: T): Context<T>;
  function useContext<T>(context: Context<T>): T;
  function useState<S>(initial: S | (() => S)): [S, Dispatch<SetStateAction<S>>];
  function useState<S = undefined>(): [S | undefined, Dispatch<SetStateAction<S | undefined>>];
  function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S): [S, Dispatch<A>];
  function useReducer<S, A, I>(reducer: (state: S, action: A) => S, argument: I, initial: (argument: I) => S): [S, Dispatch<A>];
  function useRef<T>(initial: T | null): MutableRefObject<T>;
  function useRef<T = undefined>(): MutableRefObject<T | undefined>;
  function useMemo<T>(make: () => T, dependencies?: readonly unknown[]): T;
  function useCallback<T extends Function>(callback: T, dependencies: readonly unknown[]): T;
  function memo<T>(component: T, isEqual?: (former: any, next: any) => boolean): T;
  function lazy<T>(load: () => Promise<{ default: T }>): T;
  function forwardRef<T, P = {}>(render: (props: P, ref: any) => any): FunctionComponent<P & { ref?: any }>;
}
