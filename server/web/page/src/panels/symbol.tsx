// A symbol: its source, and everything one step away.
import { Shown, useAsked } from "../asked";
import { Code } from "../code";
import { Neighbors, type SymbolPage } from "../connections";
import { addressOf } from "../graph/begin";
import { quoted } from "../graph/model";
import type { PanelProps } from "../panels";
import { link } from "../route";
import { Kind } from "../rows";

export function SymbolPanel({ values, generation }: PanelProps) {
  const id = values.get("id") ?? "";
  const name = values.get("name") ?? "";
  const asked = useAsked<SymbolPage>("symbol", id ? { id } : { name }, generation);
  return (
    <Shown asked={asked}>
      {(page) => (
        <article>
          <Heading symbol={page.symbol} />
          <div class="split wide">
            <Code path={page.symbol.path} start={page.symbol.startLine} end={page.symbol.endLine} generation={generation} />
            <aside aria-label="Connections"><Neighbors key={page.symbol.id} page={page} generation={generation} /></aside>
          </div>
        </article>
      )}
    </Shown>
  );
}

function Heading({ symbol }: Pick<SymbolPage, "symbol">) {
  return (
    <header class="title">
      <h2><Kind kind={symbol.kind} /> {symbol.qualifiedName}</h2>
      <p><a href={link("file", { path: symbol.path, line: symbol.startLine })}>{symbol.path}:{symbol.startLine}</a>
        {symbol.exported && <span class="badge">exported</span>}
        <span class="badge" title="The mean of all symbols is 1000">importance {symbol.importance.toLocaleString("en")}</span>
        <a class="button" href={addressOf({ kind: "symbol", key: symbol.id, chain: `symbols(id=${quoted(symbol.id)})`, declaration: symbol.kind })}>Graph</a></p>
    </header>
  );
}
