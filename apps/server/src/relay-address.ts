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
