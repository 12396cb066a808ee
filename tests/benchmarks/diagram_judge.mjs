// Asks mermaid what diagrams draw: node diagram_judge.mjs MODULES DIAGRAMS.json OUT.json
// MODULES is a folder where `npm install mermaid jsdom` was run. DIAGRAMS.json is a list of texts.
// OUT.json holds, for each text, {error} or {kind, nodes, edges, groups, messages}, where each part is a list of rows:
// nodes [id, label, group], edges [source, target, label, style], groups [id, label, parent], messages [source, target, label,
// style, kinds of the blocks around it]. Kinds that mermaid keeps as data only have the rows that their data give.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, input, output] = process.argv.slice(2)
const load = createRequire(path.resolve(modules, 'index.js'))
const { JSDOM } = load('jsdom')
const dom = new JSDOM('<!doctype html><body></body>')
globalThis.window = dom.window
// jsdom has no CSS.supports, by which mermaid recognizes colors.
dom.window.CSS = { supports: (property, color) => { const style = new dom.window.Option().style; style.color = color; return style.color !== '' } }
globalThis.document = dom.window.document
for (const name of ['Option', 'Element', 'HTMLElement', 'Node', 'DOMParser', 'DocumentFragment', 'NodeFilter']) globalThis[name] = dom.window[name]
const mermaid = (await import(pathToFileURL(path.resolve(modules, 'node_modules/mermaid/dist/mermaid.core.mjs')))).default
mermaid.initialize({ startOnLoad: false, maxEdges: 100000, maxTextSize: 1e7, logLevel: 5 })

const values = collection => collection instanceof Map ? [...collection.values()] : Array.isArray(collection) ? collection : Object.values(collection ?? {})
const HEADS = { arrow_point: 'arrow', arrow_open: 'open', arrow_cross: 'cross', arrow_circle: 'circle', double_arrow_point: 'double arrow', double_arrow_cross: 'double cross', double_arrow_circle: 'double circle' }
const linkStyle = (type, stroke) => `${stroke && stroke !== 'normal' ? stroke + ' ' : ''}${HEADS[type] ?? type}`

function flowchart (db) {
  const groups = db.getSubGraphs()
  const owner = new Map()
  for (const group of groups) for (const id of group.nodes) if (!owner.has(id)) owner.set(id, group.id)
  const names = new Set(groups.map(group => group.id))
  return {
    nodes: values(db.getVertices()).filter(node => !names.has(node.id)).map(node => [node.id, node.text ?? '', owner.get(node.id) ?? null]),
    edges: db.getEdges().map(edge => [edge.start, edge.end, edge.text, linkStyle(edge.type, edge.stroke)]),
    groups: groups.map(group => [group.id, group.title, owner.get(group.id) ?? null]),
  }
}

const FRAMES = { 10: 'loop', 12: 'alt', 13: 'else', 15: 'opt', 19: 'par', 20: 'and', 22: 'rect', 27: 'critical', 28: 'option', 30: 'break', 32: 'par_over' }
const FRAME_ENDS = new Set([11, 14, 16, 21, 23, 29, 31])
const ARROWS = { 0: 'arrow', 1: 'dotted arrow', 3: 'cross', 4: 'dotted cross', 5: 'open', 6: 'dotted open', 24: 'async', 25: 'dotted async', 33: 'double arrow', 34: 'dotted double arrow' }
function sequence (db) {
  const boxes = db.getBoxes()
  const messages = []
  const open = []
  for (const message of db.getMessages()) {
    if (message.type in FRAMES) {
      const kind = FRAMES[message.type]
      if (['else', 'and', 'option'].includes(kind)) {
        if (['else', 'and', 'option'].includes(open.at(-1))) open.pop()
      }
      open.push(kind)
    } else if (FRAME_ENDS.has(message.type)) {
      if (['else', 'and', 'option'].includes(open.at(-1))) open.pop()
      open.pop()
    } else if (message.from !== undefined && message.to !== undefined && message.type !== 2 && message.type !== 17 && message.type !== 18 && message.type < 59) {
      messages.push([message.from, message.to, message.message, ARROWS[message.type] ?? 'half', open.join(' > ')])
    }
  }
  return {
    nodes: values(db.getActors()).map(actor => [actor.name, actor.description, actor.box ? 'box' + boxes.indexOf(actor.box) : null]),
    groups: boxes.map((box, index) => ['box' + index, box.name ?? '', null]),
    messages,
  }
}

