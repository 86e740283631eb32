import * as v from 'valibot'
import { slugMaxLength, slugMinLength } from './limits.ts'

// Two hyphens in a row begin the encoded form of other alphabets in host names.
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const slugMessage = `An address has ${slugMinLength} to ${slugMaxLength} of a to z, 0 to 9 and single hyphens between them.`

/** What an island is called in addresses; in small letters, whatever was typed. */
export const Slug = v.pipe(
  v.string(slugMessage),
  v.trim(),
  v.toLowerCase(),
  v.minLength(slugMinLength, slugMessage),
  v.maxLength(slugMaxLength, slugMessage),
  v.regex(slugPattern, slugMessage),
)

/** The address that a name suggests; empty where the name has nothing that an address can have. */
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
