// The state of a question to the server, and how a view shows it while it waits or fails.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, ask } from "./api";

export interface Asked<Answer> {
  answer: Answer | undefined;
  error: string;
  waits: boolean;
}

/** Milliseconds after which a question is asked again that no server answered, or a server with another token. The view stays as it is meanwhile. */
const RETRY = 3000;

/** Ask an endpoint whenever the request or the version changes; null asks nothing. The last answer stays until the next one is there. */
export function useAsked<Answer>(endpoint: string, request: object | null, version: number | string | null = null): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer>>({ answer: undefined, error: "", waits: request !== null });
  const [turn, setTurn] = useState(0);
  const isRepeated = useRef(false);
  const key = JSON.stringify(request);
  // Before the paint, for which a busy page waits longer than the server takes.
  useLayoutEffect(() => {
    if (request === null) {
      setAsked({ answer: undefined, error: "", waits: false });
      return;
    }
    const stop = new AbortController();
    let timer = 0;
    if (!isRepeated.current) setAsked((before) => ({ ...before, waits: true }));
    isRepeated.current = false;
    ask<Answer>(endpoint, request, stop.signal).then(
      (answer) => setAsked({ answer, error: "", waits: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        if (!error.isLost) {
          setAsked({ answer: undefined, error: error.message, waits: false });
          return;
        }
        setAsked((before) => ({ ...before, waits: false }));
        timer = setTimeout(() => { isRepeated.current = true; setTurn((before) => before + 1); }, RETRY);
      },
    );
    return () => { clearTimeout(timer); stop.abort(); };
  }, [endpoint, key, version, turn]);
  return asked;
}

/** Show an answer, or that it is on its way, or why there is none. */
export function Shown<Answer>(props: { asked: Asked<Answer>; children: (answer: Answer) => ComponentChildren }) {
  const { answer, error, waits } = props.asked;
  if (error) return <p class="problem" role="alert">{error}</p>;
  if (answer === undefined) return waits ? <p class="waiting" role="status">One moment …</p> : null;
  return <div class={waits ? "stale" : undefined} aria-busy={waits}>{props.children(answer)}</div>;
}
