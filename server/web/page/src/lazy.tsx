// Views whose scripts are loaded when they are needed, so that the first view does not wait for the scripts of all views.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that loads its view from another script. `load` begins that before the component is shown. */
export type LazyComponent<Props> = ComponentType<Props> & { load: () => Promise<ComponentType<Props>> };

/** Return a component that loads its view from another script. It says that it waits, or that the script cannot be loaded. */
export function lazy<Props extends object>(read: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  let reading: Promise<ComponentType<Props>> | null = null;
  const load = (): Promise<ComponentType<Props>> => {
    reading ??= read().then((view) => (loaded = view), (error: unknown) => { reading = null; throw error; });
    return reading;
  };
  function Lazy(props: Props) {
    const [View, setView] = useState(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (!View) load().then((view) => setView(() => view), () => setFailed(true));
    }, []);
    if (View) return <View {...props} />;
    if (hasFailed) return <p class="problem" role="alert">The script of this view could not be loaded. If `astrolabe console` has ended, start it again; then reload the page.</p>;
    return <p class="waiting" role="status">One moment …</p>;
  }
  return Object.assign(Lazy, { load });
}
