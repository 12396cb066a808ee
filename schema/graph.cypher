// The schema of the graph, which schema/ddl.py reads.
// A comment above a table or a property documents it, and is a part of the generated reference page.
// Paths are POSIX and relative to the workspace root; lines and columns are 1-based, line ranges inclusive.
// Columns count characters (Unicode code points).

// The indexed workspace, one node.
CREATE NODE TABLE Repository(
    // Always ".".
    id STRING,
    // Name of the root folder, or of the root manifest.
    name STRING,
    // Commit of HEAD at the time of indexing, or "".
    gitHead STRING,
    PRIMARY KEY(id)
);

// A package boundary: a folder with a manifest such as package.json or pyproject.toml.
CREATE NODE TABLE Module(
    // The folder's relative path; "." is the root.
    id STRING,
    name STRING,
    // Manifest family: npm, python, maven, gradle or go.
    kind STRING,
    manifestPath STRING,
    version STRING,
    PRIMARY KEY(id)
);

// A source file.
CREATE NODE TABLE File(
    relativePath STRING,
    // Resolved: typescript, tsx, javascript or jsx. In part: python, notebook, go or java. Syntax-only, without calls,
    // references and types: rust, kotlin, scala, c, cpp, csharp, swift, php, ruby, lua or bash. Data: sql, prisma, dbt, csv
    // (seeds of dbt), mybatis or liquibase. Files of commands that run SQL: makefile, dockerfile or workflow. Contracts:
    // protobuf, graphql or openapi (also AsyncAPI). Documents: markdown, restructuredtext or asciidoc.
    language STRING,
    // SHA-256 of the bytes, in hexadecimal.
    contentHash STRING,
    // Time of the last modification, in nanoseconds since the epoch.
    mtime INT64,
    // Bytes.
    size INT64,
    lines INT64,
    // ok, recovered (parsed with problems) or failed (nothing could be read).
    parseStatus STRING,
    // Line of each problem, in the order of problemReasons.
    problemLines INT32[],
    problemReasons STRING[],
    // True if the path is typical of test code.
    isTest BOOLEAN,
    // Centrality: how much of the repository depends on the file. The mean of all files is 1000.
    importance INT64,
    PRIMARY KEY(relativePath)
);

// A declaration, statement, comment or part of a document. Every line that is not blank belongs to exactly one symbol of depth 0.
CREATE NODE TABLE Symbol(
    // Hash of path, kind, qualified name and ordinal. The line is not part of it.
    id STRING,
    name STRING,
    // Names of the enclosing symbols and of the symbol, joined by ".". For a member that is declared outside of its type, the
    // first name is the type.
    qualifiedName STRING,
    // function, method, class, interface, type, enum, const and others; extension for code that adds members to another type. Of
    // SQL: table, view, column, constraint, index, sequence, trigger, procedure, query (a statement with a name in a query file)
    // and alteration (a statement that changes an object). Of commands: target and variable (of a Makefile), stage (of a
    // Dockerfile) and job (of a workflow). Of contracts: interface (service), method (call, or field of a root type),
    // type (message), property, function (directive), query (request or fragment), operation (of an API description),
    // channel and message. Of documents: section, step, decision, endpoint, milestone, diagram and diagramNode (a node or a group
    // of a diagram).
    kind STRING,
    relativePath STRING,
    // Number of enclosing symbols; 0 for a statement at the root of the file.
    depth INT64,
    // Position among siblings of the same kind and name, from 0.
    ordinal INT64,
    // First line, including the doc comment.
    startLine INT64,
    endLine INT64,
    // Line of the first token of the declaration, which may belong to a decorator; comments do not count.
    declarationLine INT64,
    // Line of the name, after decorators and modifiers.
    nameLine INT64,
    signature STRING,
    // Text of the doc comment without its delimiters, or "".
    doc STRING,
    modifiers STRING[],
    exported BOOLEAN,
    // "path > parent > name".
    breadcrumb STRING,
    // True if search can return the symbol: the vector table has a row with the same id.
    isChunk BOOLEAN,
    // Centrality: how much of the repository depends on the symbol. The mean of all symbols is 1000.
    importance INT64,
    // First and last lines of needed code outside of the symbol: enclosing statements that declare local variables, and
    // comments that define or import types (JSDoc).
    captures INT32[],
    // Local names of the types that the symbol uses from imports in comments (JSDoc).
    commentImports STRING[],
    PRIMARY KEY(id)
);

