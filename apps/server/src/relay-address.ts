import type { Config } from './config.ts'

/** The address for visitors of a relayed island; null if this server has no relay. */
export type RelayAddress = (slug: string) => string | null

/** A host name of its own below RELAY_DOMAIN, with the site's scheme and port. */
export function createRelayAddress({
  publicUrl,
  relayDomain,
}: Pick<Config, 'publicUrl' | 'relayDomain'>): RelayAddress {
  if (relayDomain === undefined) return () => null
  const { protocol, port } = new URL(publicUrl)
  const end = `.${relayDomain}${port === '' ? '' : `:${port}`}/`
  return (slug) => `${protocol}//${slug}${end}`
}

/** Below RELAY_DOMAIN, for drafts of hosted pages. No island can have it as its slug. */
export const previewSlug = 'preview'

/** The origin of a domain that an island has of its own. */
export function domainOrigin(domain: string, publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`
}
