// Map: the files of the repository as rectangles of their numbers of lines, and which folders import which.
import { hierarchy, treemap, type HierarchyRectangularNode } from "d3-hierarchy";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileRow } from "../api";
import { Shown, useAsked } from "../asked";
import { groupColors, GROUPS, HEAT, heatLegend, heatSteps, type Churn } from "../graph/coloring";
import { findingsOf } from "../graph/findings";
import { quoted, type DrawnGraph } from "../graph/model";
import type { PanelProps } from "../panels";
import { go, link } from "../route";

const MODES = { importance: "Importance", churn: "Churn", owner: "Owner", tests: "Tests", language: "Language" };
type Mode = keyof typeof MODES;

interface RepositoryMap { files: FileRow[]; imports: [number, number][] }
interface Place { name: string; path: string; file?: FileRow; inner: Map<string, Place> }

export function MapPanel({ values, generation }: PanelProps) {
  const asked = useAsked<RepositoryMap>("map", {}, generation);
  return <Shown asked={asked}>{(map) => map.files.length === 0
    ? <section class="empty"><h2>No files are indexed</h2><p>Look at the health of the index for files that were left out.</p></section>
    : <MapView map={map} values={values} generation={generation} />}</Shown>;
}

function MapView({ map, values, generation }: { map: RepositoryMap; values: URLSearchParams; generation: number | null }) {
  const folder = values.get("folder") ?? "";
  const mode = (values.get("color") ?? "importance") as Mode;
  const churn = useAsked<Churn>("churn", mode === "churn" || mode === "owner" ? {} : null, generation);
  const root = placeAt(treeOf(map.files), folder);
  const colors = colorsOf(map.files, mode, churn.answer);
  return (
    <>
      <div class="tools">
        <nav aria-label="Folder" class="crumbs">
          <a href={link("map", { color: mode })}>all</a>
          {folder.split("/").filter(Boolean).map((part, place, parts) => <span key={place}> / <a href={link("map", { color: mode, folder: parts.slice(0, place + 1).join("/") })}>{part}</a></span>)}
        </nav>
        <a class="button" href={link("graph", { chain: folder ? `files(path__under=${quoted(folder)})` : "files()", group: "collapsed" })}>Draw as a graph</a>
        <label>Color <select value={mode} onChange={(event) => go("map", { folder, color: event.currentTarget.value })}>{Object.entries(MODES).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        <ul class="legend-line">{colors.legend.map(([name, color]) => <li key={name}><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="3" fill={color} /></svg> {name}</li>)}</ul>
      </div>
      {churn.waits && <p class="waiting" role="status">The history is read …</p>}
      {churn.answer?.reason && <p class="notice">{churn.answer.reason}</p>}
      {root === undefined
        ? <p class="problem" role="alert">No folder “{folder}” is in the index. <a href={link("map")}>Show the whole repository.</a></p>
        : <div class="split wide"><Treemap root={root} color={colors.of} mode={mode} /><Imports map={map} root={root} mode={mode} /></div>}
    </>
  );
}

function treeOf(files: FileRow[]): Place {
  const root: Place = { name: "", path: "", inner: new Map() };
  for (const file of files) {
    let place = root;
    const parts = file.path.split("/");
    for (const [depth, part] of parts.entries()) {
      const path = parts.slice(0, depth + 1).join("/");
      const next: Place = place.inner.get(part) ?? { name: part, path, inner: new Map() };
      if (depth === parts.length - 1) next.file = file;
      place.inner.set(part, next);
      place = next;
    }
  }
  return root;
}

function placeAt(root: Place, folder: string): Place | undefined {
  let place: Place | undefined = root;
  for (const part of folder.split("/").filter(Boolean)) place = place?.inner.get(part);
  return place;
}

function colorsOf(files: FileRow[], mode: Mode, churn: Churn | undefined): { of: (file: FileRow) => string; legend: [string, string][] } {
  if (mode === "tests") return { of: (file) => (file.isTest ? GROUPS[2]! : GROUPS[9]!), legend: [["tests", GROUPS[2]!], ["other code", GROUPS[9]!]] };
  if (mode === "language" || mode === "owner") {
    const group = (file: FileRow): string => (mode === "language" ? file.language : churn?.authors[file.path] ?? "nobody yet");
    const groups = groupColors(files.map((file) => [group(file), file.lines]));
    return { of: (file) => groups.of(group(file)), legend: groups.legend };
  }
  const value = (file: FileRow): number => (mode === "churn" ? churn?.commits[file.path] ?? 0 : file.importance);
  const step = heatSteps(files.map(value));
  return { of: (file) => HEAT[step(value(file))]!, legend: heatLegend(files.map(value), mode) };
}

/** Pixels: rectangles below this side are not drawn, since nobody could point at them. */
const SMALLEST = 3;
/** Height of the name of a folder, in pixels. */
const HEAD = 18;

function Treemap({ root, color, mode }: { root: Place; color: (file: FileRow) => string; mode: Mode }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => { if (entry) setWidth(Math.round(entry.contentRect.width)); });
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const height = Math.max(420, Math.min(720, innerHeight - 190));
  const tree = hierarchy(root, (place) => [...place.inner.values()]).sum((place) => place.file?.lines ?? 0).sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = treemap<Place>().size([width, height]).paddingOuter(3).paddingTop((node) => (node.depth > 0 && node.x1 - node.x0 > 40 ? HEAD : 3)).paddingInner(1).round(true)(tree);
  const drawn = laid.descendants().filter((node) => node.depth > 0 && node.x1 - node.x0 >= SMALLEST && node.y1 - node.y0 >= SMALLEST);
  return (
    <div ref={box} class="treemap">
      <svg width={width} height={height} role="group" aria-label={`Files of ${root.path || "the repository"} by lines`}>
        {drawn.map((node) => <Rectangle key={node.data.path} node={node} color={color} mode={mode} />)}
      </svg>
    </div>
  );
}

