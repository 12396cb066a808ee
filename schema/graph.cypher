// The graph's schema: the one truth about its tables, read by schema/ddl.py.
// A comment line above a table or a property documents it; the reference page is generated from these.
// Paths are POSIX and relative to the workspace root; lines and columns are 1-based, line ranges inclusive.

// The indexed workspace, one node.
CREATE NODE TABLE Repository(
    // Always ".".
    id STRING,
    // Name of the root folder, or of the root manifest.
    name STRING,
    // Commit that HEAD named while indexing, or "".
    gitHead STRING,
    PRIMARY KEY(id)
);

// A package boundary: a folder with a manifest such as package.json.
CREATE NODE TABLE Module(
    // The folder's relative path; "." is the root.
    id STRING,
    name STRING,
    // Manifest family: npm.
    kind STRING,
    manifestPath STRING,
    version STRING,
    PRIMARY KEY(id)
);

// A source file.
CREATE NODE TABLE File(
    relativePath STRING,
    // typescript, tsx, javascript or jsx; python, go, rust, java, kotlin, scala, c, cpp, csharp, swift, php, ruby, lua or bash, of
    // which there is an outline without calls, references and types.
    language STRING,
    // SHA-256 of the bytes, hexadecimal.
    contentHash STRING,
    // Nanoseconds since the epoch.
    mtime INT64,
    // Bytes.
    size INT64,
    lines INT64,
    // ok, recovered (parsed with problems) or failed (nothing could be read).
    parseStatus STRING,
    // Parallel to problemReasons.
    problemLines INT32[],
    problemReasons STRING[],
    // Lines outside of all symbols that hold blanks, and their texts, in parallel: with the chunks they make the file's text.
    blankLines INT32[],
    blankTexts STRING[],
    // Test code, by its path.
    isTest BOOLEAN,
    // How much of the repository rests on it: 1000 is the mean of all files.
    importance INT64,
    PRIMARY KEY(relativePath)
);

// A piece of source with a place and a name or a role. Every non-blank line of a file lies in exactly one Symbol of depth 0.
CREATE NODE TABLE Symbol(
    // Hash of path, kind, qualified name and ordinal: independent of the line.
    id STRING,
    name STRING,
    // Names from the file's root down, joined by "."; with the type that it belongs to where that stands elsewhere.
    qualifiedName STRING,
    // Such as function, method, class, interface, type, enum, const; extension for what adds members to a type declared elsewhere.
    kind STRING,
    relativePath STRING,
    // 0 for a root statement.
    depth INT64,
    // Place among siblings of the same kind and name, from 0.
    ordinal INT64,
    // First line, with the doc comment.
    startLine INT64,
    endLine INT64,
    // Line of the declaration's first token, behind comments and before decorators.
    declarationLine INT64,
    // Line of the name, behind decorators and modifiers.
    nameLine INT64,
    signature STRING,
    // The doc comment's text without its delimiters, or "".
    doc STRING,
    modifiers STRING[],
    exported BOOLEAN,
    // "path > parent > name".
    breadcrumb STRING,
    // True when it has a row of the same id in the vector table.
    isChunk BOOLEAN,
    // How much of the repository rests on it: 1000 is the mean of all symbols.
    importance INT64,
    // First and last line of each statement around it that declares a local variable which it uses, and of each comment of its
    // file that defines or imports a type for it.
    captures INT32[],
    // Local names of the types that it takes from imports in comments.
    commentImports STRING[],
    PRIMARY KEY(id)
);

// A declaration outside the repository that the code uses: "npm:jsonwebtoken#verify", "lib:Array.prototype.map".
CREATE NODE TABLE External(
    id STRING,
    // Package name, or "lib" for what the runtime gives.
    package STRING,
    // Member path inside the package, as far as known.
    name STRING,
    PRIMARY KEY(id)
);

// A package that a manifest names or the code imports.
CREATE NODE TABLE Package(
    name STRING,
    PRIMARY KEY(name)
);

// A JSON file of the repository that code imports: it has no symbols.
CREATE NODE TABLE DataFile(
    relativePath STRING,
    PRIMARY KEY(relativePath)
);

// A called name that could not be bound to a declaration.
CREATE NODE TABLE UnresolvedName(
    name STRING,
    PRIMARY KEY(name)
);

