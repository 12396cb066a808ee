// The inspector of the MCP tools: forms from their schemas, calls as an agent makes them, comparison, and the log of agents.

import { useEffect, useState } from "preact/hooks";
import { ask } from "../api";
import type { PanelProps } from "../panels";
import { Prose } from "../prose";
import { useRemembered } from "../remembered";
import { go } from "../route";

interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
}

interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: { properties: Record<string, Schema>; required?: string[] };
  set: string;
  offered: boolean;
}

interface Answer {
  request: { params: { name: string; arguments: Record<string, unknown> } };
  response: unknown;
  parts: { text: string; tokens: number; audience: string[]; priority: number | null }[];
  structured: unknown;
  isError: boolean;
  milliseconds: number;
}

interface Logged {
  /** Process of the server that answered: one for each session of an agent. */
  process: number;
  at: string;
  tool: string;
  arguments: Record<string, unknown> | null;
  milliseconds: number;
  tokens?: number;
  error?: string;
}

const PATHS = new Set(["path", "file", "scope", "filter", "files", "paths"]);
const SYMBOLS = new Set(["symbol", "query", "name"]);

export function Tools({ values: address }: PanelProps) {
  const [tools, setTools] = useState<Tool[]>([]);
  const [log, setLog] = useState<{ on: boolean; calls: Logged[] } | null>(null);
  const name = address.get("tool") ?? "codebase_search";
  const setName = (chosen: string): void => go("tools", { tool: chosen });
  const [forms, setForms] = useRemembered<Record<string, Record<string, string>>>("tools-forms", {});
  const [answers, setAnswers] = useState<Answer[]>([]);
  const [error, setError] = useState("");
  const [calling, setCalling] = useState(false);
  const tool = tools.find((each) => each.name === name) ?? tools[0];
  const form = (tool && forms[tool.name]) ?? {};

  const readLog = () => ask<{ on: boolean; calls: Logged[] }>("tools-log", {}).then(setLog, (failure: Error) => setError(failure.message));
  useEffect(() => {
    ask<Tool[]>("tools-list", {}).then(setTools, (failure: Error) => setError(failure.message));
    void readLog();
  }, []);

  const call = async (called: string, values: Record<string, unknown>) => {
    setCalling(true);
    setError("");
    try {
      const answer = await ask<Answer>("tools-call", { name: called, arguments: values });
      setAnswers((before) => [answer, ...before].slice(0, 20));
    } catch (failure) {
      setError(String((failure as Error).message));
    } finally {
      setCalling(false);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!tool) return;
    const values: Record<string, unknown> = {};
    for (const [field, schema] of Object.entries(tool.inputSchema.properties)) {
      const text = form[field] ?? "";
      if (text !== "") values[field] = valueOf(schema, text);
    }
    void call(tool.name, values);
  };
  const fill = (called: string, values: Record<string, unknown>) => {
    const texts = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)]),
    );
    setName(called);
    setForms({ ...forms, [called]: texts });
  };

  if (!tool) return <section class="panel" aria-label="Tools">{error ? <p class="problem" role="alert">{error}</p> : <p class="waiting" role="status">The tools are read…</p>}</section>;
  return (
    <section class="panel" aria-label="Tools">
      <div class="columns">
        <form class="card" onSubmit={submit}>
          <label class="field">
            Tool
            <select value={tool.name} onChange={(event) => setName(event.currentTarget.value)}>
              {[...new Set(tools.map((each) => each.set))].map((set) => (
                <optgroup label={set}>
                  {tools.filter((each) => each.set === set).map((each) => <option value={each.name}>{each.name}</option>)}
                </optgroup>
              ))}
            </select>
          </label>
          <p class="note"><Prose text={tool.description ?? ""} />{!tool.offered && <> Offered with <code>astrolabe serve --tools {tool.set}</code>.</>}</p>
          {Object.entries(tool.inputSchema.properties).map(([field, schema]) => (
            <Field
              key={`${tool.name} ${field}`}
              name={field}
              schema={schema}
              required={tool.inputSchema.required?.includes(field) ?? false}
              value={form[field] ?? ""}
              onChange={(value) => setForms({ ...forms, [tool.name]: { ...form, [field]: value } })}
            />
          ))}
          <div class="tools">
            <button type="submit" class="primary" disabled={calling}>{calling ? "Calling…" : "Call"}</button>
            <button type="button" onClick={() => setForms({ ...forms, [tool.name]: {} })}>Clear</button>
          </div>
        </form>
        <div class="answers">
          {error && <p class="problem" role="alert">{error}</p>}
          <div role="status" aria-live="polite" class="status">{calling ? "The tool is called…" : ""}</div>
          {!answers.length && !error && (
            <p class="note">Fill in the form and press Call: the answer appears here as an agent gets it. A second call is compared with it.</p>
          )}
          <div class={answers.length > 1 ? "compare" : ""}>
            {answers.slice(0, 2).map((answer, at) => (
              <AnswerView
                key={answers.length - at}
                answer={answer}
                title={answers.length > 1 ? (at ? "Call before" : "Last call") : "Answer"}
                other={answers[1 - at]}
                onReplay={() => void call(answer.request.params.name, answer.request.params.arguments)}
              />
            ))}
          </div>
          <LogView log={log} onRefresh={() => void readLog()} onReplay={call} onFill={fill} />
        </div>
      </div>
    </section>
  );
}

