export function double(value: number): number {
  return value * 2
}

export const isEven = (value: number) => value % 2 === 0

export function toUpper(text: string): string {
  return text.toUpperCase()
}

export function logError(error: unknown): void {
  console.error(error)
}

export function parseJSON(text: string): unknown {
  return JSON.parse(text)
}

export const doubled = [1, 2, 3].map(double)
export const even = [1, 2, 3].filter(isEven)
export const upper = ["a", "b"].map(toUpper as (text: string) => string)

export const parsed = Promise.resolve("{}").then(parseJSON).catch(logError)

export function retry(task: (value: number) => number, times: number): number {
  return times > 0 ? task(times) : 0
}

export function debounce(task: () => void, wait: number): () => void {
  return () => setTimeout(task, wait)
}

export function compose<A, B, C>(outer: (b: B) => C, inner: (a: A) => B): (a: A) => C {
  return (a) => outer(inner(a))
}

export function withLogging(task: Task) {
  return task
}

export type Task = (name: string) => void

export function multiplier(factor: number) {
  return (value: number) => value * factor
}

export function onResult(success: (value: string) => void, failure?: ((error: Error) => void) | null): void {
  success("")
  failure?.(new Error())
}

export function plain(value: number): number {
  return value
}

export class EventBus {
  on(event: string, handler: (payload: unknown) => void) {
    handler(event)
  }
}

export class Processor {
  format(item: string) {
    return item
  }

  run(items: string[]) {
    items.forEach(this.format.bind(this))
    return items.map(this.format)
  }
}

new EventBus().on("failure", logError)
retry(double, 3)