// Nesting: repository, modules, files, symbols. A file outside every module hangs on the repository.
CREATE REL TABLE CONTAINS(
    FROM Repository TO Module,
    FROM Repository TO File,
    FROM Module TO Module,
    FROM Module TO File,
    FROM File TO Symbol,
    FROM Symbol TO Symbol,
    // Place among the children of the same parent, from 0.
    position INT64
);

// A file imports, re-exports from or requires a file of the repository.
CREATE REL TABLE IMPORTS(
    FROM File TO File,
    FROM File TO DataFile,
    specifier STRING,
    // Imported names; "default", "*".
    names STRING[],
    // import, export, require, dynamic or importType.
    form STRING,
    typeOnly BOOLEAN,
    line INT64,
    // True when the specifier names a built file that is not there, and the edge leads to the source of it.
    built BOOLEAN
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

// A file offers a symbol under a name; the symbol may live in another file (re-export).
CREATE REL TABLE EXPORTS(
    FROM File TO Symbol,
    // The name importers use; "default" for the default export, "export=" for `module.exports = …` and `export = …`.
    name STRING,
    typeOnly BOOLEAN,
    // Paths of the files between the exporting file and the declaring one, in order; empty for a local export.
    via STRING[]
);

// A call, construction, tagged template or JSX element bound to the declaration that the compiler names.
CREATE REL TABLE CALLS(
    FROM Symbol TO Symbol,
    // Line and column of each site's callee name, in source order.
    lines INT32[],
    columns INT32[],
    // Number of sites.
    count INT64,
    // identifier, this, super, namespace, method, new, tagged, jsx, decorator or other.
    form STRING,
    // scope (lexical binding or import), type (receiver's type known), jsdoc or inferred.
    evidence STRING
);

// A call of something outside the repository.
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
    // Why: receiver, local (a parameter or variable that holds a function), global, module, dynamic or depth.
    reason STRING
);

// A use of a symbol by another.
CREATE REL TABLE REFERENCES(
    FROM Symbol TO Symbol,
    // call, read, write, type, import, export, heritage, jsx or decorator.
    role STRING,
    lines INT32[],
    columns INT32[],
    count INT64,
    // The local names used, where they differ from the symbol's (renamed imports).
    names STRING[]
);

// Heritage of classes and interfaces.
CREATE REL TABLE EXTENDS(FROM Symbol TO Symbol, FROM Symbol TO External, line INT64);
CREATE REL TABLE IMPLEMENTS(FROM Symbol TO Symbol, FROM Symbol TO External, line INT64);

// A member overrides or implements a member of a base class or interface.
CREATE REL TABLE OVERRIDES(FROM Symbol TO Symbol);

// Where the types of a signature come from. name: the parameter's or field's name; position: from 0, -1 for `this`.
CREATE REL TABLE PARAM_TYPE(FROM Symbol TO Symbol, name STRING, position INT64);
CREATE REL TABLE RETURN_TYPE(FROM Symbol TO Symbol);
CREATE REL TABLE FIELD_TYPE(FROM Symbol TO Symbol);

// A module's manifest names a package.
CREATE REL TABLE DEPENDS_ON(
    FROM Module TO Package,
    versionRange STRING,
    // dependencies, devDependencies, peerDependencies or optionalDependencies.
    section STRING
);

// Code asks for the type of a value, or a function is made to be asked: its result is a type predicate. Kept by who asks.
CREATE REL TABLE CHECKS(
    FROM Symbol TO File,
    // user-defined, assertion, typeof, instanceof, in-operator, discriminant, nullish, equality, Array.isArray, exhaustive; and
    // compound (a condition with several of these) and early-return (a clause that leaves when the check fails).
    kind STRING,
    line INT32,
    startColumn INT32,
    // What is checked: "shape", "this.state".
    subject STRING,
    // What it is checked against: "string", "kind: \"circle\"", the guard's name; of a compound, its kinds.
    against STRING,
    // Type of the subject where the check holds; "" where nothing short says it.
    narrowedTo STRING,
    // True for !==, !=, and behind "!".
    negated BOOLEAN,
    // True for the guard itself, whose result is the predicate.
    declares BOOLEAN
);

