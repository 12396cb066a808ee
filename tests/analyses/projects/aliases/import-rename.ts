import { openPanel as showPanel, PanelStore as Store, type Panel as View } from './core'

export const store = new Store()

export function show(): View {
  return showPanel('a')
}
