import { openPanel as raise } from './core'
import { plainName } from './core'

export { raise as lift, plainName }
