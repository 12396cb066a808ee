// Rows as a table that sorts by a click and shows more on demand.

import { useMemo, useState } from "preact/hooks";
import { link } from "./route";

const STEP = 200;

/** A place in a file, which a cell shows as a link. */
export class Place {
  constructor(readonly path: string, readonly line?: number, readonly text = line ? `${path}:${line}` : path) {}

  /** Read "path:line"; what has no line is a path. */
  static read(text: string): Place {
    const found = /^(.*):(\d+)$/.exec(text);
    return found ? new Place(found[1]!, Number(found[2])) : new Place(text);
  }
}

/** The name of an indexed symbol, which a cell shows as a link. */
export class SymbolName {
  constructor(readonly id: string, readonly text: string) {}

  /** Return the name of a symbol as a link if the index contains it, and else as text. */
  static of({ id, symbol }: { id?: unknown; symbol?: unknown }): SymbolName | string {
    return typeof id === "string" ? new SymbolName(id, String(symbol)) : String(symbol);
  }
}

/** Texts with more characters get more room in a narrow window. */
const LONG = 24;

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  if (value instanceof Place || value instanceof SymbolName) return value.text;
  const node = value as Record<string, unknown>;
  if (typeof node["_label"] === "string") {
    const name = node["qualifiedName"] ?? node["relativePath"] ?? node["name"] ?? "";
    return `${node["_label"]} ${String(name)}`.trim();
  }
  return JSON.stringify(value);
}

export function ResultTable({ columns, rows, label }: { columns: string[]; rows: unknown[][]; label: string }) {
  const [shown, setShown] = useState(STEP);
  const [order, setOrder] = useState<{ column: number; descending: boolean } | null>(null);
  const sorted = useMemo(() => {
    if (!order) return rows;
    const sign = order.descending ? -1 : 1;
    return [...rows].sort((one, other) => {
      const [left, right] = [one[order.column], other[order.column]];
      if (typeof left === "number" && typeof right === "number") return sign * (left - right);
      return sign * cellText(left).localeCompare(cellText(right), undefined, { numeric: true });
    });
  }, [rows, order]);
  const sortBy = (column: number) => setOrder({ column, descending: order?.column === column && !order.descending });
  return (
    <div class="table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th class={typeof rows[0]?.[at] === "number" ? "number-cell" : ""} aria-sort={order?.column === at ? (order.descending ? "descending" : "ascending") : undefined}>
                <button type="button" onClick={() => sortBy(at)}>
                  {column} {order?.column === at ? (order.descending ? "↓" : "↑") : ""}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <tr>
              {row.map((value) => (
                <td class={typeof value === "number" ? "number-cell" : cellText(value).length > LONG ? "long" : ""}><Cell value={value} /></td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <button type="button" class="more-rows" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, rows.length - shown)} more of {rows.length}
        </button>
      )}
    </div>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value instanceof Place) return <a href={link("file", { path: value.path, line: value.line })}>{value.text}</a>;
  if (value instanceof SymbolName) return <a href={link("symbol", { id: value.id })}>{value.text}</a>;
  const node = value as Record<string, unknown> | null;
  if (typeof node === "object" && node?.["_label"] === "Symbol" && typeof node["id"] === "string") return <a href={link("symbol", { id: node["id"] })}>{cellText(node)}</a>;
  if (typeof node === "object" && node?.["_label"] === "File" && typeof node["relativePath"] === "string") return <a href={link("file", { path: node["relativePath"] })}>{cellText(node)}</a>;
  return <>{cellText(value)}</>;
}
