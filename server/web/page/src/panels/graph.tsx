// Graph: what a chain gives, followed step by step.
import type { Core } from "cytoscape";
import { useEffect, useRef, useState } from "preact/hooks";
import { Shown, useAsked } from "../asked";
import { colorsOf, COLORINGS, type Churn, type Coloring } from "../graph/coloring";
import { downloadExport, EXPORTS } from "../graph/exports";
import { cyclesOf, diamondsOf, hubsOf } from "../graph/findings";
import { keyOf, labelOf, placeOf, STEPS, type DrawnGraph, type GraphNode } from "../graph/model";
import { LAYOUTS, Picture, type Layout } from "../graph/picture";
import type { PanelProps } from "../panels";
import { go, link } from "../route";

/** One thing that somebody did: a step from a node, or `-` (hide) or `*` (pin) and a node. */
type Deed = string[];

const EXAMPLES = [
  ["The files with the most importers", "files().hubs(40)"],
  ["The most used symbols", "symbols().hubs(40)"],
  ["All files", "files()"],
  ["Modules", "modules()"],
] as const;

function readDeeds(values: URLSearchParams): Deed[] {
  return (values.get("deeds") ?? "").split("~").filter(Boolean).map((one) => one.split("|"));
}

export function GraphPanel({ values, generation }: PanelProps) {
  const chain = values.get("chain") ?? "";
  const deeds = readDeeds(values);
  const steps = deeds.filter(([deed]) => deed !== "-" && deed !== "*").map(([step = "", key = "", target = ""]) => ({ step, key, target }));
  const request = chain ? { chain, steps } : null;
  const asked = useAsked<DrawnGraph>("graph", request, generation);
  function follow(changed: Deed[], more: Record<string, string> = {}): void {
    go("graph", { ...Object.fromEntries(values), deeds: changed.map((deed) => deed.join("|")).join("~"), ...more });
  }
  return (
    <>
      <form class="search" onSubmit={(event) => { event.preventDefault(); go("graph", { chain: String(new FormData(event.currentTarget).get("chain")) }); }}>
        <div class="bar">
          <input key={chain} name="chain" aria-label="A chain, such as symbols(name='main').callers()" placeholder="symbol('Cart').callers(depth=2)" defaultValue={chain} autocomplete="off" spellcheck={false} />
          <button class="primary" type="submit">Draw</button>
        </div>
      </form>
      {request === null ? <Beginning /> : (
        <Shown asked={asked}>
          {(graph) => graph.nodes.length === 0
            ? <section class="empty"><h2>The chain gives nothing</h2><p>Try another name, or begin with one of the <a href={link("graph")}>examples</a>.</p></section>
            : <Drawn graph={graph} deeds={deeds} follow={follow} values={values} request={request} />}
        </Shown>
      )}
    </>
  );
}

function Beginning() {
  return (
    <section class="empty">
      <h2>Draw a part of the graph</h2>
      <p>Write a chain, take an example, or open a symbol or a file and choose “Graph”.</p>
      <ul class="examples">{EXAMPLES.map(([title, chain]) => <li key={chain}><a href={link("graph", { chain })}>{title}</a></li>)}</ul>
    </section>
  );
}

interface DrawnProps {
  graph: DrawnGraph;
  deeds: Deed[];
  follow: (deeds: Deed[], more?: Record<string, string>) => void;
  values: URLSearchParams;
  request: { chain: string; steps: object[] };
}

