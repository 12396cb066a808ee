// What can be done with the node under the pointer, in a bar above it.
import { useEffect, useRef, useState } from "preact/hooks";
import type Sigma from "sigma";

/** An entry of the bar: a link, or a function. */
export interface NodeAction { title: string; href?: string; act?: () => void }

/** Milliseconds for which the bar stays when the pointer leaves the node, so that it can be reached. */
const STAYS = 500;
/** Pixels between a node and its bar. */
const GAP = 3;

interface ToolbarProps { sigma: Sigma; name: (key: string) => string; actions: (key: string) => NodeAction[] }

export function NodeToolbar({ sigma, name, actions }: ToolbarProps) {
  const [key, setKey] = useState("");
  const bar = useRef<HTMLDivElement>(null);
  const timer = useRef(0);
  const keep = (): void => clearTimeout(timer.current);
  const leave = (): void => { keep(); timer.current = setTimeout(() => setKey(""), STAYS); };
  useEffect(() => {
    const enter = ({ node }: { node: string }): void => { keep(); setKey(node); };
    const drop = (): void => { keep(); setKey(""); };
    sigma.on("enterNode", enter).on("clickNode", enter).on("leaveNode", leave).on("downStage", drop).on("downNode", drop);
    return () => { keep(); sigma.off("enterNode", enter).off("clickNode", enter).off("leaveNode", leave).off("downStage", drop).off("downNode", drop); };
  }, [sigma]);
  const isKnown = key !== "" && sigma.getGraph().hasNode(key);
  useEffect(() => {
    if (!isKnown) return undefined;
    const place = (): void => placeAbove(bar.current, sigma, key);
    place();
    sigma.on("afterRender", place);
    return () => void sigma.off("afterRender", place);
  }, [isKnown, key]);
  const entries = isKnown ? actions(key) : [];
  if (entries.length === 0) return null;
  return (
    <div ref={bar} class="node-toolbar" role="toolbar" aria-label={`Actions for ${name(key)}`} onPointerEnter={keep} onPointerLeave={leave}>
      {entries.map(({ title, href, act }) => (href
        ? <a key={title} class="button" href={href}>{title}</a>
        : <button key={title} type="button" onClick={() => { setKey(""); act?.(); }}>{title}</button>))}
    </div>
  );
}

/** Put the bar above a node, within the picture. */
function placeAbove(bar: HTMLDivElement | null, sigma: Sigma, key: string): void {
  const node = sigma.getNodeDisplayData(key);
  if (!bar || !node) return;
  const { x, y } = sigma.framedGraphToViewport(node);
  const { width, height } = sigma.getDimensions();
  const above = y - sigma.scaleSize(node.size) - GAP - bar.offsetHeight;
  bar.style.left = `${Math.max(0, Math.min(x - bar.offsetWidth / 2, width - bar.offsetWidth))}px`;
  bar.style.top = `${Math.max(0, Math.min(above, height - bar.offsetHeight))}px`;
}
