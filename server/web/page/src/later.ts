// What a view does later: after a pause in typing, or when the browser has nothing else to do.
import { useEffect, useState } from "preact/hooks";

/** Return a value once it has not changed for a moment, so that not every key asks the server. */
export function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), 200);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

/** Milliseconds after which the work begins even if the browser is never idle. */
const PATIENCE = 500;

/** Return whether the browser has painted the component and then had nothing else to do. Work that takes long waits for it, so that one can type before. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const begin = (): void => setIdle(true);
    if (typeof requestIdleCallback === "undefined") { // Safari has none
      const timer = setTimeout(begin);
      return () => clearTimeout(timer);
    }
    const waiting = requestIdleCallback(begin, { timeout: PATIENCE });
    return () => cancelIdleCallback(waiting);
  }, []);
  return isIdle;
}