function Field({ name, schema, required, value, onChange }: { name: string; schema: Schema; required: boolean; value: string; onChange: (value: string) => void }) {
  const [suggestions, setSuggestions] = useState<{ value: string; detail: string }[]>([]);
  const choices = choicesOf(schema);
  const id = `field-${name}`;
  const suggest = (text: string) => {
    const lookup = /^\s*symbol\s*=\s*(.*)/.exec(text);
    const kind = PATHS.has(name) ? "path" : SYMBOLS.has(name) && (name === "symbol" || lookup) ? "symbol" : "";
    const typed = lookup ? lookup[1]! : text;
    if (!kind || typed.trim().length < 2) return setSuggestions([]);
    ask<{ value: string; detail: string }[]>("tools-suggest", { kind, text: typed }).then(
      (found) => setSuggestions(found.map((each) => ({ ...each, value: lookup ? `symbol = ${each.value}` : each.value }))),
      () => setSuggestions([]), // the field works without suggestions
    );
  };
  const type = typeOf(schema);
  return (
    <div class="field">
      <label for={id}>{name}{required && <span aria-hidden="true"> *</span>}</label>
      {choices.length ? (
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{schema.default === undefined || schema.default === null ? "not given" : `default: ${JSON.stringify(schema.default)}`}</option>
          {choices.map((choice) => <option value={String(choice)}>{String(choice)}</option>)}
        </select>
      ) : (
        <>
          <input
            id={id}
            list={`${id}-list`}
            required={required}
            value={value}
            autocomplete="off"
            spellcheck={false}
            placeholder={placeholderOf(type, schema)}
            aria-describedby={schema.description ? `${id}-about` : undefined}
            onInput={(event) => {
              onChange(event.currentTarget.value);
              suggest(event.currentTarget.value);
            }}
          />
          <datalist id={`${id}-list`}>
            {name === "query" && !value && <option value="symbol = " />}
            {suggestions.map((each) => <option value={each.value}>{each.detail}</option>)}
          </datalist>
        </>
      )}
      {schema.description && <small id={`${id}-about`}><Prose text={schema.description} /></small>}
    </div>
  );
}

function AnswerView({ answer, title, other, onReplay }: { answer: Answer; title: string; other?: Answer | undefined; onReplay: () => void }) {
  const tokens = answer.parts.reduce((sum, part) => sum + part.tokens, 0);
  const theirs = new Set(other?.parts.flatMap((part) => part.text.split("\n")) ?? []);
  return (
    <article class={`card ${answer.isError ? "failed" : ""}`} aria-label={title}>
      <header class="tools">
        <strong>{title}</strong>
        <span class="note">
          {answer.request.params.name} · {answer.milliseconds.toLocaleString("en")} ms · {tokens.toLocaleString("en")} tokens
          {other && ` · ${signed(tokens - other.parts.reduce((sum, part) => sum + part.tokens, 0))} tokens`}
          {answer.isError && " · error"}
        </span>
        <button type="button" class="end" onClick={onReplay}>Replay</button>
      </header>
      {answer.parts.map((part, at) => (
        <details open={at < 2}>
          <summary>
            Part {at + 1}: {part.tokens.toLocaleString("en")} tokens{part.priority !== null && `, priority ${part.priority}`}
            {part.audience.length > 0 && `, for ${part.audience.join(" and ")}`}
          </summary>
          <pre class="text-block" tabIndex={0}>
            {other ? part.text.split("\n").map((line) => <span class={theirs.has(line) ? "" : "differs"}>{line + "\n"}</span>) : part.text}
          </pre>
        </details>
      ))}
      {answer.structured !== null && answer.structured !== undefined && (
        <details><summary>Structured content</summary><pre class="text-block" tabIndex={0}>{JSON.stringify(answer.structured, null, 1)}</pre></details>
      )}
      <details><summary>Raw call</summary><pre class="text-block" tabIndex={0}>{JSON.stringify(answer.request, null, 1)}</pre></details>
      <details><summary>Raw answer</summary><pre class="text-block" tabIndex={0}>{JSON.stringify(answer.response, null, 1)}</pre></details>
    </article>
  );
}

