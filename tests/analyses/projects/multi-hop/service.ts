import { normalise } from './helper'

export function load(key: string): string {
  return normalise(key)
}

export function touch(): void {}
