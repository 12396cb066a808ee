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

interface CodeProps {
  path: string;
  start?: number;
  end?: number;
  mark?: number;
  /** Returns the address of the part of the file that begins at a line, where parts of a long file can be reached. */
  partAt?: (line: number) => string;
  generation: number | null;
}

export function Code(props: CodeProps) {
  const { path, start = 1, end, mark } = props;
  const asked = useAsked<Source>("source", { path, start, end: end ?? null }, props.generation);
  return (
    <Shown asked={asked}>
      {(source) => (
        <>
          {props.partAt && <Parts source={source} partAt={props.partAt} />}
          <Lines source={source} mark={mark} />
        </>
      )}
    </Shown>
  );
}

/** Which lines of a long file are shown, with links to those before and behind. */
function Parts({ source: { start, total, lines }, partAt }: { source: Source; partAt: (line: number) => string }) {
  const end = start + lines.length - 1;
  if (start === 1 && end >= total) return null;
  return (
    <nav class="tools" aria-label="Parts of the file">
      <span>Lines {start.toLocaleString("en")} to {end.toLocaleString("en")} of {total.toLocaleString("en")}</span>
      {start > 1 && <a class="button" href={partAt(Math.max(1, start - lines.length))}>Earlier lines</a>}
      {end < total && <a class="button" href={partAt(end + 1)}>Later lines</a>}
    </nav>
  );
}

function Lines({ source, mark }: { source: Source; mark: number | undefined }) {
  const marked = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // Scrolls the source alone: the page around it stays where its reader is.
  useEffect(() => {
    if (!marked.current || !box.current) return;
    const [line, frame] = [marked.current.getBoundingClientRect(), box.current.getBoundingClientRect()];
    box.current.scrollTop += line.top - frame.top - (frame.height - line.height) / 2;
  }, [mark, source.path, source.start]);
  return (
    <div ref={box} class="code" tabIndex={0} role="region" aria-label={`Source of ${source.path}`} onKeyDown={stepLine}>
      {source.lines.map((pieces, place) => {
        const line = source.start + place;
        const isStop = line === (mark !== undefined && mark >= source.start && mark < source.start + source.lines.length ? mark : source.start);
        return (
          <div key={line} class={line === mark ? "line marked" : "line"} ref={line === mark ? marked : undefined}>
            <a class="number" href={link("file", { path: source.path, line })} aria-label={`Line ${line}`} tabIndex={isStop ? 0 : -1}>{line}</a>
            <span class="text">{pieces.map(([color, text]) => (color ? <span class={`t-${color}`}>{text}</span> : text))}</span>
          </div>
        );
      })}
    </div>
  );
}

/** The numbers of all lines are one stop of the Tab key; the arrow keys lead from line to line. */
function stepLine(event: KeyboardEvent): void {
  const link = (event.target as HTMLElement).closest<HTMLElement>("a.number");
  const row = { ArrowDown: link?.parentElement?.nextElementSibling, ArrowUp: link?.parentElement?.previousElementSibling }[event.key];
  const next = row?.querySelector<HTMLElement>("a.number");
  if (!link || !next) return;
  event.preventDefault();
  [link.tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
}
