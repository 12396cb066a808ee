// The files of the repository as a tree of folders, and the edges between the entries of one folder.
import type { FileRow } from "../api";

/** Pairs of files that the same commits changed, or why nobody knows. */
export interface Together { pairs: { one: string; other: string; support: number; confidence: number }[]; reason: string }
/** A folder or a file, with what the folder contains by its names. */
export interface Place { name: string; path: string; file?: FileRow; lines: number; inner: Map<string, Place> }
/** An edge between two entries of a folder, with the number of edges between files that it stands for. */
export interface FolderEdge { start: string; end: string; count: number }

export function treeOf(files: FileRow[]): Place {
  const root: Place = { name: "", path: "", lines: 0, inner: new Map() };
  for (const file of files) {
    let place = root;
    root.lines += file.lines;
    for (const part of file.path.split("/")) {
      let next = place.inner.get(part);
      if (!next) {
        next = { name: part, path: place.path ? `${place.path}/${part}` : part, lines: 0, inner: new Map() };
        place.inner.set(part, next);
      }
      next.lines += file.lines;
      place = next;
    }
    place.file = file;
  }
  return root;
}

export function placeAt(root: Place, folder: string): Place | undefined {
  let place: Place | undefined = root;
  for (const part of folder.split("/").filter(Boolean)) place = place?.inner.get(part);
  return place;
}

/** Return both directions of each pair. The server lists a direction alone if the other file changes much more often. */
export function mutual(pairs: Together["pairs"]): [string, string, number][] {
  const known = new Map<string, [string, string, number]>();
  for (const { one, other, support } of pairs) {
    known.set(`${one}\0${other}`, [one, other, support]);
    known.set(`${other}\0${one}`, [other, one, support]);
  }
  return [...known.values()];
}

/** Return the beginning that the paths of all edges have: that of the deepest folder around them, with a slash, or nothing. */
export function prefixOf(edges: readonly FolderEdge[]): string {
  const paths = edges.flatMap(({ start, end }) => [start, end]);
  const [first = "", ...others] = paths;
  const parts = first.split("/").slice(0, -1);
  const shared = parts.findIndex((part, place) => others.some((path) => path.split("/")[place] !== part || path.split("/").length <= place + 1));
  return parts.slice(0, shared === -1 ? parts.length : shared).map((part) => `${part}/`).join("");
}

/**
 * Return the edges between the entries of a folder, the heaviest first, from pairs of paths with their counts.
 *
 * Where an entry hides more than half of all edges, its own entries replace it, because most repositories have their code in one
 * folder. Where all entries hide all edges, those of the entry with the most replace it too.
 */
export function edgesWithin(folder: Place, pairs: readonly [string, string, number][]): FolderEdge[] {
  const inside = pairs.filter(([from, to]) => from !== to && isWithin(folder.path, from) && isWithin(folder.path, to));
  const total = inside.reduce((sum, [, , count]) => sum + count, 0);
  const opened = new Set([folder.path]);
  for (;;) {
    const [edges, hidden] = edgesBetween(inside, opened);
    const [path, count] = [...hidden].reduce((one, other) => (other[1] > one[1] ? other : one), ["", 0]);
    if (count === 0 || (edges.length > 0 && 2 * count <= total)) return edges;
    opened.add(path);
  }
}

const isWithin = (folder: string, path: string): boolean => folder === "" || path.startsWith(`${folder}/`);

/** Return the edges between the entries of opened folders, and the number of edges within each entry. */
function edgesBetween(pairs: readonly [string, string, number][], opened: ReadonlySet<string>): [FolderEdge[], Map<string, number>] {
  const edges = new Map<string, FolderEdge>();
  const hidden = new Map<string, number>();
  for (const [from, to, count] of pairs) {
    const [start, end] = [entryOf(from, opened), entryOf(to, opened)];
    const known = edges.get(`${start}\0${end}`);
    if (start === end) hidden.set(start, (hidden.get(start) ?? 0) + count);
    else if (known) known.count += count;
    else edges.set(`${start}\0${end}`, { start, end, count });
  }
  return [[...edges.values()].sort((a, b) => b.count - a.count), hidden];
}

/** Return the first folder around a path that is not opened, or the path itself. */
function entryOf(path: string, opened: ReadonlySet<string>): string {
  let entry = "";
  for (const part of path.split("/")) {
    entry = entry ? `${entry}/${part}` : part;
    if (!opened.has(entry) && opened.has(entry.slice(0, Math.max(0, entry.length - part.length - 1)))) return entry;
  }
  return path;
}
