/** What stands in the field while an address is typed: blanks and capitals are made fit. */
export function typedSlug(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '-')
}

/** How the slug ends of an island that not everybody may know of: letters and digits, both. */
const secretEnding = /-(?=[a-z0-9]{6}$)(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6}$/

/** Whether a slug ends in random characters, because not everybody may know of its island. */
export function isSecretSlug(slug: string): boolean {
  return secretEnding.test(slug)
}

/** The slug that an island was meant to have, without the random characters that may end it. */
export function wishedSlug(slug: string): string {
  return slug.replace(secretEnding, '')
}
