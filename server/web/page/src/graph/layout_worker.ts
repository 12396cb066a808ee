// The worker that computes layouts. The same graph always gets the same positions.
import dagre from "@dagrejs/dagre";
import { hierarchy, pack, packEnclose, packSiblings } from "d3-hierarchy";
import { DirectedGraph } from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import noverlap from "graphology-layout-noverlap";
import type { LayoutAnswer, LayoutRequest, Outline, Point } from "./layouts";

/** Distance of neighboring nodes, in the coordinates of the layouts. */
const UNIT = 40;
/** Above this number of edges, the exact search for the best layers takes too long. */
const MANY_EDGES = 600;

addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => postMessage(layoutOf(data)));

function layoutOf(request: LayoutRequest): LayoutAnswer {
  if (request.layout === "layered") return layered(request);
  if (request.layout === "folder") return nested(request);
  return request.isGrouped ? clustered(request) : forced(request);
}

/** Forces between nodes, beginning with the nodes of a folder in one place. */
function forced(request: LayoutRequest): LayoutAnswer {
  const begin = nested(request).positions;
  const graph = new DirectedGraph();
  for (const { key } of request.nodes) graph.addNode(key, { ...begin[key], ...request.fixed[key], fixed: key in request.fixed });
  for (const [start, end] of request.edges) if (start !== end) graph.mergeEdge(start, end);
  for (const { key } of request.nodes) if (!(key in request.fixed)) beginAtNeighbor(graph, key, request.fixed);
  applyForces(graph);
  separate(graph, request.fixed);
  return { positions: positionsOf(graph), outlines: [] };
}

/** Put a new node beside a neighbor that stays, so that it does not travel through the picture. */
function beginAtNeighbor(graph: DirectedGraph, key: string, fixed: Record<string, Point>): void {
  const neighbor = graph.findNeighbor(key, (each) => each in fixed);
  if (neighbor === undefined) return;
  const angle = graph.degree(neighbor) + graph.neighbors(neighbor).indexOf(key);
  const { x, y } = fixed[neighbor]!;
  graph.mergeNodeAttributes(key, { x: x + UNIT * Math.cos(angle), y: y + UNIT * Math.sin(angle) });
}

function applyForces(graph: DirectedGraph): void {
  const iterations = graph.order > 1000 ? 200 : graph.order > 200 ? 400 : 800;
  forceAtlas2.assign(graph, { iterations, settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > 500 } });
}

/** Enlarge the picture until neighboring nodes have `UNIT` between them on the average, and move apart those that overlap. */
function separate(graph: DirectedGraph, fixed: Record<string, Point>): void {
  if (Object.keys(fixed).length > 0) return;
  const points = Object.values(positionsOf(graph));
  const [width, height] = [extent(points.map(({ x }) => x)), extent(points.map(({ y }) => y))];
  const scale = (UNIT * Math.sqrt(graph.order)) / Math.max(Math.sqrt(width * height), 1e-9);
  graph.updateEachNodeAttributes((_, { x, y }) => ({ x: x * scale, y: y * scale, size: UNIT / 4 }));
  noverlap.assign(graph, { maxIterations: 60, settings: { margin: UNIT / 4, ratio: 1, speed: 2 } });
}

