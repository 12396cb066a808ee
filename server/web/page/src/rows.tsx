// Symbols and files as lists of links.
import type { FileRow, SymbolRow } from "./api";
import { counted } from "./prose";
import { link } from "./route";

export interface Section {
  count: number;
  rows: (SymbolRow | FileRow)[];
}

export function Kind({ kind }: { kind: string }) {
  return <span class="kind" data-kind={kind}>{kind}</span>;
}

export function RowLink({ row }: { row: SymbolRow | FileRow }) {
  if (!("id" in row)) {
    return (
      <a class="row" href={link("file", { path: row.path })}>
        <span class="name">{row.path}</span>
        <span class="place">{row.language}, {counted(row.lines, "line")}</span>
      </a>
    );
  }
  return (
    <a class="row" href={link("symbol", { id: row.id })}>
      <Kind kind={row.kind} />
      <span class="name">{row.qualifiedName}</span>
      <span class="place">{row.path}:{row.startLine}</span>
    </a>
  );
}

export function SectionList({ title, section }: { title: string; section: Section }) {
  return (
    <details class="section" open={section.count <= 12}>
      <summary><h3>{title}</h3> <span class="count">{section.count.toLocaleString("en")}</span></summary>
      <ul>{section.rows.map((row) => <li key={"id" in row ? row.id : row.path}><RowLink row={row} /></li>)}</ul>
      {section.count > section.rows.length && <p class="note">The first {section.rows.length} are shown.</p>}
    </details>
  );
}
