// What is wrong: errors, dead code, duplicates and circular imports.
import { Shown, useAsked } from "../asked";
import { chainOfFiles } from "../graph/model";
import type { PanelProps } from "../panels";
import { go, link } from "../route";
import { Place, ResultTable, SymbolName } from "../table";

interface Finding { symbol: string; id?: string; kind: string; file: string; line: number; reason: string; confidence?: string }
interface Clone { symbol: string; id?: string; file: string; line: number; endLine: number }

interface Answer {
  summary: Record<string, number>;
  diagnostics?: { file: string; line: number; severity: string; message: string; source: string }[];
  deadCode?: Finding[];
  notKnown?: Finding[];
  duplicates?: { similarity: number; members: Clone[]; suggestion: string; moreMembers?: number }[];
  circularDeps?: { chain: string[]; severity: string; kind: string; suggestion: string }[];
  breakFirst?: { importer: string; imported: string; circles: number }[];
  notes?: string[];
}

export function Checks({ values, generation }: PanelProps) {
  const request = { scope: values.get("scope") ?? "", include_tests: values.get("tests") === "1", include_generated: values.get("generated") === "1" };
  const asked = useAsked<Answer>("checks", request, generation);
  return (
    <section class="panel" aria-label="Checks">
      <form class="tools" onSubmit={(event) => { event.preventDefault(); go("checks", Object.fromEntries([...new FormData(event.currentTarget)].map(([key, value]) => [key, String(value)]))); }}>
        <label>Where <input name="scope" defaultValue={request.scope} placeholder="everywhere, src/ or **/*.ts" /></label>
        <label><input type="checkbox" name="tests" value="1" defaultChecked={request.include_tests} /> Tests too</label>
        <label><input type="checkbox" name="generated" value="1" defaultChecked={request.include_generated} /> Generated code too</label>
        <button class="primary" type="submit">Check</button>
      </form>
      <Shown asked={asked}>{(answer) => <Found answer={answer} />}</Shown>
    </section>
  );
}

function Found({ answer }: { answer: Answer }) {
  const { diagnostics = [], deadCode = [], notKnown = [], duplicates = [], circularDeps = [], breakFirst = [], notes = [], summary } = answer;
  const isClean = ![diagnostics, deadCode, duplicates, circularDeps].some((findings) => findings.length);
  return (
    <div class="panel">
      {isClean && <p class="note">Nothing was found. Look at another part, or take the tests in.</p>}
      {notes.map((note) => <p class="note" key={note}>{note}</p>)}
      <Part title="Errors and warnings" total={total(summary, "totalErrors", "totalWarnings", "totalHints")} columns={["place", "severity", "message", "source"]}
        rows={diagnostics.map((each) => [new Place(each.file, each.line), each.severity, each.message, each.source])} />
      <Part title="Dead code" total={summary.totalDeadCode} columns={["symbol", "kind", "place", "confidence", "reason"]}
        rows={deadCode.map((each) => [SymbolName.of(each), each.kind, new Place(each.file, each.line), each.confidence, each.reason])} />
      <Part title="Circular imports" total={summary.totalCircularDeps} columns={["severity", "kind", "files", "suggestion"]}
        rows={circularDeps.map((each) => [each.severity, each.kind, each.chain.join(" → "), each.suggestion])}>
        {circularDeps.length > 0 && <p><a class="button" href={link("graph", { chain: chainOfFiles([...new Set(circularDeps.flatMap((each) => each.chain))]) })}>Draw the circles</a></p>}
      </Part>
      <Part title="Imports to remove first" columns={["importer", "imported", "circles"]}
        rows={breakFirst.map((each) => [new Place(each.importer), new Place(each.imported), each.circles])} />
      <Part title="Duplicates" total={summary.totalDuplicateGroups} columns={["alike", "symbol", "place", "suggestion"]}
        rows={duplicates.flatMap((group) => group.members.map((each) => [group.similarity, SymbolName.of(each), new Place(each.file, each.line, `${each.file}:${each.line}-${each.endLine}`), group.suggestion]))} />
      <Part title="Not known to be dead" total={summary.totalNotKnown} columns={["symbol", "kind", "place", "reason"]} isClosed
        rows={notKnown.map((each) => [SymbolName.of(each), each.kind, new Place(each.file, each.line), each.reason])} />
    </div>
  );
}

function total(summary: Record<string, number>, ...names: string[]): number {
  return names.reduce((sum, name) => sum + (summary[name] ?? 0), 0);
}

interface PartProps {
  title: string;
  columns: string[];
  rows: unknown[][];
  /** Number of findings, shown or not. */
  total?: number | undefined;
  isClosed?: boolean;
  children?: preact.ComponentChildren;
}

function Part({ title, columns, rows, total: all = rows.length, isClosed = false, children }: PartProps) {
  if (!rows.length) return null;
  return (
    <details class="card" open={!isClosed}>
      <summary><strong>{title}</strong> ({all.toLocaleString("en")})</summary>
      {children}
      <ResultTable columns={columns} rows={rows} label={title} />
    </details>
  );
}
