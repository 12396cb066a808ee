// A value that follows another one with a delay.
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
