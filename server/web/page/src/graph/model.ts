// Graphs as the server sends them.
import type { FileRow, SymbolRow } from "../api";

export interface ModuleRow { path: string; name: string; kind: string; version: string }
export interface Folder { path: string; count: number }
export type GraphNode = SymbolRow | FileRow | ModuleRow | Folder;
export interface GraphEdge { start: string; end: string; label: string; count: number }
export interface DrawnGraph { kind: "symbol" | "file" | "module" | "folder"; nodes: GraphNode[]; edges: GraphEdge[]; total: number }

/** Steps from a node of each kind, with their titles. */
export const STEPS: Record<DrawnGraph["kind"], readonly (readonly [string, string])[]> = {
  symbol: [["callers", "callers"], ["callees", "callees"], ["referenced_by", "referenced by"], ["references", "references"], ["members", "members"],
    ["parents", "enclosing"], ["base_types", "base types"], ["subtypes", "subtypes"], ["types", "types"], ["tests", "tests"],
    ["tables", "tables"], ["columns", "columns"], ["read_by", "read by"], ["modified_by", "modified by"], ["mapped_by", "mapped by"], ["sections", "documents"]],
  file: [["imports", "imports"], ["importers", "importers"]],
  module: [["dependencies", "dependencies"], ["dependants", "dependants"], ["modules", "modules within"]],
  folder: [],
};

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

/** Most nodes that an address names one by one. */
const MOST_NAMED = 300;

/** Return the chain that gives symbols by their ids, or "" without any. */
export const chainOfSymbols = (ids: string[]): string => (ids.length ? `symbols(id__in=${JSON.stringify(ids.slice(0, MOST_NAMED))})` : "");
/** Return the chain that gives files by their paths, or "" without any. */
export const chainOfFiles = (paths: string[]): string => (paths.length ? `files(path__in=${JSON.stringify(paths.slice(0, MOST_NAMED))})` : "");
