// The panels of the console. A new panel is a file in `panels/` and a line here.
import type { ComponentType } from "preact";
import { lazy, type LazyComponent } from "./lazy";
import { Ask, loadAsk, SearchForm } from "./panels/ask";

export interface PanelProps {
  /** What the address of the view says. */
  values: URLSearchParams;
  /** Number of the current generation: a view that depends on it asks again. */
  generation: number | null;
}

export interface Panel {
  name: string;
  title: string;
  /** Path data of an icon of 24 by 24. */
  icon: string;
  view: ComponentType<PanelProps>;
  /** Load the scripts that the view of an address needs. The page calls it before it knows the state of the index. */
  load: (values: URLSearchParams) => Promise<unknown>;
  /** The part above the view, which does not wait for the state of the index. */
  head?: ComponentType<Pick<PanelProps, "values">>;
  /** Whether the navigation shows it; others are reached by links. */
  listed: boolean;
  /** What the command palette says it does. */
  purpose: string;
}

/** Return the fields of a panel for a view of another script. */
const from = (view: LazyComponent<PanelProps>): Pick<Panel, "view" | "load"> => ({ view, load: view.load });

export const PANELS: readonly Panel[] = [
  { name: "ask", title: "Ask", icon: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5", head: SearchForm, view: Ask, load: loadAsk, listed: true, purpose: "Search the code" },
  { name: "graph", title: "Graph", icon: "M6 6m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0M18 8m-2.5 0a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M11 18m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0M9 6.5l6.5 1.2M7 9l3 6.3M17 10.3l-4.4 5.3", ...from(lazy(() => import("./panels/graph").then((file) => file.GraphPanel))), listed: true, purpose: "Draw symbols, files and modules with their edges" },
  { name: "map", title: "Map", icon: "M4 4h9v9H4zM13 4h7v5h-7zM13 9h7v11h-7zM4 13h9v7H4z", ...from(lazy(() => import("./panels/map").then((file) => file.MapPanel))), listed: true, purpose: "See the whole repository by size" },
  { name: "symbol", title: "Symbol", icon: "", ...from(lazy(() => import("./panels/symbol").then((file) => file.SymbolPanel))), listed: false, purpose: "" },
  { name: "file", title: "File", icon: "", ...from(lazy(() => import("./panels/file").then((file) => file.FilePanel))), listed: false, purpose: "" },
  { name: "cypher", title: "Cypher", icon: "M5 5l5 5-5 5M12 17h7", ...from(lazy(() => import("./panels/cypher").then((file) => file.Cypher))), listed: true, purpose: "Query the graph in Cypher or by a chain" },
  { name: "tools", title: "Tools", icon: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4v6M8 14v6", ...from(lazy(() => import("./panels/tools").then((file) => file.Tools))), listed: true, purpose: "Try the tools of agents" },
  { name: "change", title: "Change", icon: "M6 3v12M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 9c0 6-6 6-12 8", ...from(lazy(() => import("./panels/change").then((file) => file.Change))), listed: true, purpose: "See what a change breaks and reaches" },
  { name: "checks", title: "Checks", icon: "M4 6l2 2 3-4M4 13l2 2 3-4M4 20l2 2 3-4M12 6h8M12 13h8M12 20h8", ...from(lazy(() => import("./panels/checks").then((file) => file.Checks))), listed: true, purpose: "Find errors, dead code, duplicates and circular imports" },
  { name: "health", title: "Health", icon: "M3 12h4l3-8 4 16 3-8h4", ...from(lazy(() => import("./panels/health").then((file) => file.Health))), listed: true, purpose: "See the state of the index" },
  { name: "settings", title: "Settings", icon: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3M5 19l3-3M16 8l3-3", ...from(lazy(() => import("./panels/settings").then((file) => file.Settings))), listed: true, purpose: "Change astrolabe.toml" },
];

