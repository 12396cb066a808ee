// Graph: what a chain gives, followed step by step.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Shown, useAsked } from "../asked";
import { Begin } from "../graph/begin";
import { NodeCard } from "../graph/node_card";
import { colorsOf, COLORINGS, type Churn, type Coloring } from "../graph/coloring";
import { hiddenOf, HIDE, PIN, pinnedOf, readDeeds, stepsOf, writeDeeds, type Deed } from "../graph/deeds";
import { downloadExport, EXPORTS } from "../graph/exports";
import { communitiesOf, distancesFrom, findingsOf, pathBetween } from "../graph/findings";
import { LAYOUTS, type Layout } from "../graph/layouts";
import { capitalized, DEEP_STEPS, firstSteps, foldersOf, keyOf, labelOf, placeOf, quoted, type DrawnGraph, type GraphNode } from "../graph/model";
import { Minimap } from "../graph/minimap";
import type { NodeAction } from "../graph/node_toolbar";
import { Picture, type PictureHandle } from "../graph/picture";
import { useMap } from "../map/repository_map";
import type { PanelProps } from "../panels";
import { counted } from "../prose";
import { useRemembered } from "../remembered";
import { go, link, replace } from "../route";

const EXAMPLES = [
  ["The files with the most importers", "files().hubs(40)"],
  ["The most used symbols", "symbols().hubs(40)"],
  ["What differs from the last commit", "symbols().changed_since('HEAD')"],
  ["The files that change most", "files().hot(30)"],
  ["Tables", "tables()"],
  ["Modules", "modules()"],
  ["Types", "symbols().with_kind('class', 'interface', 'struct', 'trait')"],
  ["Routes", "symbols().wired_as('route')"],
  ["All files", "files()"],
] as const;
const GROUPINGS = { "": "None", outlined: "Folders outlined", collapsed: "Folders only", communities: "Communities" };
/** Numbers of edges from the chosen node up to which nodes can be shown alone. */
const REACHES = [1, 2, 3, 5];
/** Number of nodes from which the overview is shown; it would cover a part of a smaller picture. */
const MIN_FOR_OVERVIEW = 30;

export function GraphPanel({ values, generation }: PanelProps) {
  const chain = values.get("chain") ?? "";
  const deeds = readDeeds(values.get("deeds") ?? "");
  const request = chain ? { chain, steps: stepsOf(deeds) } : null;
  const asked = useAsked<DrawnGraph>("graph", request, generation);
  function follow(changed: Deed[], more: Record<string, string> = {}): void {
    go("graph", { ...Object.fromEntries(values), deeds: writeDeeds(changed), ...more });
  }
  return (
    <>
      <Begin key={chain} chain={chain} />
      {request === null ? <Beginning /> : (
        <Shown asked={asked}>
          {(graph) => graph.nodes.length === 0
            ? <section class="empty"><h2>The chain gives nothing</h2><p>Try another name, or begin with one of the <a href={link("graph")}>examples</a>.</p></section>
            : <Drawn graph={graph} deeds={deeds} follow={follow} values={values} request={request} generation={generation} />}
        </Shown>
      )}
    </>
  );
}

function Beginning() {
  return (
    <section class="empty">
      <h2>Draw a part of the graph</h2>
      <p>Name a symbol, a file or a module above, or write a question or a chain.</p>
      <ul class="examples">{EXAMPLES.map(([title, chain]) => <li key={chain}><a href={link("graph", { chain })}>{title}</a></li>)}</ul>
      <p class="note">Results of a <a href={link("ask")}>search</a>, a <a href={link("cypher")}>query</a> and a <a href={link("change")}>change</a> have a button that draws them.</p>
    </section>
  );
}

interface DrawnProps {
  graph: DrawnGraph;
  deeds: Deed[];
  follow: (deeds: Deed[], more?: Record<string, string>) => void;
  values: URLSearchParams;
  request: { chain: string; steps: object[] };
  generation: number | null;
}

