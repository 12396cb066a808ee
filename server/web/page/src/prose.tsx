// Sentences of the server, in which backticks enclose code, and paths that break after a slash.
import { Fragment } from "preact";

import { link } from "./route";

/** A query for a declaration in a file. */
const LOOK_UP = /^symbol = .+ > /;

/** Sentences with code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, place) => (place % 2 ? <Code key={place} text={part} /> : part))}</>;
}

/** Sentences of an answer with code, in which a query for a declaration is a link that looks the declaration up. */
export function AnswerProse({ text }: { text: string }) {
  return <>{text.split("`").map((part, place) => (place % 2 ? <Query key={place} text={part} /> : part))}</>;
}

function Query({ text }: { text: string }) {
  return LOOK_UP.test(text) ? <a href={link("ask", { q: text })}><Code text={text} /></a> : <Code text={text} />;
}

function Code({ text }: { text: string }) {
  return <code><Breaking path={text} /></code>;
}

/** A number of things in words: "1 line", "2,000 lines". */
export const counted = (count: number, name: string): string => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;

/** A path that may break after each slash. */
export function Breaking({ path }: { path: string }) {
  return <>{path.split("/").map((part, place) => <Fragment key={place}>{place > 0 && <>/<wbr /></>}{part}</Fragment>)}</>;
}
