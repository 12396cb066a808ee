// Values that the browser keeps for this repository.

import { useState } from "preact/hooks";

/** Return a value that survives a reload, and the function that changes it. Without storage it lives as long as the page. */
export function useRemembered<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const name = `astrolabe:${key}`;
  const [value, setValue] = useState<Value>(() => {
    try {
      const kept = localStorage.getItem(name);
      return kept === null ? initial : (JSON.parse(kept) as Value);
    } catch {
      return initial; // storage is switched off, or holds something else
    }
  });
  return [
    value,
    (next) => {
      setValue(next);
      try {
        localStorage.setItem(name, JSON.stringify(next));
      } catch {
        // storage is switched off or full: the value lives as long as the page
      }
    },
  ];
}
