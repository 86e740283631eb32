import * as v from 'valibot'
import { codePointLength, normalizeLongText, normalizeShortText } from './text.ts'

/** A line for others to read, of 1 to `maxLength` characters, as `normalizeShortText` leaves it. */
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

/** Lines for others to read, of at most `maxLength` characters, as `normalizeLongText` leaves them. */
export function LongText(maxLength: number, message: string) {
  return v.pipe(
    v.string(message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const text = normalizeLongText(dataset.value)
      if (text === undefined || codePointLength(text) > maxLength) {
        addIssue({ message })
        return NEVER
      }
      return text
    }),
  )
}
