// Asks TypeScript what stands in the components of a repository, over the code that the tools of Vue, Svelte, Astro and MDX make of
// them:
//     node component_judge.mjs MODULES REPOSITORY OUT.json [FOLDER...] [NAME=FOLDER...] [GLOBALS.d.ts]
// MODULES is a folder where `npm install @vue/language-core svelte2tsx svelte @astrojs/compiler @mdx-js/language-service remark-frontmatter remark-gfm typescript @jridgewell/trace-mapping` was run;
// FOLDERs of the repository restrict what is asked. NAME=FOLDER is an alias that only the bundler's configuration has (`@=src`).
// GLOBALS.d.ts declares what the program registers at run time: global components, and properties of every instance. It lies in
// `node_modules` or another folder that is skipped (`.nuxt/nuxt.d.ts`), so that only the judge reads it. OUT.json holds one entry for each identifier that is one of the source:
// [file, line, column, name, is called, [[file, line of the declaration], ...]]. Lines and columns count from 1, columns count
// characters. A declaration that only the generated code has is line 0 of its file.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, repository, output, ...others] = process.argv.slice(2)
const aliases = others.filter(each => each.includes('=')).map(each => each.split('='))
const declared = others.filter(each => each.endsWith('.d.ts')).map(each => path.resolve(each))
const folders = others.filter(each => !each.includes('=') && !each.endsWith('.d.ts'))
const load = createRequire(path.resolve(modules, 'index.js'))
const ts = load('typescript')
const root = path.resolve(repository)
const skipped = new Set(['node_modules', 'dist', 'build', '.git', '.svelte-kit', '.nuxt', '.output'])

function * walk (folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name) || entry.isSymbolicLink()) continue
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) yield * walk(full)
    else if (/\.(vue|svelte|astro|mdx|[cm]?[jt]sx?)$/.test(entry.name)) yield full
  }
}

const files = [...walk(root)].filter(file => !folders.length || folders.some(folder => file.startsWith(path.join(root, folder))))
const base = folders[0] ? path.join(root, folders[0]) : root
const configFile = [base, root]
  .flatMap(folder => ['tsconfig.app.json', 'tsconfig.json', 'jsconfig.json'].map(name => path.join(folder, name)))
  .find(file => fs.existsSync(file))
const config = configFile ? ts.parseJsonConfigFileContent(ts.readConfigFile(configFile, ts.sys.readFile).config, ts.sys, path.dirname(configFile), undefined, configFile).options : {}
const isKit = fs.existsSync(path.join(base, 'svelte.config.js')) && fs.existsSync(path.join(base, 'src/lib'))
const options = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  ...config,
  // What `svelte-kit sync` would write.
  ...(isKit && !config.paths ? { baseUrl: base, paths: { $lib: ['src/lib'], '$lib/*': ['src/lib/*'] } } : {}),
  ...(aliases.length ? {
    baseUrl: root,
    paths: {
      // Paths of a configuration are relative to its own folder.
      ...Object.fromEntries(Object.entries(config.paths ?? {}).map(([name, targets]) => [
        name, targets.map(target => path.resolve(config.baseUrl ?? config.pathsBasePath ?? root, target)),
      ])),
      ...Object.fromEntries(aliases.flatMap(([name, folder]) => [[name, [folder]], [`${name}/*`, [`${folder}/*`]]])),
    },
  } : {}),
  allowJs: true,
  checkJs: false,
  noEmit: true,
  skipLibCheck: true,
  allowArbitraryExtensions: true,
  jsx: ts.JsxEmit.Preserve,
}
// Node's own resolution asks for extensions that the code of components does not have.
if (options.moduleResolution >= ts.ModuleResolutionKind.Node16 && options.moduleResolution !== ts.ModuleResolutionKind.Bundler) {
  Object.assign(options, { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext })
}
delete options.composite
delete options.incremental

const virtual = new Map()

