// What happened to a file or a symbol, once somebody opens it: the first question may read many commits.
import { useState } from "preact/hooks";
import { Shown, useAsked } from "./asked";

interface HistoryAnswer {
  churn?: { commits: number; added: number; deleted: number; firstTouched: string; lastTouched: string };
  commits?: { commit: string; date: string; author: string; title: string }[];
  owners?: { name: string; commits: number }[];
  notes?: string[];
}

export function History({ subject, generation }: { subject: string; generation: number | null }) {
  const [isOpen, setOpen] = useState(false);
  const asked = useAsked<HistoryAnswer>("history", isOpen ? { subject } : null, generation);
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h3>History</h3></summary>
      <Shown asked={asked}>
        {({ churn, commits = [], notes = [] }) => (
          <>
            {churn && <p class="note">{churn.commits} commits, +{churn.added.toLocaleString("en")} −{churn.deleted.toLocaleString("en")} lines</p>}
            <ul>{commits.map((commit) => (
              <li key={commit.commit} class="commit"><span class="name">{commit.title}</span>
                <span class="place">{commit.commit.slice(0, 10)}, {commit.author}, {commit.date.slice(0, 10)}</span></li>
            ))}</ul>
            {notes.map((note) => <p class="note" key={note}>{note}</p>)}
          </>
        )}
      </Shown>
    </details>
  );
}
