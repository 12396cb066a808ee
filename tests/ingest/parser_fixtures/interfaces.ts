import type { Readable } from 'node:stream'

/** Anything with a name that people can read. */
interface Named {
  name: string
}

interface Dated<T = Date> {
  readonly at: T
}

/**
 * A song as the catalogue knows it.
 */
export interface Song extends Named, Dated<number> {
  readonly id: string
  /** Seconds. */
  length: number
  composer?: string
  'release-year'?: number
  tags: readonly string[]
  credits: { role: string; person: string }[]
}

export interface Player<Track extends Song = Song, in out State = unknown> extends Named {
  // Call signature: `player(song)` plays it.
  (song: Track): Promise<void>
  // Construct signature: a player is also its own factory.
  new (state: State): Player<Track, State>
  /** Settings that plugins add. */
  [setting: `x-${string}`]: unknown
  readonly [index: number]: Track

  play(song: Track, options?: { from?: number; volume?: number }): Promise<void>
  stop?(): void
  on(event: 'start', listener: (song: Track) => void): this
  on(event: 'end', listener: () => void): this
  decode: (source: Readable) => AsyncIterable<Float32Array>
  get position(): number
  set position(seconds: number)
  readonly [Symbol.toStringTag]: string
}

export interface Comparator<in T> {
  (left: T, right: T): number
}

interface Empty {}

export default interface Playlist extends Iterable<Song> {
  add(...songs: Song[]): void
  shuffle<R extends () => number>(random?: R): void
}

export type { Named, Dated, Empty }
