// A field for one line of text with suggestions below it, which arrow keys, a pointer or Tab choose.
import { useState } from "preact/hooks";
import { useAsked } from "./asked";
import type { Completions, Language } from "./editor";
import { useLater } from "./later";

/** A suggestion: choosing it acts, or returns the text that the field gets. */
export interface Suggestion { title: string; note: string; choose: () => string | void }

interface FieldProps {
  name: string;
  label: string;
  placeholder: string;
  text: string;
  setText: (text: string) => void;
  suggestions: Suggestion[];
  /** Whether Tab takes the first suggestion, as in an editor. */
  completes: boolean;
  /** Called with true when the text changes, and with false when the list closes. */
  setOpen: (isOpen: boolean) => void;
  isOpen: boolean;
}

export function SuggestingField({ name, label, placeholder, text, setText, suggestions, completes, isOpen, setOpen }: FieldProps) {
  const [place, setPlace] = useState(-1);
  const isShown = isOpen && suggestions.length > 0;
  const list = `${name}-suggestions`;
  function take(number: number): void {
    const taken = suggestions[number]!.choose();
    if (taken === undefined) setOpen(false);
    else setText(taken);
    setPlace(-1);
  }
  function pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const current = Math.min(place, suggestions.length - 1);
    if (step && suggestions.length) {
      event.preventDefault();
      setOpen(true);
      setPlace((current + step + suggestions.length + (current < 0 && step < 0 ? 1 : 0)) % suggestions.length);
    } else if (event.key === "Escape") setOpen(false);
    else if (event.key === "Enter" && isShown && current >= 0) {
      event.preventDefault();
      take(current);
    } else if (event.key === "Tab" && isShown && completes) {
      event.preventDefault();
      take(Math.max(current, 0));
    }
  }
  return (
    <>
      <input name={name} type="text" role="combobox" aria-expanded={isShown} aria-controls={list} aria-autocomplete="list" aria-label={label}
        aria-activedescendant={isShown && place >= 0 ? `${list}-${place}` : undefined} placeholder={placeholder} value={text} autocomplete="off" spellcheck={false}
        onInput={(event) => { setText(event.currentTarget.value); setOpen(true); setPlace(-1); }} onKeyDown={pressed} onBlur={() => setOpen(false)} />
      <ul id={list} class="suggestions" role="listbox" aria-label="Suggestions" hidden={!isShown}>
        {suggestions.map(({ title, note }, number) => (
          <li key={`${title} ${note}`} id={`${list}-${number}`} role="option" aria-selected={number === place}
            onPointerDown={(event) => { event.preventDefault(); take(number); }}>
            <span class="name">{title}</span> <span class="place">{note}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Maximum number of suggested completions. */
const MAX_COMPLETIONS = 12;

/** Return the completions of the last word of a statement or a chain; none if the language is null. */
export function useCompletions(language: Language | null, text: string): Suggestion[] {
  const later = useLater(text);
  const asked = useAsked<Completions>("cypher-complete", language && later.trim() ? { language, text: later, cursor: [...later].length } : null);
  if (!language || later !== text) return [];
  return (asked.answer?.items ?? []).slice(0, MAX_COMPLETIONS).map(({ text: added, detail }) => ({
    title: added, note: detail, choose: () => [...later].slice(0, asked.answer!.start).join("") + added,
  }));
}
