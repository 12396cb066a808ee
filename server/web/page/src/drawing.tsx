// Nodes and edges of a query's result as a picture, colored by kind.
import { useMemo, useRef, useState } from "preact/hooks";
import { Properties } from "./properties";
import { groupColors } from "./graph/coloring";
import type { DrawnGraph } from "./graph/model";
import type { NodeAction } from "./graph/node_toolbar";
import { Picture, type PictureHandle } from "./graph/picture";

/** A node of any table: which fields it has depends on the table. */
export interface ResultNode {
  id: string;
  label?: string;
  name?: string;
  qualifiedName?: string;
  relativePath?: string;
  path?: string;
  startLine?: number;
  kind?: string;
  importance?: number;
  /** Properties by their names. */
  [property: string]: unknown;
}

export interface ResultEdge {
  start: string;
  end: string;
  label: string;
}

/** More nodes are no longer read. */
const MOST_NODES = 500;

const groupOf = (node: ResultNode): string => node.kind || node.label || "node";

function nameOf(node: ResultNode): string {
  const path = node.relativePath ?? node.path ?? "";
  return node.qualifiedName || node.name || path.split("/").at(-1) || node.id;
}

export function ResultGraph({ nodes, edges }: { nodes: ResultNode[]; edges: ResultEdge[] }) {
  const handle = useRef<PictureHandle | null>(null);
  const [chosen, setChosen] = useState("");
  const shown = useMemo(() => nodes.slice(0, MOST_NODES), [nodes]);
  const groups = useMemo(() => groupColors(shown.map((node) => [groupOf(node), 1])), [shown]);
  const colors = Object.fromEntries(shown.map((node) => [node.id, groups.of(groupOf(node))]));
  const graph = useMemo<DrawnGraph>(() => ({
    kind: "symbol",
    nodes: shown.map((node) => ({
      id: node.id, name: nameOf(node), qualifiedName: nameOf(node), kind: groupOf(node), path: node.relativePath ?? node.path ?? "",
      startLine: node.startLine ?? 1, endLine: node.startLine ?? 1, signature: "", exported: false, importance: node.importance ?? 0,
    })),
    edges: edges.map((edge) => ({ ...edge, count: 1 })),
    total: nodes.length,
  }), [shown, edges]);
  const near = useMemo(() => {
    if (!chosen) return null;
    return new Set([chosen, ...edges.filter((edge) => edge.start === chosen || edge.end === chosen).flatMap((edge) => [edge.start, edge.end])]);
  }, [chosen, edges]);
  const picked = shown.find((node) => node.id === chosen);
  function actionsOf(key: string): NodeAction[] {
    const node = shown.find(({ id }) => id === key);
    return node ? [{ title: "Copy the properties", act: () => void navigator.clipboard.writeText(JSON.stringify(node, null, 1)) }] : [];
  }
  return (
    <figure class="result-graph">
      <div class="legend-line">
        {groups.legend.map(([group, color]) => (
          <span key={group}>
            <svg width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill={color} /></svg> {group}
          </span>
        ))}
      </div>
      <div class="canvas">
        <Picture graph={graph} colors={colors} layout="force" isGrouped={false} pinned={new Map()} chosen={chosen} path={[]} lit={near}
          cyclic={new Set()} handle={handle} pick={setChosen} actions={actionsOf} />
      </div>
      <figcaption>
        {nodes.length > shown.length ? `The first ${shown.length} of ${nodes.length} nodes are drawn. ` : ""}
        Point at a node to copy its properties, and click it to see them and its neighbors.
      </figcaption>
      {picked && <Properties title={`${groupOf(picked)} ${nameOf(picked)}`} values={picked} />}
    </figure>
  );
}
