import { authenticate } from './middleware'

export function handle(request: string): string {
  return authenticate(request)
}
