declare function ambientFunction(input: string): number
declare const AMBIENT_VERSION: string
declare let ambientState: number
interface AmbientShape {
  side: number
}
type AmbientId = string | number
declare class AmbientService {
  start(): void
}
declare enum AmbientLevel {
  Low,
  High,
}
declare namespace AmbientSpace {
  const inner: string
}
declare module "*.svg" {
  const url: string
  export default url
}
