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

// The options of the nearest tsconfig.json, as an editor chooses them. A folder without one has those of untyped JavaScript.
function projectOf(file) {
  const own = { allowJs: true, noEmit: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext, experimentalDecorators: true }
  const config = ts.findConfigFile(path.dirname(path.join(root, file)), ts.sys.fileExists)
  if (!config || path.relative(root, config).startsWith('..')) {
    return { config: '', files: [], options: { ...own, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler } }
  }
  const read = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config))
  return { config, files: read.fileNames, options: { ...read.options, ...own, target: read.options.target ?? own.target } }
}

function serviceOf(folder, names, compilerOptions) {
  return ts.createLanguageService({
    getScriptFileNames: () => names,
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, 'utf8')) : undefined),
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => compilerOptions,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  })
}

const found = {}
const projects = new Map()
for (const file of files) {
  const project = projectOf(file)
  const known = projects.get(project.config) ?? { ...project, chosen: [] }
  known.chosen.push(file)
  projects.set(project.config, known)
}
for (const project of projects.values()) {
  const names = [...new Set([...project.files, ...project.chosen.map((file) => path.join(root, file))])]
  const service = serviceOf(project.config ? path.dirname(project.config) : root, names, project.options)
  for (const file of project.chosen) found[file] = definitionsOf(service, file)
}
process.stdout.write(JSON.stringify(found))

function definitionsOf(service, file) {
  const program = service.getProgram()
  const source = program.getSourceFile(path.join(root, file))
  const rows = []
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
  if (source) visit(source)
  return rows
}