const CLASS_HEADS = ['aggregation', 'inheritance', 'composition', 'dependency', 'lollipop']
function classes (db) {
  const style = ({ type1, type2, lineType }) => {
    const heads = [type1, type2].filter(type => type !== 'none').map(type => CLASS_HEADS[type])
    const side = heads.length !== 1 ? '' : type1 !== 'none' ? ' at source' : ''
    return (lineType === 1 ? 'dotted ' : '') + (heads.join(' and ') || 'link') + side
  }
  const members = node => [...node.members, ...node.methods].map(member => member.text ?? member.id).length
  return {
    nodes: [
      ...values(db.getClasses()).map(node => [node.id, node.type && node.label === node.id ? `${node.id}<${node.type}>` : node.label, node.parent ?? null, members(node)]),
      ...values(db.interfaces ?? []).map(face => [face.id, face.label, null, 0]),
    ],
    edges: db.getRelations().map(edge => [edge.id1, edge.id2, edge.title === 'none' ? '' : edge.title ?? '', style(edge.relation), edge.relationTitle1 === 'none' ? '' : edge.relationTitle1, edge.relationTitle2 === 'none' ? '' : edge.relationTitle2]),
    groups: values(db.getNamespaces()).map(space => [space.id, space.label ?? space.id, space.parent ?? null]),
  }
}

