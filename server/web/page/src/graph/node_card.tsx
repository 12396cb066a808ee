// The chosen node of a graph: what it is, and the edges that lead from it and to it.
import { useAsked } from "../asked";
import { link } from "../route";
import { Kind, type Section } from "../rows";
import { DEEP_STEPS, keyOf, labelOf, placeOf, STEPS, type DrawnGraph, type GraphNode } from "./model";

interface NodeCardProps {
  node: GraphNode;
  kind: DrawnGraph["kind"];
  isPinned: boolean;
  generation: number | null;
  step: (step: string) => void;
  /** Follows a step over several edges. */
  deepen: (step: string) => void;
  openFolder: () => void;
  path: () => void;
  pin: () => void;
  hide: () => void;
}

export function NodeCard({ node, kind, isPinned, generation, step, deepen, openFolder, path, pin, hide }: NodeCardProps) {
  const key = keyOf(node);
  const request = { symbol: { id: key }, file: { path: key }, module: null, folder: null }[kind];
  const asked = useAsked<{ sections: Record<string, Section> }>(kind, request, generation);
  const counts = asked.answer?.sections;
  const steps = (direction: "incoming" | "outgoing") => STEPS[kind][direction]
    .map(([name, title]) => [name, title, counts?.[name]?.count] as const)
    .filter(([, , count]) => count !== 0 && (counts === undefined || count !== undefined));
  return (
    <section class="card chosen-node" aria-label="The chosen node" tabIndex={-1}>
      <h2>{"kind" in node && <Kind kind={node.kind} />} {labelOf(node)}</h2>
      <p class="place">{placeOf(node)}</p>
      {"signature" in node && node.signature && <code class="signature">{node.signature}</code>}
      <div class="links">
        {kind === "symbol" && <a class="button" href={link("symbol", { id: key })}>Open</a>}
        {kind === "file" && <a class="button" href={link("file", { path: key })}>Open</a>}
        {kind === "folder" && key !== "." && <button onClick={openFolder}>Open the folder</button>}
        {kind !== "folder" && <button onClick={path}>Path from here</button>}
        <button onClick={pin}>{isPinned ? "Unpin" : "Pin"}</button>
        <button onClick={hide}>Hide</button>
      </div>
      {asked.waits && !counts && <p class="note">Looking for edges …</p>}
      {!(asked.waits && !counts) && (["incoming", "outgoing"] as const).map((direction) => steps(direction).length > 0 && (
        <div class="steps" key={direction}>
          <h3>{direction === "incoming" ? "Leads here" : "Leads to"}</h3>
          {steps(direction).map(([name, title, count]) => (
            <button key={name} onClick={() => step(name)}>+ {title} {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}</button>
          ))}
        </div>
      ))}
      {DEEP_STEPS[kind].length > 0 && (
        <div class="steps">
          <h3>Over three edges</h3>
          {DEEP_STEPS[kind].map(([name, title]) => <button key={name} onClick={() => deepen(name)}>+ {title}</button>)}
        </div>
      )}
    </section>
  );
}
