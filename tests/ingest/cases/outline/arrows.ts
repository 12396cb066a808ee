import { debounce } from './timing'
import * as api from './api'

const double = (n: number) => n * 2

export const identity = <T,>(value: T): T => value

/**
 * Saves the draft, at most once a second.
 *
 * @param draft what to save
 */
export const saveDraft = debounce(async (draft: { id: string }) => {
  await api.save(draft)
}, 1000)

export const makeCounter = (start = 0) => {
  let count = start
  return {
    next: () => ++count,
    reset() {
      count = start
    },
    get value() {
      return count
    },
  }
}

const toPoint = ([x, y]: [number, number]) => ({ x, y })

export const handlers: Record<string, (event: Event) => void> = {
  click: (event) => {
    event.preventDefault()
    api.track('click')
  },
  'key-down': function (event) {
    api.track('key')
  },
}

const curried = (a: number) => (b: number) => (c: number) => {
  return double(a) + b + c
}

export { curried as add3, toPoint }
