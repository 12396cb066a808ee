import { load, touch } from './service'

export function authenticate(request: string): string {
  touch()
  return load(request)
}
