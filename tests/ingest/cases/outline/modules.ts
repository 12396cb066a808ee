#!/usr/bin/env node
'use strict'
/* eslint-disable no-console */
import 'polyfill'
import main, { one, two as deux, type Three } from './names'
import * as everything from './all'
import type Four from './types'
import data from './data.json' with { type: 'json' }
import legacy = require('./legacy')
import Inner = everything.deep.Inner

// Re-exports
export * from './all'
export * as space from './all'
export { one, deux as two }
export { default } from './names'
export { default as named, type Five } from './more'
export type { Three } from './names'

const lazy = await import('./lazy')
console.log(main, data, legacy, lazy.default)

export default main

export import tools = require('./tools')
