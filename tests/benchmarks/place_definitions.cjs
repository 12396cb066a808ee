// Prints what TypeScript's language service says of every identifier of some files.
//
// node place_definitions.cjs TYPESCRIPT_FOLDER ROOT FILE... writes JSON to standard output: for each file a list of
// [line, column, definitions], where lines and columns count from 1 and 0, columns are UTF-16 units, and each definition is
// [file, line, name] with a path relative to ROOT. Definitions outside of ROOT are left out.
'use strict'
const path = require('path')
const { languageService } = require('./language_service.cjs')

const [typescript, rootFolder, ...files] = process.argv.slice(2)
const ts = require(typescript)
const root = path.resolve(rootFolder)

const service = languageService(ts, root, files)
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
