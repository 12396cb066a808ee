// The editor of statements and chains: highlighting, completions and errors with their place.

import { acceptCompletion, autocompletion, closeBrackets, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { cypher } from "@codemirror/legacy-modes/mode/cypher";
import { python } from "@codemirror/legacy-modes/mode/python";
import { lintGutter, linter, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export type Language = "cypher" | "chain";

/** What the server says about a text that is being written. */
export interface EditorServer {
  complete(language: Language, text: string, cursor: number): Promise<Completions>;
  check(language: Language, text: string): Promise<{ position: number; message: string }[]>;
}

export interface Completions {
  start: number;
  items: { text: string; kind: string; detail: string }[];
}

export interface Editor {
  view: EditorView;
  setLanguage(language: Language): void;
  setText(text: string): void;
}

const KINDS: Record<string, string> = {
  label: "class",
  edge: "interface",
  property: "property",
  function: "function",
  keyword: "keyword",
  variable: "variable",
  parameter: "variable",
  operation: "method",
  value: "constant",
};

const COLORS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--t-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--t-string)" },
  { tag: tags.comment, color: "var(--t-comment)" },
  { tag: tags.number, color: "var(--t-number)" },
  { tag: [tags.definition(tags.variableName), tags.standard(tags.variableName)], color: "var(--t-def)" },
]);

const THEME = EditorView.theme({
  "&": { color: "inherit", backgroundColor: "transparent", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--mono)", minHeight: "6.5em", caretColor: "currentColor" },
  ".cm-gutters": { backgroundColor: "transparent", color: "inherit", opacity: "0.7", border: "none" },
  ".cm-cursor": { borderLeftColor: "currentColor" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "inherit", border: "1px solid currentColor", borderRadius: "6px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { opacity: "0.8", marginLeft: "1em" },
});

/**
 * The server counts characters and the editor counts UTF-16 units: they differ behind an emoji.
 */
const toCharacters = (text: string, units: number): number => [...text.slice(0, units)].length;
const toUnits = (text: string, characters: number): number => [...text].slice(0, characters).join("").length;

/**
 * Replaces selected text by what is typed. The browser would keep the style of the selected text in an attribute, which the
 * content security policy forbids. Brackets and quotes enclose the selected text, which another extension does.
 */
const REPLACING = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || !event.data || /^[[({'"`]$/.test(event.data) || view.state.selection.main.empty) return false;
    view.dispatch(view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true }));
    event.preventDefault();
    return true;
  },
});

/** Put an editor into an element. Its styles live in a shadow root, which a strict content security policy admits. */
export function createEditor(
  host: HTMLElement,
  server: EditorServer,
  options: { text: string; language: Language; label: string; onChange: (text: string) => void; onRun: () => void },
): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const mode = new Compartment();
  let language = options.language;
  const modeOf = (chosen: Language) => StreamLanguage.define(chosen === "cypher" ? cypher : python);

  const complete = async (context: CompletionContext) => {
    const before = context.matchBefore(/[\w$.:(,{'=|]+/);
    if (!context.explicit && !before) return null;
    const text = context.state.doc.toString();
    const found = await server.complete(language, text, toCharacters(text, context.pos));
    if (context.aborted || !found.items.length) return null;
    const options = found.items.map((item, at) => ({
      label: item.text,
      type: KINDS[item.kind] ?? "text",
      detail: item.detail.length > 70 ? `${item.detail.slice(0, 69)}…` : item.detail,
      boost: -Math.min(at, 99),
    }));
    return { from: toUnits(text, found.start), options, filter: false };
  };

  const lint = linter(
    async (view): Promise<Diagnostic[]> => {
      const text = view.state.doc.toString();
      const problems = await server.check(language, text);
      return problems.map(({ position, message }) => {
        const at = Math.min(toUnits(text, position), text.length);
        const word = /^\w+|^./.exec(text.slice(at))?.[0].length ?? 0;
        return { from: word ? at : Math.max(at - 1, 0), to: at + word, severity: "error", message };
      });
    },
    { delay: 250 },
  );

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [complete], activateOnTyping: true, maxRenderedOptions: 60 }),
        lint,
        lintGutter(),
        mode.of(modeOf(language)),
        syntaxHighlighting(COLORS),
        THEME,
        EditorView.lineWrapping,
        REPLACING,
        EditorView.contentAttributes.of({ "aria-label": options.label }),
        keymap.of([
          { key: "Mod-Enter", run: () => (options.onRun(), true) },
          { key: "Tab", run: acceptCompletion },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    view,
    setLanguage(chosen) {
      language = chosen;
      view.dispatch({ effects: mode.reconfigure(modeOf(chosen)) });
    },
    setText(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
  };
}
