import { formatDate as format, formatTime } from './utils'

export function stamp(date: Date): string {
  return `${format(date)} ${formatTime(date)}`
}

export { formatTime } from './utils'
