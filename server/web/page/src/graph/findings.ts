// What stands out in a graph: hubs, cycles, diamonds and communities. All take about linear time, or stop at a bound.
import louvain from "graphology-communities-louvain";
import { stronglyConnectedComponents } from "graphology-components";
import { DirectedGraph } from "graphology";
import { bidirectional } from "graphology-shortest-path";
import type { DrawnGraph } from "./model";
import { keyOf, labelOf, pathOf } from "./model";

/** Name of the community of all nodes without edges. */
const ALONE = "without edges";
/** Maximum number of pairs of edges that the search for diamonds looks at. */
const MAX_PAIRS = 200_000;

export interface Findings {
  /** Keys of the nodes with the most neighbors, the most first. */
  hubs: string[];
  /** Groups of nodes that reach each other, the largest first. */
  cycles: string[][];
  /** Keys of the nodes that some node reaches over two different neighbors. */
  diamonds: string[];
}

export function findingsOf(graph: DrawnGraph, hubCount = 10): Findings {
  const directed = directedOf(graph);
  const hubs = directed.nodes().filter((key) => directed.degree(key) > 0).sort((a, b) => directed.degree(b) - directed.degree(a)).slice(0, hubCount);
  const cycles = stronglyConnectedComponents(directed).filter((group) => group.length > 1).sort((a, b) => b.length - a.length);
  return { hubs, cycles, diamonds: diamondsOf(directed) };
}

/** Return the keys of the nodes on a shortest path along the edges, or null if there is none. */
export function pathBetween(graph: DrawnGraph, start: string, end: string): string[] | null {
  return bidirectional(directedOf(graph), start, end);
}

/** Return the name of the community of each node: nodes with more edges among them than to others. Its most connected node names it. */
export function communitiesOf(graph: DrawnGraph): Map<string, string> {
  const directed = directedOf(graph);
  if (directed.size === 0) return new Map(directed.nodes().map((key) => [key, ALONE]));
  const numbers = louvain(directed, { rng: repeatable() });
  const known = new Map(graph.nodes.map((node) => [keyOf(node), node]));
  const sizes = new Map<number, number>();
  const centers = new Map<number, string>();
  for (const key of directed.nodes()) {
    const number = numbers[key]!;
    const center = centers.get(number);
    sizes.set(number, (sizes.get(number) ?? 0) + 1);
    if (center === undefined || directed.degree(key) > directed.degree(center)) centers.set(number, key);
  }
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const [number, center] of centers) {
    const node = known.get(center)!;
    const name = sizes.get(number) === 1 ? ALONE : taken.has(labelOf(node)) ? `${labelOf(node)} (${pathOf(node)})` : labelOf(node);
    taken.add(name);
    names.set(number, name);
  }
  return new Map(directed.nodes().map((key) => [key, names.get(numbers[key]!)!]));
}

/** Return the number of edges from a node to each node that it reaches, in any direction. */
export function distancesFrom(graph: DrawnGraph, start: string): Map<string, number> {
  const directed = directedOf(graph);
  const distances = new Map<string, number>();
  if (!directed.hasNode(start)) return distances;
  distances.set(start, 0);
  const waiting = [start];
  for (const key of waiting) {
    for (const next of directed.neighbors(key)) {
      if (distances.has(next)) continue;
      distances.set(next, distances.get(key)! + 1);
      waiting.push(next);
    }
  }
  return distances;
}

/** Return a generator of numbers from 0 to 1, the same in each call, so that a graph always has the same communities. */
function repeatable(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647; // Park and Miller's generator
    return state / 2147483647;
  };
}

/** Return the graph with at most one edge between two nodes, without edges of containment. */
function directedOf(graph: DrawnGraph): DirectedGraph {
  const directed = new DirectedGraph();
  for (const node of graph.nodes) directed.mergeNode(keyOf(node));
  for (const { start, end, label } of graph.edges) {
    if (start !== end && label !== "CONTAINS" && directed.hasNode(start) && directed.hasNode(end)) directed.mergeEdge(start, end);
  }
  return directed;
}

function diamondsOf(graph: DirectedGraph): string[] {
  const ends = new Set<string>();
  let pairs = 0;
  for (const start of graph.nodes()) {
    const seen = new Set<string>();
    for (const middle of graph.outNeighbors(start)) {
      for (const end of graph.outNeighbors(middle)) {
        if (++pairs > MAX_PAIRS) return [...ends];
        if (seen.has(end)) ends.add(end);
        seen.add(end);
      }
    }
  }
  return [...ends];
}
