// Statements in Cypher and chains: written with completions, run with limits, shown as table, graph, JSON or plan.

import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../api";
import { Shown, useAsked } from "../asked";
import { save as saveFile } from "../graph/exports";
import { chainOfFiles, chainOfSymbols } from "../graph/model";
import type { PanelProps } from "../panels";
import { counted } from "../prose";
import { link, replace } from "../route";
import { createEditor, type Completions, type Editor, type Language } from "../editor";
import { useRemembered } from "../remembered";
import { ResultGraph, type ResultEdge, type ResultNode } from "../drawing";
import { ResultTable } from "../table";

interface Result {
  columns: string[];
  rows: unknown[][];
  totalRows: number;
  milliseconds: number;
  plan: string;
  message: string;
  statement: string;
  nodes: ResultNode[];
  edges: ResultEdge[];
}

interface Kept {
  language: Language;
  text: string;
  name?: string;
}

const EXAMPLES: Kept[] = [
  {
    language: "cypher",
    name: "What is called most",
    text: "MATCH (a:Symbol)-[:CALLS]->(b:Symbol)\nRETURN b.qualifiedName AS name, b.relativePath AS path, count(DISTINCT a) AS callers\nORDER BY callers DESC LIMIT 25",
  },
  { language: "cypher", name: "Calls as a graph", text: "MATCH (a:Symbol)-[c:CALLS]->(b:Symbol) RETURN a, c, b LIMIT 60" },
  {
    language: "cypher",
    name: "Unresolved calls by reason",
    text: "MATCH (s:Symbol)-[c:CALLS_UNRESOLVED]->(n:UnresolvedName)\nRETURN c.reason AS reason, count(*) AS calls ORDER BY calls DESC",
  },
  {
    language: "cypher",
    name: "Types that are extended or implemented most",
    text: "MATCH (a:Symbol)-[:EXTENDS|IMPLEMENTS]->(b:Symbol)\nRETURN b.qualifiedName AS type, b.relativePath AS path, count(DISTINCT a) AS subtypes\nORDER BY subtypes DESC LIMIT 25",
  },
  {
    language: "cypher",
    name: "Files that change together",
    text: "MATCH (a:File)-[c:CO_CHANGES]->(b:File)\nRETURN a.relativePath AS file, b.relativePath AS other, c.support AS commits ORDER BY commits DESC LIMIT 25",
  },
  { language: "chain", name: "Dead code", text: "symbols().dead()" },
  { language: "chain", name: "Files that change most and are long", text: "files().hot(20)" },
  { language: "chain", name: "Files that most files import", text: "files().hubs(10, by='importers')" },
  { language: "chain", name: "Functions that no test uses", text: "symbols(kind='function').untested().sort('importance', descending=true).limit(20)" },
];

/** Return the query that the address contains, or null. */
function readShared(address: URLSearchParams): Kept | null {
  const text = address.get("text");
  return text ? { language: address.get("language") === "chain" ? "chain" : "cypher", text } : null;
}

const FORMS = ["table", "graph", "json", "plan"] as const;
type Form = (typeof FORMS)[number];

/** Queries that the browser remembers. */
const HISTORY_LENGTH = 50;

/** Milliseconds after which a query is stopped again that had not begun. */
const STOP_AGAIN = 200;

