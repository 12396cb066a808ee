// The properties of a node of a query's result; each value can be copied.
import { link } from "./route";

export function Properties({ title, values }: { title: string; values: Record<string, unknown> }) {
  const rows = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const { id, label } = values;
  return (
    <section class="card" aria-label="The chosen node">
      <h2>{title}</h2>
      {label === "Symbol" && <p><a href={link("symbol", { id: String(id).replace(/^Symbol:/, "") })}>Open the symbol</a></p>}
      {label === "File" && <p><a href={link("file", { path: String(id).replace(/^File:/, "") })}>Open the file</a></p>}
      <div class="table" tabIndex={0} role="region" aria-label="Properties">
        <table>
          <tbody>
            {rows.map(([name, value]) => {
              const text = typeof value === "object" ? JSON.stringify(value) : String(value);
              return (
                <tr key={name}>
                  <th scope="row">{name}</th><td>{text}</td>
                  <td><button type="button" aria-label={`Copy ${name}`} onClick={() => void navigator.clipboard.writeText(text)}>Copy</button></td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
