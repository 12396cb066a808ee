// Colors of nodes by kind, folder, community, distance, language, churn or owner, with a legend.
import type { GraphNode } from "./model";
import { folderOf, keyOf, pathOf } from "./model";

export const COLORINGS = { kind: "Kind", folder: "Folder", community: "Community", distance: "Distance", language: "Language", churn: "Churn", owner: "Owner" };
export type Coloring = keyof typeof COLORINGS;

/** Colors of groups, in the order of their sizes; each stands out from white and from black. */
export const GROUPS = ["#2f7ed8", "#c2571a", "#2a8f5b", "#a14bb8", "#b8860b", "#c23b5a", "#3a8fa3", "#7a7f3a", "#7d6bb0", "#6b7280"];
/** Entry of the legend for all groups without a color of their own. */
const OTHERS = "others";
/** Entry of the legend for nodes that the chosen node does not reach. */
const NOT_REACHED = "not connected";
/** From cold to hot. */
export const HEAT = ["#5b7aa8", "#7d8f9c", "#b8963a", "#cc6f2c", "#c4352f"];

/** For each file the number of commits that changed it and the author of most of them, or why nobody knows. */
export interface Churn { commits: Record<string, number>; authors: Record<string, string>; reason: string }

export interface Colors {
  of: Record<string, string>;
  legend: [string, string][];
  /** Whether each entry of the legend is a group of nodes. */
  isGrouped: boolean;
  /** The entry of the legend for a node. */
  groupOf: (key: string) => string;
}

/** What colors need besides the nodes. */
export interface ColorSources {
  files: { path: string; language: string }[];
  churn: Churn | undefined;
  communities: ReadonlyMap<string, string> | null;
  /** Numbers of edges from the chosen node. */
  distances: ReadonlyMap<string, number> | null;
}

export function colorsOf(nodes: GraphNode[], coloring: Coloring, { files, churn, communities, distances }: ColorSources): Colors {
  if (coloring === "churn") return heatOf(nodes, churn?.commits ?? {});
  if (coloring === "distance") return distanceColors(nodes, distances);
  const languages = new Map(files.map((file) => [file.path, file.language]));
  const group = (node: GraphNode): string => {
    if (coloring === "folder") return "count" in node ? node.path.split("/").slice(0, 2).join("/") : folderOf(node);
    if (coloring === "community") return communities?.get(keyOf(node)) ?? OTHERS;
    if (coloring === "owner") return churn?.authors[pathOf(node)] ?? "nobody yet";
    if (coloring === "language") return languages.get(pathOf(node)) ?? "unknown";
    return "kind" in node ? node.kind : "count" in node ? "folder" : "file";
  };
  const groups = groupColors(nodes.map((node) => [group(node), 1]));
  const named = new Set(groups.legend.map(([name]) => name));
  const members = new Map(nodes.map((node) => [keyOf(node), named.has(group(node)) ? group(node) : OTHERS]));
  return {
    of: Object.fromEntries(nodes.map((node) => [keyOf(node), groups.of(group(node))])), legend: groups.legend,
    isGrouped: true, groupOf: (key) => members.get(key) ?? OTHERS,
  };
}

/** Return a color for each group by its weight: the heaviest have their own, and the rest share the last one. */
export function groupColors(members: [string, number][]): { of: (name: string) => string; legend: [string, string][] } {
  const weights = new Map<string, number>();
  for (const [name, weight] of members) weights.set(name, (weights.get(name) ?? 0) + weight);
  const names = [...weights].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const places = new Map(names.map((name, place) => [name, Math.min(place, GROUPS.length - 1)]));
  const of = (name: string): string => GROUPS[places.get(name) ?? GROUPS.length - 1]!;
  const legend = names.slice(0, GROUPS.length - 1).map((name): [string, string] => [name, of(name)]);
  if (names.length >= GROUPS.length) legend.push([OTHERS, GROUPS.at(-1)!]);
  return { of, legend };
}

/** Return the function that gives the step of a value in `HEAT`. Above zero, each step has about the same number of values, as most are small. */
export function heatSteps(values: number[]): (value: number) => number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  const bounds = [0.4, 0.7, 0.9, 0.98].map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return (value) => (value > 0 ? bounds.filter((bound) => value > bound).length : 0);
}

/** Return the legend of `HEAT` for values of a unit. */
export function heatLegend(values: number[], unit: string): [string, string][] {
  const most = values.reduce((highest, value) => Math.max(highest, value), 0);
  return HEAT.map((color, step) => [step === 0 ? `little ${unit}` : step === HEAT.length - 1 ? `up to ${most.toLocaleString("en")}` : "", color]);
}

/** The chosen node is hot, and nodes that are further from it are colder. */
function distanceColors(nodes: GraphNode[], distances: ReadonlyMap<string, number> | null): Colors {
  const farthest = HEAT.length - 1;
  const names = ["the chosen node", ...Array.from({ length: farthest - 1 }, (_, place) => (place ? `${place + 1} edges` : "1 edge")), `${farthest} edges or more`];
  const step = (key: string): number | null => (distances?.has(key) ? Math.min(distances.get(key)!, farthest) : null);
  const groupOf = (key: string): string => { const found = step(key); return found === null ? NOT_REACHED : names[found]!; };
  const colorOf = (key: string): string => { const found = step(key); return found === null ? GROUPS.at(-1)! : HEAT[farthest - found]!; };
  return {
    of: Object.fromEntries(nodes.map((node) => [keyOf(node), colorOf(keyOf(node))])),
    legend: [...names.map((name, place): [string, string] => [name, HEAT[farthest - place]!]), [NOT_REACHED, GROUPS.at(-1)!]],
    isGrouped: true, groupOf,
  };
}

function heatOf(nodes: GraphNode[], commits: Record<string, number>): Colors {
  const values = Object.values(commits);
  const step = heatSteps(values);
  return {
    of: Object.fromEntries(nodes.map((node) => [keyOf(node), HEAT[step(commits[pathOf(node)] ?? 0)]!])),
    legend: heatLegend(values, "churn"), isGrouped: false, groupOf: () => "",
  };
}