export function Cypher({ values: address }: PanelProps) {
  const shared = readShared(address);
  const [remembered, setDraft] = useRemembered<Kept>("cypher-draft", EXAMPLES[0]!);
  const isFirst = useRef(true);
  const draft = isFirst.current && shared ? shared : remembered;
  const [history, setHistory] = useRemembered<Kept[]>("cypher-history", []);
  const [saved, setSaved] = useRemembered<Kept[]>("cypher-saved", []);
  const [parameters, setParameters] = useRemembered<Record<string, string>>("cypher-parameters", {});
  const [names, setNames] = useState<string[]>([]);
  const [limits, setLimits] = useState<{ seconds: number; rows: number } | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [ran, setRan] = useState<Kept | null>(null);
  const [error, setError] = useState("");
  const [running, setRunning] = useState(false);
  const [view, setView] = useState<Form>("table");
  /** The form that somebody chose; before, edges are drawn and rows are listed. */
  const [chosenView, choose] = useState<Form | null>(null);
  const [naming, setNaming] = useState<string | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const now = useRef({ draft, parameters, running });
  now.current = { draft, parameters, running };

  const values = () =>
    Object.fromEntries(names.map((name) => [name, parsed(now.current.parameters[name] ?? "")]));

  const run = async (plan = "") => {
    const { language, text } = now.current.draft;
    if (!text.trim()) return setError("The query is empty. Choose an example, or write one.");
    setRunning(true);
    setError("");
    try {
      const query = plan ? `${plan} ${text.replace(/^\s*(EXPLAIN|PROFILE)\s/i, "")}` : text;
      const found = await ask<Result>("cypher-run", { language, text: query, parameters: values(), rows: limits?.rows ?? 1000 });
      setResult(found);
      setRan({ language, text });
      replace("cypher", { language: language === "cypher" ? "" : language, text });
      const forms = formsOf(found);
      if (plan) choose(null);
      setView(chosenView && forms.includes(chosenView) && !(chosenView === "plan" && found.statement) ? chosenView : found.edges.length ? "graph" : forms[0]!);
      setHistory([{ language, text }, ...history.filter((kept) => kept.text !== text)].slice(0, HISTORY_LENGTH));
    } catch (failure) {
      setResult(null);
      setError(String((failure as Error).message));
    } finally {
      setRunning(false);
    }
  };
  const runNow = useRef(run);
  runNow.current = run;

  useEffect(() => {
    ask<{ seconds: number; rows: number }>("cypher-limits", {}).then(setLimits, (failure: Error) => setError(failure.message));
    if (!host.current) return;
    const made = createEditor(
      host.current,
      {
        complete: (language, text, cursor) =>
          ask<Completions>("cypher-complete", { language, text, cursor, parameters: Object.keys(now.current.parameters) }),
        check: async (language, text) => {
          const found = await ask<{ problems: { position: number; message: string }[]; parameters: string[] }>("cypher-check", {
            language,
            text,
          });
          if (!found.problems.length) setNames(found.parameters);
          return found.problems;
        },
      },
      {
        text: draft.text,
        language: draft.language,
        label: "Query",
        onChange: (text) => setDraft({ language: now.current.draft.language, text }),
        onRun: () => void runNow.current(),
      },
    );
    editor.current = made;
    if (shared) setDraft(shared);
    isFirst.current = false;
    return () => made.view.destroy();
  }, []);

  // An address from the search field asks to run its query; running takes that out of the address.
  useEffect(() => {
    if (shared && (shared.text !== now.current.draft.text || shared.language !== now.current.draft.language)) load(shared);
    if (shared && address.get("run")) void runNow.current();
  }, [address.toString()]);

  const load = (kept: Kept) => {
    setDraft({ language: kept.language, text: kept.text });
    now.current.draft = { language: kept.language, text: kept.text };
    editor.current?.setLanguage(kept.language);
    editor.current?.setText(kept.text);
    editor.current?.view.focus();
  };
  const chooseLanguage = (language: Language) => {
    setDraft({ language, text: draft.text });
    now.current.draft = { language, text: draft.text };
    editor.current?.setLanguage(language);
    editor.current?.setText(draft.text); // so that it is checked again
  };
  const save = (name: string) => {
    setNaming(null);
    if (name) setSaved([{ ...draft, name }, ...saved.filter((kept) => kept.name !== name)]);
  };
  const known = saved.find((kept) => kept.text === draft.text && kept.language === draft.language);
  const download = async (form: "csv" | "arrow" | "json") => {
    try {
      const file = await ask<{ name: string; content: string }>("cypher-export", { ...draft, form, parameters: values() });
      const bytes = Uint8Array.from(atob(file.content), (letter) => letter.charCodeAt(0));
      saveFile(file.name, new Blob([bytes]));
    } catch (failure) {
      setError(String((failure as Error).message));
    }
  };
  /** Stop the query, also one that has been asked but does not run yet, because its process starts or the index is updated. */
  const stop = async () => {
    try {
      while (now.current.running && (await ask<{ stopped: number }>("cypher-stop", {})).stopped === 0) {
        await new Promise((done) => setTimeout(done, STOP_AGAIN));
      }
    } catch (failure) {
      setError(String((failure as Error).message));
    }
  };

  return (
    <section class="panel" aria-label="Queries">
      <div class="tools" role="radiogroup" aria-label="Language">
        {(["cypher", "chain"] as const).map((language) => (
          <label class="choice">
            <input type="radio" name="language" checked={draft.language === language} onChange={() => chooseLanguage(language)} />
            {language === "cypher" ? "Cypher" : "Chain"}
          </label>
        ))}
        <Menu label="Examples" items={EXAMPLES} onChoose={load} />
        <Menu label="History" items={history} onChoose={load} />
        <Menu label="Saved" items={saved} onChoose={load} />
        {known
          ? <button type="button" onClick={() => setSaved(saved.filter((kept) => kept !== known))}>Forget “{known.name}”</button>
          : <button type="button" aria-expanded={naming !== null} onClick={() => setNaming(naming === null ? draft.text.split("\n")[0]!.slice(0, 60) : null)}>Save</button>}
      </div>
      {naming !== null && (
        <form class="tools" onSubmit={(event) => { event.preventDefault(); save(naming.trim()); }}>
          <label>Name of the query <input value={naming} size={40} ref={(field) => field?.focus()} onInput={(event) => setNaming(event.currentTarget.value)}
            onKeyDown={(event) => { if (event.key === "Escape") setNaming(null); }} /></label>
          <button type="submit" class="primary">Keep</button>
          <button type="button" onClick={() => setNaming(null)}>Cancel</button>
        </form>
      )}
      <div class="editor" ref={host}></div>
      {draft.language === "cypher" && names.length > 0 && (
        <fieldset class="fields">
          <legend>Parameters</legend>
          {names.map((name) => (
            <label>
              ${name}
              <input
                value={parameters[name] ?? ""}
                placeholder='text, 42, true or ["a"]'
                onInput={(event) => setParameters({ ...parameters, [name]: event.currentTarget.value })}
              />
            </label>
          ))}
        </fieldset>
      )}
      <div class="tools">
        {running ? (
          <button type="button" class="primary" onClick={() => void stop()}>Stop</button>
        ) : (
          <button type="button" class="primary" onClick={() => void run()}>Run</button>
        )}
        {draft.language === "cypher" && (
          <>
            <button type="button" disabled={running} onClick={() => void run("EXPLAIN")}>Explain</button>
            <button type="button" disabled={running} onClick={() => void run("PROFILE")}>Profile</button>
          </>
        )}
        <span class="note">
          {limits && `At most ${limits.seconds} seconds and ${limits.rows.toLocaleString("en")} rows. Only reading is admitted.`}
        </span>
      </div>
      <div aria-live="polite" role="status" class="status">
        {running ? "The query runs…" : result && !result.plan && !result.message && summary(result)}
      </div>
      {error && <p class="problem" role="alert">{error}</p>}
      {result && (
        <>
          <div class="tools">
            <div class="segments" role="tablist" aria-label="Form of the result">
              {formsOf(result).map((form) => (
                <button key={form} type="button" role="tab" aria-selected={view === form} onClick={() => { setView(form); choose(form); }}>
                  {form === "json" ? "JSON" : form === "plan" && result.statement ? "Statement" : form[0]!.toUpperCase() + form.slice(1)}
                </button>
              ))}
            </div>
            {result.rows.length > 0 && (
              <span class="end">
                <span class="note">Download</span>
                <button type="button" onClick={() => void download("csv")}>CSV</button>
                <button type="button" onClick={() => void download("arrow")}>Arrow</button>
                <button type="button" onClick={() => void download("json")}>JSON file</button>
              </span>
            )}
          </div>
          {result.message && view === "table" && <pre class="text-block">{result.message}</pre>}
          {view === "table" && result.rows.length > 0 && (
            <ResultTable columns={result.columns} rows={result.rows} label="Rows" />
          )}
          {view === "graph" && (
            <>
              <ResultGraph nodes={result.nodes} edges={result.edges} />
              {ran && chainOf(ran, result) && <p><a class="button" href={link("graph", { chain: chainOf(ran, result) })}>Go on in Graph</a></p>}
            </>
          )}
          {view === "json" && (
            <pre class="text-block" tabIndex={0}>
              {JSON.stringify(result.rows.map((row) => Object.fromEntries(result.columns.map((name, at) => [name, row[at]]))), null, 1)}
            </pre>
          )}
          {view === "plan" && <pre class="text-block" tabIndex={0}>{result.plan || result.statement}</pre>}
        </>
      )}
      {draft.language === "cypher" && <Schema key={address.get("schema")} isDrawn={address.get("schema") === "graph"} />}
      {!result && !error && !running && (
        <p class="note">
          Nothing has run yet. Press Ctrl+Enter to run the query, or choose an example. Ctrl+Space completes labels, properties,
          edges and functions.
        </p>
      )}
    </section>
  );
}

