// A file: its source, its declarations, its imports and importers.
import type { FileRow } from "../api";
import { Shown, useAsked } from "../asked";
import { Code } from "../code";
import { addressOf } from "../graph/begin";
import { quoted } from "../graph/model";
import { History } from "../history";
import type { PanelProps } from "../panels";
import { counted } from "../prose";
import { link } from "../route";
import { SectionList, type Section } from "../rows";

interface FilePage {
  file: FileRow;
  symbols: Section;
  sections: Record<string, Section>;
}

/** Lines that are shown around the one that the address names. */
const AROUND = 1000;

export function FilePanel({ values, generation }: PanelProps) {
  const path = values.get("path") ?? "";
  const line = Number(values.get("line")) || undefined;
  const from = Number(values.get("from")) || undefined;
  const asked = useAsked<FilePage>("file", { path }, generation);
  return (
    <Shown asked={asked}>
      {({ file, symbols, sections }) => (
        <article>
          <header class="title">
            <h2>{file.path}</h2>
            <p>
              <span class="badge">{file.language}</span><span class="badge">{counted(file.lines, "line")}</span>
              {file.isTest && <span class="badge">test</span>}
              <span class="badge" title="The mean of all files is 1000">importance {file.importance.toLocaleString("en")}</span>
              <a class="button" href={addressOf({ kind: "file", key: file.path, chain: `files(path=${quoted(file.path)})`, declaration: "" })}>Graph of imports</a>
              <a class="button" href={link("graph", { chain: `files(path=${quoted(file.path)}).symbols()` })}>Graph of symbols</a>
            </p>
          </header>
          <div class="split wide">
            <div>
              <Code path={path} start={from ?? (line && line > AROUND ? line - AROUND : 1)} generation={generation}
                partAt={(first) => link("file", { path, from: first })} {...(line ? { mark: line } : {})} />
            </div>
            <aside aria-label="Connections">
              <SectionList title="Declarations" section={symbols} />
              {Object.entries(sections).map(([key, section]) => (
                <SectionList key={key} title={key === "imports" ? "Imports" : "Imported by"} section={section} />
              ))}
              <History subject={path} generation={generation} />
            </aside>
          </div>
        </article>
      )}
    </Shown>
  );
}