function Rectangle({ node, color, mode }: { node: HierarchyRectangularNode<Place>; color: (file: FileRow) => string; mode: Mode }) {
  const { data: { name, path, file }, x0, y0, x1, y1 } = node;
  const [width, height] = [x1 - x0, y1 - y0];
  const lines = `${(node.value ?? 0).toLocaleString("en")} lines`;
  const title = file ? `${path}: ${lines}, importance ${file.importance.toLocaleString("en")}` : `${path}: ${lines}`;
  const letters = Math.floor((width - 8) / 7);
  const hasLabel = letters >= 3 && height >= 16;
  return (
    <a href={file ? link("file", { path }) : link("map", { color: mode, folder: path })} aria-label={title} tabIndex={node.depth === 1 ? 0 : -1}>
      <title>{title}</title>
      <rect x={x0} y={y0} width={width} height={height} rx={3} class={file ? "leaf" : "folder"} fill={file ? color(file) : undefined} />
      {hasLabel && <text x={x0 + 5} y={y0 + 13} class={file ? "on-leaf" : "on-folder"}>{name.length > letters ? `${name.slice(0, letters - 1)}…` : name}</text>}
    </a>
  );
}

/** Which folder or file directly below the root imports which, and which of them form cycles. */
function Imports({ map, root, mode }: { map: RepositoryMap; root: Place; mode: Mode }) {
  const prefix = root.path ? `${root.path}/` : "";
  const child = (file: FileRow | undefined): string | null =>
    file?.path.startsWith(prefix) ? prefix + (file.path.slice(prefix.length).split("/")[0] ?? "") : null;
  const counts = new Map<string, number>();
  for (const [start, end] of map.imports) {
    const [from, to] = [child(map.files[start]), child(map.files[end])];
    if (from !== null && to !== null && from !== to) counts.set(`${from}\0${to}`, (counts.get(`${from}\0${to}`) ?? 0) + 1);
  }
  const edges = [...counts].sort((a, b) => b[1] - a[1]).map(([pair, count]) => ({ start: pair.split("\0")[0]!, end: pair.split("\0")[1]!, label: "IMPORTS", count }));
  const paths = [...new Set(edges.flatMap((edge) => [edge.start, edge.end]))];
  const graph: DrawnGraph = { kind: "folder", nodes: paths.map((path) => ({ path, count: 1 })), edges, total: paths.length };
  const { cycles } = findingsOf(graph);
  const address = (path: string): string => (placeAt(root, path.slice(prefix.length))?.file ? link("file", { path }) : link("map", { color: mode, folder: path }));
  return (
    <aside aria-label="Imports between folders">
      {cycles.map((cycle) => (
        <section class="card cycle" key={cycle.join()}><h2>Cycle of {cycle.length}</h2><ul>{cycle.map((path) => <li key={path}><a href={address(path)}>{path}</a></li>)}</ul></section>
      ))}
      <section class="card"><h2>Imports between folders</h2>
        {edges.length === 0 && <p class="note">Nothing here imports its neighbors.</p>}
        <ul>{edges.slice(0, 40).map((edge) => <li key={edge.start + edge.end}><a href={address(edge.start)}>{edge.start.slice(prefix.length)}</a> → <a href={address(edge.end)}>{edge.end.slice(prefix.length)}</a> <span class="count">{edge.count}</span></li>)}</ul>
      </section>
    </aside>
  );
}
