// The whole graph in small, with a frame around what the picture shows. Dragging the frame moves the picture.
import { useEffect, useRef } from "preact/hooks";
import type Sigma from "sigma";
import type { PictureHandle } from "./picture";
import { readTheme } from "./theme";

/** Size in pixels. */
const [WIDTH, HEIGHT] = [168, 112];
/** Space around the nodes in pixels. */
const MARGIN = 6;
/** Side of a node in pixels. */
const DOT = 2;

interface MinimapProps {
  handle: { current: PictureHandle | null };
  colors: Record<string, string>;
}

export function Minimap({ handle, colors }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(colors);
  latest.current = colors;
  useEffect(() => {
    const sigma = handle.current?.sigma;
    const context = canvas.current?.getContext("2d");
    if (!sigma || !context) return undefined;
    const draw = (): void => drawOverview(context, sigma, latest.current);
    sigma.on("afterRender", draw);
    draw();
    return () => void sigma.off("afterRender", draw);
  }, []);
  function move(event: PointerEvent): void {
    const sigma = handle.current?.sigma;
    if (!sigma || event.buttons === 0) return;
    const { x, y, scale } = frameOf(sigma);
    const point = { x: (event.offsetX - WIDTH / 2) / scale + x, y: y - (event.offsetY - HEIGHT / 2) / scale };
    const place = sigma.viewportToFramedGraph(sigma.graphToViewport(point));
    sigma.getCamera().setState({ x: place.x, y: place.y });
  }
  return (
    <canvas ref={canvas} class="minimap" width={WIDTH} height={HEIGHT} aria-hidden="true"
      onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); move(event); }} onPointerMove={move} />
  );
}

/** Return the center of all nodes, and the number of pixels of the overview for each unit of the graph. */
function frameOf(sigma: Sigma): { x: number; y: number; scale: number } {
  const { x: [left, right], y: [bottom, top] } = sigma.getBBox();
  const scale = Math.min((WIDTH - 2 * MARGIN) / Math.max(right - left, 1e-9), (HEIGHT - 2 * MARGIN) / Math.max(top - bottom, 1e-9));
  return { x: (left + right) / 2, y: (bottom + top) / 2, scale };
}

function drawOverview(context: CanvasRenderingContext2D, sigma: Sigma, colors: Record<string, string>): void {
  const theme = readTheme();
  const { x: centerX, y: centerY, scale } = frameOf(sigma);
  const placed = (x: number, y: number): [number, number] => [WIDTH / 2 + (x - centerX) * scale, HEIGHT / 2 - (y - centerY) * scale];
  context.clearRect(0, 0, WIDTH, HEIGHT);
  sigma.getGraph().forEachNode((key, { x, y }) => {
    const [left, top] = placed(x as number, y as number);
    context.fillStyle = colors[key] ?? theme.soft;
    context.fillRect(left - DOT / 2, top - DOT / 2, DOT, DOT);
  });
  const { width, height } = sigma.getDimensions();
  const [from, to] = [sigma.viewportToGraph({ x: 0, y: 0 }), sigma.viewportToGraph({ x: width, y: height })];
  const [[left, top], [right, bottom]] = [placed(from.x, from.y), placed(to.x, to.y)];
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.5;
  context.strokeRect(left, top, right - left, bottom - top);
}