// A declaration outside the repository that the code uses: "npm:jsonwebtoken#verify", "lib:Array.prototype.map".
CREATE NODE TABLE External(
    id STRING,
    // Name of the package, or "lib" for the runtime.
    package STRING,
    // Known part of the member's path inside the package.
    name STRING,
    PRIMARY KEY(id)
);

// A package that a manifest names or the code imports: "react". Modules of a runtime are "node:fs", "python:os.path" and
// "go:net/http". A package of Python has the name from imports ("yaml"), or the normalized name from a
// manifest ("pyyaml").
CREATE NODE TABLE Package(
    name STRING,
    PRIMARY KEY(name)
);

// A JSON file of the repository that code imports. It has no symbols.
CREATE NODE TABLE DataFile(
    relativePath STRING,
    PRIMARY KEY(relativePath)
);

// A name without a known declaration: of a called function, a used member, or an object in a statement of SQL.
CREATE NODE TABLE UnresolvedName(
    name STRING,
    PRIMARY KEY(name)
);

// The specifier of an import that is no known file, package or declared module. Also a name that a document
// mentions and that has no declaration or several declarations.
CREATE NODE TABLE UnresolvedSpecifier(
    specifier STRING,
    PRIMARY KEY(specifier)
);

// Nesting of repository, modules, files and symbols. A file outside every module belongs to the repository.
CREATE REL TABLE CONTAINS(
    FROM Repository TO Module,
    FROM Repository TO File,
    FROM Module TO Module,
    FROM Module TO File,
    FROM File TO Symbol,
    FROM Symbol TO Symbol,
    // Position among the children of the same parent, from 0.
    position INT64
);

// A file imports, re-exports from or requires a file of the repository.
CREATE REL TABLE IMPORTS(
    FROM File TO File,
    FROM File TO DataFile,
    specifier STRING,
    // Imported names; "default" for the default export, "*" for the whole module.
    names STRING[],
    // import, export, require, dynamic, importType, reference (a path in a directive) or glob (a file that code loads by a pattern).
    form STRING,
    typeOnly BOOLEAN,
    line INT64,
    // True if the specifier, or the manifest of the imported package, names a built file that is not indexed. The edge then ends
    // at the source of the built file.
    built BOOLEAN,
    // True if the import runs only after the file is loaded: in a function, or by an `import()` that loading does not await.
    deferred BOOLEAN
);

// A file imports from a package outside the repository.
CREATE REL TABLE IMPORTS_EXTERNAL(
    FROM File TO Package,
    specifier STRING,
    names STRING[],
    form STRING,
    typeOnly BOOLEAN,
    line INT64
);

// A file has an unresolved import.
CREATE REL TABLE IMPORTS_UNRESOLVED(
    FROM File TO UnresolvedSpecifier,
    names STRING[],
    form STRING,
    typeOnly BOOLEAN,
    line INT64,
    // Why it is unresolved: absent (there is no such file), alias (a configuration maps it to a target that is absent or
    // computed) or configuration (a configuration computes its aliases).
    reason STRING
);

// A file exports a symbol under a name. The symbol may be declared in another file (re-export).
CREATE REL TABLE EXPORTS(
    FROM File TO Symbol,
    // The name for importers; "default" for the default export, "export=" for `module.exports = …` and `export = …`.
    name STRING,
    typeOnly BOOLEAN,
    // Paths of the files between the exporting and the declaring file, in order; empty if both are the same file.
    via STRING[]
);

// A call, construction, tagged template or JSX element, with the declaration to which the compiler binds it.
CREATE REL TABLE CALLS(
    FROM Symbol TO Symbol,
    // Line of the callee's name at each call site, in source order. `columns` has the column of each.
    lines INT32[],
    columns INT32[],
    // Number of call sites.
    count INT64,
    // identifier, this, super, namespace, method, new, tagged, jsx, decorator, implicit, conversion or other.
    form STRING,
    // scope (lexical binding or import), type (the type of the receiver is known), jsdoc or inferred.
    evidence STRING,
    // Platforms of the callee, if other files declare it for other platforms: the build constraint of its file, such as "windows"
    // or "!cgo". "" for all platforms.
    variant STRING
);

// A call of a declaration outside the repository.
CREATE REL TABLE CALLS_EXTERNAL(
    FROM Symbol TO External,
    lines INT32[],
    columns INT32[],
    count INT64,
    form STRING
);

