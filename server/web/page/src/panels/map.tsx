// Map: the files of the repository as rectangles of their numbers of lines or as a tree, and which folders import which.
import { hierarchy, treemap, type HierarchyRectangularNode } from "d3-hierarchy";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileRow } from "../api";
import { Shown, useAsked } from "../asked";
import { groupColors, GROUPS, HEAT, heatLegend, heatSteps, type Churn } from "../graph/coloring";
import { findingsOf } from "../graph/findings";
import { quoted, type DrawnGraph } from "../graph/model";
import type { PanelProps } from "../panels";
import { Place as PlaceLink, ResultTable } from "../table";
import { FileTree } from "../map/file_tree";
import { edgesWithin, mutual, placeAt, prefixOf, type FolderEdge, type Place, type Together } from "../map/folders";
import { Matrix } from "../map/matrix";
import { useMap, type RepositoryMap } from "../map/repository_map";
import { counted } from "../prose";
import { go, link } from "../route";

const MODES = { importance: "Importance", churn: "Churn", owner: "Owner", tests: "Tests", language: "Language" };
type Mode = keyof typeof MODES;
const FORMS = { rectangles: "Rectangles", tree: "Tree", matrix: "Matrix of imports", together: "Changed together" };
type Form = keyof typeof FORMS;

export function MapPanel({ values, generation }: PanelProps) {
  const asked = useMap(generation);
  return <Shown asked={asked}>{(map) => map.files.length === 0
    ? <section class="empty"><h2>No files are indexed</h2><p>Look at the health of the index for files that were left out.</p></section>
    : <MapView map={map} values={values} generation={generation} />}</Shown>;
}

