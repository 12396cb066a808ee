import { schedule, type Job } from './scheduler'
import { log } from './log'

/** Builds the nightly pipeline; each level owns the one below it. */
export function buildPipeline(name: string) {
  const jobs: Job[] = []

  function stage(label: string) {
    const steps: Array<() => Promise<void>> = []

    const step = (title: string) => {
      async function run(attempt: number): Promise<void> {
        await schedule(title, async (signal) => {
          signal.addEventListener('abort', () => {
            log(`${name}/${label}/${title} was stopped at attempt ${attempt}`)
            jobs.forEach((job) => {
              job.cancel()
            })
          })
        })
      }

      steps.push(function retrying() {
        return run(1).catch(() => {
          return run(2)
        })
      })
      return { run, undo: () => steps.pop() }
    }

    return {
      step,
      async finish() {
        for (const each of steps) await each()
        return {
          report() {
            return `${label}: ${steps.length} steps`
          },
        }
      },
    }
  }

  return { stage, jobs }
}

export const withLogging = <A extends unknown[], R>(inner: (...args: A) => R) => {
  return (...args: A): R => {
    log('called')
    return inner(...args)
  }
}

export class Walker {
  walk(tree: { children?: unknown[] }) {
    class Visitor {
      visit(node: { children?: unknown[] }) {
        const enter = () => {
          node.children?.forEach((child) => {
            this.visit(child as { children?: unknown[] })
          })
        }
        enter()
      }
    }
    return new Visitor().visit(tree)
  }
}

describe('pipeline', () => {
  beforeEach(() => {
    log('fresh')
  })

  describe('stage', () => {
    it('runs its steps in order', async () => {
      const order: number[] = []
      const { step } = buildPipeline('test').stage('one')
      await step('first').run(order.length)
    })
  })
})
