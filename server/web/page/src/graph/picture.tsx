// The picture of a graph, which sigma.js draws by WebGL. Positions stay where they are when nodes are added.
import { createNodeBorderProgram } from "@sigma/node-border";
import { DirectedGraph } from "graphology";
import { useEffect, useRef, useState } from "preact/hooks";
import Sigma from "sigma";
import { animateNodes } from "sigma/utils";
import { drawHover, drawLabel, drawOutlines } from "./drawing_2d";
import { computeLayout, type Layout, type Outline, type Point } from "./layouts";
import type { DrawnGraph } from "./model";
import { folderOf, keyOf, labelOf, weightOf } from "./model";
import { NodeToolbar, type NodeAction } from "./node_toolbar";
import { readTheme } from "./theme";

/** More edges than this number have no arrows, and are hidden while the picture moves. */
const MANY_EDGES = 1500;
/** Milliseconds in which nodes move to the places of another layout. */
const MOVE = 350;
/** Maximum number of edges of a node whose kinds are written beside them. */
const MAX_EDGE_LABELS = 12;

/** What other parts of the page may ask of a picture. */
export interface PictureHandle {
  sigma: Sigma;
  outlines: Outline[];
  position: (key: string) => Point;
}

interface PictureProps {
  graph: DrawnGraph;
  colors: Record<string, string>;
  layout: Layout;
  isGrouped: boolean;
  /** Group of each node where it is not its folder. */
  groups?: ReadonlyMap<string, string> | null;
  /** Pinned nodes, with their positions where somebody moved them. */
  pinned: ReadonlyMap<string, Point | null>;
  chosen: string;
  path: string[];
  /** Keys of the nodes that are not faded, or null for all. */
  lit: ReadonlySet<string> | null;
  cyclic: ReadonlySet<string>;
  handle: { current: PictureHandle | null };
  pick: (key: string) => void;
  /** Called when somebody clicks a node twice. */
  open?: (key: string) => void;
  /** What the bar above a node offers. */
  actions?: (key: string) => NodeAction[];
  /** Called when the nodes are at their places, or when the picture failed. */
  settled?: () => void;
}

/** The last layout of a picture: nodes begin the next step at their places in it. */
type Shape = { layout: Layout; grouping: string; positions: Map<string, Point> };

