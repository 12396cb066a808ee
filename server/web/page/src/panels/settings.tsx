// The settings by groups. A change is checked while it is typed, and written to astrolabe.toml, which keeps its comments.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { ask } from "../api";
import { useAsked } from "../asked";
import { useLater } from "../later";
import type { PanelProps } from "../panels";
import { Prose } from "../prose";
import { link, replace } from "../route";

interface Setting {
  name: string;
  group: string;
  value: unknown;
  default: string;
  source: "default" | "file" | "environment";
  form: "flag" | "number" | "decimal" | "choice" | "list" | "text";
  choices: string[];
  meaning: string;
  variable: string;
  problem: string;
}

interface Problem {
  message: string;
  key: string;
  isSetting: boolean;
  line: number;
  lines: { number: number; text: string }[];
}

interface Table {
  file: string;
  groups: { title: string; meaning: string }[];
  rows: Setting[];
  problems: Problem[];
}

type Change = (name: string, endpoint: string, body: object) => Promise<string>;

export function Settings({ values }: PanelProps) {
  const [settings, setSettings] = useState<Table | null>(null);
  const [error, setError] = useState("");
  const [saved, setSaved] = useState("");
  const [filter, setFilter] = useState(values.get("filter") ?? "");
  const [isOnlyChanged, setOnlyChanged] = useState(values.get("changed") === "1");
  const group = values.get("group") ?? "";
  const read = (): void => void ask<Table>("settings", {}).then(setSettings, (failure: Error) => setError(failure.message));
  useEffect(read, []);
  useEffect(() => {
    // The file may be corrected in an editor meanwhile.
    addEventListener("focus", read);
    return () => removeEventListener("focus", read);
  }, []);
  useEffect(() => document.getElementById(`group-${group}`)?.scrollIntoView(), [group, settings === null]);
  const change: Change = async (name, endpoint, body) => {
    try {
      setSettings(await ask<Table>(endpoint, body));
      setSaved(`${name} is ${endpoint === "settings-set" ? "saved" : "removed from the file"}. A console or server that runs takes the change after a restart.`);
      return "";
    } catch (failure) {
      setSaved("");
      return (failure as Error).message;
    }
  };
  const wanted = filter.trim().toLowerCase();
  const shown = settings?.rows.filter((row) => (!wanted || `${row.name} ${row.group} ${row.meaning}`.toLowerCase().includes(wanted))
    && (!isOnlyChanged || row.source !== "default")) ?? [];
  const keep = (address: Record<string, string>): void => replace("settings", { filter, changed: isOnlyChanged ? "1" : "", ...address });
  return (
    <section class="panel" aria-label="Settings">
      <div class="tools">
        <label>Filter <input type="search" value={filter} placeholder="name or meaning" onInput={(event) => { setFilter(event.currentTarget.value); keep({ filter: event.currentTarget.value }); }} /></label>
        <label><input type="checkbox" checked={isOnlyChanged} onChange={(event) => { setOnlyChanged(event.currentTarget.checked); keep({ changed: event.currentTarget.checked ? "1" : "" }); }} /> Only those that are set</label>
        <span class="note">{settings?.file}</span>
      </div>
      {settings && settings.rows.length > 0 && (
        <nav class="tools" aria-label="Groups">
          {settings.groups.map(({ title }) => <a key={title} href={link("settings", { group: title })}>{title}</a>)}
        </nav>
      )}
      {error && <p class="problem" role="alert">{error}</p>}
      {settings?.problems.map((problem) => <Mistake key={problem.message} problem={problem} change={change} />)}
      <div role="status" aria-live="polite" class="status">{saved}</div>
      {!settings && !error && <p class="waiting" role="status">The settings are read…</p>}
      {settings?.groups.map(({ title, meaning }) => {
        const rows = shown.filter((row) => row.group === title);
        return rows.length > 0 && (
          <section key={title} id={`group-${title}`} class="panel group" aria-labelledby={`title-${title}`}>
            <header><h2 id={`title-${title}`}>{title}</h2> <p class="note"><Prose text={meaning} /></p></header>
            {rows.map((row) => <SettingForm key={row.name} row={row} change={change} />)}
          </section>
        );
      })}
      {settings && settings.rows.length > 0 && shown.length === 0 && <p class="note">No setting fits. Take the filter away to see all.</p>}
    </section>
  );
}