// A function is handed on by its name, in code of the symbol that this leads to.
CREATE REL TABLE PASSED_IN(
    FROM Symbol TO Symbol,
    // Name of the function or component that takes it; (element) for an element of the platform.
    callee STRING,
    // Place of the argument from 0; -1 for an attribute of an element.
    position INT32,
    attribute STRING,
    line INT32,
    startColumn INT32,
    // True for f.bind(...).
    bound BOOLEAN,
    // is or asserts for a type guard, else "".
    predicate STRING,
    // For a type guard: type of what it is applied to, and of what comes out; "" where that is not known.
    inputType STRING,
    outputType STRING
);

// A function takes a function, or gives one back.
CREATE REL TABLE TAKES_FUNCTION(
    FROM Symbol TO File,
    // Place of the parameter from 0; -1 for the result.
    position INT32,
    name STRING,
    // The type as it is written, or as far as it is known.
    type STRING,
    // is or asserts where the function taken is a type guard, else "".
    predicate STRING,
    predicateType STRING
);

// A part of the type that a type alias stands for, where it takes more than names; the file is the alias's own.
CREATE REL TABLE TYPE_PART(
    FROM Symbol TO File,
    // Place among the alias's parts, each behind the one it is part of; 0 is the type itself.
    place INT32,
    // Place of what it is part of; -1 for the type itself.
    parent INT32,
    // check, extends, true, false; constraint, nameType, value; part, argument, object, index, target, span, element, parameter, result.
    role STRING,
    // conditional, mapped, templateLiteral, utility, union, intersection, indexedAccess, keyof, typeof, infer or simple.
    kind STRING,
    text STRING,
    // Of a mapped type its key, of a generic type its name, of infer the name it declares, of a template its text around "${}".
    name STRING,
    // Of a mapped type: readonly, +readonly, -readonly or "".
    readonlyModifier STRING,
    // Of a mapped type: ?, +?, -? or "".
    optionalModifier STRING
);

// The value of a member of an enum.
CREATE REL TABLE ENUM_VALUE(
    FROM Symbol TO Symbol,
    // Place among the members, from 0.
    place INT32,
    // As it is written, or as it follows from the member before.
    text STRING,
    // True for what is written and no literal.
    computed BOOLEAN,
    // The constant that it is; "" where only running the code tells.
    constant STRING
);

// A compiler project: a tsconfig.json, jsconfig.json or a variant of one. An edge of the repository to itself: a table of nodes would
// cost a megabyte for its key.
CREATE REL TABLE COMPILER_PROJECT(
    FROM Repository TO Repository,
    // The configuration's path.
    path STRING,
    // project, solution (names other projects and has no files) or base (others extend it, nothing builds it).
    role STRING,
    composite BOOLEAN,
    // "" where an option is not set, "." for the root of the workspace.
    outDir STRING,
    rootDir STRING,
    // Configurations inside the workspace that it extends, nearest first.
    extends STRING[],
    // Configurations that it references, in order, also those that do not exist.
    references STRING[]
);

// A file belongs to a compiler project by its files, include and exclude.
CREATE REL TABLE PROJECT_FILE(
    FROM Repository TO File,
    // Path of the project's configuration.
    project STRING
);

// A `declare module "./x"` adds to a module of the repository.
CREATE REL TABLE AUGMENTS(FROM Symbol TO File);

// What loading a file does besides declaring; it leads to the statement at the file's root that does it.
CREATE REL TABLE RUNS(
    FROM File TO Symbol,
    // import (of a module without its names), call, iife, assignment (to what the file does not declare) or await.
    kind STRING,
    line INT32,
    // What is called, assigned to, awaited or imported; "" for a function that is called on the spot.
    target STRING,
    // First line of the source.
    text STRING,
    // True inside if, loops, switch, try, and behind && and ?.
    conditional BOOLEAN
);

// A declared name beyond ASCII, or a place where text changes its direction; it leads to the innermost symbol around it.
CREATE REL TABLE UNICODE_NAME(
    FROM File TO Symbol,
    name STRING,
    // const, function, parameter, class, property …; character for a change of direction.
    kind STRING,
    line INT32,
    startColumn INT32,
    // file, function:name, class:name, interface:name, enum:name or namespace:name.
    scope STRING,
    scripts STRING[],
    // More than one script, where they are not written together.
    mixedScript BOOLEAN,
    zeroWidth BOOLEAN,
    bidi BOOLEAN,
    // The name in normal form C.
    normalized STRING,
    // Other names of the file that look the same.
    confusableWith STRING[],
    reason STRING,
    // info, warning (mixed scripts) or critical (confusable, unseen characters, direction).
    severity STRING
);
