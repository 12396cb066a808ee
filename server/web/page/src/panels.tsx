// The panels of the console. A new panel is a file in `panels/` and a line here.
import type { ComponentType } from "preact";
import { Ask } from "./panels/ask";
import { SymbolPanel } from "./panels/symbol";
import { FilePanel } from "./panels/file";

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
  { name: "symbol", title: "Symbol", icon: "", view: SymbolPanel, listed: false, purpose: "" },
  { name: "file", title: "File", icon: "", view: FilePanel, listed: false, purpose: "" },
];

