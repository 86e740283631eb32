import * as v from 'valibot'

/** A whole number from 1 to `max`. */
export function WholeNumber(max: number) {
  const message = `This is a whole number from 1 to ${max}.`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(1, message),
    v.maxValue(max, message),
  )
}