if (files.some(file => file.endsWith('.vue'))) {
  const vue = load('@vue/language-core')
  const resolver = new vue.CompilerOptionsResolver(ts, ts.sys.readFile)
  resolver.addConfig?.({ target: 'auto' }, root) // Vue 2 or 3, as `node_modules` has it
  const vueOptions = resolver.build ? resolver.build() : vue.getDefaultCompilerOptions()
  const plugin = vue.createVueLanguagePlugin(ts, options, vueOptions, id => id)
  for (const file of files.filter(file => file.endsWith('.vue'))) {
    const source = fs.readFileSync(file, 'utf8')
    const code = plugin.createVirtualCode(file, 'vue', ts.ScriptSnapshot.fromString(source), { getAssociatedScript: () => undefined })
    let script
    const visit = each => { if (/^script_(ts|js|tsx|jsx)$/.test(each.id)) script = each; (each.embeddedCodes ?? []).forEach(visit) }
    visit(code)
    if (!script) continue
    const text = script.snapshot.getText(0, script.snapshot.getLength())
    const back = placedBack(script.mappings.filter(mapping => mapping.data.navigation || mapping.data.semantic))
    virtual.set(`${file}.${script.id.slice(7)}`, { file, source, text, back })
  }
}

/** Returns the function from an offset in made code to the offset in its source that the mappings of Volar give, or -1. */
function placedBack (mappings) {
  const spans = mappings
    .flatMap(mapping => mapping.generatedOffsets.map((start, at) => [start, (mapping.generatedLengths ?? mapping.lengths)[at], mapping.sourceOffsets[at], mapping.lengths[at]]))
    .sort((one, other) => one[0] - other[0] || other[1] - one[1])
  return offset => {
    let found = -1
    for (let low = 0, high = spans.length; low < high;) {
      const middle = (low + high) >> 1
      if (spans[middle][0] <= offset) { found = middle; low = middle + 1 } else high = middle
    }
    for (let at = found; at >= 0 && at > found - 8; at--) {
      const [start, length, from, fromLength] = spans[at]
      if (offset <= start + length && offset - start <= fromLength) return from + offset - start
    }
    return -1
  }
}

/** Returns the function from an offset in made code to the offset in its source that the source map gives, or -1. */
function mappedBack(made, source) {
  const { TraceMap, originalPositionFor } = load('@jridgewell/trace-mapping')
  const map = new TraceMap(made.map)
  const sourceStarts = starts(source)
  const madeStarts = starts(made.code)
  return offset => {
    const line = lineAt(madeStarts, offset)
    const found = originalPositionFor(map, { line: line + 1, column: offset - madeStarts[line] })
    return found.line == null ? -1 : sourceStarts[found.line - 1] + found.column
  }
}

