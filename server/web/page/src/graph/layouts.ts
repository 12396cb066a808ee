// Layouts of a graph. A worker computes them, so that the page answers meanwhile.

export const LAYOUTS = { force: "Force", layered: "Layered", folder: "By folder", rings: "Rings", circle: "Circle" };
export type Layout = keyof typeof LAYOUTS;

export interface Point { x: number; y: number }

/** A named circle or rectangle around the nodes of a group, in the coordinates of the nodes. */
export interface Outline extends Point { name: string; width: number; height: number; isRound: boolean }

export interface LayoutRequest {
  layout: Layout;
  /** Keys of the nodes and their groups, which are folders or communities, the heaviest first. */
  nodes: { key: string; folder: string }[];
  edges: [string, string][];
  /** Whether the nodes of a group lie together, in an outline. */
  isGrouped: boolean;
  /** Positions from which nodes begin, so that they stay near their places. */
  before: Record<string, Point>;
}

export interface LayoutAnswer { positions: Record<string, Point>; outlines: Outline[] }

const started = (): Worker => new Worker(new URL("./layout_worker.ts", import.meta.url), { type: "module" });
/** The worker of the first layout loads its script while the page waits for its first answer. */
let first: Worker | null = started();
first.onerror = () => { first = null; };

/** Compute a layout in a worker. The signal ends the worker. */
export function computeLayout(request: LayoutRequest, signal: AbortSignal): Promise<LayoutAnswer> {
  const worker = first ?? started();
  first = null;
  return new Promise((resolve, reject) => {
    const end = (): void => worker.terminate();
    signal.addEventListener("abort", end, { once: true });
    worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => { end(); resolve(data); };
    worker.onerror = (event) => { end(); reject(new Error(event.message ? `The layout failed: ${event.message}` : "The script of the layouts could not be loaded. Reload the page.")); };
    worker.postMessage(request);
  });
}