function LogView({ log, onRefresh, onReplay, onFill }: { log: { on: boolean; calls: Logged[] } | null; onRefresh: () => void; onReplay: (name: string, values: Record<string, unknown>) => void; onFill: (name: string, values: Record<string, unknown>) => void }) {
  return (
    <section class="card" aria-label="What agents asked">
      <header class="tools">
        <strong>What agents asked</strong>
        <span class="note">{log && !log.on && "The log is off: call_log = false."}</span>
        <button type="button" class="end" onClick={onRefresh}>Refresh</button>
      </header>
      {log?.calls.length ? (
        <div class="table" tabIndex={0} role="region" aria-label="Calls">
          <table>
            <thead><tr><th>Time</th><th>Tool</th><th>Arguments</th><th>ms</th><th>Tokens</th><th>Again</th></tr></thead>
            {sessionsOf(log.calls).map((calls) => (
              <tbody key={`${calls[0]!.process} ${calls[0]!.at}`}>
                <tr><th colSpan={6} scope="rowgroup">Session until {new Date(calls[0]!.at).toLocaleString()}: {calls.length} {calls.length === 1 ? "call" : "calls"}</th></tr>
                {calls.map((call) => (
                  <tr>
                    <td>{new Date(call.at).toLocaleString()}</td>
                    <td>{call.tool}</td>
                    <td class="wide-cell">{call.arguments ? JSON.stringify(call.arguments) : "too long to keep"}{call.error && <span class="wrong"> {call.error}</span>}</td>
                    <td class="number-cell">{call.milliseconds.toLocaleString("en")}</td>
                    <td class="number-cell">{(call.tokens ?? 0).toLocaleString("en")}</td>
                    <td>
                      {call.arguments && (
                        <>
                          <button type="button" onClick={() => onReplay(call.tool, call.arguments!)}>Replay</button>{" "}
                          <button type="button" onClick={() => onFill(call.tool, call.arguments!)}>Edit</button>
                        </>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      ) : (
        <p class="note">No agent has asked anything yet. Run <code>astrolabe init</code> to connect a coding agent.</p>
      )}
    </section>
  );
}

/** Return the calls of each session, the newest first. */
function sessionsOf(calls: Logged[]): Logged[][] {
  const sessions = new Map<number, Logged[]>();
  for (const call of calls) {
    const session = sessions.get(call.process);
    if (session) session.push(call);
    else sessions.set(call.process, [call]);
  }
  return [...sessions.values()];
}

const variants = (schema: Schema): Schema[] => schema.anyOf ?? [schema];
const typeOf = (schema: Schema): string => variants(schema).find((each) => each.type !== "null")?.type ?? "string";

function choicesOf(schema: Schema): unknown[] {
  const found = variants(schema).flatMap((each) => each.enum ?? []);
  return typeOf(schema) === "boolean" ? [true, false] : found;
}

function placeholderOf(type: string, schema: Schema): string {
  const given = schema.default === undefined || schema.default === null || schema.default === "" || String(schema.default) === "" ? "" : `default: ${JSON.stringify(schema.default)}`;
  return type === "array" ? given || "items, separated by commas" : given;
}

/** The value that a text of the form stands for; the server explains what does not fit. */
function valueOf(schema: Schema, text: string): unknown {
  switch (typeOf(schema)) {
    case "integer":
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return text === "true";
    case "array":
      return text.startsWith("[") ? JSON.parse(text) : text.split(",").map((item) => item.trim()).filter(Boolean);
    default:
      return choicesOf(schema).find((choice) => String(choice) === text) ?? text;
  }
}

const signed = (number: number): string => (number > 0 ? `+${number.toLocaleString("en")}` : number.toLocaleString("en"));