const extra = []
if (files.some(file => file.endsWith('.svelte'))) {
  const { svelte2tsx } = load('svelte2tsx')
  const { VERSION, parse } = load('svelte/compiler')
  for (const name of ['svelte-shims-v4.d.ts', 'svelte-jsx-v4.d.ts']) extra.push(path.join(path.dirname(load.resolve('svelte2tsx')), name))
  for (const file of files.filter(file => file.endsWith('.svelte'))) {
    const source = fs.readFileSync(file, 'utf8')
    const isTypeScript = /<script[^>]*lang=["']?ts/.test(source)
    let made
    try {
      made = svelte2tsx(source, { filename: file, isTsFile: isTypeScript, mode: 'ts', version: VERSION, parse })
    } catch (error) {
      console.error(file, error.message)
      continue
    }
    virtual.set(`${file}.${isTypeScript ? 'ts' : 'js'}`, { file, source, text: made.code, back: mappedBack(made, source) })
  }
}

if (files.some(file => file.endsWith('.astro'))) {
  const { convertToTSX } = await import(pathToFileURL(path.join(modules, 'node_modules/@astrojs/compiler/dist/node/index.js')))
  for (const file of files.filter(file => file.endsWith('.astro'))) {
    const source = fs.readFileSync(file, 'utf8')
    const made = await convertToTSX(source, { filename: file, sourcemap: 'external' })
    virtual.set(`${file}.tsx`, { file, source, text: made.code, back: mappedBack(made, source) })
  }
}

if (files.some(file => file.endsWith('.mdx'))) {
  const from = name => import(pathToFileURL(path.join(modules, 'node_modules', name)))
  const { VirtualMdxCode } = await from('@mdx-js/language-service/lib/virtual-code.js')
  const { unified } = await from('unified/index.js')
  const plugins = await Promise.all(['remark-parse', 'remark-mdx', 'remark-frontmatter', 'remark-gfm'].map(name => from(`${name}/index.js`)))
  // The plugin of the language service reads statements with a parser that knows no JSX.
  const processor = plugins.reduce((made, each) => made.use(each.default), unified()).freeze()
  for (const file of files.filter(file => file.endsWith('.mdx'))) {
    const source = fs.readFileSync(file, 'utf8')
    const code = new VirtualMdxCode(ts.ScriptSnapshot.fromString(source), processor, [], false, 'react')
    const script = code.embeddedCodes.find(each => each.languageId === 'javascriptreact' || each.languageId === 'typescriptreact')
    if (!script || code.error) {
      console.error(file, code.error?.message)
      continue
    }
    virtual.set(`${file}.jsx`, { file, source, text: script.snapshot.getText(0, script.snapshot.getLength()), back: placedBack(script.mappings) })
  }
}

function starts (text) {
  const found = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found.push(at + 1)
  return found
}

function lineAt (lines, offset) {
  let low = 0; let high = lines.length
  while (high - low > 1) { const middle = (low + high) >> 1; if (lines[middle] <= offset) low = middle; else high = middle }
  return low
}

const names = [...files.filter(file => !/\.(vue|svelte|astro|mdx)$/.test(file)), ...virtual.keys(), ...extra, ...declared]

// The component that a specifier without an extension names, as bundlers are configured in many programs: `./Card` for
// `Card.vue` or `Card/index.vue`. TypeScript asks for an extension.
const cache = ts.createModuleResolutionCache(root, id => id, options)
function resolveModule (literal, from, reference, given) {
  const mode = ts.getModeForUsageLocation?.(from, literal, given)
  const plain = ts.resolveModuleName(literal.text, from.fileName, given, host, cache, reference, mode)
  if (plain.resolvedModule) return plain
  for (const suffix of ['.vue', '/index.vue']) {
    const found = ts.resolveModuleName(literal.text + suffix, from.fileName, given, host, cache, reference, mode)
    if (found.resolvedModule) return found
  }
  return plain
}
const host = {
  getCompilationSettings: () => options,
  getScriptFileNames: () => names,
  getScriptVersion: () => '1',
  getScriptSnapshot: name => {
    const text = virtual.get(name)?.text ?? ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: each => ts.getDefaultLibFilePath(each),
  fileExists: name => virtual.has(name) || ts.sys.fileExists(name),
  readFile: name => virtual.get(name)?.text ?? ts.sys.readFile(name),
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath,
  resolveModuleNameLiterals: (literals, file, reference, given, from) => literals.map(each => resolveModule(each, from, reference, given)),
}
const service = ts.createLanguageService(host)
const program = service.getProgram()
const linesOf = new Map()

function place (file, text, offset) {
  let known = linesOf.get(file)
  if (!known) linesOf.set(file, known = starts(text))
  const line = lineAt(known, offset)
  return [line + 1, Array.from(text.slice(known[line], offset)).length + 1]
}

const relative = file => path.relative(root, file)
const hyphenated = name => name.replace(/\B([A-Z])/g, (_, letter) => `-${letter.toLowerCase()}`).toLowerCase()

function target (definition) {
  const made = virtual.get(definition.fileName)
  if (made) {
    const isComponent = /^default$|__AstroComponent_$|^MDXContent$/.test(definition.name)
    const offset = isComponent ? -1 : made.back(definition.textSpan.start)
    if (offset >= 0) return [relative(made.file), place(made.file, made.source, offset)[0]]
    // Macros and subscriptions of stores are declared in the generated code too, and are no components.
    return /^(\$[a-z]|define[A-Z]|withDefaults|Astro$)/.test(definition.name) ? null : [relative(made.file), 0]
  }
  if (definition.fileName.includes('node_modules') || !definition.fileName.startsWith(root + path.sep)) return null
  const file = program.getSourceFile(definition.fileName)
  return [relative(definition.fileName), place(definition.fileName, file.text, definition.textSpan.start)[0]]
}

function callOf (node) {
  let name = node
  if (ts.isPropertyAccessExpression(name.parent) && name.parent.name === name) name = name.parent
  while (ts.isNonNullExpression(name.parent) || ts.isParenthesizedExpression(name.parent)) name = name.parent
  const isCall = (ts.isCallExpression(name.parent) || ts.isNewExpression(name.parent)) && name.parent.expression === name
  return isCall ? name.parent : undefined
}

const isCalled = node => callOf(node) !== undefined

// The declarations of a prop whose default was named: Vue's types lead from a prop to its value in `withDefaults`.
function propsOfDefault (definition) {
  const sourceFile = program.getSourceFile(definition.fileName)
  let node = sourceFile
  for (let next = node; next;) {
    node = next
    const { start } = definition.textSpan
    next = ts.forEachChild(node, child => (child.pos <= start && start < child.end ? child : undefined))
  }
  const call = node?.parent?.parent?.parent
  const isDefault = ts.isObjectLiteralElementLike(node?.parent ?? sourceFile) && node.parent.name === node && call &&
    ts.isCallExpression(call) && call.expression.getText(sourceFile) === 'withDefaults' && call.arguments[1] === node.parent.parent
  if (!isDefault) return undefined
  const props = program.getTypeChecker().getTypeAtLocation(call.arguments[0]).getProperty(node.text)
  return (props?.declarations ?? []).map(declaration => {
    const named = declaration.name ?? declaration
    const from = declaration.getSourceFile()
    return { fileName: from.fileName, textSpan: { start: named.getStart(from) }, name: node.text }
  })
}

// The store behind a subscription: svelte2tsx declares `$name` beside the code and takes its value from `name`.
function storeOf (definition) {
  if (!virtual.has(definition.fileName) || !/^\$[a-zA-Z_]/.test(definition.name)) return undefined
  const sourceFile = program.getSourceFile(definition.fileName)
  const { start } = definition.textSpan
  let call
  const find = node => {
    if (node.pos > start || start >= node.end) return
    if (ts.isVariableDeclaration(node) && node.name.getStart(sourceFile) === start) call = node.initializer
    ts.forEachChild(node, find)
  }
  find(sourceFile)
  const store = call && ts.isCallExpression(call) ? call.arguments[0] : undefined
  return store && ts.isIdentifier(store) && store.text === definition.name.slice(1)
    ? service.getDefinitionAtPosition(definition.fileName, store.getStart(sourceFile))
    : undefined
}

const isGenerated = file => path.relative(root, file).split(path.sep).some(part => skipped.has(part))

// What a generated declaration stands for: `const useCart: typeof import('../composables/cart')['useCart']`, as Nuxt and
// `unplugin-auto-import` write them.
function generatedFor (definition) {
  const isWritten = !isGenerated(definition.fileName) && !definition.fileName.endsWith('.d.ts')
  if (isWritten || definition.fileName.includes('node_modules')) return undefined
  const sourceFile = program.getSourceFile(definition.fileName)
  let node = sourceFile
  for (let next = node; next;) {
    node = next
    next = ts.forEachChild(node, child => (child.pos <= definition.textSpan.start && definition.textSpan.start < child.end ? child : undefined))
  }
  let type = node?.parent?.type
  // `readonly store: UnwrapRef<typeof import('./store')['store']>` declares what templates see.
  if (type && ts.isTypeReferenceNode(type) && type.typeName.getText(sourceFile) === 'UnwrapRef') type = type.typeArguments?.[0]
  if (!type) return undefined
  const isIndexed = ts.isIndexedAccessTypeNode(type) && ts.isImportTypeNode(type.objectType) && ts.isLiteralTypeNode(type.indexType)
  const name = isIndexed ? type.indexType.literal : ts.isImportTypeNode(type) ? type.qualifier : undefined
  return name && service.getDefinitionAtPosition(definition.fileName, name.getStart(sourceFile))
}

// What an import that was named brings, because the service stops at the import for a shorthand property such as `{ Card }`.
function importedBy (definition) {
  return definition.kind === 'alias' ? service.getDefinitionAtPosition(definition.fileName, definition.textSpan.start) ?? [] : []
}

// The variable for which a shorthand property stands, such as `save` of `return { save }` for `const { save } = useForm()`.
function shortFor (definition) {
  const sourceFile = program.getSourceFile(definition.fileName)
  const { start } = definition.textSpan
  const node = sourceFile && ts.getTokenAtPosition(sourceFile, start)
  const isShort = node?.parent && ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
  return isShort ? service.getDefinitionAtPosition(definition.fileName, start) ?? [] : []
}

// Whether a property is a name in an object literal that stands for a variable, `{ save }`. The service leads on to the variable.
function isShorthand (node) {
  const symbol = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
    ? program.getTypeChecker().getSymbolAtLocation(node)
    : undefined
  return Boolean(symbol?.declarations?.length) && symbol.declarations.every(ts.isShorthandPropertyAssignment)
}

const found = new Map()
for (const name of names) {
  if (extra.includes(name) || isGenerated(name)) continue
  const sourceFile = program.getSourceFile(name)
  if (!sourceFile) continue
  const made = virtual.get(name)
  const file = made?.file ?? name
  const source = made?.source ?? sourceFile.text
  const visit = node => {
    // `b` of `export { a as b }` is a declaration.
    const isExported = node.parent && ts.isExportSpecifier(node.parent) && node.parent.propertyName && node.parent.name === node
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && !isExported) {
      const start = node.getStart(sourceFile)
      const offset = made ? made.back(start) : start
      const written = offset < 0 ? '' : source.slice(offset, offset + node.text.length + 12)
      const isTag = /(<|<\/)$/.test(source.slice(Math.max(offset - 2, 0), Math.max(offset, 0)))
      const isHyphenated = written.toLowerCase().startsWith(hyphenated(node.text)) && (isTag || hyphenated(node.text).includes('-'))
      const isWritten = written.startsWith(node.text) || (made && isHyphenated)
      if (isWritten) {
        const definitions = isShorthand(node) ? [] : service.getDefinitionAtPosition(name, start) ?? []
        const isItself = each => each.fileName === name && each.textSpan.start === start
        // A key of an object literal or an attribute that nothing types declares itself: an attribute of a component whose props are not known, or
        // the member that a watcher names. Nothing is known of it.
        const isKey = (ts.isObjectLiteralElementLike(node.parent) || ts.isJsxAttribute(node.parent)) && node.parent.name === node
        const isUnknown = made && isKey && definitions.every(isItself)
        const targets = (isUnknown ? [] : definitions)
          .flatMap(each => (isItself(each) ? undefined : propsOfDefault(each) || generatedFor(each)) || storeOf(each) || [each, ...importedBy(each), ...shortFor(each)]).map(target)
        const [line, column] = place(file, source, offset)
        const key = `${file}:${line}:${column}`
        const known = found.get(key) ?? [relative(file), line, column, node.text, false, []]
        known[4] ||= isCalled(node)
        const call = isCalled(node) ? callOf(node) : undefined
        const declared = call && program.getTypeChecker().getResolvedSignature(call)?.declaration
        if (declared) { // what is called, also through a variable that only gives it another name
          const from = declared.getSourceFile()
          const named = declared.name ?? declared.parent?.name ?? declared
          const isInner = ts.isConstructorDeclaration(declared) || !declared.name
          targets.push(target({ fileName: from.fileName, textSpan: { start: named.getStart(from) }, name: '$unnamed' }))
          if (isInner) targets.push(target({ fileName: from.fileName, textSpan: { start: declared.getStart(from) }, name: '$unnamed' }))
        }
        for (const each of targets) {
          if (each && !known[5].some(other => other[0] === each[0] && other[1] === each[1])) known[5].push(each)
        }
        found.set(key, known)
      }
    }
    // The code for Vue names the component of a tag in a comment above it.
    if (made) node.jsDoc?.forEach(visit)
    ts.forEachChild(node, visit)
  }
  visit(sourceFile)
}
fs.writeFileSync(output, JSON.stringify([...found.values()]))
console.error(`${names.length} files, ${found.size} identifiers`)
