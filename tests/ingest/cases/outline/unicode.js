// Größen und 世界 🌍
export const größe = '🌍 emoji in a string'
export function функция(данные) {
  return данные
}
class Café { été() { return '世界' } }
const \u0061bc = 1
export { Café as "café au lait" }
