import { readFlag } from './flags';

export enum Direction {
  Up,
  Down,
  Left = 10,
  Right,
}

/** Names of the queues, as the broker knows them. */
export enum Queue {
  /** Mails that a person waits for. */
  Urgent = 'mail.urgent',
  Bulk = 'mail.bulk', // newsletters
  'Dead-Letter' = 'mail.dead',
}

const enum Bits {
  None = 0,
  Read = 1 << 0,
  Write = 1 << 1,
  All = Read | Write,
}

enum Computed {
  Length = 'four'.length,
  FromEnvironment = readFlag('LEVEL'),
}

export declare enum Platform { Linux, Darwin = 2 }

declare const enum Outside {
  A = 'a',
}

enum Void {} // has no values

// The merged half: static functions of an enum.
export namespace Direction {
  export function opposite(direction: Direction): Direction {
    switch (direction) {
      case Direction.Up:
        return Direction.Down
      case Direction.Down:
        return Direction.Up
      default:
        return direction === Direction.Left ? Direction.Right : Direction.Left
    }
  }
}

export const allowed = (bits: Bits) => (bits & Bits.All) !== Bits.None && Computed.Length > 0; // all four

export { Computed, Void };