export function Picture(props: PictureProps) {
  const { graph, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const shape = useRef<Shape>({ layout: props.layout, grouping: groupingOf(props), positions: new Map() });
  const [arranged, setArranged] = useState("");
  const [problem, setProblem] = useState("");
  const [started, setStarted] = useState<Sigma | null>(null);
  const content = `${props.layout} ${groupingOf(props)} ${graph.nodes.map(keyOf).join(" ")} ${graph.edges.map(({ label }) => label[0]).join("")}`;
  useEffect(() => {
    if (!box.current) return undefined;
    if (!hasWebGl()) {
      setProblem("This browser has no WebGL, so nothing can be drawn. The list of nodes has the same content.");
      return undefined;
    }
    const made = createSigma(box.current, latest);
    handle.current = { sigma: made, outlines: [], position: (key) => made.getGraph().getNodeAttributes(key) as Point };
    const below: object = { beforeLayer: "edges" }; // its type leaves the option out
    const context = made.createCanvasContext("outlines", below).getCanvases()["outlines"]!.getContext("2d")!;
    made.resize(true); // gives the new canvas its size
    setStarted(made);
    made.on("afterRender", () => drawOutlines(context, made, handle.current?.outlines ?? []));
    const repaint = (): void => paint(made);
    const watch = new MutationObserver(repaint);
    watch.observe(document.documentElement, { attributes: true });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", repaint);
    return () => {
      watch.disconnect();
      scheme.removeEventListener("change", repaint);
      made.kill();
      handle.current = null;
    };
  }, []);
  useEffect(() => {
    const drawn = handle.current;
    if (!drawn) return undefined;
    const stop = new AbortController();
    void arrange(drawn, props, shape.current, stop.signal).then(
      (isDone) => { if (isDone) setArranged(content); },
      (failure: Error) => setProblem(failure.message),
    );
    return () => stop.abort();
  }, [content]);
  useEffect(() => {
    handle.current?.sigma.refresh({ skipIndexation: true });
  });
  const isArranging = !problem && arranged !== content;
  useEffect(() => {
    if (!isArranging) props.settled?.();
  }, [isArranging]);
  const about = `A graph of ${graph.nodes.length} nodes and ${graph.edges.length} edges. The list beside it has the same nodes.`;
  return (
    <>
      <div ref={box} class={`picture ${props.layout}`} role="img" aria-label={about} aria-busy={isArranging} />
      {started && props.actions && <NodeToolbar sigma={started} name={(key) => String(started.getGraph().getNodeAttribute(key, "label"))} actions={props.actions} />}
      {isArranging && <p class="arranging note" role="status">Arranging …</p>}
      {problem && <p class="arranging" role="alert">{problem}</p>}
    </>
  );
}

let isKnown: boolean | null = null;
/** Whether the browser draws by WebGL. It is asked once, because each context takes a tenth of a second without a graphics card. */
function hasWebGl(): boolean {
  isKnown ??= Boolean(document.createElement("canvas").getContext("webgl2"));
  return isKnown;
}

const groupingOf = ({ isGrouped, groups }: PictureProps): string => (groups ? "groups" : isGrouped ? "folders" : "");

/** Draw the nodes and edges, and move the nodes to the places of their layout. Return false if the signal stopped that. */
async function arrange(drawn: PictureHandle, props: PictureProps, shape: Shape, signal: AbortSignal): Promise<boolean> {
  const { graph, layout, isGrouped, groups, pinned } = props;
  const grouping = groupingOf(props);
  if (shape.layout !== layout || shape.grouping !== grouping) Object.assign(shape, { layout, grouping, positions: new Map() });
  const { sigma } = drawn;
  const before = new Map(sigma.getGraph().mapNodes((key, { x, y }) => [key, { x: Number(x), y: Number(y) }]));
  const stays = new Map([...shape.positions].filter(([key]) => before.has(key)));
  const known = new Set(graph.nodes.map(keyOf));
  const sorted = [...graph.nodes].sort((a, b) => weightOf(b) - weightOf(a));
  const { positions, outlines } = await computeLayout({
    layout, isGrouped,
    nodes: sorted.map((node) => ({ key: keyOf(node), folder: groups?.get(keyOf(node)) ?? folderOf(node) })),
    edges: graph.edges.flatMap(({ start, end }): [string, string][] => (known.has(start) && known.has(end) ? [[start, end]] : [])),
    before: Object.fromEntries(stays),
  }, signal);
  if (signal.aborted) return false;
  for (const [key, place] of pinned) if (place && key in positions) positions[key] = place;
  const made = graphOf(graph, (key) => before.get(key) ?? positions[key]!);
  sigma.setCustomBBox(null);
  sigma.setGraph(made);
  sigma.setSettings(settingsOf(graph));
  drawn.outlines = outlines;
  shape.positions = new Map(Object.entries(positions));
  const moves = Object.fromEntries(Object.entries(positions).filter(([key]) => before.has(key)));
  if (Object.keys(moves).length === 0) return true;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (const [key, place] of Object.entries(moves)) made.mergeNodeAttributes(key, place);
    return true;
  }
  return new Promise((resolve) => {
    const cancel = animateNodes(made, moves as Record<string, { x: number; y: number } & Record<string, number>>, { duration: MOVE }, () => resolve(true));
    signal.addEventListener("abort", () => { cancel(); resolve(false); }, { once: true });
  });
}

function graphOf(graph: DrawnGraph, place: (key: string) => Point): DirectedGraph {
  const made = new DirectedGraph();
  const heaviest = graph.nodes.reduce((most, node) => Math.max(most, weightOf(node)), 1);
  const [least, most] = graph.nodes.length <= 60 ? [5, 16] : graph.nodes.length <= 400 ? [3, 11] : [2, 9];
  for (const node of graph.nodes) {
    made.mergeNode(keyOf(node), { ...place(keyOf(node)), label: labelOf(node), size: least + (most - least) * Math.sqrt(weightOf(node) / heaviest) });
  }
  for (const { start, end, label, count } of graph.edges) {
    if (start === end || !made.hasNode(start) || !made.hasNode(end)) continue;
    made.updateEdge(start, end, ({ kinds = [], total = 0 }) => ({ kinds: [...(kinds as string[]), ...(label ? [label] : [])], total: Number(total) + count }));
  }
  made.updateEachEdgeAttributes((_, edge) => ({ ...edge, size: Math.min(5, edge.kinds.length ? 1 : 1 + Math.log2(edge.total) / 2) }));
  return made;
}

function settingsOf({ nodes, edges }: DrawnGraph) {
  return {
    defaultEdgeType: edges.length > MANY_EDGES ? "line" : "arrow",
    hideEdgesOnMove: edges.length > MANY_EDGES,
    labelRenderedSizeThreshold: nodes.length <= 60 ? 0 : 5.5,
  };
}

