export class Alone {}

export interface AloneToo {}

export function notAType(): void {}

// Shares its name with the class of models.ts, and has nothing to do with it.
export class User {
  name = ''
}

export class Guest extends User {}
