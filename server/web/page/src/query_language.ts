// Which language a text is in, so that one field takes questions, statements in Cypher and chains.
import type { Language } from "./editor";

/** How statements begin. A question may begin with the same word, so a pattern or a variable must follow. */
const STATEMENT = /^\s*(?:(?:EXPLAIN|PROFILE)\s+)?(?:(?:OPTIONAL\s+)?MATCH\s*(?:\w+\s*=\s*)?\(|UNWIND\s.+\sAS\s|RETURN\s+[\d'"[{(]|CALL\s+\w+\s*\()/is;
/** How chains begin: the scopes of a repository, called. */
const CHAIN = /^\s*(?:modules|files?|symbols?|packages|tables?|columns|docs?|sections|workflows?|endpoints|commits?)\s*\(/;

/** Return the language of a query, or null for a search. */
export function languageOf(text: string): Language | null {
  return STATEMENT.test(text) ? "cypher" : CHAIN.test(text) ? "chain" : null;
}
