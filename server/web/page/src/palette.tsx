// The command palette: panels, and symbols, files and modules by their names.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAsked } from "./asked";
import { useLater } from "./later";
import { PANELS } from "./panels";
import { link } from "./route";

interface Found { kind: "symbol" | "file" | "module"; key: string; name: string; note: string; chain: string }

interface Entry {
  title: string;
  note: string;
  href: string;
}

export function Palette({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  const wanted = useLater(text.trim());
  const asked = useAsked<Found[]>("graph-starts", wanted.length > 1 ? { text: wanted } : null);
  const panels: Entry[] = PANELS.filter((one) => one.listed && `${one.title} ${one.purpose}`.toLowerCase().includes(text.trim().toLowerCase()))
    .map((one) => ({ title: one.title, note: one.purpose, href: link(one.name) }));
  const search: Entry[] = text.trim() ? [{ title: `Search “${text.trim()}”`, note: "", href: link("ask", { q: text.trim() }) }] : [];
  const named: Entry[] = (asked.answer ?? []).map(({ kind, key, name, note, chain }) => ({
    title: name, note: `${kind}, ${note}`,
    href: { symbol: link("symbol", { id: key }), file: link("file", { path: key }), module: link("graph", { chain }) }[kind],
  }));
  const entries = [...panels, ...named, ...search];
  const current = Math.min(place, entries.length - 1);
  function pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setPlace((current + step + entries.length) % Math.max(entries.length, 1));
    } else if (event.key === "Enter" && entries[current]) {
      event.preventDefault();
      location.hash = entries[current].href;
      close();
    }
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Command palette" onClose={close}
      onClick={(event) => { if (event.target === dialog.current) close(); }}>
      <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-entries" aria-label="Command or symbol"
        aria-activedescendant={entries.length ? `entry-${current}` : undefined} placeholder="A panel, a symbol, a file, a question" autofocus
        autocomplete="off" spellcheck={false} onInput={(event) => { setText(event.currentTarget.value); setPlace(0); }} onKeyDown={pressed} />
      <ul id="palette-entries" role="listbox" aria-label="Commands">
        {entries.map((entry, number) => (
          <li key={entry.href} id={`entry-${number}`} role="option" aria-selected={number === current}
            onClick={() => { location.hash = entry.href; close(); }}>
            <span class="name">{entry.title}</span> <span class="place">{entry.note}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
