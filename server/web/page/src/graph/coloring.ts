// Colors of nodes by kind, folder, language or churn, with a legend.
import type { GraphNode } from "./model";
import { folderOf, keyOf, pathOf } from "./model";

export const COLORINGS = { kind: "Kind", folder: "Folder", language: "Language", churn: "Churn" };
export type Coloring = keyof typeof COLORINGS;

/** Colors of groups, in the order of their sizes; each stands out from white and from black. */
export const GROUPS = ["#2f7ed8", "#c2571a", "#2a8f5b", "#a14bb8", "#b8860b", "#c23b5a", "#3a8fa3", "#7a7f3a", "#7d6bb0", "#6b7280"];
/** From cold to hot. */
export const HEAT = ["#5b7aa8", "#7d8f9c", "#b8963a", "#cc6f2c", "#c4352f"];

export interface Colors {
  of: Record<string, string>;
  legend: [string, string][];
}

export function colorsOf(nodes: GraphNode[], coloring: Coloring, files: { path: string; language: string }[], commits: Record<string, number>): Colors {
  if (coloring === "churn") return heatOf(nodes, commits);
  const languages = new Map(files.map((file) => [file.path, file.language]));
  const group = (node: GraphNode): string => {
    if (coloring === "folder") return folderOf(node);
    if (coloring === "language") return languages.get(pathOf(node)) ?? "unknown";
    return "kind" in node ? node.kind : "count" in node ? "folder" : "file";
  };
  const sizes = new Map<string, number>();
  for (const node of nodes) sizes.set(group(node), (sizes.get(group(node)) ?? 0) + 1);
  const names = [...sizes].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const color = (name: string): string => GROUPS[Math.min(names.indexOf(name), GROUPS.length - 1)]!;
  const legend = names.slice(0, GROUPS.length - 1).map((name): [string, string] => [name, color(name)]);
  if (names.length >= GROUPS.length) legend.push(["others", GROUPS.at(-1)!]);
  return { of: Object.fromEntries(nodes.map((node) => [keyOf(node), color(group(node))])), legend };
}

/** Return the step of a value in `HEAT`, 0 to 4. Squares of the steps are even, so that few values are hot. */
export function heat(value: number, most: number): number {
  return most < 1 ? 0 : Math.min(4, Math.floor(Math.sqrt(value / most) * 5));
}

function heatOf(nodes: GraphNode[], commits: Record<string, number>): Colors {
  const most = Math.max(0, ...Object.values(commits));
  return {
    of: Object.fromEntries(nodes.map((node) => [keyOf(node), HEAT[heat(commits[pathOf(node)] ?? 0, most)]!])),
    legend: [["few commits", HEAT[0]!], [`up to ${most}`, HEAT[4]!]],
  };
}
