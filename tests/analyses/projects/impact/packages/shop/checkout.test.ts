import { checkout } from './checkout'

checkout(3)
