import { domainOrigin } from '../../relay-address.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { IslandHost } from './visitors/read-host.ts'

export type ServedIslands = IslandsFeature['served']
export type ServedIsland = NonNullable<ReturnType<ServedIslands['find']>>

/** Undefined if the domain's proof no longer holds. */
export function islandAt(
  islands: Pick<ServedIslands, 'findByDomain' | 'findBySlug'>,
  { slug, name, isOwnDomain }: IslandHost,
): ServedIsland | undefined {
  return isOwnDomain ? islands.findByDomain(name) : islands.findBySlug(slug)
}

/**
 * The origin of its own domain, to which its address below RELAY_DOMAIN redirects; null without one. By
 * https, it is of no use before a proxy may get it a certificate.
 */
export function ownOrigin(
  { domain }: Pick<ServedIsland, 'domain'>,
  publicUrl: string,
): string | null {
  const isUsed = domain?.isInLogs === true || publicUrl.startsWith('http:')
  return domain !== null && isUsed ? domainOrigin(domain.name, publicUrl) : null
}

export type CarriedIsland = Pick<ServedIsland, 'key' | 'carrierKey'>

export interface EntryRights {
  readonly mayEnter: boolean
  /** Whether a pause does not apply: to its host and to operators. */
  readonly entersPaused: boolean
}

export type ReadRights = (
  islandKey: number,
  userKeys: readonly number[],
) => Promise<(userKey: number | null) => EntryRights>

export function isLetIn(
  { pause }: Pick<ServedIsland, 'pause'>,
  { mayEnter, entersPaused }: EntryRights,
): boolean {
  return mayEnter && (pause === null || entersPaused)
}