function MapView({ map, values, generation }: { map: RepositoryMap; values: URLSearchParams; generation: number | null }) {
  const folder = values.get("folder") ?? "";
  const mode = (values.get("color") ?? "importance") as Mode;
  const form = (values.get("form") ?? "rectangles") as Form;
  const churn = useAsked<Churn>("churn", mode === "churn" || mode === "owner" ? {} : null, generation);
  const together = useAsked<Together>("together", form === "together" ? {} : null, generation);
  const root = placeAt(map.root, folder);
  const colors = colorsOf(map.files, mode, churn.answer);
  const to = (address: Record<string, string>): Record<string, string> => ({ color: mode, form: form === "rectangles" ? "" : form, folder, ...address });
  const isColored = form === "rectangles" || form === "tree";
  return (
    <>
      <div class="tools">
        <nav aria-label="Folder" class="crumbs">
          <a href={link("map", to({ folder: "" }))}>all</a>
          {folder.split("/").filter(Boolean).map((part, place, parts) => <span key={place}> / <a href={link("map", to({ folder: parts.slice(0, place + 1).join("/") }))}>{part}</a></span>)}
        </nav>
        <a class="button" href={link("graph", { chain: folder ? `files(path__under=${quoted(folder)})` : "files()", group: "collapsed" })}>Draw as a graph</a>
        <label>Form <select value={form} onChange={(event) => go("map", to({ form: event.currentTarget.value }))}>{Object.entries(FORMS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        {isColored && <label>Color <select value={mode} onChange={(event) => go("map", to({ color: event.currentTarget.value }))}>{Object.entries(MODES).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>}
        {isColored && <ul class="legend-line">{colors.legend.map(([name, color]) => <li key={name}><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="3" fill={color} /></svg> {name}</li>)}</ul>}
      </div>
      {(churn.waits || together.waits) && <p class="waiting" role="status">The history is read …</p>}
      {[churn.answer?.reason, together.answer?.reason].map((reason) => reason && <p class="notice" key={reason}>{reason}</p>)}
      {together.error && <p class="problem" role="alert">{together.error}</p>}
      {root === undefined
        ? <p class="problem" role="alert">No folder “{folder}” is in the index. <a href={link("map")}>Show the whole repository.</a></p>
        : <Formed root={root} form={form} map={map} together={together.answer} color={colors.of} to={to} />}
    </>
  );
}

interface FormedProps {
  root: Place;
  form: Form;
  map: RepositoryMap;
  together: Together | undefined;
  color: (file: FileRow) => string;
  to: (address: Record<string, string>) => Record<string, string>;
}

function Formed({ root, form, map, together, color, to }: FormedProps) {
  const pathOf = (place: number): string => map.files[place]?.path ?? "";
  const imports = map.imports.map(([start, end]): [string, string, number] => [pathOf(start), pathOf(end), 1]);
  const inside = root.path ? `${root.path}/` : "";
  const edges = edgesWithin(root, imports);
  const address = (path: string): string => (placeAt(root, path.slice(inside.length))?.file ? link("file", { path }) : link("map", to({ folder: path })));
  if (form === "matrix") return <Matrix edges={edges} unit="imports" verb="imports" prefix={prefixOf(edges)} address={address} />;
  if (form === "together") {
    if (!together) return null;
    const pairs = together.pairs.filter(({ one, other }) => one.startsWith(inside) && other.startsWith(inside));
    const common = edgesWithin(root, mutual(pairs));
    return (
      <>
        <Matrix edges={common} unit="common commits" verb="changes together with" prefix={prefixOf(common)} address={address} />
        <div class="card">
          <h2>Files that change together</h2>
          <ResultTable label="Files that change together" columns={["file", "changes with", "common commits", "share of its commits"]}
            rows={pairs.map(({ one, other, support, confidence }) => [new PlaceLink(one), new PlaceLink(other), support, Math.round(100 * confidence) / 100])} />
        </div>
      </>
    );
  }
  return (
    <div class="split wide">
      {form === "tree" ? <FileTree root={root} color={color} /> : <Treemap root={root} color={color} to={to} />}
      <Imports edges={edges} prefix={prefixOf(edges)} address={address} />
    </div>
  );
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

function Treemap({ root, color, to }: Pick<FormedProps, "root" | "color" | "to">) {
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
        {drawn.map((node) => <Rectangle key={node.data.path} node={node} color={color} to={to} />)}
      </svg>
    </div>
  );
}

function Rectangle({ node, color, to }: { node: HierarchyRectangularNode<Place> } & Pick<FormedProps, "color" | "to">) {
  const { data: { name, path, file }, x0, y0, x1, y1 } = node;
  const [width, height] = [x1 - x0, y1 - y0];
  const lines = counted(node.value ?? 0, "line");
  const title = file ? `${path}: ${lines}, importance ${file.importance.toLocaleString("en")}` : `${path}: ${lines}`;
  const letters = Math.floor((width - 8) / 7);
  const hasLabel = letters >= 3 && height >= 16;
  return (
    <a href={file ? link("file", { path }) : link("map", to({ folder: path }))} aria-label={title} tabindex={node.depth === 1 ? 0 : -1}>
      <title>{title}</title>
      <rect x={x0} y={y0} width={width} height={height} rx={3} class={file ? "leaf" : "folder"} fill={file ? color(file) : undefined} />
      {hasLabel && <text x={x0 + 5} y={y0 + 13} class={file ? "on-leaf" : "on-folder"}>{name.length > letters ? `${name.slice(0, letters - 1)}…` : name}</text>}
    </a>
  );
}

/** Which folder or file directly below the root imports which, and which of them form cycles. */
function Imports({ edges, prefix, address }: { edges: FolderEdge[]; prefix: string; address: (path: string) => string }) {
  const paths = [...new Set(edges.flatMap((edge) => [edge.start, edge.end]))];
  const graph: DrawnGraph = { kind: "folder", nodes: paths.map((path) => ({ path, count: 1 })), edges: edges.map((edge) => ({ ...edge, label: "IMPORTS" })), total: paths.length };
  const { cycles } = findingsOf(graph);
  return (
    <aside aria-label="Imports between folders">
      {cycles.map((cycle) => (
        <section class="card cycle" key={cycle.join()}><h2>Cycle of {cycle.length}</h2><ul>{cycle.map((path) => <li key={path}><a href={address(path)}>{path}</a></li>)}</ul></section>
      ))}
      <section class="card"><h2>Imports between folders{prefix && ` of ${prefix}`}</h2>
        {edges.length === 0 && <p class="note">Nothing here imports its neighbors.</p>}
        <ul>{edges.slice(0, 40).map((edge) => <li key={edge.start + edge.end}><a href={address(edge.start)}>{edge.start.slice(prefix.length)}</a> → <a href={address(edge.end)}>{edge.end.slice(prefix.length)}</a> <span class="count">{edge.count}</span></li>)}</ul>
      </section>
    </aside>
  );
}
