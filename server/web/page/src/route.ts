// The address of a view: `#/panel?key=value`. Links, the back button and shared addresses all use it.
import { useEffect, useState } from "preact/hooks";

export interface Route {
  panel: string;
  values: URLSearchParams;
}

export function readRoute(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { panel: path || "ask", values: new URLSearchParams(query) };
}

/** Return the address of a panel; empty values are left out. */
export function link(panel: string, values: Record<string, string | number | undefined> = {}): string {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(kept.map(([key, value]) => [key, String(value)])).toString();
  return `#/${panel}${query && `?${query}`}`;
}

export function go(panel: string, values: Record<string, string | number | undefined> = {}): void {
  location.hash = link(panel, values);
}

/** Change the address of the present view without a step of the back button. */
export function replace(panel: string, values: Record<string, string | number | undefined>): void {
  history.replaceState(null, "", link(panel, values));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const changed = (): void => setRoute(readRoute());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
