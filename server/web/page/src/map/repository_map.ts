// The map of the repository: its files with their imports, as the server sends them in columns.
import { useMemo } from "preact/hooks";
import type { FileRow } from "../api";
import { useAsked, type Asked } from "../asked";
import { treeOf, type Place } from "./folders";

export interface RepositoryMap {
  files: FileRow[];
  /** Indices of the importing file and of the imported file. */
  imports: [number, number][];
  /** The files as a tree of folders. */
  root: Place;
}

/** One value for each file, and for `importers` and `imported` one for each import. */
interface Columns {
  folders: string[];
  languages: string[];
  folder: number[];
  name: string[];
  language: number[];
  lines: number[];
  importance: number[];
  tests: number[];
  importers: number[];
  imported: number[];
}

/** Ask for the map of a generation, if a view needs it. */
export function useMap(generation: number | null, isNeeded = true): Asked<RepositoryMap> {
  const asked = useAsked<Columns>("map", isNeeded ? {} : null, generation);
  const answer = useMemo(() => asked.answer && mapOf(asked.answer), [asked.answer]);
  return { ...asked, answer };
}

function mapOf(columns: Columns): RepositoryMap {
  const tests = new Set(columns.tests);
  const files = columns.name.map((name, place): FileRow => {
    const folder = columns.folders[columns.folder[place]!]!;
    return {
      path: folder ? `${folder}/${name}` : name, language: columns.languages[columns.language[place]!]!, lines: columns.lines[place]!,
      isTest: tests.has(place), importance: columns.importance[place]!,
    };
  });
  return { files, imports: columns.importers.map((start, place) => [start, columns.imported[place]!]), root: treeOf(files) };
}
