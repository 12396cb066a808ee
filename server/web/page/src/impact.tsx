// What a change of a symbol reaches, once somebody opens it: the question follows uses over several hops.
import { useState } from "preact/hooks";
import { Shown, useAsked } from "./asked";
import { link } from "./route";

interface Reached { name: string; kind?: string; at?: string; distance?: number }

interface ImpactAnswer {
  summary: { risk?: string; direct?: number; transitive?: number; files?: number; tests?: number };
  sections: { dependants?: Reached[]; tests?: Reached[] };
  nothing?: { message: string };
}

export function Impact({ symbol, generation }: { symbol: string; generation: number | null }) {
  const [isOpen, setOpen] = useState(false);
  const asked = useAsked<ImpactAnswer>("impact", isOpen ? { symbol } : null, generation);
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h3>Reached by a change</h3></summary>
      <Shown asked={asked}>
        {({ summary, sections: { dependants = [], tests = [] }, nothing }) => (
          <>
            {summary.risk && <p class="note">Risk {summary.risk}: {summary.direct} direct and {summary.transitive} further symbols in {summary.files} files, {summary.tests} tests to run</p>}
            {nothing && <p class="note">{nothing.message}</p>}
            <ul>{dependants.map((each) => (
              <li key={each.name + each.at}><a class="row" href={link("symbol", { name: `${each.at?.replace(/:\d+$/, "")} > ${each.name.split(".").join(" > ")}` })}>
                <span class="name">{each.name}</span> <span class="place">{each.at}, {each.distance} {each.distance === 1 ? "hop" : "hops"}</span></a></li>
            ))}</ul>
            {tests.length > 0 && <><h4>Tests to run</h4><ul>{tests.map((each) => <li key={each.name}><a class="row" href={link("file", { path: each.name })}>{each.name}</a></li>)}</ul></>}
          </>
        )}
      </Shown>
    </details>
  );
}
