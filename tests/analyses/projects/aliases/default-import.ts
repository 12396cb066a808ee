import makeDefault from './core'

export const first = makeDefault()
