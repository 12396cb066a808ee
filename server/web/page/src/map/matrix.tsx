// Which entry of a folder imports which, or changes together with which, as a table with a number in each cell.
import { HEAT, heatSteps } from "../graph/coloring";
import type { FolderEdge } from "./folders";

/** Maximum number of rows where none is given; the entries with the most edges are shown. */
const MAX_ROWS = 40;

interface MatrixProps {
  edges: FolderEdge[];
  /** What a cell counts, such as "imports". */
  unit: string;
  /** What a row does to a column, such as "imports". */
  verb: string;
  prefix: string;
  address: (path: string) => string;
  /** Maximum number of rows. */
  rows?: number;
}

export function Matrix({ edges, unit, verb, prefix, address, rows = MAX_ROWS }: MatrixProps) {
  const weights = new Map<string, number>();
  for (const { start, end, count } of edges) for (const path of [start, end]) weights.set(path, (weights.get(path) ?? 0) + count);
  const all = [...weights].sort((a, b) => b[1] - a[1]);
  const paths = all.slice(0, rows).map(([path]) => path).sort();
  const counts = new Map(edges.map(({ start, end, count }) => [`${start}\0${end}`, count]));
  const step = heatSteps(edges.map(({ count }) => count));
  const name = (path: string): string => path.slice(prefix.length);
  if (paths.length === 0) return <section class="card"><p class="note">There are no {unit} between the entries of this folder.</p></section>;
  return (
    <section class="card">
      <p class="note">A row {verb} a column; the number counts {unit}.{all.length > rows && ` The ${rows} entries with the most of ${all.length.toLocaleString("en")} are shown.`}</p>
      <div class="table matrix" tabIndex={0} role="region" aria-label={`Matrix of ${unit}`}>
        <table>
          <thead><tr><th scope="col"><span class="hidden">Row</span></th>{paths.map((path) => <th key={path} scope="col"><a href={address(path)}><span>{name(path)}</span></a></th>)}</tr></thead>
          <tbody>
            {paths.map((row) => (
              <tr key={row}>
                <th scope="row"><a href={address(row)}>{name(row)}</a></th>
                {paths.map((column) => {
                  const count = counts.get(`${row}\0${column}`);
                  return <td key={column} class={row === column ? "own" : ""} title={count ? `${name(row)} ${verb} ${name(column)}: ${count}` : undefined}
                    style={count ? { boxShadow: `inset 0 -4px ${HEAT[step(count)]!}` } : undefined}>{count?.toLocaleString("en") ?? ""}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
