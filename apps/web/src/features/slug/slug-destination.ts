import { safeLink } from '@astropelago/contract/devices'

interface Surroundings {
  /** The page's own address. */
  readonly protocol: string
  readonly host: string
  /** Where the build was told that the tavern is; empty or missing when it was not. */
  readonly tavernUrl: string | undefined
}

const tavernSlug = 'thetravelerstavern'

/**
 * Where a slug leads outside of the app, whatever its case; undefined for an unknown one, and
 * where the host can't have subdomains (an IP address).
 */
export function slugDestination(
  slug: string,
  { protocol, host, tavernUrl }: Surroundings,
): string | undefined {
  if (slug.toLowerCase() !== tavernSlug) return undefined
  return safeLink(tavernUrl || `${protocol}//${tavernSlug}.${host}/`)
}
