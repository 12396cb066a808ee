// The files as a tree that opens folder by folder.
import { useState } from "preact/hooks";
import type { FileRow } from "../api";
import { counted } from "../prose";
import { link } from "../route";
import type { Place } from "./folders";

interface FileTreeProps { root: Place; color: (file: FileRow) => string }

export function FileTree({ root, color }: FileTreeProps) {
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  return (
    <section class="card tree" aria-label={`Files of ${root.path || "the repository"}`}>
      <label>Filter <input type="search" value={filter} placeholder="part of a path" onInput={(event) => setFilter(event.currentTarget.value)} /></label>
      {wanted ? <Matches root={root} wanted={wanted} color={color} /> : <ul>{entriesOf(root).map((place) => <Entry key={place.path} place={place} color={color} />)}</ul>}
    </section>
  );
}

function Entry({ place, color }: { place: Place; color: (file: FileRow) => string }) {
  const [isOpen, setOpen] = useState(false);
  if (place.file) return <li><FileLink file={place.file} name={place.name} color={color} /></li>;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{place.name}/ <span class="count">{counted(place.lines, "line")}</span></summary>
        {isOpen && <ul>{entriesOf(place).map((inner) => <Entry key={inner.path} place={inner} color={color} />)}</ul>}
      </details>
    </li>
  );
}

/** Maximum number of listed files that match. */
const MAX_MATCHES = 300;

function Matches({ root, wanted, color }: { root: Place; wanted: string; color: (file: FileRow) => string }) {
  const found = filesOf(root).filter((file) => file.path.toLowerCase().includes(wanted));
  if (found.length === 0) return <p class="note">No path contains this text.</p>;
  return (
    <>
      <ul>{found.slice(0, MAX_MATCHES).map((file) => <li key={file.path}><FileLink file={file} name={file.path} color={color} /></li>)}</ul>
      {found.length > MAX_MATCHES && <p class="note">The first {MAX_MATCHES} of {found.length.toLocaleString("en")} are listed.</p>}
    </>
  );
}

function FileLink({ file, name, color }: { file: FileRow; name: string; color: (file: FileRow) => string }) {
  return (
    <a href={link("file", { path: file.path })}>
      <svg width="9" height="9" aria-hidden="true"><rect width="9" height="9" rx="2" fill={color(file)} /></svg> {name} <span class="count">{file.lines.toLocaleString("en")}</span>
    </a>
  );
}

/** Folders before files, each by name. */
function entriesOf(place: Place): Place[] {
  return [...place.inner.values()].sort((a, b) => Number(a.file !== undefined) - Number(b.file !== undefined) || a.name.localeCompare(b.name));
}

function filesOf(place: Place): FileRow[] {
  return place.file ? [place.file] : entriesOf(place).flatMap(filesOf);
}