function Drawn({ graph, deeds, follow, values, request }: DrawnProps) {
  const [chosen, choose] = useState("");
  const [from, setFrom] = useState("");
  const [path, setPath] = useState<string[]>([]);
  const [filter, setFilter] = useState("");
  const core = useRef<Core | null>(null);
  const layout = (values.get("layout") ?? "force") as Layout;
  const coloring = (values.get("color") ?? "kind") as Coloring;
  const isGrouped = values.get("group") === "1";
  const hidden = new Set(deeds.filter(([deed]) => deed === "-").map(([, key = ""]) => key));
  const pinned = new Set(deeds.filter(([deed]) => deed === "*").map(([, key = ""]) => key));
  const nodes = graph.nodes.filter((node) => !hidden.has(keyOf(node)));
  const matches = nodes.filter((node) => `${labelOf(node)} ${placeOf(node)}`.toLowerCase().includes(filter.toLowerCase()));
  const shown: DrawnGraph = { ...graph, nodes, edges: graph.edges.filter((edge) => !hidden.has(edge.start) && !hidden.has(edge.end)) };
  const needsFiles = coloring === "language";
  const files = useAsked<{ files: { path: string; language: string }[] }>("map", needsFiles ? {} : null);
  const churn = useAsked<Churn>("churn", coloring === "churn" || coloring === "owner" ? {} : null);
  const colors = colorsOf(nodes, coloring, files.answer?.files ?? [], churn.answer);
  const [cycles, diamonds, hubs] = [cyclesOf(shown), diamondsOf(shown), hubsOf(shown)];
  const node = nodes.find((one) => keyOf(one) === chosen);
  useEffect(() => setPath([]), [chosen === ""]);
  function pick(key: string): void {
    if (from && key && from !== key) {
      const found = core.current?.elements().aStar({ root: core.current.getElementById(from), goal: core.current.getElementById(key), directed: true });
      if (found?.found) setPath(found.path.nodes().map((one) => one.id()));
      else follow([...deeds, ["path", from, key]]);
      setFrom("");
    }
    choose(key);
  }
  const option = (key: string, value: string): void => follow(deeds, { [key]: value });
  return (
    <>
      <div class="tools">
        <label>Layout <select value={layout} onChange={(event) => option("layout", event.currentTarget.value)}>{Object.entries(LAYOUTS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        <label>Color <select value={coloring} onChange={(event) => option("color", event.currentTarget.value)}>{Object.entries(COLORINGS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        <label><input type="checkbox" checked={isGrouped} onChange={(event) => option("group", event.currentTarget.checked ? "1" : "")} /> Group by folder</label>
        <label>Filter <input type="search" size={12} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} /></label>
        <button onClick={() => follow(deeds.slice(0, -1))} disabled={deeds.length === 0}>Undo</button>
        <button onClick={() => core.current?.fit(undefined, 30)}>Fit</button>
        <label>Export <select value="" onChange={(event) => { const form = event.currentTarget.value; event.currentTarget.value = ""; if (core.current) void downloadExport(form, core.current, request, colors.of); }}>
          <option value="">as …</option>{EXPORTS.map((form) => <option key={form} value={form}>{form}</option>)}
        </select></label>
        <span class="note">{graph.kind === "folder" ? `${graph.total.toLocaleString("en")} nodes in ${nodes.length} folders` : `${nodes.length.toLocaleString("en")} nodes`}, {shown.edges.length.toLocaleString("en")} edges</span>
      </div>
      {churn.answer?.reason && <p class="notice">{churn.answer.reason}</p>}
      {from && <p class="notice">Choose the node at the other end of the path. <button onClick={() => setFrom("")}>Cancel</button></p>}
      <div class="split wide">
        <Picture graph={shown} colors={colors.of} layout={layout} isGrouped={isGrouped} pinned={pinned} chosen={chosen} path={path}
          found={filter ? matches.map(keyOf) : null} cyclic={new Set(cycles.flat())} core={core} pick={pick} />
        <aside aria-label="Nodes">
          {node && (
            <section class="card chosen-node">
              <h2>{labelOf(node)}</h2>
              <p class="place">{placeOf(node)}</p>
              <div class="links">
                {graph.kind === "symbol" && <a class="button" href={link("symbol", { id: chosen })}>Open</a>}
                {graph.kind === "file" && <a class="button" href={link("file", { path: chosen })}>Open</a>}
                {STEPS[graph.kind].map(([step, title]) => <button key={step} onClick={() => follow([...deeds, [step, chosen]])}>+ {title}</button>)}
                {graph.kind !== "folder" && <button onClick={() => setFrom(chosen)}>Path from here</button>}
                <button onClick={() => follow(pinned.has(chosen) ? deeds.filter(([deed, key]) => !(deed === "*" && key === chosen)) : [...deeds, ["*", chosen]])}>{pinned.has(chosen) ? "Unpin" : "Pin"}</button>
                <button onClick={() => { choose(""); follow([...deeds, ["-", chosen]]); }}>Hide</button>
              </div>
            </section>
          )}
          {path.length > 0 && <NodeList title="Shortest path" keys={path} nodes={nodes} choose={choose} isOpen />}
          <NodeList title="Hubs" keys={hubs} nodes={nodes} choose={choose} isOpen={!node} />
          {cycles.map((cycle, number) => <NodeList key={number} title={`Cycle of ${cycle.length}`} keys={cycle} nodes={nodes} choose={choose} isOpen={false} />)}
          {diamonds.length > 0 && <NodeList title={`Diamonds end at`} keys={diamonds} nodes={nodes} choose={choose} isOpen={false} />}
          <NodeList title={filter ? "Nodes that match" : "All nodes"} keys={matches.map(keyOf)} nodes={nodes} choose={pick} isOpen={filter !== ""} />
          <section class="card legend"><h2>Colors</h2><ul>{colors.legend.map(([name, color]) => <li key={name}><svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill={color} /></svg> {name}</li>)}</ul></section>
        </aside>
      </div>
    </>
  );
}

function NodeList(props: { title: string; keys: string[]; nodes: GraphNode[]; choose: (key: string) => void; isOpen: boolean }) {
  const known = new Map(props.nodes.map((node) => [keyOf(node), node]));
  const found = props.keys.map((key) => known.get(key)).filter((node) => node !== undefined);
  return (
    <details class="section" open={props.isOpen}>
      <summary><h2>{props.title}</h2> <span class="count">{found.length.toLocaleString("en")}</span></summary>
      <ul>{found.slice(0, 100).map((node) => (
        <li key={keyOf(node)}><button class="plain" onClick={() => props.choose(keyOf(node))}><span class="name">{labelOf(node)}</span> <span class="place">{placeOf(node)}</span></button></li>
      ))}</ul>
      {found.length > 100 && <p class="note">The first 100 are listed; the filter narrows them.</p>}
    </details>
  );
}
