export function createStore(reducer: Function) {
  const listeners = new Set<() => void>()

  function subscribe(listener: () => void) {
    listeners.add(listener)
    function unsubscribe() {
      const cleanUp = () => {
        listeners.delete(listener)
        queueMicrotask(function afterwards() {
          listeners.forEach((each) => {
            each()
          })
        })
      }
      cleanUp()
    }
    return unsubscribe
  }

  return {
    subscribe,
    dispatch(action: object) {
      const next = reducer(action)
      const inner = {
        deep: {
          deeper() {
            return next
          },
        },
      }
      return inner
    },
    replaceReducer: (next: Function) => {
      reducer = next
    },
  }
}

class Outer {
  build() {
    class Inner {
      run() {
        return [1, 2].reduce((sum, n) => {
          const add = () => {
            return sum + n
          }
          return add()
        }, 0)
      }
    }
    return new Inner()
  }
}
