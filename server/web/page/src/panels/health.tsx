// The state of the index: freshness, problems, what was left out, what is not known, sizes and hooks.

import { useEffect, useState } from "preact/hooks";
import { ask } from "../api";
import type { PanelProps } from "../panels";
import { counted } from "../prose";
import { Place, ResultTable } from "../table";

interface State {
  root: string;
  generation: number;
  createdAt: string;
  gitHead: string;
  fresh: boolean;
  staleFiles: string[];
  configurationChanged: boolean;
  files: number;
  symbols: number;
  counts: Record<string, number>;
  problemFiles: Record<string, unknown>[];
  excluded: Record<string, unknown>[];
  sizes: Record<string, number>;
  model: string;
  graphEngine: string;
  engine: string;
  engineNote: string;
  health: {
    unresolvedImports: Record<string, unknown>[];
    unresolvedCalls: Record<string, unknown>[];
    clients: string[];
  };
  hooks: { hook: string; installed: boolean; reason: string }[];
}

interface Progress {
  percent: number;
  message: string;
}

export function Health({ generation }: PanelProps) {
  const [health, setHealth] = useState<State | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [indexing, setIndexing] = useState(false);
  const [error, setError] = useState("");
  const read = () => ask<State>("health", {}).then((found) => { setHealth(found); setError(""); }, (failure: Error) => setError(failure.message));
  useEffect(() => void read(), [generation]);
  useEffect(() => {
    const poll = () => void ask<Progress | null>("health-progress", {}).then(setProgress, () => setProgress(null));
    const timer = setInterval(poll, indexing ? 300 : 3000);
    return () => clearInterval(timer);
  }, [indexing]);
  const index = async (full: boolean) => {
    setIndexing(true);
    try {
      await ask("health-index", { full });
      await read();
    } catch (failure) {
      setError(String((failure as Error).message));
    } finally {
      setIndexing(false);
      setProgress(null);
    }
  };
  return (
    <section class="panel" aria-label="Health">
      <div class="tools">
        <button type="button" class="primary" disabled={indexing} onClick={() => void index(false)}>Refresh the index</button>
        <button type="button" disabled={indexing} onClick={() => void index(true)}>Build it anew</button>
        <button type="button" onClick={() => void read()}>Read again</button>
        {(progress || indexing) && (
          <label class="note">
            <progress max={100} value={progress?.percent}></progress> {progress?.message ?? "Looking for changes…"}
          </label>
        )}
      </div>
      {error && <p class="problem" role="alert">{error}</p>}
      {health && (
        <>
          <div class="facts">
            <Fact name="State" value={health.fresh ? "fresh" : `${counted(health.staleFiles.length, "file")} changed`} warns={!health.fresh} />
            <Fact name="Generation" value={`${health.generation}, ${new Date(health.createdAt).toLocaleString()}`} />
            <Fact name="Files" value={health.files.toLocaleString("en")} />
            <Fact name="Symbols" value={health.symbols.toLocaleString("en")} />
            <Fact name="Size of the index" value={bytes(health.sizes["total"] ?? 0)} />
            <Fact name="Size of the sources" value={bytes(health.sizes["source"] ?? 0)} />
            <Fact name="Graph engine" value={health.graphEngine} />
            <Fact name="Type engine" value={health.engine} warns={health.engineNote !== ""} />
            <Fact name="Agents" value={health.health.clients.join(", ") || "none connected: astrolabe init"} />
          </div>
          {health.engineNote && <p class="note">{health.engineNote}</p>}
          {health.configurationChanged && <p class="note">Settings or rules changed since: the next refresh builds everything anew.</p>}
          <Part title="Changed files" rows={health.staleFiles.map((file) => ({ file }))} empty="Every file is as it was when the index was made." />
          <Part title="Problems" rows={health.problemFiles} empty="Every file was read completely." open />
          <Part title="Excluded files" rows={health.excluded} empty="No file was left out." />
          <Part title="Unresolved calls by reason" rows={health.health.unresolvedCalls} empty="The declaration of every call is known." open />
          <Part title="Unresolved imports" rows={health.health.unresolvedImports} empty="Every import leads to a file or a package." />
          <Part title="Rows by table" rows={Object.entries(health.counts).filter(([, count]) => count).map(([table, count]) => ({ table, rows: count }))} empty="The graph is empty." />
          <Part title="Sizes on disk" rows={Object.entries(health.sizes).map(([part, size]) => ({ part, size: bytes(size) }))} empty="" />
          <Part title="Git hooks" rows={health.hooks.map((each) => ({ hook: each.hook, state: each.installed ? "installed" : each.reason || "not installed: astrolabe hooks install" }))} empty="There is no Git repository here." />
        </>
      )}
      {!health && !error && <p class="waiting" role="status">The state is read…</p>}
      {!health && error && <p class="note">Press “Refresh the index” to make one.</p>}
    </section>
  );
}

function Fact({ name, value, warns = false }: { name: string; value: string; warns?: boolean }) {
  return <div class={`fact ${warns ? "warns" : ""}`}><span>{name}</span><strong>{value}</strong></div>;
}

function Part({ title, rows, empty, open = false }: { title: string; rows: Record<string, unknown>[]; empty: string; open?: boolean }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <details class="card" open={open && rows.length > 0}>
      <summary><strong>{title}</strong> ({rows.length.toLocaleString("en")})</summary>
      {rows.length ? (
        <ResultTable columns={columns} rows={rows.map((row) => columns.map((column) => cellOf(column, row[column])))} label={title} />
      ) : (
        <p class="note">{empty}</p>
      )}
    </details>
  );
}

/** Places lead to the file. */
const cellOf = (column: string, value: unknown): unknown => (typeof value === "string" && (column === "at" || column === "place") ? Place.read(value) : value);

function bytes(count: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let at = 0;
  while (count >= 1000 && at < units.length - 1) {
    count /= 1000;
    at += 1;
  }
  return `${at ? count.toFixed(1) : count} ${units[at]}`;
}
