import * as v from 'valibot'
import { codePointLength, normalizeLongText, normalizeShortText } from './text.ts'

/** A line for others to read, of 1 to `maxLength` characters, normalized by `normalizeShortText`. */
export function ShortText(maxLength: number, message: string) {
  return v.pipe(
    v.string(message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const text = normalizeShortText(dataset.value)
      if (text === undefined || text === '' || codePointLength(text) > maxLength) {
        addIssue({ message })
        return NEVER
      }
      return text
    }),
  )
}

/** Texts this many times longer than allowed are refused unread. Normalizing seldom removes even half. */
const leftOutFactor = 4

/** Lines for others to read, of at most `maxLength` characters, normalized by `normalizeLongText`. */
export function LongText(maxLength: number, message: string) {
  return v.pipe(
    v.string(message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const isTooLong = dataset.value.length > leftOutFactor * maxLength
      const text = isTooLong ? undefined : normalizeLongText(dataset.value)
      if (text === undefined || codePointLength(text) > maxLength) {
        addIssue({ message })
        return NEVER
      }
      return text
    }),
  )
}
