import './config'

declare module './config' {
  interface Config {
    verbose?: boolean
  }
}
