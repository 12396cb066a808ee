export const normalVar = 1
export function normalFunc(plain: number) {
  return plain
}
export class NormalClass {}
export interface NormalInterface {}

export const café = 1
export const résumé = 2
export const naïve = 3

export function функция(данные: number) {
  return данные
}

export const pаyment = 4
export const αlpha_value = 5
export const Δx = 6

export const score = 7
export const sсore = 8
export const port = 9
export const рort = 10

export const foo‌bar = 11
export const test‍name = 12

export function processData() {
  const résultat = 1
  return résultat
}

export class DataService {
  état = 1
}

export interface Configurätion {
  näme: string
}

export const π = 3.14
export const 世界 = 13
export const café_two = 14

export enum État {
  Actif,
}

export const labels = { "ключ": 1, plain: "текст" }
// ‮ reversed
