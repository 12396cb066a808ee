export interface Core {
  name: string
}

export namespace Helpers {
  export const one = 1
}
