// Where a graph begins: a field that completes names of symbols, files and modules, and chains.
import { useState } from "preact/hooks";
import { ask, ApiError } from "../api";
import { useAsked } from "../asked";
import { useLater } from "../later";
import { go, link } from "../route";
import { SuggestingField, useCompletions, type Suggestion } from "../suggestions";
import { stepsFrom } from "./deeds";
import { chainOfSymbols, firstSteps } from "./model";

export interface Start { kind: "symbol" | "file" | "module"; key: string; name: string; note: string; chain: string; declaration: string }

export const addressOf = ({ kind, key, chain, declaration }: Pick<Start, "kind" | "key" | "chain" | "declaration">): string =>
  link("graph", { chain, deeds: stepsFrom(key, ...firstSteps(kind, declaration)) });

/** Return the address of a graph in which a step over several edges from a node is colored by distance. */
export const deepAddressOf = ({ key, chain }: Pick<Start, "key" | "chain">, step: string): string =>
  link("graph", { chain, deeds: stepsFrom(key, step), node: key, color: "distance" });

/** Return the symbols, files and modules whose name contains a text of at least two letters. */
export function useStarts(text: string): Start[] {
  const later = useLater(text.trim());
  const asked = useAsked<Start[]>("graph-starts", later.length > 1 && later === text.trim() ? { text: later } : null);
  return later.length > 1 ? asked.answer ?? [] : [];
}

export function Begin({ chain }: { chain: string }) {
  const [text, setText] = useState(chain);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState("");
  const isChain = text.includes("(");
  const starts = useStarts(isOpen && !isChain ? text : "");
  const completions = useCompletions(isOpen && isChain ? "chain" : null, text);
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
  const suggestions: Suggestion[] = isChain ? completions : text.trim().length < 2 ? [] : [
    ...starts.map((start) => ({ title: start.name, note: `${start.kind} · ${start.note}`, choose: () => { location.hash = addressOf(start); } })),
    { title: `What a search for “${text.trim()}” finds`, note: "search", choose: () => void search() },
  ];
  const submit = (): void => {
    setOpen(false);
    if (isChain) go("graph", { chain: text.trim() });
    else suggestions[0]?.choose();
  };
  return (
    <form class="search" role="search" onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <div class="bar">
        <SuggestingField name="chain" label="A symbol, a file, a module or a chain" text={text} setText={setText} suggestions={suggestions} completes={isChain}
          placeholder="A symbol, a file, a module, a question, or a chain such as symbol('Cart').callers(depth=2)" isOpen={isOpen} setOpen={setOpen} />
        <button class="primary" type="submit">Draw</button>
      </div>
      {error && <p class="problem" role="alert">{error}</p>}
    </form>
  );
}
