export { Panel as Pane, openPanel as buildPane } from './core'
export type { PanelId as PaneId } from './core'
export { default as createDefaultPane } from './core'

const hidden = 2
export { hidden as visible }
