// The repository at first sight: the tree of its files, a picture of their imports, and what changes together.
import { useMemo, useRef, useState } from "preact/hooks";
import { useAsked } from "./asked";
import { deepAddressOf } from "./graph/begin";
import { colorsOf, GROUPS } from "./graph/coloring";
import { communitiesOf, findingsOf } from "./graph/findings";
import { capitalized, DEEP_STEPS, folderChain, folderOf, foldersOf, keyOf, labelOf, quoted, type DrawnGraph } from "./graph/model";
import type { NodeAction } from "./graph/node_toolbar";
import { Picture, type PictureHandle } from "./graph/picture";
import { useIdle } from "./later";
import { FileTree } from "./map/file_tree";
import { edgesWithin, mutual, placeAt, prefixOf, type Place, type Together } from "./map/folders";
import { Matrix } from "./map/matrix";
import type { RepositoryMap } from "./map/repository_map";
import { Breaking } from "./prose";
import { link } from "./route";

/** More files are drawn as their folders. */
const MAX_FILES = 1500;
/** Maximum number of drawn folders; deeper folders are drawn as one. */
const MAX_FOLDERS = 400;
/** Number of levels of folders that are tried. */
const DEEPEST = 8;
/** Number of rows of the small matrix. */
const ROWS = 6;
/** Number of files in a list. */
const LISTED = 8;
const NOBODY: ReadonlyMap<string, null> = new Map();
const NOTHING: ReadonlySet<string> = new Set();

/** The tree is there at once. The rest is computed and drawn when the browser is idle, because somebody may type a question already. */
export function Overview({ map, generation }: { map: RepositoryMap; generation: number | null }) {
  const isIdle = useIdle();
  const [isDrawn, setDrawn] = useState(false);
  const graph = useMemo(() => (isIdle ? graphOf(map) : null), [map, isIdle]);
  return (
    <div class="overview">
      <FileTree root={map.root} color={(file) => (file.isTest ? GROUPS[2]! : GROUPS[9]!)} />
      {graph ? <Communities graph={graph} fileCount={map.files.length} settled={() => setDrawn(true)} /> : <Coming />}
      <aside aria-label="What stands out">
        <section class="card"><h2>Most connected</h2>{graph && <MostConnected graph={graph} />}</section>
        <ChangedTogether root={map.root} isAsked={isDrawn} generation={generation} />
      </aside>
    </div>
  );
}

/** The place of the picture before it is drawn. */
const Coming = () => <div class="canvas"><div class="picture" aria-busy="true" /></div>;

function MostConnected({ graph }: { graph: DrawnGraph }) {
  const { hubs } = useMemo(() => findingsOf(graph, LISTED), [graph]);
  if (hubs.length === 0) return <p class="note">No file imports another one.</p>;
  return <ul class="plain">{hubs.map((path) => <li key={path}><a href={addressOf(graph.kind, path)}><Breaking path={path} /></a></li>)}</ul>;
}

const addressOf = (kind: DrawnGraph["kind"], path: string): string => (kind === "folder" ? link("graph", { chain: folderChain(path) }) : link("file", { path }));

/** Return the files with their imports, or their folders if there are many. */
function graphOf({ files, imports }: RepositoryMap): DrawnGraph {
  const edges = imports.map(([start, end]) => ({ start: files[start]!.path, end: files[end]!.path, label: "IMPORTS", count: 1 }));
  const graph: DrawnGraph = { kind: "file", nodes: files, edges, total: files.length };
  if (files.length <= MAX_FILES) return graph;
  const folders = [...new Set(files.map(folderOf))].map((folder) => folder.split("/"));
  const countAt = (depth: number): number => new Set(folders.map((parts) => parts.slice(0, depth).join("/"))).size;
  let depth = DEEPEST;
  while (depth > 1 && countAt(depth) > MAX_FOLDERS) depth--;
  return foldersOf(graph, depth);
}

function Communities({ graph, fileCount, settled }: { graph: DrawnGraph; fileCount: number; settled: () => void }) {
  const handle = useRef<PictureHandle | null>(null);
  const isIdle = useIdle();
  const communities = useMemo(() => communitiesOf(graph), [graph]);
  const colors = useMemo(() => colorsOf(graph.nodes, "community", { files: [], churn: undefined, communities, distances: null }), [graph, communities]);
  const named = useMemo(() => new Map(graph.nodes.map((node) => [keyOf(node), node])), [graph]);
  const open = (key: string): void => { location.hash = addressOf(graph.kind, key); };
  function actionsOf(key: string): NodeAction[] {
    if (graph.kind === "folder") return [{ title: "Draw the folder", href: addressOf("folder", key) }];
    const steps = DEEP_STEPS.file.map(([step, title]) => ({
      title: capitalized(title), href: deepAddressOf({ key, chain: `files(path=${quoted(key)})` }, step),
    }));
    return [{ title: `Open ${labelOf(named.get(key)!)}`, href: addressOf("file", key) }, ...steps];
  }
  return (
    <div class="canvas">
      {isIdle ? (
        <Picture graph={graph} colors={colors.of} layout="force" isGrouped={false} pinned={NOBODY} chosen="" path={[]} lit={null} cyclic={NOTHING}
          handle={handle} pick={() => undefined} open={open} actions={actionsOf} settled={settled} />
      ) : <div class="picture" aria-busy="true" />}
      <p class="note counts">{fileCount.toLocaleString("en")} {fileCount === 1 ? "file" : "files"}{graph.kind === "folder" && ` in ${graph.nodes.length.toLocaleString("en")} folders`}, colored by community</p>
      <ul class="legend" aria-label="Communities">
        {colors.legend.map(([name, color]) => <li key={name}><svg width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill={color} /></svg> {name}</li>)}
      </ul>
      <p class="zoom"><a class="button" href={link("graph", { chain: "files()", color: "community" })}>Open in Graph</a></p>
    </div>
  );
}

/** The history is read after the picture is drawn, because both would take the time of the same processor. */
function ChangedTogether({ root, isAsked, generation }: { root: Place; isAsked: boolean; generation: number | null }) {
  const { answer, error } = useAsked<Together>("together", isAsked ? {} : null, generation);
  const edges = edgesWithin(root, mutual(answer?.pairs ?? []));
  const address = (path: string): string => (placeAt(root, path)?.file ? link("file", { path }) : link("map", { form: "together", folder: path }));
  return (
    <section class="card" aria-label="Changed together">
      <h2><a href={link("map", { form: "together" })}>Changed together</a></h2>
      {!answer && !error && <p class="note" role="status">The history is read …</p>}
      {(error || answer?.reason) && <p class="note">{error || answer?.reason}</p>}
      {answer && !answer.reason && <Matrix edges={edges} unit="common commits" verb="changes together with" prefix={prefixOf(edges)} address={address} rows={ROWS} />}
    </section>
  );
}
