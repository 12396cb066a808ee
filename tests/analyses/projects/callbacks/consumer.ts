import { double as twice, isEven, logError, parseJSON, retry } from "./main"
import * as main from "./main"

export function consume(values: number[]) {
  const numbers = values.map(twice).filter(isEven)
  retry(
    twice,
    numbers.length,
  )
  values.map(main.double)
  return fetch("/")
    .then((response) => response.text())
    .then(parseJSON)
    .catch(logError)
}
