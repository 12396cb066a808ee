export { tax } from './domain'
import { lonely as unusedName } from './domain'
