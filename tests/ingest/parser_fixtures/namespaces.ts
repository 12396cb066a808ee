import { Unit } from './units'
import type { Plugin } from './plugin'

/** Geometry in the plane. */
export namespace Geometry {
  export const ORIGIN: Point = { x: 0, y: 0 }
  const precision = 1e-9

  export interface Point {
    x: number
    y: number
  }

  export type Line = [Point, Point]

  /** Length of the straight line between two points. */
  export function distance(a: Point, b: Point = ORIGIN): Unit {
    return new Unit(Math.hypot(a.x - b.x, a.y - b.y))
  }

  export namespace Solid {
    export class Cube {
      constructor(readonly edge: number) {}

      volume(): number {
        return this.edge ** 3
      }
    }

    export enum Face { Top, Bottom }
  }

  function isZero(value: number): boolean {
    return Math.abs(value) < precision
  }

  export import Shape = Solid.Cube
  if (isZero(ORIGIN.x)) console.debug('origin')
  export { isZero as nearlyZero }
}

namespace Company.Billing.Invoices {
  let last = 0

  export function next(): number {
    return ++last
  }
}

module Legacy {
  export const old = true
}

declare namespace Types {
  type Id = string
  function check(id: Id): boolean
}

// Ambient modules: what has no declarations of its own.
declare module 'legacy-charts' {
  export interface Chart extends Plugin {
    draw(): void
  }
  export function create(element: HTMLElement): Chart
  const version: string
  export default version
}

declare module './store' {
  interface Store {
    /** Added by this package. */
    undo(steps?: number): void
  }
}

declare module '*.svg'

declare global {
  interface Window {
    geometry: typeof Geometry
  }
  var DEBUG: boolean
  function track(event: string): void
}

export { Company, Legacy, Types }
