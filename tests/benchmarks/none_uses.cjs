// Prints the uses that TypeScript's language service knows of some declarations, outside of the declarations themselves.
//
// node none_uses.cjs TYPESCRIPT_FOLDER ROOT reads {"files": [PATH], "symbols": [[[PATH, line, name, first, last, outer]]]} from
// standard input: all files of the repository, and for each symbol its declarations with the line of the name, the first and last
// line, and the name of the symbol around it. It writes a list with an entry for each symbol: null if no declaration has a name there, else {"references", "callers"},
// each a list of [path, line, text of the line]. Paths are relative to ROOT, and lines count from 1.
'use strict'
const fs = require('fs')
const path = require('path')
const { projectOf, serviceOf } = require('./language_service.cjs')

const [typescript, rootFolder] = process.argv.slice(2)
const ts = require(typescript)
const root = path.resolve(rootFolder)
const { files, symbols } = JSON.parse(fs.readFileSync(0, 'utf8'))
// The project at the root, if there is one.
const config = ts.findConfigFile(root, ts.sys.fileExists)
const { options } = projectOf(ts, config && path.dirname(config) === root ? config : undefined)
const service = serviceOf(ts, root, files.map((file) => path.join(root, file)), options)
const program = service.getProgram()
const relative = (name) => path.relative(root, name)
const lineOf = (source, position) => source.getLineAndCharacterOfPosition(position).line + 1

function nodeAt(source, position) {
  let found = source
  for (let next = source; next; ) {
    found = next
    next = undefined
    ts.forEachChild(found, (child) => {
      if (!next && child.getStart(source) <= position && position < child.end) next = child
    })
  }
  return found
}

// Offsets of the names that declare `name` on a line.
function namePositions(source, line, name) {
  const starts = source.getLineStarts()
  if (line > starts.length) return []
  const begin = starts[line - 1]
  const end = line < starts.length ? starts[line] : source.end
  const text = source.text.slice(begin, end)
  const found = []
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const node = nodeAt(source, begin + at)
    const isWhole = node.getStart(source) === begin + at && node.getWidth(source) === name.length
    const isAssigned = node.parent && ts.isPropertyAccessExpression(node.parent) && ts.isBinaryExpression(node.parent.parent)
    const isString = ts.isStringLiteral(node) && node.text === name
    if ((isWhole || isString) && node.parent && (node.parent.name === node || isAssigned)) found.push(begin + at)
  }
  const keyword = name === 'constructor' ? text.indexOf('constructor') : -1
  return found.length ? found : keyword >= 0 ? [begin + keyword] : []
}

// The name of the declaration around the declaration of a name; "" for none.
function outerName(source, position) {
  const name = nodeAt(source, position)
  for (let node = name.parent?.parent; node; node = node.parent) if (node.name && node.name !== name) return node.name.text ?? ''
  return ''
}

// Whether a name only declares something, so that it uses nothing.
function isDeclaration(node) {
  const parent = node.parent
  if (!parent || parent.name !== node) return false
  const mayUse = [ts.isBindingElement, ts.isShorthandPropertyAssignment, ts.isPropertyAssignment, ts.isImportSpecifier,
    ts.isExportSpecifier, ts.isImportClause, ts.isNamespaceImport, ts.isPropertyAccessExpression, ts.isJsxAttribute, ts.isMetaProperty]
  return !mayUse.some((is) => is(parent)) && !(ts.isObjectLiteralExpression(parent.parent))
}

// Whether a name is what an expression calls. The call hierarchy also has accesses to a method that do not call it.
function isCalled(name) {
  let node = name
  while (node.parent && (node.parent.name === node || node.parent.argumentExpression === node || ts.isNonNullExpression(node.parent) ||
    ts.isParenthesizedExpression(node.parent) || ts.isAsExpression(node.parent))) node = node.parent
  const parent = node.parent
  return parent.expression === node ? ts.isCallLikeExpression(parent) || ts.isExpressionWithTypeArguments(parent) : parent.tag === node || parent.tagName === node
    || node.kind === ts.SyntaxKind.SuperKeyword
}

function uses(declarations) {
  const within = (file, line) => declarations.some(([own, , , first, last]) => own === file && first <= line && line <= last)
  const references = new Map()
  const callers = new Map()
  const add = (to, file, position) => {
    const name = relative(file)
    const source = program.getSourceFile(file)
    if (!source || name.startsWith('..') || name.includes('node_modules')) return
    const line = lineOf(source, position)
    if (within(name, line)) return
    to.set(`${name}:${line}`, [name, line, source.text.split('\n')[line - 1].trim().slice(0, 160)])
  }
  let found = false
  for (const [file, line, name, , , outer] of declarations) {
    const source = program.getSourceFile(path.join(root, file))
    const positions = source ? namePositions(source, line, name) : []
    const own = positions.length > 1 ? positions.filter((each) => outerName(source, each) === outer) : positions
    for (const position of (own.length ? own : positions).slice(0, 1)) {
      found = true
      for (const group of service.findReferences(source.fileName, position) ?? []) {
        for (const each of group.references) {
          const target = program.getSourceFile(each.fileName)
          const used = target && nodeAt(target, each.textSpan.start)
          // Of a constructor the language service also has the exports of its class.
          if (used && !isDeclaration(used) && (name !== 'constructor' || isCalled(used))) add(references, each.fileName, each.textSpan.start)
        }
      }
      const isAccessor = ts.isAccessor(nodeAt(source, position).parent)
      const items = service.prepareCallHierarchy(source.fileName, position) ?? []
      for (const item of [items].flat()) {
        if (item.file !== source.fileName || lineOf(source, item.selectionSpan.start) !== line) continue
        for (const call of service.provideCallHierarchyIncomingCalls(item.file, item.selectionSpan.start)) {
          const target = program.getSourceFile(call.from.file)
          for (const span of call.fromSpans) {
            if (isAccessor || (target && isCalled(nodeAt(target, span.start)))) add(callers, call.from.file, span.start)
          }
        }
      }
    }
  }
  return found ? { references: [...references.values()], callers: [...callers.values()] } : null
}

process.stdout.write(JSON.stringify(symbols.map(uses)))
