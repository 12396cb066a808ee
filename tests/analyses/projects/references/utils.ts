export function formatDate(date: Date): string {
  return date.toISOString()
}

export function formatTime(date: Date): string {
  return formatDate(date).slice(11)
}

export type DateString = string

export interface Timestamped {
  createdAt: DateString
}

export class Clock {
  now(): Date {
    return new Date()
  }
}

export const clock = new Clock()
let ticks = 0

export function tick(): number {
  ticks += 1
  return ticks
}
