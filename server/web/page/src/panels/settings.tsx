// The table of settings, which changes astrolabe.toml and keeps its comments.

import { useEffect, useState } from "preact/hooks";
import { ask } from "../api";
import type { PanelProps } from "../panels";
import { Prose } from "../prose";
import { replace } from "../route";

interface Setting {
  name: string;
  value: unknown;
  default: string;
  source: "default" | "file" | "environment";
  form: "flag" | "number" | "decimal" | "choice" | "list" | "text";
  choices: string[];
  meaning: string;
  variable: string;
}

interface Table {
  file: string;
  rows: Setting[];
}

export function Settings({ values }: PanelProps) {
  const [settings, setSettings] = useState<Table | null>(null);
  const [error, setError] = useState("");
  const [saved, setSaved] = useState("");
  const [filter, setFilter] = useState(values.get("filter") ?? "");
  useEffect(() => void ask<Table>("settings", {}).then(setSettings, (failure: Error) => setError(failure.message)), []);
  const change = async (name: string, endpoint: string, body: object): Promise<string> => {
    try {
      setSettings(await ask<Table>(endpoint, body));
      setSaved(`${name} is saved. A console or server that runs takes it after a restart.`);
      return "";
    } catch (failure) {
      setSaved("");
      return String((failure as Error).message);
    }
  };
  const wanted = filter.trim().toLowerCase();
  return (
    <section class="panel" aria-label="Settings">
      <div class="tools">
        <label>Filter <input type="search" value={filter} onInput={(event) => { setFilter(event.currentTarget.value); replace("settings", { filter: event.currentTarget.value }); }} /></label>
        <span class="note">{settings?.file}</span>
      </div>
      {error && <p class="problem" role="alert">{error}</p>}
      <div role="status" aria-live="polite" class="status">{saved}</div>
      {!settings && !error && <p class="waiting" role="status">The settings are read…</p>}
      {settings?.rows
        .filter((row) => !wanted || `${row.name} ${row.meaning}`.toLowerCase().includes(wanted))
        .map((row) => (
          <SettingForm
            key={`${row.name} ${JSON.stringify(row.value)}`}
            row={row}
            onSet={(value) => change(row.name, "settings-set", { name: row.name, value })}
            onUnset={() => change(row.name, "settings-unset", { name: row.name })}
          />
        ))}
    </section>
  );
}

function SettingForm({ row, onSet, onUnset }: { row: Setting; onSet: (value: unknown) => Promise<string>; onUnset: () => Promise<string> }) {
  const written = row.form === "list" ? (row.value as string[]).join(", ") : String(row.value);
  const [text, setText] = useState(written);
  const [error, setError] = useState("");
  const id = `setting-${row.name}`;
  const submit = async (event: Event) => {
    event.preventDefault();
    setError(await onSet(valueOf(row, text)));
  };
  const shared = { id, "aria-describedby": `${id}-about`, "aria-invalid": error ? true : undefined };
  return (
    <form class="card setting" onSubmit={(event) => void submit(event)}>
      <div>
        <label for={id}><code>{row.name}</code></label>
        <small id={`${id}-about`}><Prose text={row.meaning} /> Default: <code>{row.default}</code>.</small>
        {row.source === "environment" && <small>The environment variable {row.variable} wins over the file.</small>}
        {error && <span class="problem" role="alert">{error}</span>}
      </div>
      <div class="tools">
        {row.form === "flag" || row.form === "choice" ? (
          <select {...shared} value={text} onChange={(event) => setText(event.currentTarget.value)}>
            {(row.form === "flag" ? ["true", "false"] : row.choices).map((choice) => <option value={choice}>{choice}</option>)}
          </select>
        ) : (
          <input {...shared} value={text} inputMode={row.form === "number" || row.form === "decimal" ? "decimal" : "text"} onInput={(event) => setText(event.currentTarget.value)} />
        )}
        <button type="submit" disabled={text === written} aria-label={`Save ${row.name}`}>Save</button>
        {row.source === "file" && <button type="button" aria-label={`Use the default of ${row.name}`} onClick={async () => setError(await onUnset())}>Default</button>}
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
      return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
    case "list":
      return text.split(",").map((item) => item.trim()).filter(Boolean);
    default:
      return text;
  }
}
