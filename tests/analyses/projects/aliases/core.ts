export interface Panel {
  id: PanelId
}

export type PanelId = string

export function openPanel(id: PanelId): Panel {
  return { id }
}

export class PanelStore {
  panels: Panel[] = []
}

export default function defaultPanel(): Panel {
  return openPanel('default')
}

export namespace Layouts {
  export class SplitLayout {}
}

export const plainName = 1
