#!/usr/bin/env node
'use strict'

const fs = require('fs')
const { join, resolve: absolute } = require('node:path')
const pkg = require('./package.json'), debug = require('debug')('build')
var util = require('util'), inherits = util.inherits
require('dotenv').config()

/**
 * Reads a template from the folder of templates.
 *
 * @param {string} name without its ending
 * @returns {string}
 */
exports.readTemplate = function (name) {
  return fs.readFileSync(join(__dirname, 'templates', `${name}.txt`), 'utf8')
}

exports.render = (name, values) => {
  return exports.readTemplate(name).replace(/\$(\w+)/g, (_, key) => values[key] ?? '')
}

exports.version = pkg.version
exports['kebab-name'] = require('./kebab')

function Cache(limit) {
  if (!(this instanceof Cache)) return new Cache(limit)
  this.limit = limit
  this.clear = function () {
    this.items = {}
  }
}

Cache.prototype.get = function get(key) {
  return this.items[key]
}

Cache.prototype = {
  constructor: Cache,
  set: function (key, value) {
    this.items[key] = value
    return this
  },
  has(key) {
    return key in this.items
  },
}

Object.defineProperty(Cache.prototype, 'size', {
  get: function () {
    return Object.keys(this.items).length
  },
})

Cache.create = () => new Cache(10)
inherits(Cache, require('events'))

module.exports.Cache = Cache
module.exports.build = async function build(target) {
  const load = () => require('./targets/' + target)
  debug('building %s', absolute(target))
  return load().run()
}

module.exports = {
  ...exports,
  Cache,
  legacy: require('./legacy'),
  clean(folder) {
    fs.rmSync(folder, { recursive: true, force: true })
  },
  async watch(folder, callback) {
    for await (const event of fs.promises.watch(folder)) callback(event)
  },
}

module.exports = function main(argv) {
  return argv.includes('--help') ? 'usage: build TARGET' : module.exports.build(argv[0])
}

module.exports = exports = (argv) => {
  return argv.length
}

if (require.main === module) {
  module.exports(process.argv.slice(2))
}
