export function alpha(n: number): number {
  return n > 0 ? beta(n - 1) : 0
}

export function beta(n: number): number {
  return alpha(n)
}

export function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1)
}

export function first(n: number): void {
  second(n)
}

function second(n: number): void {
  third(n)
  leaf()
}

function third(n: number): void {
  if (n > 0) first(n - 1)
}

function leaf(): void {}

export function enter(): void {
  alpha(3)
}
