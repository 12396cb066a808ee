// A symbol: its source, and everything one step away.
import type { SymbolRow } from "../api";
import { Shown, useAsked } from "../asked";
import { Code } from "../code";
import { addressOf } from "../graph/begin";
import { quoted } from "../graph/model";
import { History } from "../history";
import { Impact } from "../impact";
import type { PanelProps } from "../panels";
import { link } from "../route";
import { Kind, SectionList, type Section } from "../rows";

const TITLES: Record<string, string> = {
  callers: "Callers",
  callees: "Callees",
  referenced_by: "Referenced by",
  references: "References",
  members: "Members",
  parents: "Enclosing",
  base_types: "Base types",
  subtypes: "Subtypes",
  overrides: "Overrides",
  overridden_by: "Overridden by",
  types: "Types in its signature",
  tests: "Tests that reach it",
  tables: "Tables",
  columns: "Columns",
  read_by: "Read by",
  modified_by: "Modified by",
  maps_to: "Stands for",
  mapped_by: "Models that stand for it",
  changed_in: "Migrations",
  sections: "Documents that name it",
};

interface SymbolPage {
  symbol: SymbolRow;
  candidates: SymbolRow[];
  sections: Record<string, Section>;
}

export function SymbolPanel({ values, generation }: PanelProps) {
  const id = values.get("id") ?? "";
  const name = values.get("name") ?? "";
  const asked = useAsked<SymbolPage>("symbol", id ? { id } : { name }, generation);
  const subjectOf = (symbol: SymbolRow): string => `${symbol.path} > ${symbol.qualifiedName.split(".").join(" > ")}`;
  return (
    <Shown asked={asked}>
      {({ symbol, candidates, sections }) => (
        <article>
          <header class="title">
            <h2><Kind kind={symbol.kind} /> {symbol.qualifiedName}</h2>
            <p><a href={link("file", { path: symbol.path, line: symbol.startLine })}>{symbol.path}:{symbol.startLine}</a>
              {symbol.exported && <span class="badge">exported</span>}
              <span class="badge" title="The mean of all symbols is 1000">importance {symbol.importance.toLocaleString("en")}</span>
              <a class="button" href={addressOf({ kind: "symbol", key: symbol.id, chain: `symbols(id=${quoted(symbol.id)})`, declaration: symbol.kind })}>Graph</a></p>
          </header>
          <div class="split wide">
            <Code path={symbol.path} start={symbol.startLine} end={symbol.endLine} generation={generation} />
            <aside aria-label="Connections">
              {Object.entries(sections).map(([key, section]) => <SectionList key={key} title={TITLES[key] ?? key} section={section} />)}
              {candidates.length > 0 && <SectionList title="Other declarations of the name" section={{ count: candidates.length, rows: candidates }} />}
              <Impact symbol={subjectOf(symbol)} generation={generation} />
              <History subject={subjectOf(symbol)} generation={generation} />
            </aside>
          </div>
        </article>
      )}
    </Shown>
  );
}
