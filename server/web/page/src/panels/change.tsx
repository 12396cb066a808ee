// What a change breaks and reaches, and which tests to run.

import { useEffect, useState } from "preact/hooks";
import { useAsked } from "../asked";
import { chainOfSymbols } from "../graph/model";
import type { PanelProps } from "../panels";
import { go, link } from "../route";
import { Place, ResultTable, SymbolName } from "../table";

type Row = Record<string, unknown>;

interface Answer {
  old: string;
  new: string;
  risk: { level: string; reasons: string[] };
  broken?: Row[];
  files?: Row[];
  symbols?: Row[];
  affected?: Row[];
  entryPoints?: Row[];
  tests?: Row[];
  commands?: { command: string; runner: string; folder?: string }[];
  partners?: Row[];
  owners?: Row[];
  documents?: Row[];
  leftOut?: Record<string, number>;
  notes?: string[];
}

const SECTIONS: [keyof Answer, string, string[]][] = [
  ["broken", "Broken", ["at", "reason"]],
  ["symbols", "Changed", ["symbol", "kind", "changes", "users", "at"]],
  ["files", "Files", ["file", "status", "language"]],
  ["affected", "Reached", ["symbol", "distance", "through", "at"]],
  ["entryPoints", "Entry points", ["symbol", "framework", "role", "text", "distance"]],
  ["documents", "Documents that name it", ["section", "names", "at"]],
  ["tests", "Tests to run", ["file", "distance", "reason"]],
  ["partners", "Usually changes too", ["file", "changesWith", "support", "confidence"]],
  ["owners", "Who knows the code", ["name", "email", "commits", "share"]],
];

export function Change({ values, generation }: PanelProps) {
  const compared = values.get("compare") ?? "worktree";
  const given = values.get("ref") ?? "";
  const [states, setStates] = useState(compared);
  const [turn, setTurn] = useState(0);
  useEffect(() => setStates(compared), [compared]);
  const request = { worktree: {}, staged: { staged: true }, base: { base: given }, range: { range: given } }[compared] ?? {};
  const { answer: change, error, waits } = useAsked<Answer>("change", request, `${generation} ${turn}`);
  const needsRef = states === "base" || states === "range";
  // Only symbols that the index contains have an id.
  const changed = (change?.symbols ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  const sections = change ? SECTIONS.filter(([key]) => (change[key] as Row[] | undefined)?.length) : [];
  return (
    <section class="panel" aria-label="Change">
      <form class="tools" onSubmit={(event) => { event.preventDefault(); setTurn(turn + 1); go("change", { compare: states, ref: needsRef ? String(new FormData(event.currentTarget).get("ref")).trim() : "" }); }}>
        <label>
          Compare{" "}
          <select value={states} onChange={(event) => setStates(event.currentTarget.value)}>
            <option value="worktree">the work tree with the last commit</option>
            <option value="staged">what is staged with the last commit</option>
            <option value="base">the work tree with where it left a branch</option>
            <option value="range">a commit or two commits</option>
          </select>
        </label>
        {needsRef && (
          <label>
            {states === "base" ? "Branch " : "Commits "}
            <input required key={given} name="ref" defaultValue={given} placeholder={states === "base" ? "origin/main" : "main...HEAD"} />
          </label>
        )}
        <button type="submit" class="primary">{waits ? "Comparing…" : "Compare"}</button>
      </form>
      {error && <p class="problem" role="alert">{error}</p>}
      {waits && !change && <p class="waiting" role="status">The states are compared. The first comparison also reads the history …</p>}
      <div role="status" aria-live="polite">
        {change && (
          <div class="card">
            <p><strong class={`risk risk-${change.risk.level}`}>Risk: {change.risk.level}</strong> from {change.old} to {change.new}</p>
            {change.risk.reasons.length > 0 && <ul>{change.risk.reasons.map((reason) => <li>{reason}</li>)}</ul>}
            {changed.length > 0 && <p><a class="button" href={link("graph", { chain: chainOfSymbols(changed) })}>Draw the changed symbols</a></p>}
            {change.notes?.map((note) => <p class="note">{note}</p>)}
          </div>
        )}
      </div>
      {change && !sections.length && (
        <p class="note">Nothing differs between these states. Change a file, or compare two commits, such as HEAD~5...HEAD.</p>
      )}
      {change && change.commands && change.commands.length > 0 && (
        <div class="card">
          <strong>Commands for the tests</strong>
          {change.commands.map((each) => (
            <pre class="text-block" tabIndex={0}>{each.folder ? `cd ${each.folder} && ` : ""}{each.command}</pre>
          ))}
        </div>
      )}
      {sections.map(([key, title, columns]) => {
        const rows = change![key] as Row[];
        const left = change!.leftOut?.[key] ?? 0;
        return (
          <details class="card" open={key !== "owners" && key !== "partners"}>
            <summary><strong>{title}</strong> ({rows.length}{left ? ` of ${rows.length + left}` : ""})</summary>
            <ResultTable columns={columns} rows={rows.map((row) => columns.map((column) => cellOf(column, row)))} label={title} />
          </details>
        );
      })}
    </section>
  );
}

/** Symbols lead to their page, and places to the file. */
function cellOf(column: string, row: Row): unknown {
  const value = row[column];
  if (typeof value !== "string" || !value) return listed(value);
  if (column === "symbol") return SymbolName.of(row);
  return column === "at" || column === "file" ? Place.read(value) : value;
}

const listed = (value: unknown): unknown => (Array.isArray(value) ? value.join(", ") : typeof value === "number" && !Number.isInteger(value) ? Math.round(value * 100) / 100 : value);
