export interface Exported {
  name: string
}
export declare function make(): Exported
