export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

export function lost(): void {}

export function makeCounter(): () => number {
  let count = 0
  function next(): number {
    return sum([count++, 1])
  }
  return next
}

export function useCounter(): number {
  function twice(read: () => number): number {
    return sum([read(), read()])
  }
  return twice(makeCounter())
}

export const meter = ['a'].map((unit) => {
  function read(): number {
    return sum([unit.length])
  }
  return read() + sum([1])
})
