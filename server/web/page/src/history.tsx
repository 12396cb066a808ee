// What happened to a file or a symbol, once somebody opens it: the first question may read many commits.
import { useState } from "preact/hooks";
import { Shown, useAsked } from "./asked";
import { link } from "./route";

interface HistoryAnswer {
  churn?: { commits: number; added: number; deleted: number; firstTouched: string; lastTouched: string };
  commits?: { commit: string; date: string; author: string; title: string }[];
  owners?: { name: string; email: string; share: number }[];
  coChanges?: { file: string; symbol?: string; support: number; confidence: number }[];
  notes?: string[];
}

export function History({ subject, generation }: { subject: string; generation: number | null }) {
  const [isOpen, setOpen] = useState(false);
  const asked = useAsked<HistoryAnswer>("history", isOpen ? { subject } : null, generation);
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h3>History</h3></summary>
      <Shown asked={asked}>
        {({ churn, commits = [], owners = [], coChanges = [], notes = [] }) => (
          <>
            {churn && <p class="note">{churn.commits} commits, +{churn.added.toLocaleString("en")} −{churn.deleted.toLocaleString("en")} lines</p>}
            <ul>{commits.map((commit) => (
              <li key={commit.commit} class="commit"><span class="name">{commit.title}</span>
                <span class="place">{commit.commit.slice(0, 10)}, {commit.author}, {commit.date.slice(0, 10)}</span></li>
            ))}</ul>
            {owners.length > 0 && <><h4>Who wrote it</h4><ul>{owners.map((owner) => (
              <li key={owner.email} class="commit"><span class="name">{owner.name}</span> <span class="place">{Math.round(owner.share * 100)} % of the lines</span></li>
            ))}</ul></>}
            {coChanges.length > 0 && <><h4>Usually changes with it</h4><ul>{coChanges.map(({ file, symbol, support, confidence }) => (
              <li key={`${file} ${symbol}`}><a class="row" href={symbol ? link("symbol", { name: `${file} > ${symbol.split(".").join(" > ")}` }) : link("file", { path: file })}>
                <span class="name">{symbol || file}</span> <span class="place">{support} common commits, {Math.round(confidence * 100)} % of its own</span></a></li>
            ))}</ul></>}
            {notes.map((note) => <p class="note" key={note}>{note}</p>)}
          </>
        )}
      </Shown>
    </details>
  );
}
