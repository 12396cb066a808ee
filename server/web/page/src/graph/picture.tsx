// The picture of a graph: cytoscape.js draws it. Positions stay where they are when nodes are added.
import cytoscape, { type Core, type ElementDefinition, type LayoutOptions } from "cytoscape";
import dagre from "cytoscape-dagre";
import fcose from "cytoscape-fcose";
import { hierarchy, pack } from "d3-hierarchy";
import { useEffect, useRef } from "preact/hooks";
import type { DrawnGraph } from "./model";
import { folderOf, keyOf, labelOf, weightOf } from "./model";

// cytoscape.js adds an inline style, which the page's policy forbids, unless there is an element of this id; `.picture` has its rule.
const styles = document.querySelector("link[rel=stylesheet]");
if (styles) styles.id = "__________cytoscape_stylesheet";

cytoscape.use(fcose);
cytoscape.use(dagre);

export const LAYOUTS = { force: "Force", layered: "Layered", folder: "By folder" };
export type Layout = keyof typeof LAYOUTS;
/** Above this number, a layout gives up quality for time, and labels appear only near by. */
const MANY = 400;

interface PictureProps {
  graph: DrawnGraph;
  colors: Record<string, string>;
  layout: Layout;
  isGrouped: boolean;
  pinned: Set<string>;
  chosen: string;
  path: string[];
  found: string[] | null;
  cyclic: Set<string>;
  core: { current: Core | null };
  pick: (key: string) => void;
}

export function Picture(props: PictureProps) {
  const { graph, colors, core } = props;
  const box = useRef<HTMLDivElement>(null);
  const pick = useRef(props.pick);
  pick.current = props.pick;
  const shape = `${props.layout} ${props.isGrouped} ${graph.nodes.map(keyOf).join(" ")} ${graph.edges.length}`;
  useEffect(() => {
    if (!box.current) return undefined;
    const made = cytoscape({ container: box.current, pixelRatio: "auto", hideEdgesOnViewport: graph.edges.length > 3000, textureOnViewport: graph.nodes.length > MANY });
    core.current = made;
    made.on("tap", (event) => pick.current(event.target === made || event.target.isEdge() || event.target.isParent() ? "" : event.target.id()));
    return () => {
      made.destroy();
      core.current = null;
    };
  }, []);
  useEffect(() => {
    const made = core.current;
    if (!made) return;
    const before = new Map(made.nodes().map((node) => [node.id(), { ...node.position() }]));
    made.elements().remove();
    made.add(elementsOf(props));
    for (const [key, position] of before) made.getElementById(key).position(position);
    for (const key of props.pinned) made.getElementById(key).lock();
    made.layout(layoutOf(props, before.size > 0)).run();
    made.fit(undefined, 30);
  }, [shape]);
  useEffect(() => {
    const made = core.current;
    if (!made) return;
    made.style(styleOf(graph.nodes.length > MANY));
    const [found, path] = [props.found && new Set(props.found), new Set(props.path)];
    made.batch(() => {
      made.nodes().forEach((node) => {
        const id = node.id();
        node.data("color", colors[id] ?? "#6b7280");
        node.toggleClass("chosen", id === props.chosen).toggleClass("cyclic", props.cyclic.has(id)).toggleClass("pinned", props.pinned.has(id));
        node.toggleClass("path", path.has(id)).toggleClass("faded", found !== null && !found.has(id) && !node.isParent());
        if (props.pinned.has(id)) node.lock();
        else node.unlock();
      });
      made.edges().forEach((edge) => {
        edge.toggleClass("path", path.has(edge.source().id()) && path.has(edge.target().id()));
      });
    });
  });
  useEffect(() => {
    const redraw = (): void => { core.current?.style(styleOf(graph.nodes.length > MANY)); };
    const watch = new MutationObserver(redraw);
    watch.observe(document.documentElement, { attributes: true });
    return () => watch.disconnect();
  }, []);
  const about = `A graph of ${graph.nodes.length} nodes and ${graph.edges.length} edges. The list beside it has the same nodes.`;
  return <div ref={box} class="picture" role="img" aria-label={about} />;
}

