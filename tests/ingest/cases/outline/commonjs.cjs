'use strict'

const path = require('path')
const { readFile, writeFile } = require('fs/promises')

/**
 * Reads a file below the root.
 */
exports.read = function (name) {
  return readFile(path.join(__dirname, name))
}

exports.write = async (name, text) => {
  await writeFile(name, text)
}

function Cache(limit) {
  this.limit = limit
}

Cache.prototype.get = function (key) {
  return this.items[key]
}

Cache.create = () => new Cache(10)

module.exports.Cache = Cache
module.exports = {
  ...exports,
  Cache,
  helper(value) {
    return value
  },
}

if (require.main === module) {
  exports.read('package.json')
}
