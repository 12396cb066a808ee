import { inspect } from 'node:util';

const INDENT = 2;

export class Matrix {
  private rows: number[][] = [];

  /** Whether two numbers are equal but for rounding. */
  static close(a: number, b: number, tolerance = 1e-9): boolean {
    const scale = Math.max(1, Math.abs(a), Math.abs(b));
    return Math.abs(a - b) <= tolerance * scale;
  }

  print(): string {
    return inspect(this.rows, { depth: INDENT });
  }
}
