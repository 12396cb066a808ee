import { one } from './one'

export function whole(): number {
  return one()
}

const options = {
  retries: 3,
  timeout:
}

export class Kept {
  method(): number {
    return whole(
  }

  other(): string {
    return 'other'
  }
}

function cut(a: number, b) {
  if (a > b {
    return a
  }
  return b
}

export const last = () => {
  return 2
}

const unfinished = last.
