"""A graph as HTML: an SVG with a layout from Python, and a small script with which people move and filter nodes.

The picture is readable without scripts, as in an untrusted notebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from html import escape
from importlib.resources import files
from itertools import zip_longest
from typing import NamedTuple

#: Maximum number of nodes of a readable picture. If there are more nodes, the nodes with the most edges are shown.
MAX_NODES = 200
#: Width of the picture, in pixels.
WIDTH = 760
#: Maximum height of the part of the picture with edges, in pixels.
HEIGHT = 480
#: Distance of the outermost nodes from the sides of the picture, and from its top and bottom, in pixels.
MARGINS = (84, 32)
#: Number of nodes in a row of nodes without edges.
_IN_ROW = 5
#: Distance of two such rows, in pixels.
_ROW = 34
#: Maximum length of a label in characters. The whole name is shown when the mouse is over the node.
LABEL_LENGTH = 28
#: Colors of groups, in the order of the groups' sizes. All colors contrast with white and black.
COLORS = ("#2f7ed8", "#c2571a", "#2a8f5b", "#a14bb8", "#b8860b", "#c23b5a", "#3a8fa3", "#7a7f3a", "#7d6bb0", "#6b7280")


class PictureNode(NamedTuple):
    """A node of a picture."""

    key: str
    label: str
    #: Group that determines the color, such as the kind of a symbol.
    group: str
    #: Text that is shown when the mouse is over the node.
    title: str


class PictureEdge(NamedTuple):
    """An edge between the keys of two nodes."""

    start: str
    end: str
    label: str


def graph_html(nodes: Sequence[PictureNode], edges: Sequence[PictureEdge]) -> str:
    """Return a picture of a graph. Every text is escaped, because a repository may contain hostile text."""
    if not nodes:
        return "<p>The graph is empty.</p>"
    shown = _most_connected(nodes, edges)
    numbers = {node.key: number for number, node in enumerate(shown)}
    lines = [edge for edge in dict.fromkeys(edges) if edge.start in numbers and edge.end in numbers]
    colors = _colors(node.group for node in shown)
    height = _height(shown, lines)
    places = _layout(shown, lines, height)
    drawn_edges = "".join(_edge(edge, numbers, places) for edge in lines)
    drawn_nodes = "".join(_node(number, node, places[number], colors[node.group]) for number, node in enumerate(shown))
    mark = blake2b(f"{shown}{lines}".encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="group" aria-label="{_counted(nodes, edges)}">'
        f'<defs><marker id="arrow-{mark}" viewBox="0 0 8 8" refX="17" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>'
        f'<g class="view"><g class="edges" marker-end="url(#arrow-{mark})">{drawn_edges}</g>{drawn_nodes}</g></svg>'
    )
    left_out = len(nodes) - len(shown)
    note = f"<p>The {len(shown)} nodes with the most edges are shown, and {left_out:,} are not.</p>" if left_out else ""
    return (
        f'<div class="astrolabe-graph">{_part("graph_picture.css", "style")}{_legend(colors, lines)}{svg}{note}'
        f"{_part('graph_picture.js', 'script')}</div>"
    )


def _most_connected(nodes: Sequence[PictureNode], edges: Sequence[PictureEdge]) -> list[PictureNode]:
    if len(nodes) <= MAX_NODES:
        return list(nodes)
    degrees = Counter(key for edge in edges for key in (edge.start, edge.end))
    kept = {node.key for node in sorted(nodes, key=lambda node: -degrees[node.key])[:MAX_NODES]}
    return [node for node in nodes if node.key in kept]


def _colors(groups: object) -> dict[str, str]:
    sizes = Counter(groups)  # type: ignore[call-overload]
    ordered = sorted(sizes, key=lambda group: (-sizes[group], group))
    return dict(zip_longest(ordered, COLORS[: len(ordered)], fillvalue=COLORS[-1]))


def _height(nodes: Sequence[PictureNode], edges: Sequence[PictureEdge]) -> int:
    joined = {key for edge in edges for key in (edge.start, edge.end) if edge.start != edge.end}
    rows = -(-(len(nodes) - len(joined)) // _IN_ROW)
    return rows * _ROW + 2 * MARGINS[1] + (min(HEIGHT, 120 + 14 * len(joined)) if joined else 0)


def _layout(nodes: Sequence[PictureNode], edges: Sequence[PictureEdge], height: int) -> list[tuple[float, float]]:
    """Return the position of each node in pixels. The same graph always has the same positions.

    A force-directed layout places the nodes with edges, and the other nodes are in rows below.
    """
    joined = {key for edge in edges for key in (edge.start, edge.end) if edge.start != edge.end}
    alone = [node.key for node in nodes if node.key not in joined]
    rows = -(-len(alone) // _IN_ROW)
    bottom = height - MARGINS[1] - rows * _ROW if joined else MARGINS[1]
    places = _forced(joined, edges, bottom)
    across = (WIDTH - 2 * MARGINS[0]) / (_IN_ROW - 1)
    for number, key in enumerate(alone):
        row, column = divmod(number, _IN_ROW)
        places[key] = (MARGINS[0] + column * across, bottom + (row + 1) * _ROW)
    return [places[node.key] for node in nodes]


def _forced(keys: set[str], edges: Sequence[PictureEdge], bottom: float) -> dict[str, tuple[float, float]]:
    """Return the positions of nodes by a force-directed layout, from the top margin to `bottom`.

    Such a layout moves unconnected parts far apart. So each coordinate is averaged with the rank of the node on the same axis.
    """
    import networkx

    if not keys:
        return {}
    graph = networkx.Graph()
    graph.add_nodes_from(sorted(keys))
    graph.add_edges_from((edge.start, edge.end) for edge in edges)
    found = networkx.spring_layout(graph, seed=1, k=1.6 / len(graph) ** 0.5, iterations=120)
    ratios: dict[str, list[float]] = {key: [] for key in found}
    for axis in (0, 1):
        ordered = sorted(found, key=lambda key: (found[key][axis], key))
        low, high = found[ordered[0]][axis], found[ordered[-1]][axis]
        for rank, key in enumerate(ordered):
            linear = (found[key][axis] - low) / ((high - low) or 1.0)
            ratios[key].append((linear + rank / max(len(ordered) - 1, 1)) / 2)
    width, depth = WIDTH - 2 * MARGINS[0], bottom - MARGINS[1]
    return {key: (MARGINS[0] + x * width, MARGINS[1] + y * depth) for key, (x, y) in ratios.items()}


def _edge(edge: PictureEdge, numbers: dict[str, int], places: Sequence[tuple[float, float]]) -> str:
    start, end = numbers[edge.start], numbers[edge.end]
    (left, top), (right, bottom) = places[start], places[end]
    return (
        f'<line data-start="{start}" data-end="{end}" data-label="{escape(edge.label)}"'
        f' x1="{left:.1f}" y1="{top:.1f}" x2="{right:.1f}" y2="{bottom:.1f}"><title>{escape(edge.label)}</title></line>'
    )


def _node(number: int, node: PictureNode, place: tuple[float, float], color: str) -> str:
    label = node.label if len(node.label) <= LABEL_LENGTH else f"{node.label[: LABEL_LENGTH - 1]}…"
    return (
        f'<g class="node" tabindex="0" role="img" aria-label="{escape(node.title)}" data-node="{number}"'
        f' transform="translate({place[0]:.1f} {place[1]:.1f})"><title>{escape(node.title)}</title>'
        f'<circle r="6" fill="{color}"/><text y="18">{escape(label)}</text></g>'
    )


def _legend(colors: dict[str, str], edges: Sequence[PictureEdge]) -> str:
    groups = "".join(f'<span><i style="background: {color}"></i>{escape(group)}</span>' for group, color in colors.items())
    labels = Counter(edge.label for edge in edges)
    boxes = "".join(
        f'<label><input type="checkbox" checked value="{escape(label)}">{escape(label)} ({count:,})</label>'
        for label, count in labels.most_common()
    )
    return f'<div class="legend">{groups}{boxes}</div>'


def _counted(nodes: Sequence[PictureNode], edges: Sequence[PictureEdge]) -> str:
    return f"Graph of {len(nodes):,} nodes and {len(edges):,} edges"


@cache
def _part(name: str, element: str) -> str:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return f"<{element}>\n{text}</{element}>"
