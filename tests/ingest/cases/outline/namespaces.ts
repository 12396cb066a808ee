export namespace Geometry {
  export const PI = 3.14
  export interface Point { x: number; y: number }

  /** Straight line. */
  export function distance(a: Point, b: Point): number {
    return Math.hypot(a.x - b.x, a.y - b.y)
  }

  export namespace Solid {
    export class Cube {
      volume() {
        return 1
      }
    }
  }
}

namespace A.B.C {
  export function deep() {
    return 1
  }
}

declare module 'legacy' {
  export function start(name: string): void
  const value: number
  export default value
}

declare module './store' {
  interface Store {
    extra(): void
  }
}

declare global {
  interface Window {
    app: string
  }
  var DEBUG: boolean
}

declare module '*.svg'

declare namespace Types {
  type Id = string
}

export = Geometry

namespace Below
{
  export function low() {
    return 1
  }
}
