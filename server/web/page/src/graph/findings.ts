// What stands out in a graph: hubs, cycles and diamonds. All take linear time, or stop at a bound.
import cytoscape from "cytoscape";
import type { DrawnGraph } from "./model";
import { keyOf } from "./model";

/** Most pairs of edges that the search for diamonds looks at. */
const MAX_PAIRS = 200_000;

function targets(graph: DrawnGraph): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { start, end, label } of graph.edges) {
    if (start === end || label === "CONTAINS") continue;
    const ends = found.get(start);
    if (ends) ends.add(end);
    else found.set(start, new Set([end]));
  }
  return found;
}

/** Return the keys of the nodes with the most neighbors, the most first. */
export function hubsOf(graph: DrawnGraph, count = 10): string[] {
  const degrees = new Map<string, number>();
  for (const [start, ends] of targets(graph)) {
    degrees.set(start, (degrees.get(start) ?? 0) + ends.size);
    for (const end of ends) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  }
  return [...degrees].sort((a, b) => b[1] - a[1]).slice(0, count).map(([key]) => key);
}

/** Return the groups of nodes that reach each other, the largest first. */
export function cyclesOf(graph: DrawnGraph): string[][] {
  const core = cytoscape({
    headless: true,
    elements: [
      ...graph.nodes.map((node) => ({ data: { id: keyOf(node) } })),
      ...[...targets(graph)].flatMap(([source, ends]) => [...ends].map((target) => ({ data: { source, target } }))),
    ],
  });
  const groups = core.elements().tarjanStronglyConnected().components.map((group) => group.nodes().map((node) => node.id()));
  core.destroy();
  return groups.filter((group) => group.length > 1).sort((a, b) => b.length - a.length);
}

/** Return the nodes that some node reaches over two different neighbors. */
export function diamondsOf(graph: DrawnGraph): string[] {
  const next = targets(graph);
  const ends = new Set<string>();
  let pairs = 0;
  for (const middles of next.values()) {
    const seen = new Set<string>();
    for (const middle of middles) {
      for (const end of next.get(middle) ?? []) {
        if (++pairs > MAX_PAIRS) return [...ends];
        if (seen.has(end)) ends.add(end);
        seen.add(end);
      }
    }
  }
  return [...ends];
}
