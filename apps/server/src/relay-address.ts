import type { Config } from './config.ts'

/** Where visitors of an island that the relay carries go; null where this server has no relay. */
export type RelayAddress = (slug: string) => string | null

/** A host name of its own below RELAY_DOMAIN, with the scheme and the port by which the site is reached. */
export function relayAddress({
  publicUrl,
  relayDomain,
}: Pick<Config, 'publicUrl' | 'relayDomain'>): RelayAddress {
  if (relayDomain === undefined) return () => null
  const { protocol, port } = new URL(publicUrl)
  const end = `.${relayDomain}${port === '' ? '' : `:${port}`}/`
  return (slug) => `${protocol}//${slug}${end}`
}
