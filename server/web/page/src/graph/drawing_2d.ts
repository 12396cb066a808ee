// What a picture draws beside nodes and edges: labels, and outlines of folders.
import type Sigma from "sigma";
import type { Settings } from "sigma/settings";
import type { NodeDisplayData, PartialButFor } from "sigma/types";
import type { Outline } from "./layouts";
import { readTheme } from "./theme";

/** Maximum number of letters of a label. */
const MAX_LETTERS = 30;
/** Outlines with a smaller diameter in pixels have no name. */
const MIN_NAMED = 50;
/** Maximum number of outlines with a name: those with the largest diameters. */
const MAX_NAMES = 200;
/** Height of a line of text in pixels; a name that would cover another one is left out. */
const LINE = 13;

/** Opacity of the inside of an outline, so that folders in folders are darker. */
export const OUTLINE_OPACITY = 0.28;

type Labelled = PartialButFor<NodeDisplayData, "x" | "y" | "size" | "label" | "color">;

/** Write the name of a node below it, so that it can be read on top of edges. */
export function drawLabel(context: CanvasRenderingContext2D, { x, y, size, label }: Labelled, settings: Settings): void {
  if (!label) return;
  writeLine(context, shorten(label), x, y + size + settings.labelSize, `${settings.labelSize}px ${readTheme().font}`, readTheme().text);
}

/** Write the name of the node below the pointer in full. */
export function drawHover(context: CanvasRenderingContext2D, { x, y, size, label }: Labelled, settings: Settings): void {
  const theme = readTheme();
  context.beginPath();
  context.arc(x, y, size + 2, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = theme.accent;
  context.stroke();
  if (label) writeLine(context, label, x, y + size + settings.labelSize + 2, `600 ${settings.labelSize + 1}px ${theme.font}`, theme.text);
}

export function drawOutlines(context: CanvasRenderingContext2D, sigma: Sigma, outlines: Outline[]): void {
  const { width, height } = sigma.getDimensions();
  const theme = readTheme();
  context.clearRect(0, 0, width, height);
  const names: { text: string; x: number; y: number; diameter: number }[] = [];
  for (const { name, x, y, width: wide, height: high, isRound } of outlines) {
    const from = sigma.graphToViewport({ x: x - wide / 2, y: y + high / 2 });
    const to = sigma.graphToViewport({ x: x + wide / 2, y: y - high / 2 });
    context.beginPath();
    if (isRound) context.arc((from.x + to.x) / 2, (from.y + to.y) / 2, Math.abs(to.x - from.x) / 2, 0, 2 * Math.PI);
    else context.roundRect(from.x - 12, from.y - 12, to.x - from.x + 24, to.y - from.y + 24, 8);
    context.fillStyle = context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.globalAlpha = OUTLINE_OPACITY;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
    if (to.x - from.x >= MIN_NAMED) names.push({ text: shorten(name), x: (from.x + to.x) / 2, y: from.y + (isRound ? 2 : -14), diameter: to.x - from.x });
  }
  const font = `600 11px ${theme.font}`;
  context.font = font;
  const written: { left: number; right: number; y: number }[] = [];
  for (const { text, x, y } of names.sort((one, other) => other.diameter - one.diameter).slice(0, MAX_NAMES)) {
    const half = context.measureText(text).width / 2 + 3;
    if (written.some(({ left, right, y: other }) => x - half < right && left < x + half && Math.abs(y - other) < LINE)) continue;
    written.push({ left: x - half, right: x + half, y });
    writeLine(context, text, x, y, font, theme.soft);
  }
}

/** Return a name of limited length. A path keeps its beginning and its end, which tell it from its neighbors. */
export function shorten(text: string): string {
  if (text.length <= MAX_LETTERS) return text;
  const head = text.includes("/") ? Math.min(text.indexOf("/") + 1, MAX_LETTERS / 2) : MAX_LETTERS - 1;
  return `${text.slice(0, head)}…${text.slice(text.length - (MAX_LETTERS - 1 - head))}`;
}

/** Return the middle of a text that belongs to a point of the picture, so that neither side of the picture cuts the text. */
function within(x: number, half: number, width: number): number {
  return x < 0 || x > width || 2 * half > width ? x : Math.min(Math.max(x, half), width - half);
}

function writeLine(context: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, color: string): void {
  context.font = font;
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = readTheme().surface;
  const center = within(x, context.measureText(text).width / 2 + 3, context.canvas.width / devicePixelRatio);
  context.strokeText(text, center, y);
  context.fillStyle = color;
  context.fillText(text, center, y);
}
