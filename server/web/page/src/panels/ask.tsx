// Ask: a search, its results, and the answer as an agent reads it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Shown, useAsked } from "../asked";
import { Code } from "../code";
import { Connections } from "../connections";
import { addressOf, deepAddressOf, useStarts } from "../graph/begin";
import { chainOfSymbols, DEEP_STEPS } from "../graph/model";
import { lazy } from "../lazy";
import { useMap } from "../map/repository_map";
import type { PanelProps } from "../panels";
import { languageOf } from "../query_language";
import { AnswerProse } from "../prose";
import { go, link } from "../route";
import { Kind } from "../rows";
import { SuggestingField, useCompletions, type Suggestion } from "../suggestions";

const MODES = [
  { name: "question", title: "Question", hint: "where are tokens validated" },
  { name: "name", title: "Name", hint: "Cart > total" },
  { name: "text", title: "Text", hint: "the exact text of a line" },
  { name: "regex", title: "Pattern", hint: "^export (const|function) \\w+" },
] as const;
/** Views of the whole repository, one click from the first view. */
const VIEWS = [
  ["Map", link("map")],
  ["Types and their base types", link("graph", { chain: "symbols().with_kind('class', 'interface', 'struct', 'trait')", layout: "layered", without: "CALLS,CONTAINS,FIELD_TYPE,REFERENCES" })],
  ["Dead code", link("checks")],
  ["Schema of the graph", link("cypher", { schema: "graph" })],
] as const;
const Overview = lazy(() => import("../overview").then((file) => file.Overview));
const KINDS = ["all", "functions", "classes", "interfaces", "types", "constants", "docs", "files"];

interface Result {
  rank: number;
  id?: string;
  file: string;
  startLine?: number;
  endLine?: number;
  line: number;
  name?: string;
  kind?: string;
  symbol?: string;
  score?: number;
  signature?: string;
  context?: string | { before?: string[]; line?: string; after?: string[] };
  match?: string;
}

interface Answer {
  results: Result[];
  text: string[];
  tokens: number;
  searchTimeMs?: number;
  totalMatches?: number;
  totalFiles?: number;
  hint?: string;
  index: { generation: number; fresh: boolean; notices?: string[] };
}

function requestOf(values: URLSearchParams): object | null {
  const query = values.get("q")?.trim() ?? "";
  if (!query) return null;
  const mode = values.get("mode") ?? "question";
  const list = (name: string): string[] => (values.get(name) ?? "").split(/[\s,]+/).filter(Boolean);
  const budget = Number(values.get("budget"));
  return {
    query: mode === "name" ? `symbol = ${query}` : query,
    mode: mode === "text" || mode === "regex" ? "literal" : "semantic",
    is_regex: mode === "regex",
    case_sensitive: values.get("case") === "1",
    paths: list("path"),
    languages: list("language"),
    kind: values.get("kind") ?? "all",
    budget: budget > 0 ? budget : null,
  };
}

/** Load the script of the overview, if an address has no question. */
export const loadAsk = async (values: URLSearchParams): Promise<unknown> => (requestOf(values) ? null : Overview.load());

export function Ask({ values, generation }: PanelProps) {
  const request = requestOf(values);
  const asked = useAsked<Answer>("search", request, generation);
  if (request === null) return <Beginning generation={generation} />;
  return <Shown asked={asked}>{(answer) => <Answered answer={answer} request={request} values={values} generation={generation} />}</Shown>;
}

