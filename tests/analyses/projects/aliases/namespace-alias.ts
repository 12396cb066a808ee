import { Layouts } from './core'
import SL = Layouts.SplitLayout

export const split = new SL()
