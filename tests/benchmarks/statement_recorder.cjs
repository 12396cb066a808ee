"use strict";
// Records which functions of a JavaScript or TypeScript repository make which statements of SQL. It is loaded with
// `node --require`, or as one of the `setupFiles` of Jest. It changes the drivers and the lazy builders that the repository
// has installed: better-sqlite3, libsql, sqlite3, pg, mysql2, knex, Objection, Drizzle, and Prisma with its adapters above these
// drivers. A statement of Prisma belongs to the function that called the client, wherever the result is awaited.
//
// STATEMENT_RECORD gets a line of JSON for each pair: the statement, and the path, the line and the name of the nearest function
// under STATEMENT_ROOT outside of node_modules and of the beginnings of paths in STATEMENT_SKIPPED. A mapper may run a statement
// after its call has returned. Then the function counts that created the promise in whose continuation the statement runs, or
// the promise before it. A builder runs its statement when it is awaited. Then the function counts that called it last.

const fs = require("node:fs");
const hooks = require("node:async_hooks");
const { createRequire } = require("node:module");

const root = `${fs.realpathSync(process.env.STATEMENT_ROOT)}/`;
const skipped = (process.env.STATEMENT_SKIPPED ?? "").split(",").filter(Boolean);
const seen = new Set();
const sites = new Map();
const builders = new WeakMap();
/** The site of the builder whose statement is being made; undefined outside of `at`. */
let pinned;
const FRAME = /^\s*at (?!async )(?:(.*?) \()?(?:file:\/\/)?(\/[^:]*):(\d+):\d+\)?$/;
const load = createRequire(`${root}package.json`);

/** Return the current stack as text. */
function currentStack() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 80;
  let stack = "";
  try {
    stack = new Error().stack ?? "";
  } catch {
    // A test runner that maps positions to sources fails for frames without a column. Such a stack has no place.
  }
  Error.stackTraceLimit = limit;
  return stack;
}

/** Return the nearest frame of the repository on a stack, without the functions that wait for it; undefined if there is none. */
function nearest(stack = currentStack()) {
  if (!stack.includes(root)) return undefined;
  for (const line of stack.split("\n")) {
    const frame = FRAME.exec(line);
    if (frame === null || !frame[2].startsWith(root)) continue;
    const file = frame[2].slice(root.length);
    if (file.includes("node_modules/") || skipped.some((each) => file.startsWith(each))) continue;
    return [file, Number(frame[3]), frame[1] ?? ""];
  }
  return undefined;
}

// A runner that loads this file for each file of tests keeps one hook, that of the last file.
hooks.statementHook?.disable();
hooks.statementHook = hooks
  .createHook({
    init(id) {
      const site = pinned ?? nearest() ?? sites.get(hooks.executionAsyncId());
      if (site !== undefined) sites.set(id, site);
    },
    destroy(id) {
      sites.delete(id);
    },
  })
  .enable();

/** Run a function as a continuation of a site. */
function at(site, run) {
  if (site === undefined) return run();
  const before = pinned;
  pinned = undefined;
  const resource = new hooks.AsyncResource("STATEMENT");
  sites.set(resource.asyncId(), site);
  pinned = site;
  try {
    return resource.runInAsyncScope(run);
  } finally {
    pinned = before;
  }
}

/** Record a statement of the current function. */
function recordStatement(statement) {
  const text = typeof statement === "string" ? statement : (statement?.text ?? statement?.sql);
  if (typeof text !== "string") return;
  const line = JSON.stringify([text, pinned ?? nearest() ?? sites.get(hooks.executionAsyncId()) ?? null]);
  if (seen.has(line)) return;
  seen.add(line);
  fs.appendFileSync(process.env.STATEMENT_RECORD, `${line}\n`);
}
globalThis.recordStatement = recordStatement;

