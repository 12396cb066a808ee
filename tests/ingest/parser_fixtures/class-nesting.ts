import { Canvas, type Point } from './canvas'
import { distance } from './geometry'

/** The board: owns the canvas and everything that is drawn on it. */
export class Board {
  private listeners: Array<(point: Point) => void> = []

  constructor(private readonly canvas: Canvas) {
    canvas.onClick((point) => {
      const near = (other: Point) => {
        return distance(point, other) < 8
      }
      this.listeners.filter(() => near(point)).forEach((listener) => listener(point))
    })
  }

  render(): void {
    const frame = this.canvas.begin()

    const drawLayer = (index: number): void => {
      const shapes = frame.layer(index)
      shapes.forEach((shape) => {
        const outline = shape.points.map((point) => {
          return { x: point.x + index, y: point.y }
        })
        frame.stroke(outline)
      })
    }

    function countLayers() {
      return frame.layers.length
    }

    for (let index = 0; index < countLayers(); index++) drawLayer(index)

    class Overlay {
      readonly #text: string

      constructor(text: string) {
        this.#text = text
      }

      draw() {
        const centre = () => {
          return frame.size / 2
        }
        frame.text(this.#text, centre())
      }
    }

    new Overlay('ready').draw()
  }

  subscribe(listener: (point: Point) => void): () => void {
    this.listeners.push(listener)
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener)
    }
  }

  handlers = {
    /** Zooms around the middle. */
    zoom: (factor: number) => {
      requestAnimationFrame(() => {
        this.canvas.scale(factor)
        this.render()
      })
    },
    reset() {
      return new (class Resetting {
        apply() {
          return 1
        }
      })().apply()
    },
  }

  static Toolbar = class {
    buttons: string[] = []

    add(label: string) {
      this.buttons.push(label)
    }
  }
}
