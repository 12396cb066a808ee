// A graph as a file: pictures from the page, and forms for other programs from the server.
import type { Core } from "cytoscape";
import { ask } from "../api";

export const EXPORTS = ["PNG", "SVG", "GraphML", "mermaid"] as const;

export async function downloadExport(form: string, core: Core, request: object, colors: Record<string, string>): Promise<void> {
  if (form === "PNG") save("graph.png", await core.png({ output: "blob-promise", full: true, scale: 2 }));
  else if (form === "SVG") save("graph.svg", new Blob([svgOf(core, colors)], { type: "image/svg+xml" }));
  else {
    const { text } = await ask<{ text: string }>("export", { ...request, form: form.toLowerCase() });
    save(form === "GraphML" ? "graph.graphml" : "graph.mmd", new Blob([text], { type: "text/plain" }));
  }
}

function save(name: string, content: Blob): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(content);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Return the picture as SVG. Labels are made by the DOM, so that no name becomes markup. */
function svgOf(core: Core, colors: Record<string, string>): string {
  const space = "http://www.w3.org/2000/svg";
  const { x1, y1, w, h } = core.elements().boundingBox();
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("xmlns", space);
  svg.setAttribute("viewBox", [x1 - 20, y1 - 20, w + 40, h + 40].map(Math.round).join(" "));
  const add = (name: string, attributes: Record<string, string | number>, text = ""): void => {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    svg.append(element);
  };
  core.edges().forEach((edge) => {
    const [a, b] = [edge.source().position(), edge.target().position()];
    add("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, stroke: "#98a2b3", "stroke-width": 1 });
  });
  core.nodes().filter((node) => !node.isParent()).forEach((node) => {
    const { x, y } = node.position();
    add("circle", { cx: x, cy: y, r: Number(node.data("size")) / 2, fill: colors[node.id()] ?? "#6b7280" });
    add("text", { x, y: y + 20, "font-size": 11, "text-anchor": "middle", "font-family": "sans-serif" }, String(node.data("label")));
  });
  return new XMLSerializer().serializeToString(svg);
}
