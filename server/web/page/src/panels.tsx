// The panels of the console. A new panel is a file in `panels/` and a line here.
import type { ComponentType } from "preact";
import { Ask } from "./panels/ask";
import { SymbolPanel } from "./panels/symbol";
import { FilePanel } from "./panels/file";
import { MapPanel } from "./panels/map";
import { GraphPanel } from "./panels/graph";

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
  /** Whether the navigation shows it; others are reached by links. */
  listed: boolean;
  /** What the command palette says it does. */
  purpose: string;
}

export const PANELS: readonly Panel[] = [
  { name: "ask", title: "Ask", icon: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5", view: Ask, listed: true, purpose: "Search the code" },
  { name: "graph", title: "Graph", icon: "M6 6m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0M18 8m-2.5 0a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M11 18m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0M9 6.5l6.5 1.2M7 9l3 6.3M17 10.3l-4.4 5.3", view: GraphPanel, listed: true, purpose: "Draw symbols, files and modules with their edges" },
  { name: "map", title: "Map", icon: "M4 4h9v9H4zM13 4h7v5h-7zM13 9h7v11h-7zM4 13h9v7H4z", view: MapPanel, listed: true, purpose: "See the whole repository by size" },
  { name: "symbol", title: "Symbol", icon: "", view: SymbolPanel, listed: false, purpose: "" },
  { name: "file", title: "File", icon: "", view: FilePanel, listed: false, purpose: "" },
];

