export function validate(size: number): number {
  return size
}

export class Box {
  readonly size: number
  constructor(size: number) {
    this.size = validate(size)
  }
}

export class Plain {
  label = validate(1)
  describe(): void {
    validate(2)
  }
}

export class Crate extends Box {
  constructor() {
    super(3)
  }
}

export function build(): Box {
  return new Box(1)
}

export const plain = new Plain()

export function unpack(): Box[] {
  return [new Box(2), new Crate(), new Box(3)]
}
