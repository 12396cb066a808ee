export enum Direction {
  Up,
  Down,
  Left,
  Right,
}

export enum HttpStatus {
  OK = 200,
  NotFound = 404,
  ServerError = 500,
}

export enum Color {
  Red = "RED",
  Green = "GREEN",
  Blue = 'BLUE',
}

export const enum Flags {
  None = 0,
  A = 1,
  B = 2,
  C = 4,
}

export enum Mixed {
  No = 0,
  Yes = "hello",
}

export enum Computed {
  Sum = 1 + 2,
  Length = "hello".length,
  Plain = 10,
}

export declare enum External {
  First,
  Second,
  Third,
}

export enum Temperature {
  Cold = -10,
  Freezing = 0,
  Mild = 20,
  Hot = 40,
}

export enum Sequence {
  A,
  B,
  C = 100,
  D,
  E,
}

export enum Empty {}

export enum SingleMember {
  Only = "ONLY",
}

export enum Bits {
  Read = 1 << 0,
  Write = 1 << 1,
  All = Read | Bits.Write,
  Inverse = ~All,
  Next,
  Name = `bits-${Read}`,
  Hex = 0xff,
  "quoted name" = Hex,
}

export class NotAnEnum {}
