interface Box {
  scale: number
}
interface Box {
  width: number
}
class Box {
  grow(): void {
    this.scale++
  }
}
namespace Box {
  export function of(scale: number): Box {
    return Object.assign(new Box(), { scale })
  }
}

function make(): Box
function make(scale: number): Box
function make(scale = 1): Box {
  return Box.of(scale)
}
namespace make {
  export const count = 0
}

function twice() {}
function twice() {}

const values = [1, 2, 3]
;[1, 2].forEach((n) => {
  values.push(n)
})
;(function start() {
  make()
})()

const one = 1; const two = 2
let three = 3; function four() {
  return three
}
if (one) two; else { three++ }
