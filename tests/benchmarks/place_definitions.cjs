// Prints what TypeScript's language service says of every identifier of some files.
//
// node place_definitions.cjs TYPESCRIPT_FOLDER ROOT FILE... writes JSON to standard output: for each file a list of
// [line, column, definitions], where lines and columns count from 1 and 0, columns are UTF-16 units, and each definition is
// [file, line, name] with a path relative to ROOT. Definitions outside of ROOT are left out.
'use strict'
const fs = require('fs')
const path = require('path')

const [typescript, rootFolder, ...files] = process.argv.slice(2)
const ts = require(typescript)
const root = path.resolve(rootFolder)

function options() {
  const found = ts.findConfigFile(root, ts.sys.fileExists)
  const own = { allowJs: true, noEmit: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext, experimentalDecorators: true }
  if (!found || path.dirname(found) !== root) return { ...own, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
  const read = ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, root)
  return { ...read.options, ...own, target: read.options.target ?? own.target }
}

const compilerOptions = options()
const names = files.map((file) => path.join(root, file))
const service = ts.createLanguageService({
  getScriptFileNames: () => names,
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, 'utf8')) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => compilerOptions,
  getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
})
const program = service.getProgram()
const found = {}
for (const file of files) {
  const source = program.getSourceFile(path.join(root, file))
  if (!source) continue
  const rows = (found[file] = [])
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const start = node.getStart(source)
      const place = source.getLineAndCharacterOfPosition(start)
      const definitions = (service.getDefinitionAtPosition(source.fileName, start) ?? [])
        .map((each) => [path.relative(root, each.fileName), each])
        .filter(([name]) => !name.startsWith('..') && !name.includes('node_modules'))
        .map(([name, each]) => {
          const target = program.getSourceFile(each.fileName)
          return [name, target.getLineAndCharacterOfPosition(each.textSpan.start).line + 1, each.name]
        })
      rows.push([place.line + 1, place.character, definitions])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}
process.stdout.write(JSON.stringify(found))
