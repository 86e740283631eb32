import { safeLink } from '@astropelago/contract/devices'
import { loungeSlug } from '@astropelago/contract/pages'

interface Surroundings {
  /** The page's own address. */
  readonly protocol: string
  readonly host: string
  /** Where the build was told that the tavern is; empty or missing when it was not. */
  readonly tavernUrl: string | undefined
}

export type SlugDestination =
  | { readonly kind: 'outside'; readonly address: string }
  /** Known, but the host is an IP address, which has no subdomains. */
  | { readonly kind: 'no-subdomains' }
  | { readonly kind: 'unknown' }

/** Where a slug leads, whatever its case. */
export function slugDestination(
  slug: string,
  { protocol, host, tavernUrl }: Surroundings,
): SlugDestination {
  if (slug.toLowerCase() !== loungeSlug) return { kind: 'unknown' }
  // A setting that is no web address must not become a link.
  if (tavernUrl) return outside(safeLink(tavernUrl)) ?? { kind: 'unknown' }
  // What ends in an IP address is no host name, and so no URL.
  return outside(safeLink(`${protocol}//${loungeSlug}.${host}/`)) ?? { kind: 'no-subdomains' }
}

function outside(address: string | undefined): SlugDestination | undefined {
  return address === undefined ? undefined : { kind: 'outside', address }
}
