// Brings every picture of the page to life that no earlier copy of this script has: drag, zoom, neighbors, kinds of edges.
for (const picture of document.querySelectorAll(".astrolabe-graph:not([data-live])")) {
  picture.dataset.live = "";
  const svg = picture.querySelector("svg");
  const view = svg.querySelector(".view");
  const lines = [...svg.querySelectorAll("line")];
  const nodes = [...svg.querySelectorAll(".node")];
  const places = nodes.map((node) => node.getAttribute("transform").match(/-?[\d.]+/g).map(Number));
  let shift = [0, 0];
  let scale = 1;

  const draw = () => view.setAttribute("transform", `translate(${shift}) scale(${scale})`);
  const pointOf = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const moveNode = (number, place) => {
    places[number] = place;
    nodes[number].setAttribute("transform", `translate(${place})`);
    for (const line of lines) {
      if (+line.dataset.start === number) { line.setAttribute("x1", place[0]); line.setAttribute("y1", place[1]); }
      if (+line.dataset.end === number) { line.setAttribute("x2", place[0]); line.setAttribute("y2", place[1]); }
    }
  };
  const single = (number) => {
    const near = new Set([number]);
    for (const line of lines) {
      const ends = [+line.dataset.start, +line.dataset.end];
      const touches = number === null || (ends.includes(number) && !line.classList.contains("off"));
      line.classList.toggle("away", !touches);
      if (touches) ends.forEach((end) => near.add(end));
    }
    nodes.forEach((node, at) => node.classList.toggle("away", number !== null && !near.has(at)));
  };
  const zoom = (factor, [x, y]) => {
    const next = Math.min(8, Math.max(0.4, scale * factor));
    shift = [x - (x - shift[0]) * (next / scale), y - (y - shift[1]) * (next / scale)];
    scale = next;
    draw();
  };

  svg.addEventListener("pointerdown", (event) => {
    const node = event.target.closest(".node");
    const begun = pointOf(event);
    const before = node ? places[+node.dataset.node] : shift;
    const unit = node ? scale : 1;
    svg.setPointerCapture(event.pointerId);
    const move = (moved) => {
      const now = pointOf(moved);
      const place = [before[0] + (now[0] - begun[0]) / unit, before[1] + (now[1] - begun[1]) / unit];
      if (node) moveNode(+node.dataset.node, place);
      else { shift = place; draw(); }
    };
    const end = () => {
      svg.removeEventListener("pointermove", move);
      svg.removeEventListener("pointerup", end);
      svg.removeEventListener("pointercancel", end);
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the notebook
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, pointOf(event));
  }, { passive: false });
  svg.addEventListener("dblclick", () => { shift = [0, 0]; scale = 1; draw(); });
  svg.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.2 : 1 / 1.2, [380, 240]);
  });
  nodes.forEach((node, number) => {
    for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => single(number));
    for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => single(null));
  });
  for (const box of picture.querySelectorAll(".legend input")) {
    box.addEventListener("change", () => {
      for (const line of lines) if (line.dataset.label === box.value) line.classList.toggle("off", !box.checked);
    });
  }
}