function states (db) {
  const data = db.getData()
  const byId = new Map(data.nodes.map(node => [node.id, node]))
  const hidden = node => node.shape === 'divider' || node.shape === 'noteGroup' || node.shape === 'note'
  const parent = node => { let id = node.parentId; while (id && byId.has(id) && hidden(byId.get(id))) id = byId.get(id).parentId; return id ?? null }
  const label = node => { const texts = [].concat(node.label ?? [], node.description ?? []).flat().filter(Boolean); return ['stateStart', 'stateEnd'].includes(node.shape) ? '' : texts.length ? [...new Set(texts)].join('\n') : node.id }
  const shown = data.nodes.filter(node => !hidden(node))
  // Starts and ends of regions have random ids: they are counted here.
  const names = new Map()
  const counts = new Map()
  for (const node of shown) {
    const match = /^(?:divider-id-\d+|id-\w+-\d+)_(start|end)$/.exec(node.id)
    if (!match) continue
    const name = `${parent(node)}_${match[1]}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    names.set(node.id, counts.get(name) > 1 ? `${name} ${counts.get(name)}` : name)
  }
  const named = id => names.get(id) ?? id
  return {
    nodes: shown.filter(node => !node.isGroup).map(node => [named(node.id), label(node), parent(node)]),
    edges: data.edges.filter(edge => edge.arrowhead !== 'none').map(edge => [named(edge.start), named(edge.end), edge.label ?? '', 'arrow']),
    groups: shown.filter(node => node.isGroup).map(node => [node.id, label(node), parent(node)]),
  }
}

const CARDINALITIES = { ZERO_OR_ONE: 'zero or one', ZERO_OR_MORE: 'zero or more', ONE_OR_MORE: 'one or more', ONLY_ONE: 'only one', MD_PARENT: 'parent' }
function entities (db) {
  const byId = new Map(); const entries = [...db.getEntities()]
  for (const [name, entity] of entries) byId.set(entity.id, name)
  return {
    nodes: entries.map(([name, entity]) => [name, entity.alias || name, null, entity.attributes.length]),
    edges: db.getRelationships().map(edge => [byId.get(edge.entityA), byId.get(edge.entityB), edge.roleA, edge.relSpec.relType === 'IDENTIFYING' ? 'identifying' : 'non-identifying', CARDINALITIES[edge.relSpec.cardB], CARDINALITIES[edge.relSpec.cardA]]),
  }
}

function gantt (db) {
  const tasks = db.getTasks()
  return {
    nodes: tasks.map(task => [task.id, task.task, task.section || null]),
    groups: [...new Set(db.getSections())].map(name => [name, name, null]),
  }
}

const journey = db => ({ nodes: db.getTasks().map(task => [task.task, task.section, String(task.score), task.people.join(', ')]), groups: [...new Set(db.getSections())].map(name => [name, name, null]) })

function mindmap (db) {
  const nodes = []
  const edges = []
  const walk = node => { nodes.push([node.descr]); for (const child of node.children) { edges.push([node.descr, child.descr]); walk(child) } }
  const root = db.getMindmap()
  if (root) walk(root)
  return { nodes, edges }
}

const timeline = db => ({ nodes: db.getTasks().map(task => [task.task, task.section || null, task.events.map(event => event.trim()).join('\n')]), groups: [...new Set(db.getSections())].map(name => [name, name, null]) })

function git (db) {
  const edges = []
  const commits = values(db.getCommitsArray()).sort((one, other) => one.seq - other.seq)
  const order = new Map(commits.map((commit, index) => [commit.id, index]))
  for (const commit of commits) for (const parent of commit.parents) edges.push([order.get(parent), order.get(commit.id)])
  return { nodes: commits.map(commit => [commit.branch, commit.message && !/^\d+-/.test(commit.message) ? '' : '', (commit.tags ?? []).join(', ')]), edges, groups: db.getBranchesAsObjArray().map(branch => [branch.name, branch.name, null]) }
}

const text = value => value?.text ?? value ?? ''
function c4 (db) {
  const boundary = id => !id || id === 'global' ? null : id
  return {
    nodes: db.getC4ShapeArray().map(shape => [shape.alias, text(shape.label), boundary(shape.parentBoundary), text(shape.typeC4Shape)]),
    edges: db.getRels().map(edge => [edge.from, edge.to, text(edge.label)]),
    groups: db.getBoundaries ? db.getBoundaries().filter(group => group.alias !== 'global').map(group => [group.alias, text(group.label), boundary(group.parentBoundary)]) : [],
  }
}

const requirement = db => ({
  nodes: [...values(db.getRequirements()).map(node => [node.name, node.type]), ...values(db.getElements()).map(node => [node.name, 'Element'])],
  edges: db.getRelationships().map(edge => [edge.src, edge.dst, edge.type]),
})

function block (db) {
  const nodes = []
  const groups = []
  const names = new Map()
  const named = id => { if (!/^id-\w+-\d+$/.test(id)) return id; if (!names.has(id)) names.set(id, `block ${names.size + 1}`); return names.get(id) }
  const walk = (children, group) => {
    for (const item of children ?? []) {
      if (item.type === 'space' || item.type === 'edge') continue
      if (item.type === 'composite') { groups.push([named(item.id), item.label ?? '', group]); walk(item.children, named(item.id)) } else nodes.push([item.id, item.label ?? item.id, group])
    }
  }
  walk(db.getBlocks(), null)
  return { nodes, groups, edges: db.getEdges().map(edge => [edge.start, edge.end, edge.label ?? '']) }
}

const architecture = db => ({
  nodes: [...db.getServices().map(node => [node.id, node.title ?? '', node.in ?? null]), ...db.getJunctions().map(node => [node.id, '', node.in ?? null])],
  edges: db.getEdges().map(edge => [edge.lhsId, edge.rhsId, edge.title ?? '']),
  groups: db.getGroups().map(group => [group.id, group.title ?? '', group.in ?? null]),
})

const pie = db => ({ nodes: [...db.getSections()].map(([label, value]) => [label, String(value)]) })

function quadrant (db) {
  const { points, quadrants } = db.getQuadrantData()
  return { nodes: points.map(point => [point.text.text]), groups: quadrants.map(each => [each.text.text]).filter(([label]) => label) }
}

const READERS = { 'flowchart-v2': ['flowchart', flowchart], flowchart: ['flowchart', flowchart], 'flowchart-elk': ['flowchart', flowchart], sequence: ['sequence', sequence], class: ['class', classes], classDiagram: ['class', classes], state: ['state', states], stateDiagram: ['state', states], er: ['er', entities], gantt: ['gantt', gantt], journey: ['journey', journey], mindmap: ['mindmap', mindmap], timeline: ['timeline', timeline], gitGraph: ['gitgraph', git], c4: ['c4', c4], requirement: ['requirement', requirement], block: ['block', block], architecture: ['architecture', architecture], pie: ['pie', pie], quadrantChart: ['quadrant', quadrant] }
const ENTITY = /ﬂ°°?([^¶]*)¶ß/g
const shown = value => typeof value === 'string' ? value.replace(ENTITY, (all, name) => /^\d+$/.test(name) ? `&#${name};` : `&${name};`) : value

const results = []
for (const diagram of JSON.parse(fs.readFileSync(input, 'utf8'))) {
  try {
    const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(diagram)
    const [kind, read] = READERS[type] ?? [type, null]
    if (!read) { results.push({ kind, unread: true }); continue }
    const parts = read(db)
    for (const name of Object.keys(parts)) parts[name] = parts[name].map(row => row.map(shown))
    results.push({ kind, ...parts })
  } catch (error) {
    results.push({ error: String(error?.message ?? error).slice(0, 200) })
  }
}
fs.writeFileSync(output, JSON.stringify(results))
process.exit(0)
