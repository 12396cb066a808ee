"use strict";
// Records which functions of a JavaScript or TypeScript repository make which statements of SQL. It is loaded with
// `node --require`; the method of a driver through which statements go must call `recordStatement(statement)`.
//
// STATEMENT_RECORD gets a line of JSON for each pair: the statement, and the path, the line and the name of the nearest function
// under STATEMENT_ROOT outside of node_modules and of the beginnings of paths in STATEMENT_SKIPPED. A mapper may run a statement
// after its call has returned. Then the function counts that created the promise in whose continuation the statement runs, or
// the promise before it.

const fs = require("node:fs");
const hooks = require("node:async_hooks");

const root = `${fs.realpathSync(process.env.STATEMENT_ROOT)}/`;
const skipped = (process.env.STATEMENT_SKIPPED ?? "").split(",").filter(Boolean);
const seen = new Set();
const sites = new Map();
const FRAME = /^\s*at (?:async )?(?:(.*?) \()?(?:file:\/\/)?(\/[^():]*):(\d+):\d+\)?$/;

/** Return the nearest frame of the repository on the stack; null if there is none. */
function nearest() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  let stack = "";
  try {
    stack = new Error().stack ?? "";
  } catch {
    // A test runner that maps positions to sources fails for frames without a column. Such a stack has no place.
  }
  Error.stackTraceLimit = limit;
  if (!stack.includes(root)) return null;
  for (const line of stack.split("\n")) {
    const frame = FRAME.exec(line);
    if (frame === null || !frame[2].startsWith(root)) continue;
    const path = frame[2].slice(root.length);
    if (path.includes("node_modules/") || skipped.some((each) => path.startsWith(each))) continue;
    return [path, Number(frame[3]), frame[1] ?? ""];
  }
  return null;
}

hooks
  .createHook({
    init(id) {
      const site = nearest() ?? sites.get(hooks.executionAsyncId());
      if (site !== undefined) sites.set(id, site);
    },
    destroy(id) {
      sites.delete(id);
    },
  })
  .enable();

globalThis.recordStatement = (statement) => {
  const text = typeof statement === "string" ? statement : statement?.text ?? statement?.sql;
  if (typeof text !== "string") return;
  const line = JSON.stringify([text, nearest() ?? sites.get(hooks.executionAsyncId()) ?? null]);
  if (seen.has(line)) return;
  seen.add(line);
  fs.appendFileSync(process.env.STATEMENT_RECORD, `${line}\n`);
};
