// The worker that computes layouts. The same graph always gets the same positions.
import dagre from "@dagrejs/dagre";
import { hierarchy, pack, packEnclose, packSiblings, tree as tidyTree } from "d3-hierarchy";
import { DirectedGraph } from "graphology";
import { stronglyConnectedComponents } from "graphology-components";
import { topologicalGenerations } from "graphology-dag";
import forceAtlas2 from "graphology-layout-forceatlas2";
import noverlap from "graphology-layout-noverlap";
import type { LayoutAnswer, LayoutRequest, Outline, Point } from "./layouts";

/** Distance of neighboring nodes, in the coordinates of the layouts. */
const UNIT = 40;
/** Above this number of edges, dagre gets only edges between neighboring layers: it took 33 s for 500 nodes and 1,900 edges. */
const MANY_EDGES = 300;

addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => postMessage(layoutOf(data)));

function layoutOf(request: LayoutRequest): LayoutAnswer {
  if (request.layout === "layered") return layered(request);
  if (request.layout === "folder") return nested(request);
  if (request.layout === "rings") return { positions: rings(request), outlines: [] };
  if (request.layout === "circle") return { positions: circle(request), outlines: [] };
  return request.isGrouped ? clustered(request) : forced(request);
}

interface RingNode { key: string; inner: RingNode[] }

/** The most connected node is in the center, and a node at distance n from it is on the ring n. Nodes that it does not reach are on the last ring. */
function rings({ nodes, edges }: LayoutRequest): Record<string, Point> {
  const graph = new DirectedGraph();
  for (const { key } of nodes) graph.addNode(key);
  for (const [start, end] of edges) if (start !== end) graph.mergeEdge(start, end);
  const center = graph.nodes().reduce((most, key) => (graph.degree(key) > graph.degree(most) ? key : most));
  const reached = new Map<string, RingNode>([[center, { key: center, inner: [] }]]);
  for (const [key, node] of reached) {
    for (const next of graph.neighbors(key)) {
      if (reached.has(next)) continue;
      const inner = { key: next, inner: [] };
      node.inner.push(inner);
      reached.set(next, inner);
    }
  }
  const root = hierarchy<RingNode>(reached.get(center)!, (node) => node.inner);
  const others = graph.nodes().filter((key) => !reached.has(key));
  const counts = Array.from({ length: root.height + 1 }, () => 0);
  for (const { depth } of root.descendants()) counts[depth]! += 1;
  if (others.length > 0) counts.push(others.length);
  const distance = Math.max(3 * UNIT, ...counts.map((count, ring) => (count * UNIT * 0.8) / (2 * Math.PI * Math.max(ring, 1))));
  const laid = tidyTree<RingNode>().size([2 * Math.PI, 1]).separation((one, other) => (one.parent === other.parent ? 1 : 2) / Math.max(one.depth, 1))(root);
  const placed = (ring: number, angle: number): Point => ({ x: ring * distance * Math.cos(angle), y: ring * distance * Math.sin(angle) });
  return Object.fromEntries([
    ...laid.descendants().map(({ data, x, depth }): [string, Point] => [data.key, placed(depth, x)]),
    ...others.map((key, place): [string, Point] => [key, placed(root.height + 1, (2 * Math.PI * place) / others.length)]),
  ]);
}

/** All nodes on one circle, those of a group side by side. */
function circle({ nodes }: LayoutRequest): Record<string, Point> {
  const sorted = [...nodes].sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0));
  const radius = Math.max(2, sorted.length) * UNIT / (2 * Math.PI);
  return Object.fromEntries(sorted.map(({ key }, place) => {
    const angle = (2 * Math.PI * place) / sorted.length;
    return [key, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }];
  }));
}

/** Forces between nodes, beginning with their places before, or else with the nodes of a folder in one place. */
function forced(request: LayoutRequest): LayoutAnswer {
  const { nodes, before } = request;
  const places = { ...nested(request).positions, ...before };
  const graph = new DirectedGraph();
  for (const { key } of nodes) graph.addNode(key, places[key]);
  for (const [start, end] of request.edges) if (start !== end) graph.mergeEdge(start, end);
  const isAddition = Object.keys(before).length > 0;
  for (const { key } of nodes) if (isAddition && !(key in before)) beginAtNeighbor(graph, key, before);
  center(graph);
  applyForces(graph, iterationsFor(graph));
  separate(graph);
  return { positions: positionsOf(graph), outlines: [] };
}

/** Move the graph to the origin, to which gravity pulls the nodes. */
function center(graph: DirectedGraph): void {
  const points = Object.values(positionsOf(graph));
  const [x, y] = [points.reduce((sum, point) => sum + point.x, 0) / points.length, points.reduce((sum, point) => sum + point.y, 0) / points.length];
  graph.updateEachNodeAttributes((_, point) => ({ x: point.x - x, y: point.y - y }));
}

