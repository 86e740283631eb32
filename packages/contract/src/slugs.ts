import * as v from 'valibot'
import { slugMaxLength, slugMinLength } from './limits.ts'

// No two hyphens in a row: in host names, they begin the encoded form of other alphabets.
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const slugMessage = `An address has ${slugMinLength} to ${slugMaxLength} of a to z, 0 to 9 and single hyphens between them.`

/** An island's name in addresses. It becomes lower case. */
export const Slug = v.pipe(
  v.string(slugMessage),
  v.trim(),
  v.toLowerCase(),
  v.minLength(slugMinLength, slugMessage),
  v.maxLength(slugMaxLength, slugMessage),
  v.regex(slugPattern, slugMessage),
)

/** The slug that a name suggests; empty if the name has no usable characters. */
export function slugFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{Mn}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, slugMaxLength)
    .replace(/-$/, '')
}
