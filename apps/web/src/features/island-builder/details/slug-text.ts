/** Makes typed text fit a slug: blanks become hyphens, capitals become lower case. */
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

/** The slug that the host asked for, without a random ending. */
export function wishedSlug(slug: string): string {
  return slug.replace(secretEnding, '')
}
