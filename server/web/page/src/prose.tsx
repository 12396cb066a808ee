// Sentences of the server, in which backticks enclose code.

export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, place) => (place % 2 ? <code key={place}>{part}</code> : part))}</>;
}
