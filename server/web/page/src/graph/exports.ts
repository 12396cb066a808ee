// A graph as a file: pictures from the page, and forms for other programs from the server.
import { ask } from "../api";
import { OUTLINE_OPACITY, shorten } from "./drawing_2d";
import type { PictureHandle } from "./picture";
import { readTheme } from "./theme";

export const EXPORTS = ["PNG", "SVG", "GraphML", "mermaid"] as const;
/** Pixels of a PNG for each pixel of the picture. */
const SCALE = 2;
/** Space around the nodes for their labels, in pixels. */
const PADDING = 60;
const SPACE = "http://www.w3.org/2000/svg";

export async function downloadExport(form: string, picture: PictureHandle, request: object): Promise<void> {
  if (form === "SVG") save("graph.svg", new Blob([svgOf(picture)], { type: "image/svg+xml" }));
  else if (form === "PNG") save("graph.png", await pngOf(svgOf(picture)));
  else {
    const { text } = await ask<{ text: string }>("export", { ...request, form: form.toLowerCase() });
    save(form === "GraphML" ? "graph.graphml" : "graph.mmd", new Blob([text], { type: "text/plain" }));
  }
}

export function save(name: string, content: Blob): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(content);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Return the whole picture as SVG, as large as it is on the page. Labels are made by the DOM, so that no name becomes markup. */
function svgOf({ sigma, outlines }: PictureHandle): string {
  sigma.refresh({ skipIndexation: true }); // what was chosen a moment ago may not be painted yet
  const theme = readTheme();
  const graph = sigma.getGraph();
  const whole = { cameraState: { x: 0.5, y: 0.5, angle: 0, ratio: 1 } };
  const { width, height } = sigma.getDimensions();
  const svg = element("svg", { xmlns: SPACE, width: width + 2 * PADDING, height: height + 2 * PADDING, viewBox: `${-PADDING} ${-PADDING} ${width + 2 * PADDING} ${height + 2 * PADDING}`, "font-family": "sans-serif" });
  svg.append(element("rect", { x: -PADDING, y: -PADDING, width: "100%", height: "100%", fill: theme.surface }));
  for (const { name, x, y, width: wide, height: high, isRound } of outlines) {
    const from = sigma.graphToViewport({ x: x - wide / 2, y: y + high / 2 }, whole);
    const to = sigma.graphToViewport({ x: x + wide / 2, y: y - high / 2 }, whole);
    const corner = isRound ? (to.x - from.x) / 2 : 8;
    svg.append(element("rect", { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y, rx: corner, fill: theme.line, "fill-opacity": `${OUTLINE_OPACITY}`, stroke: theme.line }));
    svg.append(text(shorten(name), (from.x + to.x) / 2, from.y, theme.soft));
  }
  graph.forEachEdge((edge, _, start, end) => {
    const [data, target] = [sigma.getEdgeDisplayData(edge), sigma.getNodeDisplayData(end)];
    if (!data || data.hidden) return;
    const [a, b] = [start, end].map((key) => sigma.graphToViewport(graph.getNodeAttributes(key) as { x: number; y: number }, whole)) as [{ x: number; y: number }, { x: number; y: number }];
    svg.append(element("path", { d: arrow(a, b, target?.size ?? 0), stroke: data.color, fill: "none", "stroke-width": data.size }));
  });
  graph.forEachNode((key, attributes) => {
    const data = sigma.getNodeDisplayData(key) as { size: number; color: string; label: string | null; ring?: number; ringColor?: string } | undefined;
    if (!data) return;
    const { x, y } = sigma.graphToViewport(attributes as { x: number; y: number }, whole);
    svg.append(element("circle", { cx: x, cy: y, r: data.size, fill: data.color, ...(data.ring ? { stroke: data.ringColor ?? theme.accent, "stroke-width": data.ring } : {}) }));
    if (data.label) svg.append(text(shorten(data.label), x, y + data.size + 11, theme.text));
  });
  return new XMLSerializer().serializeToString(svg);
}

/** Return the path of a line to the border of its target, with the two strokes of an arrow. */
function arrow(a: { x: number; y: number }, b: { x: number; y: number }, radius: number): string {
  const length = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1e-9);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const [x, y] = [b.x - dx * radius, b.y - dy * radius];
  const head = [[x - 6 * dx + 3 * dy, y - 6 * dy - 3 * dx], [x, y], [x - 6 * dx - 3 * dy, y - 6 * dy + 3 * dx]] as const;
  return `M${round(a.x)} ${round(a.y)}L${round(x)} ${round(y)}M${head.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === "number" ? String(round(value)) : value);
  return made;
}

function text(content: string, x: number, y: number, color: string): SVGElement {
  const made = element("text", { x, y, "font-size": 11, "text-anchor": "middle", fill: color });
  made.textContent = content;
  return made;
}

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * SCALE, image.naturalHeight * SCALE];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large.")))));
}