// A call whose declaration is not known.
CREATE REL TABLE CALLS_UNRESOLVED(
    FROM Symbol TO UnresolvedName,
    lines INT32[],
    columns INT32[],
    count INT64,
    form STRING,
    // Why it is unresolved: receiver, local (a parameter or variable that holds a function), global, module, dynamic or depth.
    reason STRING
);

// A use of one symbol in another.
CREATE REL TABLE REFERENCES(
    FROM Symbol TO Symbol,
    // call, read, write, type, import, export, heritage, jsx, decorator or alternative (a key for another part of a union).
    role STRING,
    lines INT32[],
    columns INT32[],
    count INT64,
    // The local names that are used, if they differ from the symbol's name (renamed imports).
    names STRING[],
    // Platforms of the used symbol, as in CALLS.
    variant STRING,
    // Number of uses whose name is in quotes: row["id"], Row["id"], { "id": 1 }.
    quoted INT64
);

// A value of unknown type is read or written by member, `value.total`, without a call. Only names of members of the repository
// are recorded.
CREATE REL TABLE REFERENCES_UNRESOLVED(
    FROM Symbol TO UnresolvedName,
    lines INT32[],
    columns INT32[],
    count INT64
);

// The doc comment of a symbol ({@link}, @see, @throws) or a section of a document names a symbol or a file. Mentions do
// not count as uses. The target of an unknown or ambiguous name in a document is an UnresolvedSpecifier.
CREATE REL TABLE MENTIONS(
    FROM Symbol TO Symbol,
    FROM Symbol TO File,
    FROM Symbol TO UnresolvedSpecifier,
    lines INT32[],
    columns INT32[],
    // comment (a doc comment), mentions (a section names the target) or documents (the heading of a section names the target).
    kind STRING,
    // link, path (a path in a span of code), name, qualified (a name with the name of its class or module), import or call (in a
    // block of code), diagram (the id or the label of a node, or a message that is a call), setting (the code reads the setting),
    // flag or command (the code declares it), script (a script of a manifest runs the file) or literal (the only constant with
    // this string as its value, or else the only declaration with this string).
    evidence STRING,
    // Why it is unresolved: ambiguous (several symbols have the name), member (the class has no such member), module (the package
    // has no such module), file (no indexed file has the path), anchor (the document has no such anchor), flag or setting (the
    // code has no such flag or setting); "" if it is resolved.
    reason STRING,
    // Ids of the symbols among which an ambiguous name does not choose, at most 8; empty if there are more, and for other reasons.
    candidates STRING[]
);

// A diagram connects two of its nodes or groups: an edge, or a message of a sequence diagram.
CREATE REL TABLE MESSAGE(
    FROM Symbol TO Symbol,
    // Text of the edge or message; "" without one.
    label STRING,
    // The line and its head, such as arrow, dotted arrow or inheritance.
    style STRING,
    // The innermost frame around a message, such as "alt paid"; "" outside of frames.
    frame STRING,
    // Position among the edges and messages of the diagram, from 0; messages are in the order of time.
    position INT32,
    line INT32
);

// A step of a workflow precedes another step: the next step of the list, or a step that its text names ("go back to step 2").
CREATE REL TABLE NEXT_STEP(
    FROM Symbol TO Symbol,
    // Condition of the transition, such as "the tests fail"; "" without a condition.
    condition STRING,
    line INT32
);

// The content of a section of a document, as a record of the section's type. The edge ends at the file of the section.
CREATE REL TABLE SECTION_FIELDS(
    FROM Symbol TO File,
    // workflow, sequence diagram, flowchart, release plan, milestone, changelog, api, architecture, requirements or decision; and
    // list, table, code and front matter for content of any section.
    type STRING,
    // Notation in the document: numbered list, checklist, table, list, sections, headings, MADR, Nygard, Y-statement, the
    // language of a diagram and others; text if the section has no known form of its type.
    form STRING,
    // The fields as JSON, such as steps with actors; the page on documents lists them. If the form is text, the text of the
    // section.
    fields STRING,
    // Why the form is text; "" for other forms.
    reason STRING
);

// A class or interface extends another class or interface.
CREATE REL TABLE EXTENDS(FROM Symbol TO Symbol, FROM Symbol TO External, line INT64);
// A class or interface implements another class or interface.
CREATE REL TABLE IMPLEMENTS(
    FROM Symbol TO Symbol,
    FROM Symbol TO External,
    line INT64,
    // In Go: "value" if values of the type have the methods of the interface, "pointer" if only pointers to such values have
    // them. Else "".
    methodSet STRING
);