interface Table { name: string; kind: string; comment: string; properties: { name: string; type: string; comment: string }[]; connections: [string, string][] }

/** The tables that a statement can name, once somebody or the address of the view opens them. */
function Schema({ isDrawn }: { isDrawn: boolean }) {
  const [isOpen, setOpen] = useState(isDrawn);
  const [wanted, setWanted] = useState("");
  const asked = useAsked<Table[]>("cypher-schema", isOpen ? {} : null);
  const hasWanted = (table: Table) => `${table.name} ${table.properties.map((each) => each.name).join(" ")}`.toLowerCase().includes(wanted.toLowerCase());
  return (
    <details class="card" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><strong>Schema</strong></summary>
      <Shown asked={asked}>
        {(tables) => (
          <>
            {tables.length > 0 && <SchemaGraph tables={tables} isDrawn={isDrawn} />}
            <label>Filter <input type="search" value={wanted} placeholder="CALLS, relativePath" onInput={(event) => setWanted(event.currentTarget.value)} /></label>
            {tables.filter(hasWanted).map((table) => (
              <details key={table.name}>
                <summary><code>{table.kind === "node" ? `(:${table.name})` : `[:${table.name}]`}</code> {table.comment}</summary>
                {table.connections.length > 0 && <p class="note">{table.connections.map(([start, end]) => `(:${start})→(:${end})`).join(", ")}</p>}
                <ResultTable label={table.name} columns={["property", "type", "meaning"]} rows={table.properties.map((each) => [each.name, each.type, each.comment])} />
              </details>
            ))}
          </>
        )}
      </Shown>
    </details>
  );
}

