export interface Shape {}

export function helper(name?: string) {
  return name
}