function Drawn({ graph: asked, deeds, follow: goOn, values, request, generation }: DrawnProps) {
  const [chosen, setChosen] = useState(values.get("node") ?? "");
  useEffect(() => setChosen(values.get("node") ?? ""), [values]);
  const follow = (changed: Deed[], more: Record<string, string> = {}): void => goOn(changed, { node: chosen, ...more });
  const [from, setFrom] = useState("");
  const [path, setPath] = useState<string[]>([]);
  const [filter, setFilter] = useState("");
  const [groups, setGroups] = useState<ReadonlySet<string>>(new Set());
  const [reach, setReach] = useState(0);
  const [hasMinimap, showMinimap] = useRemembered("minimap", true);
  const canvas = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState("");
  const [marked, mark] = useState("");
  const handle = useRef<PictureHandle | null>(null);
  const layout = (values.get("layout") ?? "force") as Layout;
  const coloring = (values.get("color") ?? (asked.kind === "symbol" ? "kind" : "folder")) as Coloring;
  const grouping = values.get("group") ?? "";
  const without = values.get("without") ?? "";
  const deedsText = writeDeeds(deeds);
  const graph = useMemo(() => (grouping === "collapsed" ? foldersOf(asked) : asked), [asked, grouping]);
  const kinds = useMemo(() => kindsOf(graph), [graph]);
  const shown = useMemo(() => visible(graph, hiddenOf(deeds), new Set(without.split(",").filter(Boolean))), [graph, deedsText, without]);
  const pinned = useMemo(() => pinnedOf(deeds), [deedsText]);
  const { nodes } = shown;
  const files = useMap(generation, coloring === "language");
  const churn = useAsked<Churn>("churn", coloring === "churn" || coloring === "owner" ? {} : null, generation);
  const needsCommunities = coloring === "community" || grouping === "communities";
  const communities = useMemo(() => (needsCommunities ? communitiesOf(shown) : null), [shown, needsCommunities]);
  const distances = useMemo(() => (chosen ? distancesFrom(shown, chosen) : null), [shown, chosen]);
  const colors = useMemo(
    () => colorsOf(nodes, coloring, { files: files.answer?.files ?? [], churn: churn.answer, communities, distances }),
    [nodes, coloring, files.answer, churn.answer, communities, coloring === "distance" && distances],
  );
  const { hubs, cycles, diamonds } = useMemo(() => findingsOf(shown), [shown]);
  const cyclic = useMemo(() => new Set(cycles.flat()), [cycles]);
  const matches = useMemo(() => nodes.filter((node) => `${labelOf(node)} ${placeOf(node)}`.toLowerCase().includes(filter.toLowerCase())
    && (groups.size === 0 || groups.has(colors.groupOf(keyOf(node))))
    && (reach === 0 || !distances || (distances.get(keyOf(node)) ?? Infinity) <= reach)), [nodes, filter, groups, colors, reach, distances]);
  const isFiltered = filter !== "" || groups.size > 0 || (reach > 0 && distances !== null);
  const toggle = (name: string): void => setGroups(new Set(groups.has(name) ? [...groups].filter((one) => one !== name) : [...groups, name]));
  const findings = { ...(hubs.length ? { Hubs: hubs } : {}), ...Object.fromEntries(cycles.map((cycle, place) => [`Cycle ${place + 1} of ${cycle.length} nodes`, cycle])), ...(diamonds.length ? { "Diamonds end at": diamonds } : {}) };
  const lit = isFiltered ? new Set(matches.map(keyOf)) : findings[marked as "Hubs"] ? new Set(findings[marked as "Hubs"]) : null;
  const node = nodes.find((one) => keyOf(one) === chosen);
  /** Choose a node, and name it in the address, so that a shared link shows it too. */
  function choose(key: string): void {
    setChosen(key);
    replace("graph", { ...Object.fromEntries(values), node: key });
  }
  function pick(key: string): void {
    if (from && key && from !== key) {
      const found = pathBetween(shown, from, key);
      setPath(found ?? []);
      if (!found) follow([...deeds, ["path", from, key]]);
      setFrom("");
    } else if (!key) setPath([]);
    choose(key);
  }
  /** Pick a node of a list, and move the focus to what is said about it, because the list may close. */
  function pickListed(key: string): void {
    pick(key);
    setTimeout(() => document.querySelector<HTMLElement>(".chosen-node")?.focus());
  }
  function open(key: string): void {
    if (graph.kind === "folder") openFolder(key);
    else {
      const opened = nodes.find((one) => keyOf(one) === key);
      follow([...deeds, ...firstSteps(graph.kind, opened && "kind" in opened ? opened.kind : "").map((step): Deed => [step, key])]);
    }
  }
  function openFolder(folder: string): void {
    go("graph", { ...Object.fromEntries(values), chain: `${request.chain}.filter(path__under=${quoted(folder)})`, deeds: "", group: "outlined" });
  }
  function actionsOf(key: string): NodeAction[] {
    if (graph.kind === "folder") return key === "." ? [] : [{ title: "Open the folder", act: () => openFolder(key) }, { title: "Hide", act: () => hide(key) }];
    return [
      ...DEEP_STEPS[graph.kind].map(([step, title]) => ({ title: capitalized(title), act: () => deepen(step, key) })),
      { title: "Path from here", act: () => setFrom(key) },
      { title: "Hide", act: () => hide(key) },
    ];
  }
  const hide = (key: string): void => { setChosen(""); follow([...deeds, [HIDE, key]], { node: "" }); };
  /** Follow a step over several edges, and color the nodes by their distance. */
  const deepen = (step: string, key: string): void => follow([...deeds, [step, key]], { node: key, color: "distance" });
  function pin(key: string): void {
    const others = deeds.filter(([deed, each]) => !(deed === PIN && each === key));
    const place = handle.current?.position(key);
    follow(pinned.has(key) || !place ? others : [...others, [PIN, key, `${Math.round(place.x)},${Math.round(place.y)}`]]);
  }
  function exported(form: string): void {
    if (!handle.current || !form) return;
    setProblem("");
    downloadExport(form, handle.current, request).catch((failure: Error) => setProblem(failure.message));
  }
  const option = (key: string, value: string): void => follow(deeds, { [key]: value });
  const hiddenCount = hiddenOf(deeds).size;
  return (
    <>
      <div class="tools">
        <label>Layout <select value={layout} onChange={(event) => option("layout", event.currentTarget.value)}>{Object.entries(LAYOUTS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        <label>Color <select value={coloring} onChange={(event) => { setGroups(new Set()); option("color", event.currentTarget.value); }}>{Object.entries(COLORINGS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        <label>Group <select value={grouping} onChange={(event) => follow(deeds, { group: event.currentTarget.value, node: "" })}>{Object.entries(GROUPINGS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select></label>
        <label>Filter <input type="search" size={14} value={filter} placeholder="name or path" onInput={(event) => setFilter(event.currentTarget.value)} /></label>
        <label title="Show only nodes within this number of edges from the chosen node">Within <select aria-label="Within this number of edges from the chosen node" value={reach} disabled={!chosen} onChange={(event) => setReach(Number(event.currentTarget.value))}>
          <option value={0}>all</option>{REACHES.map((count) => <option key={count} value={count}>{count === 1 ? "1 edge" : `${count} edges`}</option>)}
        </select></label>
        <button onClick={() => follow(deeds.slice(0, -1))} disabled={deeds.length === 0}>Undo</button>
        {hiddenCount > 0 && <button onClick={() => follow(deeds.filter(([deed]) => deed !== HIDE))}>Show {hiddenCount} hidden</button>}
        <label>Export <select value="" onChange={(event) => { exported(event.currentTarget.value); event.currentTarget.value = ""; }}>
          <option value="">as …</option>{EXPORTS.map((form) => <option key={form} value={form}>{form}</option>)}
        </select></label>
        <CopyLink />
      </div>
      {kinds.length > 1 && <EdgeKinds kinds={kinds} without={without} change={(names) => option("without", names)} />}
      {churn.waits && <p class="waiting" role="status">The history is read …</p>}
      {churn.answer?.reason && <p class="notice">{churn.answer.reason}</p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      {from && <p class="notice">Choose the node at the other end of the path. <button onClick={() => setFrom("")}>Cancel</button></p>}
      <div class="split wide">
        <div class="canvas" ref={canvas}>
          <Picture graph={shown} colors={colors.of} layout={layout} isGrouped={grouping === "outlined" || grouping === "communities"}
            groups={grouping === "communities" && layout !== "folder" ? communities : null} pinned={pinned} chosen={chosen} path={path}
            lit={lit} cyclic={cyclic} handle={handle} pick={pick} open={open} actions={actionsOf} />
          <p class="note counts">{graph.kind === "folder" ? `${counted(graph.total, "node")} in ${counted(nodes.length, "folder")}` : counted(nodes.length, "node")}, {counted(shown.edges.length, "edge")}</p>
          {hasMinimap && nodes.length >= MIN_FOR_OVERVIEW && <Minimap handle={handle} colors={colors.of} />}
          <Zoom handle={handle} canvas={canvas} hasMinimap={nodes.length >= MIN_FOR_OVERVIEW ? hasMinimap : null} showMinimap={showMinimap} />
          <ul class="legend" aria-label="Legend">
            {colors.legend.map(([name, color]) => (
              <li key={name}><button aria-pressed={groups.has(name)} disabled={!colors.isGrouped} onClick={() => toggle(name)}>
                <svg width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill={color} /></svg> {name}
              </button></li>
            ))}
          </ul>
        </div>
        <aside aria-label="Nodes">
          {node && (
            <NodeCard node={node} kind={graph.kind} isPinned={pinned.has(chosen)} generation={generation}
              step={(step) => follow([...deeds, [step, chosen]])} deepen={(step) => deepen(step, chosen)} openFolder={() => openFolder(chosen)}
              path={() => setFrom(chosen)} pin={() => pin(chosen)} hide={() => hide(chosen)} />
          )}
          {path.length > 0 && <NodeList title="Shortest path" keys={path} nodes={nodes} choose={choose} isOpen />}
          {Object.entries(findings).map(([title, keys]) => (
            <NodeList key={title} title={title} keys={keys} nodes={nodes} choose={pickListed} isOpen={title === "Hubs" && !node}
              isMarked={marked === title} mark={() => mark(marked === title ? "" : title)} />
          ))}
          <NodeList title={isFiltered ? "Nodes that match" : "All nodes"} keys={matches.map(keyOf)} nodes={nodes} choose={pickListed} isOpen={isFiltered || hubs.length === 0} />
        </aside>
      </div>
    </>
  );
}

function visible(graph: DrawnGraph, hidden: ReadonlySet<string>, without: ReadonlySet<string>): DrawnGraph {
  return {
    ...graph,
    nodes: graph.nodes.filter((node) => !hidden.has(keyOf(node))),
    edges: graph.edges.filter((edge) => !hidden.has(edge.start) && !hidden.has(edge.end) && !without.has(edge.label)),
  };
}

/** Return the kinds of edges with their numbers, the most frequent first. */
function kindsOf(graph: DrawnGraph): [string, number][] {
  const counts = new Map<string, number>();
  for (const { label } of graph.edges) if (label) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function EdgeKinds({ kinds, without, change }: { kinds: [string, number][]; without: string; change: (without: string) => void }) {
  const hidden = new Set(without.split(",").filter(Boolean));
  const toggle = (name: string): void => {
    if (!hidden.delete(name)) hidden.add(name);
    change([...hidden].join(","));
  };
  return (
    <div class="edge-kinds" role="group" aria-label="Kinds of edges">
      <span class="note">Edges</span>
      {kinds.map(([name, count]) => (
        <button key={name} type="button" aria-pressed={!hidden.has(name)} title="Show or hide these edges" onClick={() => toggle(name)}>
          {name.toLowerCase().replaceAll("_", " ")} <span class="count">{count.toLocaleString("en")}</span>
        </button>
      ))}
    </div>
  );
}

function CopyLink() {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return <button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy link"}</button>;
}

interface ZoomProps {
  handle: { current: PictureHandle | null };
  canvas: { current: HTMLDivElement | null };
  /** Whether the overview is shown, or null where it would not help. */
  hasMinimap: boolean | null;
  showMinimap: (isShown: boolean) => void;
}

function Zoom({ handle, canvas, hasMinimap, showMinimap }: ZoomProps) {
  const camera = () => handle.current?.sigma.getCamera();
  return (
    <div class="zoom" role="group" aria-label="Zoom">
      <button aria-label="Zoom in" onClick={() => void camera()?.animatedZoom({ duration: 150 })}>+</button>
      <button aria-label="Zoom out" onClick={() => void camera()?.animatedUnzoom({ duration: 150 })}>−</button>
      <button onClick={() => { handle.current?.sigma.setCustomBBox(null); void camera()?.animatedReset({ duration: 150 }); }}>Fit</button>
      {hasMinimap !== null && <button aria-pressed={hasMinimap} class="for-minimap" onClick={() => showMinimap(!hasMinimap)}>Overview</button>}
      <button onClick={() => void (document.fullscreenElement ? document.exitFullscreen() : canvas.current?.requestFullscreen())}>Full screen</button>
    </div>
  );
}

interface NodeListProps {
  title: string;
  keys: string[];
  nodes: GraphNode[];
  choose: (key: string) => void;
  isOpen: boolean;
  /** Whether the picture shows these nodes alone, and the function that changes it, where there is one. */
  isMarked?: boolean;
  mark?: () => void;
}

function NodeList(props: NodeListProps) {
  const known = new Map(props.nodes.map((node) => [keyOf(node), node]));
  const found = props.keys.map((key) => known.get(key)).filter((node) => node !== undefined);
  return (
    <details class="section" open={props.isOpen}>
      <summary><h2>{props.title}</h2> <span class="count">{found.length.toLocaleString("en")}</span></summary>
      {props.mark && found.length > 0 && <button class="mark" aria-pressed={props.isMarked} onClick={props.mark}>Show these alone</button>}
      <ul>{found.slice(0, 100).map((node) => (
        <li key={keyOf(node)}><button class="plain" onClick={() => props.choose(keyOf(node))}><span class="name">{labelOf(node)}</span> <span class="place">{placeOf(node)}</span></button></li>
      ))}</ul>
      {found.length > 100 && <p class="note">The first 100 are listed; the filter narrows them.</p>}
    </details>
  );
}
