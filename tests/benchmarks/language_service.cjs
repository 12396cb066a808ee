// TypeScript's language service over some files of a repository, with the options of the compiler project at its root.
'use strict'
const fs = require('fs')
const path = require('path')

function options(ts, root) {
  const found = ts.findConfigFile(root, ts.sys.fileExists)
  const own = { allowJs: true, noEmit: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext, experimentalDecorators: true }
  if (!found || path.dirname(found) !== root) return { ...own, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
  const read = ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, root)
  return { ...read.options, ...own, target: read.options.target ?? own.target }
}

// `files` are relative to the absolute path `root`.
exports.languageService = (ts, root, files) => {
  const compilerOptions = options(ts, root)
  const names = files.map((file) => path.join(root, file))
  return ts.createLanguageService({
    getScriptFileNames: () => names,
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, 'utf8')) : undefined),
    getCurrentDirectory: () => root,
    getCompilationSettings: () => compilerOptions,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
}
