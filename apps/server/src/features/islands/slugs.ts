import { randomInt } from 'node:crypto'
import { oldSlugDays } from '@astropelago/contract/limits'
import { loungeSlug, pages, serverSegments } from '@astropelago/contract/pages'
import { Slug, slugFromName } from '@astropelago/contract/slugs'
import * as v from 'valibot'
import { DomainError } from '../../domain-error.ts'

export const oldSlugMs = oldSlugDays * 86_400_000

/** Names that could be mistaken for the site itself or its operator. */
const officialNames = `
  about account accounts admin administrator agent announcements api apps astropelago auth autoconfig
  autodiscover billing blog cdn chart
  charts community contact devices docs download favicon ftp guides help home host imap isatap island islands
  legal library live localhost login logout mail me mothership mta-sts new news oauth official openpgpkey operator
  pay pop postmaster preview privacy
  register relay robots root satellites search security settings signals signin signup sitemap smtp sso static
  status support system terms user users wellknown webmail wpad www
`

const segments = [...Object.values(pages).map((path) => path.slice(1)), ...serverSegments]

const reserved = new Set(
  [...segments, ...officialNames.split(/\s+/), loungeSlug].filter((name) => name !== ''),
)
const reservedSkeletons = new Set([...reserved].map(skeletonOf))

const randomLength = 6
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Has both letters and digits, so that a plain slug can end in a word or a year. */
const randomEnd = /-(?=[a-z0-9]{6}$)(?=[a-z]*\d)(?=\d*[a-z])/
/** The length of a wished slug that fits before the random characters. */
const wishMaxLength = 25

/** Nobody can guess it, and it does not reveal whether the plain slug is taken. */
export function secretSlug(wish: string): string {
  const start = wish.slice(0, wishMaxLength).replace(/-+$/, '')
  for (;;) {
    const end = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)])
    const slug = `${start}-${end.join('')}`
    if (isSecret(slug)) return slug
  }
}

/** Never one that is refused, as for `Blog` or `港の本`. */
export function slugOfName(name: string): string {
  const wish = slugFromName(name)
  const slugs = [wish, slugFromName(`isle ${wish}`)]
  return slugs.find((slug) => slugFault(slug) === undefined) ?? 'isle'
}

export function isSecret(slug: string): boolean {
  return randomEnd.test(slug)
}

export function plainPart(slug: string): string {
  return slug.split(randomEnd, 1)[0] ?? slug
}

/** The same for slugs that look alike. */
export function skeletonOf(slug: string): string {
  return (
    slug
      .replaceAll('-', '')
      .replaceAll('0', 'o')
      // First, so that look-alikes of l count in the pairs below too.
      .replace(/[1i]/g, 'l')
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      .replaceAll('cl', 'd')
  )
}

/** A sentence; undefined if the slug is allowed. */
export function slugFault(text: string): string | undefined {
  const { success, output, issues } = v.safeParse(Slug, text)
  if (!success) return issues[0].message
  if (reserved.has(output)) return 'This address is one of the site’s own.'
  if (reservedSkeletons.has(skeletonOf(output))) {
    return 'This address looks like one of the site’s own.'
  }
  if (isSecret(output)) {
    return 'An address can’t end in a hyphen with six letters and digits. Those are for drafts.'
  }
  return undefined
}

/** @throws DomainError `invalid_island` */
export function checkSlug(text: string): void {
  const fault = slugFault(text)
  if (fault !== undefined) throw new DomainError('invalid_island', { fields: { slug: fault } })
}