export function SearchForm({ values }: { values: URLSearchParams }) {
  const mode = values.get("mode") ?? "question";
  const query = values.get("q") ?? "";
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(query);
  const [isOpen, setOpen] = useState(false);
  // Before the first letter can be typed, which an effect after the paint would take away.
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), []);
  useLayoutEffect(() => setText(query), [query]);
  const isLiteral = mode === "text" || mode === "regex";
  const language = isLiteral ? null : languageOf(text);
  const completions = useCompletions(isOpen ? language : null, text);
  const starts = useStarts(isOpen && !isLiteral && !language && !/\s/.test(text.trim()) ? text : "");
  const suggestions: Suggestion[] = language ? completions : [
    ...starts.map((start) => ({
      title: start.name, note: `${start.kind} · ${start.note}`,
      choose: () => { location.hash = { symbol: link("symbol", { id: start.key }), file: link("file", { path: start.key }), module: addressOf(start) }[start.kind]; },
    })),
    ...starts.slice(0, 1).flatMap((start) => [
      { title: `Draw ${start.name}`, note: `${start.kind} · with its neighbors`, choose: () => { location.hash = addressOf(start); } },
      ...DEEP_STEPS[start.kind].map(([step, title]) => ({ title: `Draw ${start.name}`, note: title, choose: () => { location.hash = deepAddressOf(start, step); } })),
    ]),
  ];
  function submit(form: HTMLFormElement): void {
    setOpen(false);
    if (language) return go("cypher", { language: language === "cypher" ? "" : language, text: text.trim(), run: 1 });
    const given = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value)]));
    go("ask", { ...given, mode: given.mode === "question" ? "" : given.mode, kind: given.kind === "all" ? "" : given.kind });
  }
  const hint = MODES.find((one) => one.name === mode)?.hint ?? "";
  return (
    <form ref={form} class="search" role="search" onSubmit={(event) => { event.preventDefault(); submit(event.currentTarget); }}>
      <div class="bar">
        <SuggestingField name="q" label="Search the code, or run a query" placeholder={hint} text={text} setText={setText} suggestions={suggestions}
          completes={language !== null} isOpen={isOpen} setOpen={setOpen} />
        <button class="primary" type="submit">{language ? "Run" : "Search"}</button>
      </div>
      <div class="filters">
        <fieldset class="segments">
          <legend class="hidden">What to search by</legend>
          {MODES.map((one) => (
            <label key={one.name}>
              <input type="radio" name="mode" value={one.name} checked={mode === one.name}
                onChange={(event) => { const form = event.currentTarget.form; if (form) submit(form); }} />
              <span>{one.title}</span>
            </label>
          ))}
        </fieldset>
        <label>Kind <select name="kind" value={values.get("kind") ?? "all"} onChange={(event) => { const form = event.currentTarget.form; if (form) submit(form); }}>
          {KINDS.map((kind) => <option key={kind} value={kind}>{kind}</option>)}
        </select></label>
        <label>Path <input name="path" size={14} placeholder="src/ or **/*.ts" defaultValue={values.get("path") ?? ""} /></label>
        <label>Language <input name="language" size={9} placeholder="all" defaultValue={values.get("language") ?? ""} /></label>
        <label>Budget <input name="budget" size={6} inputMode="numeric" placeholder="8000" defaultValue={values.get("budget") ?? ""} /></label>
        {isLiteral && (
          <label><input type="checkbox" name="case" value="1" checked={values.get("case") === "1"} /> Match case</label>
        )}
      </div>
    </form>
  );
}

function Beginning({ generation }: { generation: number | null }) {
  // The map is asked for while the script of the overview is loaded.
  const map = useMap(generation);
  return (
    <>
      <section class="welcome">
        <h2 class="hidden">Ask this repository</h2>
        <p class="note">Ask a question in plain words, name a symbol, or write a query such as <code>symbol('Cart').callers()</code>.
          {" "}<kbd>Ctrl</kbd> <kbd>K</kbd> opens the command palette, and <kbd>/</kbd> comes back to the search.</p>
        <ul class="examples">
          {["where is the configuration read", "how are errors reported", "entry point of the program"].map((question) => (
            <li key={question}><a href={link("ask", { q: question })}>{question}</a></li>
          ))}
          {VIEWS.map(([title, address]) => <li key={title}><a href={address}>{title}</a></li>)}
        </ul>
      </section>
      <Shown asked={map}>{(found) => (found.files.length > 0 ? <Overview map={found} generation={generation} /> : null)}</Shown>
    </>
  );
}

