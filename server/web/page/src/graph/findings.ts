// What stands out in a graph: hubs, cycles and diamonds. All take linear time, or stop at a bound.
import { stronglyConnectedComponents } from "graphology-components";
import { DirectedGraph } from "graphology";
import { bidirectional } from "graphology-shortest-path";
import type { DrawnGraph } from "./model";
import { keyOf } from "./model";

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
