import type { Panel as ReadonlyPanel, PanelId as ReadonlyId } from './core'

export type Pinned = { panel: ReadonlyPanel; id: ReadonlyId }
