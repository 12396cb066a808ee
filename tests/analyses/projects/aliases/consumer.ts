import { createElement, createDefaultPane, type Element, type PaneId } from './barrel'
import { buildPane as assemble } from './barrel'

export function consume(id: PaneId): Element[] {
  return [createElement(id), createDefaultPane(), assemble(id)]
}