function elementsOf({ graph, isGrouped, colors }: PictureProps): ElementDefinition[] {
  const folders = isGrouped ? [...new Set(graph.nodes.map(folderOf))].map((folder) => ({ data: { id: `/${folder}`, label: folder }, selectable: false })) : [];
  const heaviest = Math.max(1, ...graph.nodes.map(weightOf));
  const nodes = graph.nodes.map((node) => ({
    data: {
      id: keyOf(node), label: labelOf(node), color: colors[keyOf(node)] ?? "#6b7280",
      size: 14 + 34 * Math.sqrt(weightOf(node) / heaviest),
      ...(isGrouped ? { parent: `/${folderOf(node)}` } : {}),
    },
  }));
  const known = new Set(graph.nodes.map(keyOf));
  const edges = graph.edges.filter((edge) => known.has(edge.start) && known.has(edge.end) && edge.start !== edge.end)
    .map((edge) => ({ data: { source: edge.start, target: edge.end, label: edge.label, width: Math.min(6, 1 + Math.log2(edge.count)) } }));
  return [...folders, ...nodes, ...edges];
}

function layoutOf({ layout, graph }: PictureProps, isAddition: boolean): LayoutOptions {
  const isMany = graph.nodes.length > MANY;
  if (layout === "layered") return { name: "dagre", rankDir: "LR", nodeSep: 14, rankSep: 90, animate: false } as LayoutOptions;
  if (layout === "folder") return { name: "preset", positions: packed(graph), animate: false } as unknown as LayoutOptions;
  return { name: "fcose", animate: false, quality: isMany ? "draft" : "default", randomize: !isAddition, nodeSeparation: 90, idealEdgeLength: 90, nodeRepulsion: 8000 } as LayoutOptions;
}

/** Return positions in which the nodes of a folder lie together, each folder in the circle of its parent. */
function packed(graph: DrawnGraph): Record<string, { x: number; y: number }> {
  const root: FolderNode = { key: "", inner: new Map() };
  for (const node of graph.nodes) {
    let place = root;
    for (const part of folderOf(node).split("/")) {
      const next = place.inner.get(part) ?? { key: "", inner: new Map() };
      place.inner.set(part, next);
      place = next;
    }
    place.inner.set(`/${keyOf(node)}`, { key: keyOf(node), inner: new Map() });
  }
  const tree = hierarchy(root, (node) => [...node.inner.values()]).sum((node) => (node.key ? 1 : 0));
  const side = 80 * Math.sqrt(graph.nodes.length + 4);
  const leaves = pack<FolderNode>().size([side, side]).padding(16)(tree).leaves();
  return Object.fromEntries(leaves.map(({ data, x, y }) => [data.key, { x, y }]));
}

interface FolderNode {
  key: string;
  inner: Map<string, FolderNode>;
}

function styleOf(isMany: boolean): cytoscape.StylesheetJson {
  const value = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [text, ground, line, accent, bad, soft] = ["--text", "--surface", "--line", "--accent", "--bad", "--soft"].map(value) as [string, string, string, string, string, string];
  return [
    { selector: "node[size]", style: { "background-color": "data(color)", width: "data(size)", height: "data(size)" } },
    { selector: "node", style: { label: "data(label)", color: text, "font-size": 11, "text-valign": "bottom", "text-margin-y": 4,
      "text-outline-color": ground, "text-outline-width": 2, "min-zoomed-font-size": isMany ? 10 : 5, "text-max-width": "160px", "text-wrap": "ellipsis" } },
    { selector: ":parent", style: { "background-color": line, "background-opacity": 0.35, "border-color": line, "border-width": 1, shape: "round-rectangle", "text-valign": "top", color: soft } },
    { selector: "edge", style: { width: "data(width)", "line-color": soft, "line-opacity": 0.45, "target-arrow-color": soft, "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": isMany ? "haystack" : "bezier" } },
    { selector: "node.cyclic", style: { "border-color": bad, "border-width": 3, "border-style": "dashed" } },
    { selector: "node.pinned", style: { shape: "round-diamond" } },
    { selector: "node.chosen", style: { "border-color": accent, "border-width": 5, "border-style": "solid" } },
    { selector: "node.path", style: { "border-color": accent, "border-width": 4, "border-style": "solid" } },
    { selector: "edge.path", style: { "line-color": accent, "target-arrow-color": accent, "line-opacity": 1, width: 3 } },
    { selector: ".faded", style: { opacity: 0.15 } },
  ] as cytoscape.StylesheetJson;
}
