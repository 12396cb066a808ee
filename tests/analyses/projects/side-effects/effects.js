import './polyfill'
const fs = require('fs')
require('./setup')

/** Starts it. */
console.log('js')

;(function () {})()

globalThis.ready = true
module.exports = { fs }
exports.name = 'x'
new EventSource('/events')
for (let count = 0; count < 2; count += 1) {
  let index = 0
  index++
}