// A member overrides or implements a member of a base class or interface, or of the expected type of an object literal. A
// function that is assigned to a member, as in `socket.onopen = connect`, implements this member of the object's type. A
// function that listens to an event of a component of Vue or Svelte (`@save="store"`) overrides the event, if the
// function is in the same file.
CREATE REL TABLE OVERRIDES(FROM Symbol TO Symbol, FROM Symbol TO External);

// A type has a method that is declared outside of it, as in Go: `func (c *Cart) Total() int`. The method may be in another file.
CREATE REL TABLE HAS_METHOD(FROM Symbol TO Symbol);

// The declared or inferred type of a parameter uses a type. name is the name of the parameter; position counts from 0, and is -1
// for `this`. The receiver of a method in Python (`self`) is not counted.
CREATE REL TABLE PARAM_TYPE(FROM Symbol TO Symbol, name STRING, position INT64);

// The declared or inferred result of a function uses a type.
CREATE REL TABLE RETURN_TYPE(FROM Symbol TO Symbol);

// The declared or inferred type of a field uses a type. For an attribute that methods in Python assign, the edge begins at the
// class.
CREATE REL TABLE FIELD_TYPE(FROM Symbol TO Symbol);

// The manifest of a module names a package.
CREATE REL TABLE DEPENDS_ON(
    FROM Module TO Package,
    versionRange STRING,
    // dependencies, devDependencies, peerDependencies or optionalDependencies.
    section STRING
);

// Code checks the type of a value, or a function is a type guard. The edge begins at the symbol with the check, and ends at its
// file.
CREATE REL TABLE CHECKS(
    FROM Symbol TO File,
    // user-defined, assertion, typeof, instanceof, in-operator, discriminant, nullish, equality, Array.isArray, exhaustive,
    // compound (a condition with several of these) or early-return (a clause that returns if the check fails). In Python,
    // instanceof is also issubclass and a class pattern, typeof is `type(x) is C` or callable, in-operator is hasattr, nullish is
    // a comparison with None, and exhaustive is assert_never.
    kind STRING,
    line INT32,
    startColumn INT32,
    // The checked expression, such as "shape" or "this.state".
    subject STRING,
    // The other side of the check, such as "string" or "kind: \"circle\""; the name of the guard; the kinds of a compound.
    against STRING,
    // Type of the subject if the check succeeds; "" if there is no short form.
    narrowedTo STRING,
    // True for !==, != and after "!".
    negated BOOLEAN,
    // True for a type guard, whose result is a predicate; false for a check in code.
    declares BOOLEAN
);

// A function is passed by its name. The edge ends at the symbol whose code passes it.
CREATE REL TABLE PASSED_IN(
    FROM Symbol TO Symbol,
    // Name of the function or component that receives the passed function; (element) for an element of the platform.
    callee STRING,
    // Position of the argument, from 0; -1 for an attribute of an element, and for an argument with a name in Python.
    position INT32,
    // Name of the attribute or argument; "" for a positional argument.
    attribute STRING,
    line INT32,
    startColumn INT32,
    // True for f.bind(...) and partial(f, ...).
    bound BOOLEAN,
    // "is" or "asserts" if the passed function is a type guard, else "".
    predicate STRING,
    // The type of the checked values, if the function is a type guard; "" if unknown. `outputType` is the type of the values that
    // pass the check.
    inputType STRING,
    outputType STRING
);

// A framework runs a symbol, or passes it to other code, although no code of the repository calls it by name. The edge begins at
// the symbol that causes this, such as a test with a fixture as its parameter, or code that sends a request. It begins at the
// file if the symbol is run because of its own declaration, such as its decorator or its name.
CREATE REL TABLE WIRED(
    FROM Symbol TO Symbol,
    FROM File TO Symbol,
    // Name of the framework, such as pytest or Django.
    framework STRING,
    // Role in the framework: test, fixture, dependency, provider (the source may be injected as the target), route, client (a
    // call of the target sends a request), request (the source sends a request that the target serves, or selects the target, a
    // field of GraphQL), handler, task, command, component, model, validator, hook, configuration, entry point, generator (of
    // code), linked name, exported name or name (a text names the target).
    role STRING,
    // decorator, annotation, call, parameter, base (a base class of the framework), name (the framework looks for the name, or
    // the name of an object tells that it is a client), wrapper (code of the repository sends the request for the source),
    // directive (a comment for a tool, or the description of a module, names the target) or text (a string names the target).
    evidence STRING,
    // The decorator, function, parameter, base class or string.
    text STRING,
    line INT32,
    startColumn INT32
);

