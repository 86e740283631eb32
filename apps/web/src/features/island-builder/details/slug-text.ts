import { Slug } from '@astropelago/contract/slugs'
import * as v from 'valibot'

export function typedSlug(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '-')
}

/**
 * The random ending of a slug that not everybody may know: six letters and digits, at least one of each.
 */
const secretEnding = /-(?=[a-z0-9]{6}$)(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6}$/

/** Whether a slug ends in random characters, because its island is not known to everybody. */
export function isSecretSlug(slug: string): boolean {
  return secretEnding.test(slug)
}

export function wishedSlug(slug: string): string {
  return slug.replace(secretEnding, '')
}

/** Finds the slug in typed or pasted text: a slug, a path or the full address of an island's page. */
export function slugIn(text: string): string | undefined {
  const typed = text.trim()
  const path = URL.canParse(typed) ? new URL(typed).pathname : typed
  const [first = '', second] = path.split('/').filter((segment) => segment !== '')
  const parsed = v.safeParse(Slug, first === 'islands' && second !== undefined ? second : first)
  return parsed.success ? parsed.output : undefined
}
