// Graphs as the server sends them.
import type { FileRow, SymbolRow } from "../api";

export interface ModuleRow { path: string; name: string; kind: string; version: string }
export interface Folder { path: string; count: number }
export type GraphNode = SymbolRow | FileRow | ModuleRow | Folder;
export interface GraphEdge { start: string; end: string; label: string; count: number }
export interface DrawnGraph { kind: "symbol" | "file" | "module" | "folder"; nodes: GraphNode[]; edges: GraphEdge[]; total: number }

/** Steps from a node of each kind by the direction of their edges, with their titles. */
export const STEPS: Record<DrawnGraph["kind"], { incoming: [string, string][]; outgoing: [string, string][] }> = {
  symbol: {
    incoming: [["callers", "callers"], ["referenced_by", "referenced by"], ["tests", "tests"], ["parents", "enclosing"], ["subtypes", "subtypes"],
      ["overridden_by", "overridden by"], ["read_by", "read by"], ["modified_by", "modified by"], ["mapped_by", "mapped by"], ["sections", "documents"]],
    outgoing: [["callees", "callees"], ["references", "references"], ["members", "members"], ["base_types", "base types"], ["overrides", "overrides"],
      ["types", "types"], ["tables", "tables"], ["columns", "columns"], ["maps_to", "maps to"]],
  },
  file: { incoming: [["importers", "importers"]], outgoing: [["imports", "imports"]] },
  module: { incoming: [["dependants", "dependants"]], outgoing: [["dependencies", "dependencies"], ["modules", "modules within"]] },
  folder: { incoming: [], outgoing: [] },
};

/** Kinds of declarations that are rarely called, but have members and subtypes. */
const TYPES = new Set(["class", "interface", "struct", "trait", "enum", "type"]);

/** Return the steps that show what is around a node at first: `declaration` is the kind of a symbol. */
export function firstSteps(kind: DrawnGraph["kind"], declaration: string): string[] {
  if (kind === "file") return ["imports", "importers"];
  if (kind === "module") return ["dependencies", "dependants"];
  return TYPES.has(declaration) ? ["members", "base_types", "subtypes", "referenced_by"] : ["callers", "callees"];
}

/** Steps over three edges from a node of each kind, with their titles. */
export const DEEP_STEPS: Record<DrawnGraph["kind"], [string, string][]> = {
  symbol: [["reached", "reached by a change"], ["flow", "flow of calls"]],
  file: [["reached", "reached by a change"], ["needed", "all that it needs"]],
  module: [],
  folder: [],
};

/** Return the text with a capital letter at its beginning. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const keyOf = (node: GraphNode): string => ("id" in node ? node.id : node.path);
export const pathOf = (node: GraphNode): string => node.path;
export const folderOf = (node: GraphNode): string => ("count" in node ? node.path : node.path.split("/").slice(0, -1).join("/") || ".");
export function labelOf(node: GraphNode): string {
  if ("id" in node) return node.qualifiedName;
  if ("version" in node) return node.name;
  return "count" in node ? node.path : node.path.split("/").at(-1) ?? node.path;
}
export function placeOf(node: GraphNode): string {
  if ("id" in node) return `${node.path}:${node.startLine}`;
  return "count" in node ? `${node.count.toLocaleString("en")} nodes` : node.path;
}
export function weightOf(node: GraphNode): number {
  return "importance" in node ? node.importance : "count" in node ? node.count * 100 : 1000;
}

/** Return the graph whose nodes are the folders of the nodes, with the numbers of edges between them. Deeper folders belong to that at the given depth. */
export function foldersOf(graph: DrawnGraph, depth = Infinity): DrawnGraph {
  if (graph.kind === "folder") return graph;
  const folders = new Map(graph.nodes.map((node) => [keyOf(node), folderOf(node).split("/").slice(0, depth).join("/")]));
  const counts = new Map<string, number>();
  for (const folder of folders.values()) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const edges = new Map<string, GraphEdge>();
  for (const edge of graph.edges) {
    const [start, end] = [folders.get(edge.start), folders.get(edge.end)];
    if (start === undefined || end === undefined || start === end) continue;
    const known = edges.get(`${start}\0${end}`);
    if (known) known.count += edge.count;
    else edges.set(`${start}\0${end}`, { start, end, label: "", count: edge.count });
  }
  return { kind: "folder", nodes: [...counts].map(([path, count]) => ({ path, count })), edges: [...edges.values()], total: graph.nodes.length };
}

/** Maximum number of nodes that an address names one by one. */
const MAX_NAMED = 300;

/** Return the text as a literal of a chain. */
export const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
/** Return the chain that gives the files of a folder. */
export const folderChain = (folder: string): string => (folder === "." ? "files()" : `files(path__under=${quoted(folder)})`);
/** Return the chain that gives symbols by their ids, or "" without any. */
export const chainOfSymbols = (ids: string[]): string => (ids.length ? `symbols(id__in=${JSON.stringify(ids.slice(0, MAX_NAMED))})` : "");
/** Return the chain that gives files by their paths, or "" without any. */
export const chainOfFiles = (paths: string[]): string => (paths.length ? `files(path__in=${JSON.stringify(paths.slice(0, MAX_NAMED))})` : "");