function Answered(props: { answer: Answer; request: object; values: URLSearchParams; generation: number | null }) {
  const { answer, request, values } = props;
  const [view, setView] = useState<"page" | "beside" | "agent" | "scores">("page");
  const [chosen, setChosen] = useState(0);
  useEffect(() => setChosen(0), [values.toString()]);
  const budget = Number(values.get("budget")) || 8000;
  const isSemantic = !["text", "regex"].includes(values.get("mode") ?? "");
  if (answer.results.length === 0) {
    return (
      <section class="empty">
        <h2>Nothing was found</h2>
        <p><AnswerProse text={answer.hint ?? answer.text.join("\n")} /></p>
        <p class="note">Take a filter away, or ask by other words.</p>
      </section>
    );
  }
  const result = answer.results[Math.min(chosen, answer.results.length - 1)];
  const ids = answer.results.flatMap((one) => one.id ?? []);
  const asText = <pre class="agent" tabIndex={0} role="region" aria-label="The answer as text">{answer.text.join("\n\n")}</pre>;
  return (
    <>
      <div class="summary">
        <span>{counted(answer)}</span>
        <Budget tokens={answer.tokens} budget={budget} />
        {ids.length > 0 && <a class="button" href={link("graph", { chain: chainOfSymbols(ids) })}>Draw the results</a>}
        <div class="segments" role="tablist" aria-label="Form of the answer">
          {(["page", "beside", "agent", ...(isSemantic ? ["scores" as const] : [])] as const).map((name) => (
            <button key={name} role="tab" aria-selected={view === name} onClick={() => setView(name)}>
              {{ page: "Page", beside: "Side by side", agent: "As an agent reads it", scores: "Why these scores" }[name]}
            </button>
          ))}
        </div>
      </div>
      {answer.index.notices?.map((notice) => <p class="notice" key={notice}>{notice}</p>)}
      {view === "agent" && asText}
      {view === "scores" && <Scores request={request} />}
      {(view === "page" || view === "beside") && (
        <div class="split">
          <ol class="results" aria-label="Results">
            {answer.results.map((one, place) => (
              <li key={`${one.rank}-${one.file}-${one.line}`}>
                <button class={place === chosen ? "result chosen" : "result"} aria-pressed={place === chosen} onClick={() => { setChosen(place); showPreview(); }}>
                  <span class="head">
                    {one.kind && <Kind kind={one.kind} />}
                    <span class="name">{one.symbol || one.name || one.match || one.file}</span>
                    {one.score ? <span class="score" title="Probability that the result is relevant">{one.score.toFixed(2)}</span> : null}
                  </span>
                  {(one.signature || one.match) && <code class="signature">{one.signature || one.match}</code>}
                  <span class="place">{one.file}:{one.line}</span>
                  {typeof one.context === "string" && one.context && <span class="doc">{one.context}</span>}
                </button>
              </li>
            ))}
          </ol>
          {view === "beside" ? asText : result && <Preview result={result} generation={props.generation} />}
        </div>
      )}
    </>
  );
}

/** Bring the preview into view where it stands below the results. */
function showPreview(): void {
  if (matchMedia("(max-width: 900px)").matches) {
    setTimeout(() => document.querySelector(".preview")?.scrollIntoView({ behavior: "smooth" }));
  }
}

function Preview({ result, generation }: { result: Result; generation: number | null }) {
  const start = result.startLine ?? Math.max(1, result.line - 12);
  const end = result.endLine ?? result.line + 12;
  return (
    <section class="preview" aria-label="The chosen result">
      <header>
        <h2>{result.symbol || result.name || result.file}</h2>
        <span class="links">
          {result.id && <a class="button" href={link("symbol", { id: result.id })}>Callers, types, tests</a>}
          <a class="button" href={link("file", { path: result.file, line: result.line })}>Whole file</a>
        </span>
      </header>
      <Code path={result.file} start={start} end={end} mark={result.startLine ? undefined : result.line} generation={generation} />
      {result.id && <Connections id={result.id} generation={generation} />}
    </section>
  );
}

function Budget({ tokens, budget }: { tokens: number; budget: number }) {
  return (
    <label class="budget">
      <span>{tokens.toLocaleString("en")} of {budget.toLocaleString("en")} tokens</span>
      <meter min={0} max={budget} value={Math.min(tokens, budget)} />
    </label>
  );
}

function counted(answer: Answer): string {
  const time = answer.searchTimeMs === undefined ? "" : ` in ${Math.round(answer.searchTimeMs)} ms`;
  if (answer.totalMatches !== undefined) {
    return `${answer.totalMatches.toLocaleString("en")} ${answer.totalMatches === 1 ? "line" : "lines"} in ${answer.totalFiles} ${answer.totalFiles === 1 ? "file" : "files"}${time}`;
  }
  return `${answer.results.length} ${answer.results.length === 1 ? "result" : "results"}${time}`;
}

interface Explained {
  results: { breadcrumb: string; score: number; features: Record<string, number>; adds: Record<string, number> }[];
}

function Scores({ request }: { request: object }) {
  const asked = useAsked<Explained>("explain", { ...request, budget: null });
  return (
    <Shown asked={asked}>
      {(explained) => (
        <div class="scores">
          {explained.results.map((result) => (
            <section key={result.breadcrumb} class="card">
              <h3>{result.breadcrumb} <span class="score">{result.score.toFixed(2)}</span></h3>
              <table>
                <thead><tr><th scope="col">Feature</th><th scope="col">Value</th><th scope="col">Adds</th></tr></thead>
                <tbody>
                  {heaviest(result.adds).map(([name, adds]) => (
                    <tr key={name}><td>{name}</td><td>{Number((result.features[name] ?? 0).toPrecision(3))}</td><td class={adds < 0 ? "less" : "more"}>{adds.toFixed(2)}</td></tr>
                  ))}
                </tbody>
              </table>
            </section>
          ))}
        </div>
      )}
    </Shown>
  );
}

function heaviest(adds: Record<string, number>): [string, number][] {
  return Object.entries(adds).filter(([, value]) => value).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 8);
}
