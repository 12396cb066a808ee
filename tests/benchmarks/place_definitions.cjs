// Prints what TypeScript's language service says of every identifier of some files.
//
// node place_definitions.cjs TYPESCRIPT_FOLDER ROOT FILE... writes JSON to standard output: for each file a list of
// [line, column, definitions], where lines and columns count from 1 and 0, columns are UTF-16 units, and each definition is
// [file, line, name] with a path relative to ROOT; the name of a parameter is empty, so that it is not taken for a method of that
// name on its line. Definitions outside of ROOT are left out. Identifiers of which the service
// knows nothing, such as names from a package that is not installed, are left out, too: they say nothing about an answer.
'use strict'
const path = require('path')
const { projectOf, serviceOf } = require('./language_service.cjs')

const [typescript, rootFolder, ...files] = process.argv.slice(2)
const ts = require(typescript)
const root = path.resolve(rootFolder)

// The project of the nearest tsconfig.json, as an editor chooses it.
function nearestProject(file) {
  const config = ts.findConfigFile(path.dirname(path.join(root, file)), ts.sys.fileExists)
  const inside = config && !path.relative(root, config).startsWith('..') ? config : ''
  return { config: inside, ...projectOf(ts, inside) }
}

const found = {}
const projects = new Map()
for (const file of files) {
  const project = nearestProject(file)
  const known = projects.get(project.config) ?? { ...project, chosen: [] }
  known.chosen.push(file)
  projects.set(project.config, known)
}
for (const project of projects.values()) {
  const names = [...new Set([...project.files, ...project.chosen.map((file) => path.join(root, file))])]
  const folder = project.config ? path.dirname(project.config) : root
  const service = serviceOf(ts, folder, names, project.options, { realpath: ts.sys.realpath })
  for (const file of project.chosen) found[file] = definitionsOf(service, file)
}
process.stdout.write(JSON.stringify(found))

function definitionsOf(service, file) {
  const program = service.getProgram()
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path.join(root, file))
  const rows = []
  // An import that does not resolve stands for a symbol without declarations.
  const isUnresolved = (node) => {
    const symbol = checker.getSymbolAtLocation(node)
    return Boolean(symbol && symbol.flags & ts.SymbolFlags.Alias && !checker.getAliasedSymbol(symbol).declarations)
  }
  // The keys of a literal that is passed to an unknown function are declared nowhere.
  const isKeyForUnknown = (node) => {
    const literal = node.parent.name === node && ts.isObjectLiteralElementLike(node.parent) ? node.parent.parent : undefined
    let outer = literal
    while (outer && (ts.isObjectLiteralExpression(outer) || ts.isPropertyAssignment(outer))) outer = outer.parent
    return Boolean(literal && outer && (ts.isCallExpression(outer) || ts.isNewExpression(outer)) &&
      checker.getTypeAtLocation(outer.expression).flags & ts.TypeFlags.Any)
  }
  // A parameter that declares a property of its class is more than a parameter.
  const isMereParameter = (target, definition) => {
    let node = definition.kind === ts.ScriptElementKind.parameterElement ? target : undefined
    while (node && !ts.isParameter(node)) {
      const { start } = definition.textSpan
      node = ts.forEachChild(node, (child) => (child.pos <= start && start < child.end ? child : undefined))
    }
    return Boolean(node && !ts.isParameterPropertyDeclaration(node, node.parent))
  }
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const start = node.getStart(source)
      const place = source.getLineAndCharacterOfPosition(start)
      const all = isUnresolved(node) || isKeyForUnknown(node) ? [] : (service.getDefinitionAtPosition(source.fileName, start) ?? [])
      const definitions = all
        .map((each) => [path.relative(root, each.fileName), each])
        .filter(([name]) => !name.startsWith('..') && !name.includes('node_modules'))
        .map(([name, each]) => {
          const target = program.getSourceFile(each.fileName)
          const line = target.getLineAndCharacterOfPosition(each.textSpan.start).line + 1
          return [name, line, isMereParameter(target, each) ? '' : each.name]
        })
      if (all.length) rows.push([place.line + 1, place.character, definitions])
    }
    ts.forEachChild(node, visit)
  }
  if (source) visit(source)
  return rows
}
