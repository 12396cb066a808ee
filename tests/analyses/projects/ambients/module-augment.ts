import "my-external-lib"

declare module "my-external-lib" {
  interface Options {
    verbose: boolean
  }
  interface Result {
    code: number
  }
  function run(options: Options): Result
}

declare module "my-config-lib" {
  interface Config {
    path: string
  }
  const defaults: Config
}
