// Where a graph begins: a field that completes names of symbols, files and modules, and chains.
import { useState } from "preact/hooks";
import { ask, ApiError } from "../api";
import { useAsked } from "../asked";
import type { Completions } from "../editor";
import { useLater } from "../later";
import { go, link } from "../route";
import { stepsFrom } from "./deeds";
import { chainOfSymbols, firstSteps } from "./model";

interface Start { kind: "symbol" | "file" | "module"; key: string; name: string; note: string; chain: string; declaration: string }
interface Entry { title: string; note: string; choose: () => void }

export const addressOf = ({ kind, key, chain, declaration }: Pick<Start, "kind" | "key" | "chain" | "declaration">): string =>
  link("graph", { chain, deeds: stepsFrom(key, ...firstSteps(kind, declaration)) });

export function Begin({ chain }: { chain: string }) {
  const [text, setText] = useState(chain);
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState(-1);
  const [error, setError] = useState("");
  const later = useLater(text.trim());
  const isChain = text.includes("(");
  const starts = useAsked<Start[]>("graph-starts", isOpen && !later.includes("(") && later.length > 1 ? { text: later } : null);
  const completions = useAsked<Completions>("cypher-complete", isOpen && later.includes("(") ? { language: "chain", text: later, cursor: [...later].length } : null);
  const draw = (): void => { setOpen(false); go("graph", { chain: text.trim() }); };
  const search = async (): Promise<void> => {
    setOpen(false);
    try {
      const found = await ask<{ results: { id?: string }[] }>("search", { query: text.trim() });
      const drawn = chainOfSymbols(found.results.flatMap(({ id }) => id ?? []));
      setError(drawn ? "" : "The search finds nothing that can be drawn. Ask by other words.");
      if (drawn) go("graph", { chain: drawn });
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure.message);
    }
  };
  const entries: Entry[] = isChain
    ? (completions.answer?.items ?? []).slice(0, 12).map(({ text: added, detail }) => ({
      title: added, note: detail, choose: () => setText([...later].slice(0, completions.answer!.start).join("") + added),
    }))
    : text.trim().length < 2 ? [] : [
      ...(starts.answer ?? []).map((start) => ({ title: start.name, note: `${start.kind} · ${start.note}`, choose: () => { setOpen(false); location.hash = addressOf(start); } })),
      { title: `What a search for “${text.trim()}” finds`, note: "search", choose: () => void search() },
    ];
  const isShown = isOpen && entries.length > 0;
  const submit = (): void => {
    if (isShown && place >= 0) entries[Math.min(place, entries.length - 1)]!.choose();
    else if (isChain) draw();
    else entries[0]?.choose();
  };
  function pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && entries.length) {
      event.preventDefault();
      setOpen(true);
      setPlace((before) => (before + step + entries.length + (before < 0 && step < 0 ? 1 : 0)) % entries.length);
    } else if (event.key === "Escape") setOpen(false);
    else if (event.key === "Tab" && isShown && isChain) {
      event.preventDefault();
      entries[Math.max(place, 0)]!.choose();
    }
  }
  return (
    <form class="search" role="search" onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <div class="bar begin">
        <input name="chain" role="combobox" aria-expanded={isShown} aria-controls="starts" aria-autocomplete="list" aria-label="A symbol, a file, a module or a chain"
          aria-activedescendant={isShown && place >= 0 ? `start-${place}` : undefined} placeholder="A symbol, a file, a module, a question, or a chain such as symbol('Cart').callers(depth=2)"
          value={text} autocomplete="off" spellcheck={false}
          onInput={(event) => { setText(event.currentTarget.value); setOpen(true); setPlace(-1); }} onKeyDown={pressed} onBlur={() => setOpen(false)} />
        <button class="primary" type="submit">Draw</button>
        <ul id="starts" role="listbox" aria-label="Where to begin" hidden={!isShown}>
          {entries.map(({ title, note, choose }, number) => (
            <li key={`${title} ${note}`} id={`start-${number}`} role="option" aria-selected={number === place}
              onPointerDown={(event) => { event.preventDefault(); choose(); }}>
              <span class="name">{title}</span> <span class="place">{note}</span>
            </li>
          ))}
        </ul>
      </div>
      {error && <p class="problem" role="alert">{error}</p>}
    </form>
  );
}