const NodeProgram = createNodeBorderProgram({
  borders: [
    { size: { attribute: "ring", defaultValue: 0, mode: "pixels" }, color: { attribute: "ringColor" } },
    { size: { fill: true }, color: { attribute: "color" } },
    { size: { attribute: "dot", defaultValue: 0, mode: "relative" }, color: { attribute: "dotColor" } },
  ],
});

function createSigma(box: HTMLElement, latest: { current: PictureProps }): Sigma {
  let hovered = "";
  let near: ReadonlySet<string> = new Set();
  const sigma: Sigma = new Sigma(new DirectedGraph(), box, {
    allowInvalidContainer: true,
    defaultNodeType: "node",
    nodeProgramClasses: { node: NodeProgram },
    defaultDrawNodeLabel: drawLabel,
    defaultDrawNodeHover: drawHover,
    labelSize: 11,
    labelDensity: 0.7,
    labelGridCellSize: 90,
    renderEdgeLabels: true,
    edgeLabelSize: 10,
    stagePadding: 60,
    minCameraRatio: 0.02,
    maxCameraRatio: 4,
    doubleClickZoomingRatio: 1,
    zIndex: true,
    nodeReducer: (key, data) => {
      const { colors, chosen, path, lit, cyclic, pinned } = latest.current;
      const theme = readTheme();
      const isFaded = (lit !== null && !lit.has(key)) || (hovered !== "" && !near.has(key));
      const isMarked = key === chosen || key === hovered || path.includes(key);
      const [ring, ringColor] = key === chosen ? [4, theme.accent] : path.includes(key) ? [3, theme.accent] : cyclic.has(key) ? [2, theme.bad] : [0, theme.accent];
      return {
        ...data,
        color: isFaded ? theme.line : colors[key] ?? theme.soft,
        label: isFaded ? "" : data.label as string,
        size: Number(data.size) + ring,
        ring: isFaded ? 0 : ring, ringColor,
        dot: pinned.has(key) ? 0.4 : 0, dotColor: theme.surface,
        forceLabel: isMarked || (hovered !== "" && near.has(key) && near.size < 30),
        zIndex: isMarked ? 2 : isFaded ? 0 : 1,
      };
    },
    edgeReducer: (edge, data) => {
      const { chosen, path, lit } = latest.current;
      const theme = readTheme();
      const [start, end] = sigma.getGraph().extremities(edge);
      const onPath = path.some((key, place) => key === start && path[place + 1] === end);
      const center = hovered || chosen;
      const touches = center !== "" && (start === center || end === center);
      const isFaded = (lit !== null && !(lit.has(start) && lit.has(end))) || (hovered !== "" && !touches);
      return {
        ...data,
        hidden: isFaded && hovered !== "",
        color: onPath || touches ? theme.accent : isFaded ? theme.faintEdge : theme.edge,
        size: onPath ? 3 : touches ? Number(data.size) + 0.5 : Number(data.size),
        label: touches && sigma.getGraph().degree(center) <= MAX_EDGE_LABELS ? (data.kinds as string[]).join(", ").toLowerCase().replaceAll("_", " ") : "",
        forceLabel: touches,
        zIndex: onPath || touches ? 1 : 0,
      };
    },
  });
  paint(sigma);
  const hover = (key: string): void => {
    hovered = key;
    near = key ? new Set([key, ...sigma.getGraph().neighbors(key)]) : new Set();
    box.classList.toggle("pointing", key !== "");
    sigma.refresh({ skipIndexation: true });
  };
  let dragged = "";
  let hasMoved = false;
  sigma.on("enterNode", ({ node }) => { if (!dragged) hover(node); });
  sigma.on("leaveNode", () => { if (!dragged) hover(""); });
  sigma.on("downNode", ({ node }) => { [dragged, hasMoved] = [node, false]; });
  sigma.on("moveBody", ({ event }) => {
    if (!dragged) return;
    if (!hasMoved) sigma.setCustomBBox(sigma.getBBox());
    hasMoved = true;
    sigma.getGraph().mergeNodeAttributes(dragged, sigma.viewportToGraph(event));
    event.preventSigmaDefault();
    event.original.preventDefault();
  });
  const drop = (): void => { dragged = ""; };
  sigma.on("upNode", drop);
  sigma.on("upStage", drop);
  sigma.on("clickNode", ({ node }) => { if (!hasMoved) latest.current.pick(node); });
  sigma.on("clickStage", () => latest.current.pick(""));
  sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => { preventSigmaDefault(); latest.current.open?.(node); });
  return sigma;
}

/** Give the parts that are not reduced the colors of the page. */
function paint(sigma: Sigma): void {
  const theme = readTheme(true);
  sigma.setSettings({ labelColor: { color: theme.text }, edgeLabelColor: { color: theme.soft } });
}
