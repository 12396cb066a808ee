export { Pane as Element, buildPane as createElement } from './export-rename'
export * from './export-rename'
export * as core from './core'