/** The tables of nodes as a graph, with the tables of edges between them. */
function SchemaGraph({ tables, isDrawn }: { tables: Table[]; isDrawn: boolean }) {
  const [isOpen, setOpen] = useState(isDrawn);
  const nodes = tables.filter(({ kind }) => kind === "node").map(({ name, comment, properties }): ResultNode => ({
    id: name, name, kind: "table", meaning: comment, properties: properties.map((each) => each.name).join(", "),
  }));
  const edges = tables.filter(({ kind }) => kind !== "node").flatMap(({ name, connections }) => connections.map(([start, end]): ResultEdge => ({ start, end, label: name })));
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a graph</summary>
      {isOpen && <ResultGraph nodes={nodes} edges={edges} />}
    </details>
  );
}

function Menu({ label, items, onChoose }: { label: string; items: Kept[]; onChoose: (kept: Kept) => void }) {
  return (
    <select
      aria-label={label}
      value=""
      onChange={(event) => {
        const chosen = items[Number(event.currentTarget.value)];
        event.currentTarget.value = "";
        if (chosen) onChoose(chosen);
      }}
    >
      <option value="">{items.length ? label : `${label} (empty)`}</option>
      {items.map((kept, at) => (
        <option value={at}>{(kept.name ?? kept.text).replace(/\s+/g, " ").slice(0, 80)}</option>
      ))}
    </select>
  );
}

/** The chain that draws the nodes of a result in the panel Graph: symbols, else files; "" where there are none. */
function chainOf(ran: Kept, result: Result): string {
  if (ran.language === "chain") return ran.text;
  const keys = (label: string) => result.nodes.filter((node) => node.id.startsWith(`${label}:`)).map((node) => node.id.slice(label.length + 1));
  return chainOfSymbols(keys("Symbol")) || chainOfFiles(keys("File"));
}

/** The value of a parameter: JSON where the text is JSON, else the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The forms that a result has: a plan alone, or rows, with a graph where there are nodes. */
function formsOf(result: Result): Form[] {
  if (result.plan) return ["plan"];
  return FORMS.filter((form) => (form === "graph" ? result.nodes.length > 0 : form !== "plan" || result.statement !== ""));
}

function summary(result: Result): string {
  const total = counted(result.totalRows, "row");
  const shown = result.rows.length < result.totalRows ? `The first ${result.rows.length.toLocaleString("en")} of ${total}` : total;
  return `${shown} in ${result.milliseconds.toLocaleString("en")} ms`;
}
