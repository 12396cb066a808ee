export function unused(): void {}

export function formatDate(value: number): string {
  return String(value)
}

export const own = formatDate(1)

export function save(): void {}

export function untyped(store: any): void {
  store.save()
  store.save()
}
