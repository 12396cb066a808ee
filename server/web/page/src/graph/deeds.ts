// What somebody did with a graph, step by step, as the address of the view has it.
import type { Point } from "./layouts";

/** A step from a node, or `-` (hide) or `*` (pin), and the key of the node; a path has a target, and a pin may have a place. */
export type Deed = [deed: string, key: string, more?: string];

export const HIDE = "-";
export const PIN = "*";

export function readDeeds(text: string): Deed[] {
  return text.split("~").filter(Boolean).map((deed) => deed.split("|").map(decodeURIComponent) as Deed);
}

export function writeDeeds(deeds: readonly Deed[]): string {
  return deeds.map((deed) => deed.map((part) => encodeURIComponent(part ?? "").replaceAll("~", "%7E")).join("|")).join("~");
}

/** Return the deeds that follow steps from a node. */
export const stepsFrom = (key: string, ...steps: string[]): string => writeDeeds(steps.map((step) => [step, key]));

export const stepsOf = (deeds: Deed[]): { step: string; key: string; target: string }[] =>
  deeds.filter(([deed]) => deed !== HIDE && deed !== PIN).map(([step, key, target = ""]) => ({ step, key, target }));

export const hiddenOf = (deeds: Deed[]): Set<string> => new Set(deeds.filter(([deed]) => deed === HIDE).map(([, key]) => key));

export function pinnedOf(deeds: Deed[]): Map<string, Point | null> {
  return new Map(deeds.filter(([deed]) => deed === PIN).map(([, key, place = ""]) => {
    const [x, y] = place.split(",").map(Number);
    return [key, x !== undefined && y !== undefined && Number.isFinite(x + y) ? { x, y } : null];
  }));
}
