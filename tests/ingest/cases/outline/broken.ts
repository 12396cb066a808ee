import { one } from './one'

export function whole() {
  return one()
}

const unfinished = {
  a: 1,
  b:

export class Kept {
  method() {
    return 1
  }
  half(

export const last = () => {
  return 2
}