/** Put a new node beside a neighbor that was there, so that it does not travel through the picture. */
function beginAtNeighbor(graph: DirectedGraph, key: string, before: Record<string, Point>): void {
  const neighbor = graph.findNeighbor(key, (each) => each in before);
  if (neighbor === undefined) return;
  const angle = graph.degree(neighbor) + graph.neighbors(neighbor).indexOf(key);
  const { x, y } = before[neighbor]!;
  graph.mergeNodeAttributes(key, { x: x + UNIT * Math.cos(angle), y: y + UNIT * Math.sin(angle) });
}

/** Larger graphs get forces of distant groups of nodes instead of those of single nodes. */
const MAX_EXACT = 500;
/** Number of forces between two nodes that a layout computes, which takes about .15 s. */
const FORCES = 24_000_000;

/** All iterations of a layout take about the same time, whatever the number of nodes: the first ones move the nodes most. */
const iterationsFor = (graph: DirectedGraph): number => Math.round(Math.min(800, Math.max(120, FORCES / graph.order ** 2)));

function applyForces(graph: DirectedGraph, iterations: number): void {
  forceAtlas2.assign(graph, { iterations, settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > MAX_EXACT } });
}

/** Enlarge the picture until neighboring nodes have `UNIT` between them on the average, and move apart those that overlap. */
function separate(graph: DirectedGraph): void {
  const points = Object.values(positionsOf(graph));
  const [width, height] = [extent(points.map(({ x }) => x)), extent(points.map(({ y }) => y))];
  const scale = (UNIT * Math.sqrt(graph.order)) / Math.max(Math.sqrt(width * height), 1e-9);
  graph.updateEachNodeAttributes((_, { x, y }) => ({ x: x * scale, y: y * scale, size: UNIT / 4 }));
  noverlap.assign(graph, { maxIterations: 60, settings: { margin: UNIT / 4, ratio: 1, speed: 2 } });
}

/** Forces between groups, and the nodes of each group in its circle. */
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
  applyForces(graph, iterationsFor(graph));
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

/** Edges lead from left to right, as far as there are no cycles; nodes without edges are below. Folders are outlined where there are few edges. */
function layered(request: LayoutRequest): LayoutAnswer {
  const isMany = request.edges.length > MANY_EDGES;
  const edges = (isMany ? edgesOfLayers(request) : request.edges).filter(([start, end]) => start !== end);
  const isConnected = new Set(request.edges.filter(([start, end]) => start !== end).flat());
  const nodes = request.nodes.filter(({ key }) => isConnected.has(key));
  const folders = request.isGrouped && !isMany ? [...new Set(nodes.map(({ folder }) => folder))] : [];
  const graph = new dagre.graphlib.Graph({ compound: folders.length > 0 });
  graph.setGraph({ rankdir: "LR", nodesep: UNIT / 2, edgesep: 4, ranksep: 4 * UNIT, ranker: isMany ? "longest-path" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const name of folders) graph.setNode(`/${name}`, {});
  for (const { key, folder } of nodes) {
    graph.setNode(key, { width: UNIT / 2, height: UNIT / 2 });
    if (folders.length > 0) graph.setParent(key, `/${folder}`);
  }
  for (const [start, end] of edges) graph.setEdge(start, end);
  dagre.layout(graph);
  const at = (key: string): Point & { width: number; height: number } => graph.node(key) as Point & { width: number; height: number };
  const positions = Object.fromEntries(nodes.map(({ key }) => [key, { x: at(key).x, y: -at(key).y }]));
  const lowest = Math.min(0, ...Object.values(positions).map(({ y }) => y));
  const alone = request.nodes.filter(({ key }) => !isConnected.has(key));
  const columns = Math.ceil(Math.sqrt(1.5 * alone.length));
  for (const [place, { key }] of alone.entries()) {
    positions[key] = { x: 4 * UNIT * (place % columns), y: lowest - 2 * UNIT * (1 + Math.floor(place / columns)) };
  }
  return { positions, outlines: folders.map((name) => ({ ...at(`/${name}`), y: -at(`/${name}`).y, name, isRound: false })) };
}

/** Return the edges from each layer to the next one. A node is in the layer after the last of its predecessors outside of its cycle. */
function edgesOfLayers({ nodes, edges }: LayoutRequest): [string, string][] {
  const graph = new DirectedGraph();
  for (const { key } of nodes) graph.addNode(key);
  for (const [start, end] of edges) if (start !== end) graph.mergeEdge(start, end);
  const cycles = new Map(stronglyConnectedComponents(graph).flatMap((group, number) => group.map((key) => [key, number] as const)));
  for (const edge of graph.edges()) if (cycles.get(graph.source(edge)) === cycles.get(graph.target(edge))) graph.dropEdge(edge);
  const layers = new Map(topologicalGenerations(graph).flatMap((keys, layer) => keys.map((key) => [key, layer] as const)));
  return graph.mapEdges((_, __, start, end): [string, string] => [start, end]).filter(([start, end]) => layers.get(end)! - layers.get(start)! === 1);
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
