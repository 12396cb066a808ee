// The colors of the page, for what CSS does not reach.

export interface Theme { text: string; surface: string; line: string; accent: string; bad: string; soft: string; edge: string; faintEdge: string; font: string }

let known: Theme | null = null;

/** Return the colors of the current theme. They are read once, and again on request. */
export function readTheme(isChanged = false): Theme {
  if (known && !isChanged) return known;
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  known = {
    text: value("--text"), surface: value("--surface"), line: value("--line"), accent: value("--accent"), bad: value("--bad"), soft: value("--soft"),
    edge: value("--edge"), faintEdge: value("--edge-faint"), font: style.fontFamily,
  };
  return known;
}
