// Source code with line numbers. The server says which piece of text has which color; all of it is text, never markup.
import { useEffect, useRef } from "preact/hooks";
import { Shown, useAsked } from "./asked";
import { link } from "./route";

interface Source {
  path: string;
  start: number;
  total: number;
  lines: [string, string][][];
}

export function Code(props: { path: string; start?: number; end?: number; mark?: number; generation: number | null }) {
  const { path, start = 1, end, mark } = props;
  const asked = useAsked<Source>("source", { path, start, end: end ?? null }, props.generation);
  return (
    <Shown asked={asked}>
      {(source) => <Lines source={source} mark={mark} />}
    </Shown>
  );
}

function Lines({ source, mark }: { source: Source; mark: number | undefined }) {
  const marked = useRef<HTMLDivElement>(null);
  useEffect(() => marked.current?.scrollIntoView({ block: "center" }), [mark, source.path]);
  return (
    <div class="code" tabIndex={0} role="region" aria-label={`Source of ${source.path}`}>
      {source.lines.map((pieces, place) => {
        const line = source.start + place;
        return (
          <div key={line} class={line === mark ? "line marked" : "line"} ref={line === mark ? marked : undefined}>
            <a class="number" href={link("file", { path: source.path, line })} aria-label={`Line ${line}`}>{line}</a>
            <span class="text">{pieces.map(([color, text]) => (color ? <span class={`t-${color}`}>{text}</span> : text))}</span>
          </div>
        );
      })}
    </div>
  );
}