// A column belongs to a table or view. The properties are the state after all migrations; the symbols are the original
// declarations. A column that a table inherits from another table has no symbol, and its edge begins at the table.
CREATE REL TABLE COLUMN_OF(
    FROM Symbol TO Symbol,
    // Name after all migrations.
    name STRING,
    // Type as written.
    type STRING,
    nullable BOOLEAN,
    // Default as written; "" without a default.
    defaultValue STRING,
    // Position among the columns of the table, from 0; -1 if the column was dropped.
    position INT32,
    comment STRING
);

// A column of a foreign key refers to a column.
CREATE REL TABLE FOREIGN_KEY(
    FROM Symbol TO Symbol,
    // Name of the constraint in the source, or else the name that PostgreSQL generates.
    name STRING,
    // Position among the columns of the key, from 0.
    position INT32,
    // CASCADE, SET NULL, SET DEFAULT, RESTRICT, NO ACTION or "".
    onDelete STRING,
    onUpdate STRING,
    line INT32
);

// An index or a key covers a column. The edge begins at the column or
// table itself if the key is declared there without a name.
CREATE REL TABLE INDEXES(
    FROM Symbol TO Symbol,
    name STRING,
    // index, primary key or unique.
    kind STRING,
    position INT32,
    isUnique BOOLEAN
);

// A statement in a symbol reads a table or a column. The symbol is code, a view, a routine or a query in a file.
// Code also reads a routine of the database that it calls.
CREATE REL TABLE READS(
    FROM Symbol TO Symbol,
    // Kind of the whole statement: select, insert, update, delete, merge (also for a call that inserts or updates), truncate,
    // or call (of a routine).
    statement STRING,
    // Lines of the statements.
    lines INT32[],
    count INT64,
    // sql (a statement in a file of SQL), name (the code names the statement, or the file with it), string (a text in code is
    // a whole statement), call (calls of an object mapper build the statement), inferred (like call, but the type of a
    // parameter comes from call sites), declared (like call, but the receiver is known by the name of the model only), row (the
    // code uses a column or a relation of a row), relation (the mapper joins the table or loads it with each row) or cascade (the
    // mapper deletes or changes the rows together with a row that the code deletes).
    evidence STRING,
    // Dialect of SQL in which the statement was parsed: postgres, mysql, sqlite, tsql, …; empty for calls of object mappers.
    dialect STRING
);

// A statement in a symbol modifies a table or a column.
CREATE REL TABLE MODIFIES(
    FROM Symbol TO Symbol,
    statement STRING,
    lines INT32[],
    count INT64,
    evidence STRING,
    dialect STRING
);

// A statement in a symbol names a table or a column that no database of the repository has: `users` or `users.email`.
CREATE REL TABLE DATA_UNRESOLVED(
    FROM Symbol TO UnresolvedName,
    // table, column or dropped (a migration dropped the table).
    reason STRING,
    lines INT32[],
    count INT64
);

// A declaration in a schema file or in a model of an object mapper represents a table or column that migrations declare.
CREATE REL TABLE MAPS_TO(
    FROM Symbol TO Symbol,
    // sql for a schema file, or the name of the object mapper, such as prisma.
    framework STRING,
    // name (both have the same name) or declared (the model names its table).
    evidence STRING
);

// A function or class implements an operation of a contract: an operation of OpenAPI, a call of protobuf, a field of GraphQL, a
// channel of AsyncAPI. An operation that several functions may implement has no edge.
CREATE REL TABLE IMPLEMENTED_BY(
    FROM Symbol TO Symbol,
    // Name of the framework, such as Express, Spring or gRPC.
    framework STRING,
    // route (method and path are equal), prefix (equal without the prefix that most routes of the router share), registration
    // (like route, but the handler is not known, and the edge ends at the code that registers the handler), operationId (the
    // contract names the function), base (a class derives from a generated class), resolver, decorator or annotation.
    evidence STRING,
    // The route with the path from the outermost router, or the service and the operation.
    text STRING,
    // File and line of the code that declares the implementation.
    path STRING,
    line INT32
);

