;(globalThis as any).polyfilled = true
Array.prototype.at ??= function () {}
