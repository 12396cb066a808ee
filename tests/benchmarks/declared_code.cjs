// Prints what the TypeScript files below a folder declare.
//
// node declared_code.cjs TYPESCRIPT_FOLDER ROOT OUTPUT writes JSON: for each file a list of [name, first line, last line, code].
// Members have the name of their class, interface, enum or namespace before theirs. The code is the syntax tree without comments,
// blanks, parentheses and the choice of quotes; the code of a type is without its members. An export of a name declares nothing.
// A file with errors has no list.
'use strict'
const fs = require('fs')
const path = require('path')

const [typescript, root, output] = process.argv.slice(2)
const ts = require(typescript)

// The code of a node, without the nodes in `without`.
function codeOf(node, without = new Set()) {
  if (ts.isParenthesizedExpression(node) || ts.isParenthesizedTypeNode?.(node)) {
    return codeOf(ts.isParenthesizedExpression(node) ? node.expression : node.type, without)
  }
  const parts = []
  ts.forEachChild(node, (child) => {
    if (!without.has(child)) parts.push(codeOf(child, without))
  })
  const isEmpty = node.getChildCount() === 0
  const text = ts.isJsxText(node)
    ? node.text.trim().replace(/\s+/g, ' ')
    : ts.isStringLiteralLike(node)
      ? JSON.stringify(node.text)
      : isEmpty
        ? node.getText()
        : ''
  const flags = ts.isVariableDeclarationList(node) ? node.flags & ts.NodeFlags.BlockScoped : 0
  return `(${node.kind} ${node.operator ?? ''} ${flags} ${node.isTypeOnly ?? ''} ${text} ${parts.join(' ')})`
}

function nameOf(member) {
  if (ts.isConstructorDeclaration(member)) return 'constructor'
  const name = member.name
  if (!name) return ''
  return ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : name.getText()
}

function outlineOf(file) {
  const rows = []
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line + 1
  const add = (name, node, code) => rows.push([name, lineOf(node.getStart()), lineOf(node.getEnd()), code])

  const typeWithMembers = (name, node) => {
    const named = node.members.filter((member) => nameOf(member) && !ts.isClassStaticBlockDeclaration(member))
    add(name, node, codeOf(node, new Set(named)))
    for (const member of named) add(`${name}.${nameOf(member)}`, member, codeOf(member))
  }
  const bindings = (name) =>
    ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((each) => (each.name ? bindings(each.name) : []))

  const statement = (outer, node) => {
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) {
      typeWithMembers(outer + (node.name?.text ?? 'default'), node)
    } else if (ts.isFunctionDeclaration(node)) {
      add(outer + (node.name?.text ?? 'default'), node, codeOf(node))
    } else if (ts.isTypeAliasDeclaration(node)) {
      add(outer + node.name.text, node, codeOf(node))
    } else if (ts.isVariableStatement(node)) {
      const list = node.declarationList
      const around = codeOf(node, new Set([list])) + (list.flags & ts.NodeFlags.BlockScoped)
      for (const each of list.declarations) {
        for (const name of bindings(each.name)) add(outer + name, each, around + codeOf(each))
      }
    } else if (ts.isExportAssignment(node) && !node.isExportEquals && !ts.isIdentifier(node.expression)) {
      add(`${outer}default`, node, codeOf(node))
    } else if (ts.isModuleDeclaration(node)) {
      const own = outer + node.name.text
      let body = node.body
      let dotted = own
      while (body && ts.isModuleDeclaration(body)) {
        dotted += `.${body.name.text}`
        body = body.body
      }
      add(dotted, node, codeOf(node, new Set(body ? [body] : [])))
      for (const each of body?.statements ?? []) statement(`${dotted}.`, each)
    }
  }
  file.statements.forEach((each) => statement('', each))
  return rows
}

const found = {}
for (const name of fs.readdirSync(root, { recursive: true })) {
  if (!/\.[cm]?tsx?$/.test(name)) continue
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const text = fs.readFileSync(path.join(root, name), 'utf8')
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  if (file.parseDiagnostics.length === 0) found[name] = outlineOf(file)
}
fs.writeFileSync(output, JSON.stringify(found))