/** Forces between folders, and the nodes of each folder in its circle. */
function clustered(request: LayoutRequest): LayoutAnswer {
  const members = new Map<string, string[]>();
  const folderOf = new Map(request.nodes.map(({ key, folder }) => [key, folder]));
  for (const { key, folder } of request.nodes) {
    const known = members.get(folder);
    if (known) known.push(key);
    else members.set(folder, [key]);
  }
  const graph = new DirectedGraph();
  const circles = new Map([...members].map(([folder, keys]) => {
    const packed = packSiblings(keys.map((key) => ({ key, r: UNIT / 2, x: 0, y: 0 })));
    return [folder, { packed, r: packEnclose(packed).r + UNIT / 2 }] as const;
  }));
  for (const [place, folder] of [...members.keys()].entries()) graph.addNode(folder, { x: Math.cos(place), y: Math.sin(place), size: circles.get(folder)!.r });
  for (const [start, end] of request.edges) {
    const [from, to] = [folderOf.get(start)!, folderOf.get(end)!];
    if (from !== to) graph.updateEdge(from, to, (edge) => ({ weight: ((edge.weight as number | undefined) ?? 0) + 1 }));
  }
  applyForces(graph);
  const total = Math.sqrt([...circles.values()].reduce((sum, { r }) => sum + 4 * r * r, 0));
  const points = Object.values(positionsOf(graph));
  const side = Math.max(extent(points.map(({ x }) => x)), extent(points.map(({ y }) => y)), 1e-9);
  graph.updateEachNodeAttributes((_, each) => ({ ...each, x: (each.x as number) * total / side, y: (each.y as number) * total / side }));
  noverlap.assign(graph, { maxIterations: 300, settings: { margin: UNIT / 2, ratio: 1, speed: 3, gridSize: 10 } });
  const positions: Record<string, Point> = {};
  const outlines: Outline[] = [];
  graph.forEachNode((folder, { x, y }) => {
    const { packed, r } = circles.get(folder)!;
    for (const each of packed) positions[each.key] = { x: x + each.x, y: y + each.y };
    outlines.push({ name: folder, x, y, width: 2 * r, height: 2 * r, isRound: true });
  });
  return { positions, outlines };
}

interface FolderNode { name: string; key: string; inner: Map<string, FolderNode> }

/** The nodes of a folder lie together, each folder in the circle of its parent. */
function nested({ nodes, isGrouped }: LayoutRequest): LayoutAnswer {
  const root: FolderNode = { name: "", key: "", inner: new Map() };
  for (const { key, folder } of nodes) {
    let place = root;
    for (const part of folder.split("/")) {
      const next = place.inner.get(part) ?? { name: place === root ? part : `${place.name}/${part}`, key: "", inner: new Map() };
      place.inner.set(part, next);
      place = next;
    }
    place.inner.set(`/${key}`, { name: "", key, inner: new Map() });
  }
  const tree = hierarchy(root, (node) => [...node.inner.values()]).sum((node) => (node.key ? 1 : 0));
  const side = 1.6 * UNIT * Math.sqrt(nodes.length + 4);
  const all = pack<FolderNode>().size([side, side]).padding(UNIT / 3)(tree).descendants();
  const outlines = all.filter(({ data }) => !data.key && [...data.inner.values()].some((inner) => inner.key) && isGrouped)
    .map(({ data, x, y, r }): Outline => ({ name: data.name, x, y, width: 2 * r, height: 2 * r, isRound: true }));
  return { positions: Object.fromEntries(all.filter(({ data }) => data.key).map(({ data, x, y }) => [data.key, { x, y }])), outlines };
}

/** Edges lead from left to right, as far as there are no cycles. */
function layered({ nodes, edges, isGrouped }: LayoutRequest): LayoutAnswer {
  const graph = new dagre.graphlib.Graph({ compound: isGrouped });
  graph.setGraph({ rankdir: "LR", nodesep: UNIT / 2, edgesep: 4, ranksep: 4 * UNIT, ranker: edges.length > MANY_EDGES ? "longest-path" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key, folder } of nodes) {
    graph.setNode(key, { width: UNIT / 2, height: UNIT / 2 });
    if (isGrouped) {
      graph.setNode(`/${folder}`, {});
      graph.setParent(key, `/${folder}`);
    }
  }
  for (const [start, end] of edges) if (start !== end) graph.setEdge(start, end);
  dagre.layout(graph);
  const at = (key: string): Point & { width: number; height: number } => graph.node(key) as Point & { width: number; height: number };
  const folders = isGrouped ? [...new Set(nodes.map(({ folder }) => folder))] : [];
  return {
    positions: Object.fromEntries(nodes.map(({ key }) => [key, { x: at(key).x, y: -at(key).y }])),
    outlines: folders.map((name) => ({ ...at(`/${name}`), y: -at(`/${name}`).y, name, isRound: false })),
  };
}

function positionsOf(graph: DirectedGraph): Record<string, Point> {
  return Object.fromEntries(graph.mapNodes((key, { x, y }) => [key, { x, y }]));
}

function extent(values: number[]): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
}