// A table, view or column was created, altered, renamed or dropped in a file.
CREATE REL TABLE CHANGED_IN(
    FROM Symbol TO File,
    // created, altered, renamed or dropped.
    kind STRING,
    // Name after all migrations.
    name STRING,
    line INT32,
    // Position among the events of the symbol, from 0.
    position INT32
);

// A function takes a function as a parameter, or returns a function. The edge ends at its file.
CREATE REL TABLE TAKES_FUNCTION(
    FROM Symbol TO File,
    // Position of the parameter, from 0; -1 for the result.
    position INT32,
    name STRING,
    // The written type, or else the known part of the type.
    type STRING,
    // "is" or "asserts" if the taken or returned function is a type guard, else "".
    predicate STRING,
    predicateType STRING
);

// A part of the type of a type alias, if the type does not only consist of names. The edge ends at the file of the alias.
CREATE REL TABLE TYPE_PART(
    FROM Symbol TO File,
    // Number of the part; 0 is the whole type, and each part has a higher number than its parent.
    place INT32,
    // Number of the enclosing part; -1 for the whole type.
    parent INT32,
    // check, extends, true, false; constraint, nameType, value; part, argument, object, index, target, span, element, parameter,
    // result.
    role STRING,
    // conditional, mapped, templateLiteral, utility, union, intersection, indexedAccess, keyof, typeof, infer or simple.
    kind STRING,
    text STRING,
    // Key of a mapped type, name of a generic type, name that infer declares, or text of a template around "${}".
    name STRING,
    // For a mapped type: readonly, +readonly, -readonly or "".
    readonlyModifier STRING,
    // For a mapped type: ?, +?, -? or "".
    optionalModifier STRING
);

// The value of a member of an enum.
CREATE REL TABLE ENUM_VALUE(
    FROM Symbol TO Symbol,
    // Position among the members, from 0.
    place INT32,
    // The written value, or else the value that follows from the previous member.
    text STRING,
    // True if the value is an expression other than a literal.
    computed BOOLEAN,
    // The constant value; "" if it is known only at run time.
    constant STRING
);

// A compiler project: a tsconfig.json, a jsconfig.json or a variant. Projects are edges from the repository to itself, because a
// node table would need a megabyte for its key.
CREATE REL TABLE COMPILER_PROJECT(
    FROM Repository TO Repository,
    // Path of the configuration.
    path STRING,
    // project, solution (a project that has only references to projects) or base (a configuration that only other configurations
    // use).
    role STRING,
    composite BOOLEAN,
    // "" if the option is not set, "." for the root of the workspace; rootDir likewise.
    outDir STRING,
    rootDir STRING,
    // Configurations of the workspace that the project extends, the nearest first.
    extends STRING[],
    // Configurations that the project references, in order, including missing configurations.
    references STRING[]
);

// A file belongs to a compiler project, according to the options files, include and exclude.
CREATE REL TABLE PROJECT_FILE(
    FROM Repository TO File,
    // Path of the project's configuration.
    project STRING
);

// A `declare module "./x"` adds declarations to a module of the repository.
CREATE REL TABLE AUGMENTS(FROM Symbol TO File);

// A side effect of loading a file. The edge ends at the statement at the root of the file.
CREATE REL TABLE RUNS(
    FROM File TO Symbol,
    // import (of a module without names), call, iife, assignment (to a name that the file does not declare) or await.
    kind STRING,
    line INT32,
    // Name that is called, assigned to, awaited or imported; "" for iife.
    target STRING,
    // First line of the source.
    text STRING,
    // True inside if, loops, switch and try, and after && and ?.
    conditional BOOLEAN
);

// A declared name with characters beyond ASCII, or a character that changes the direction of text. The edge ends at the innermost
// enclosing symbol.
CREATE REL TABLE UNICODE_NAME(
    FROM File TO Symbol,
    name STRING,
    // const, function, parameter, class, property and others; character for a change of direction.
    kind STRING,
    line INT32,
    startColumn INT32,
    // file, function:name, class:name, interface:name, enum:name or namespace:name.
    scope STRING,
    scripts STRING[],
    // True if the name mixes scripts that are not usually written together.
    mixedScript BOOLEAN,
    zeroWidth BOOLEAN,
    bidi BOOLEAN,
    // The name in Unicode normal form C.
    normalized STRING,
    // Other names of the file that look the same.
    confusableWith STRING[],
    reason STRING,
    // info, warning (mixed scripts) or critical (confusable, invisible characters, direction).
    severity STRING
);
