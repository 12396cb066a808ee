// Everything that can stand at the top of a module.
import 'reflect-metadata'
import express from 'express'
import { Router, json as parseJson, type Request } from 'express'
import * as path from 'node:path'
import type { User } from './user'
import type Session from './session'
import type * as events from './events'
import defaults, { limits } from './settings'
import messages from './messages.json' with { type: 'json' }
import { default as createLogger, 'kebab-name' as kebabName } from './logger'
import legacy = require('./legacy')
import Store = legacy.stores.Store
import {
  alpha,
  // beta is still tried out
  beta as secondLetter,
} from './letters'
import defer * as feature from './feature'

/* Re-exports: the public face. */
export { alpha } from './letters'
export { beta as gamma, type Delta } from './greek'
export { default } from './app'
export * from './errors'
export * as errors from './errors'
export type { Options } from './options'
export type * from './types'
export type * as types from './types'
export { version } from '../package.json' with {
  type: 'json',
}
export { path, kebabName as 'kebab-name' }

const lazyAdmin = () => import('./admin')

export async function boot(user: User, session: Session): Promise<Store> {
  const { start } = await import('./server')
  const app = express()
  app.use(parseJson({ limit: limits.body ?? defaults.body }))
  app.use('/admin', Router())
  start(app, path.resolve(messages.root), secondLetter(feature))
  return new Store(user, session)
}

export function trace(request: Request, sink: events.Sink): void {
  // The name `alpha` in this comment and "express" in this string are no uses.
  const express = createLogger('express')
  express.info(request.url, sink)
}

export const plugins = ['./one', './two'].map((name) => import(name))
void lazyAdmin
