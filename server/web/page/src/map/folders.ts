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

/** Return the folder whose entries the edges join: the given one, or else the entry with the most edges within, and so on. */
export function branchingFolder(folder: Place, pairs: readonly [string, string, number][]): Place {
  let place = folder;
  while (edgesWithin(place, pairs).length === 0) {
    const depth = place.path ? place.path.split("/").length : 0;
    const counts = new Map<string, number>();
    for (const [from, to] of pairs) {
      if (place.path && !from.startsWith(`${place.path}/`)) continue;
      const entry = from.split("/")[depth] ?? "";
      if (from !== to && to.startsWith(`${place.path && `${place.path}/`}${entry}/`)) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    }
    const [fullest] = [...counts].sort((one, other) => other[1] - one[1]);
    if (!fullest) return folder;
    place = place.inner.get(fullest[0])!;
  }
  return place;
}

/** Return the edges between the entries directly in a folder, the heaviest first, from pairs of paths with their counts. */
export function edgesWithin(folder: Place, pairs: Iterable<[string, string, number]>): FolderEdge[] {
  const prefix = folder.path ? `${folder.path}/` : "";
  const entryOf = (path: string): string | null => (path.startsWith(prefix) ? prefix + (path.slice(prefix.length).split("/")[0] ?? "") : null);
  const edges = new Map<string, FolderEdge>();
  for (const [from, to, count] of pairs) {
    const [start, end] = [entryOf(from), entryOf(to)];
    if (start === null || end === null || start === end) continue;
    const known = edges.get(`${start}\0${end}`);
    if (known) known.count += count;
    else edges.set(`${start}\0${end}`, { start, end, count });
  }
  return [...edges.values()].sort((a, b) => b.count - a.count);
}
