export const plain = 1
// an accent: café
