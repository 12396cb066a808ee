// What is one step away from a symbol, what a change of it reaches, and its history.
import type { SymbolRow } from "./api";
import { Shown, useAsked } from "./asked";
import { History } from "./history";
import { Impact } from "./impact";
import { SectionList, type Section } from "./rows";

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

export interface SymbolPage {
  symbol: SymbolRow;
  candidates: SymbolRow[];
  sections: Record<string, Section>;
}

/** Return the name of a symbol as questions take it: its file, then the names from outside to inside. */
export const subjectOf = (path: string, qualifiedName: string): string => [path, ...qualifiedName.split(".")].join(" > ");

export function Neighbors({ page: { symbol, candidates, sections }, generation }: { page: SymbolPage; generation: number | null }) {
  const subject = subjectOf(symbol.path, symbol.qualifiedName);
  return (
    <>
      {Object.entries(sections).map(([key, section]) => <SectionList key={key} title={TITLES[key] ?? key} section={section} />)}
      {candidates.length > 0 && <SectionList title="Other declarations of the name" section={{ count: candidates.length, rows: candidates }} />}
      <Impact symbol={subject} generation={generation} />
      <History subject={subject} generation={generation} />
    </>
  );
}

/** The neighbors of a symbol that is known by its id alone. */
export function Connections({ id, generation }: { id: string; generation: number | null }) {
  const asked = useAsked<SymbolPage>("symbol", { id }, generation);
  return <div class="connections"><Shown asked={asked}>{(page) => <Neighbors key={page.symbol.id} page={page} generation={generation} />}</Shown></div>;
}