/** A mistake in the file or in the environment, with the lines around it. */
function Mistake({ problem, change }: { problem: Problem; change: Change }) {
  const [error, setError] = useState("");
  return (
    <div class="problem" role="alert">
      <p>{problem.message}</p>
      {problem.lines.length > 0 && (
        <pre class="around" tabIndex={0} role="region" aria-label={`Lines around line ${problem.line}`}>
          {problem.lines.map(({ number, text }) => <div key={number} class={number === problem.line ? "wrong-line" : ""}>{`${number}  ${text}`}</div>)}
        </pre>
      )}
      {problem.key && !problem.isSetting && (
        <button type="button" onClick={async () => setError(await change(problem.key, "settings-unset", { name: problem.key }))}>Remove {problem.key} from the file</button>
      )}
      {error && <p>{error}</p>}
    </div>
  );
}

function SettingForm({ row, change }: { row: Setting; change: Change }) {
  const written = Array.isArray(row.value) ? row.value.join(", ") : String(row.value);
  const [text, setText] = useState(written);
  const [error, setError] = useState(row.problem && `${row.name} ${row.problem}.`);
  // After a change of the file. The form stays, and the focus with it.
  useLayoutEffect(() => {
    setText(written);
    setError(row.problem && `${row.name} ${row.problem}.`);
  }, [written, row.problem]);
  const later = useLater(text);
  const checked = useAsked<{ problem: string }>("settings-check", later === written ? null : { name: row.name, value: valueOf(row, later) });
  const problem = text === written ? error : later === text && !checked.waits ? checked.answer?.problem ?? checked.error : "";
  const id = `setting-${row.name}`;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (problem) document.getElementById(id)?.focus();
    else setError(await change(row.name, "settings-set", { name: row.name, value: valueOf(row, text) }));
  };
  const shared = { id, "aria-describedby": `${id}-about ${id}-problem`, "aria-invalid": problem ? true : undefined };
  return (
    <form class={row.source === "default" ? "card setting" : "card setting set"} onSubmit={(event) => void submit(event)}>
      <div>
        <label for={id}><strong>{row.name}</strong></label>
        <span id={`${id}-about`}><Prose text={row.meaning} /></span>
        <small>
          Default: <code>{row.default}</code>
          {row.form === "list" && " · items are separated by commas"}
          {row.source === "file" && " · set in the file"}
        </small>
        {row.source === "environment" && <small>The environment variable {row.variable} wins over the file.</small>}
        <span id={`${id}-problem`} class={problem ? "problem" : ""} role="alert">{problem}</span>
      </div>
      <div class="tools">
        {row.form === "flag" || row.form === "choice" ? (
          <select {...shared} value={text} onChange={(event) => setText(event.currentTarget.value)}>
            {(row.form === "flag" ? ["true", "false"] : row.choices).map((choice) => <option key={choice} value={choice}>{choice}</option>)}
          </select>
        ) : (
          <input {...shared} value={text} inputMode={row.form === "number" || row.form === "decimal" ? "decimal" : "text"} onInput={(event) => setText(event.currentTarget.value)} />
        )}
        <button type="submit" disabled={text === written} aria-label={`Save ${row.name}`}>Save</button>
        {row.source === "file" && (
          <button type="button" aria-label={`Use the default of ${row.name}`} onClick={async () => setError(await change(row.name, "settings-unset", { name: row.name }))}>Default</button>
        )}
      </div>
    </form>
  );
}

/** The value that a text stands for; the server explains what does not fit. */
function valueOf(row: Setting, text: string): unknown {
  switch (row.form) {
    case "flag":
      return text === "true";
    case "number":
    case "decimal":
      return text.trim() === "" || !Number.isFinite(Number(text)) ? text : Number(text);
    case "list":
      return text.split(",").map((item) => item.trim()).filter(Boolean);
    default:
      return text;
  }
}