/** Replace methods of a prototype: `around(method)` returns the new method. Two names of one method stay equal, as Objection expects. */
function replace(prototype, names, around) {
  const made = new Map();
  for (const name of names) {
    const method = Object.getOwnPropertyDescriptor(prototype ?? {}, name)?.value;
    if (typeof method === "function") {
      const changed = made.get(method) ?? Object.assign(around(method), method);
      made.set(method, changed);
      Object.defineProperty(prototype, name, { value: changed, writable: true, configurable: true });
    }
  }
}

/** Record the first argument of methods. */
function recording(method) {
  return function (...values) {
    recordStatement(values[0]);
    return method.apply(this, values);
  };
}

/** Let the last argument, a callback, run as a continuation of this call. */
function continuing(method) {
  return function (...values) {
    const last = values.length - 1;
    if (typeof values[last] === "function") values[last] = hooks.AsyncResource.bind(values[last]);
    return method.apply(this, values);
  };
}

/** Remember the function that called a builder last. */
function building(method) {
  return function (...values) {
    const site = pinned ?? nearest();
    const result = method.apply(this, values);
    if (site !== undefined) {
      builders.set(this, site);
      if (typeof result === "object" && result !== null) builders.set(result, site);
    }
    return result;
  };
}

/** Names of the methods of builders that run their statement, and of constructors. */
const RUNNING = new Set(["constructor", "then", "catch", "execute"]);

/** Remember the function that called any method of a builder last. */
function holding(prototype) {
  const own = Object.getOwnPropertyNames(prototype ?? {});
  replace(prototype, own.filter((name) => !RUNNING.has(name) && !name.startsWith("_")), building);
}

/** Change a module of the repository, if the repository has it. */
function change(name, edit) {
  let loaded;
  try {
    loaded = load(name);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND" && error.code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
    return;
  }
  edit(loaded);
}

for (const name of ["better-sqlite3", "libsql"]) {
  change(name, (Database) => replace(Database.prototype, ["prepare", "exec"], recording));
}
change("sqlite3", ({ Database, Statement }) => {
  replace(Database.prototype, ["run", "all", "get", "each", "exec", "prepare"], recording);
  replace(Database.prototype, ["run", "all", "get", "each", "exec", "prepare"], continuing);
  replace(Statement.prototype, ["run", "all", "get", "each"], continuing);
});
change("pg", ({ Client, Pool }) => {
  replace(Client.prototype, ["query"], recording);
  replace(Object.getPrototypeOf(Pool.prototype), ["connect"], continuing);
});
for (const name of ["connection", "base/connection"]) {
  change(`mysql2/lib/${name}.js`, (Connection) => replace(Connection.prototype, ["query", "execute"], recording));
}
for (const name of ["pool", "base/pool"]) {
  change(`mysql2/lib/${name}.js`, (Pool) => replace(Pool.prototype, ["getConnection"], continuing));
}
// Versions before 0.95 have their builder in query/builder.
for (const name of ["query/querybuilder", "query/builder", "raw", "schema/builder"]) {
  change(`knex/lib/${name}`, (Builder) => holding(Builder.prototype));
}
change("knex/lib/client", (Client) =>
  replace(Client.prototype, ["runner"], (method) => function (builder) {
    const runner = method.call(this, builder);
    const run = runner.run;
    runner.run = (...values) => at(builders.get(builder), () => run.apply(runner, values));
    return runner;
  }),
);
change("objection", ({ QueryBuilder }) => {
  for (let kind = QueryBuilder.prototype; kind !== Object.prototype; kind = Object.getPrototypeOf(kind)) {
    holding(kind);
    replace(kind, ["execute"], (method) => function (...values) {
      return at(builders.get(this), () => method.apply(this, values));
    });
  }
});
// A client of Prisma keeps the stack of each call for its messages. It makes the statement when code awaits the result.
change("@prisma/client", ({ PrismaClient }) =>
  replace(PrismaClient?.prototype, ["_request"], (method) => function (...values) {
    return at(nearest(values[0]?.callsite?._error?.stack ?? values[0]?.callsite?.error?.stack), () => method.apply(this, values));
  }),
);
