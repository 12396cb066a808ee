export interface Config {
  name: string
}

export namespace Config {
  export const version = 1
  export function load(name: string): Config {
    return { name }
  }
}
