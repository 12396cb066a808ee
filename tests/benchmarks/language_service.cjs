// TypeScript's language service over files of a repository.
'use strict'
const fs = require('fs')
const path = require('path')

// The files and options of a tsconfig.json. Without one they are those of untyped JavaScript.
exports.projectOf = (ts, config) => {
  const own = { allowJs: true, noEmit: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext, experimentalDecorators: true }
  if (!config) return { files: [], options: { ...own, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler } }
  const read = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config))
  return { files: read.fileNames, options: { ...read.options, ...own, target: read.options.target ?? own.target } }
}

// `names` are absolute paths; `more` are further functions of the host.
exports.serviceOf = (ts, folder, names, options, more = {}) =>
  ts.createLanguageService({
    getScriptFileNames: () => names,
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, 'utf8')) : undefined),
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...more,
  })
