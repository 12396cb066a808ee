import * as CorePanels from './core'
import { core } from './barrel'

export const opened = [CorePanels.openPanel('b'), core.openPanel('c')]
