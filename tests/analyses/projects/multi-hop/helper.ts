export function normalise(key: string): string {
  return strip(key)
}

function strip(key: string): string {
  return key.trim()
}
