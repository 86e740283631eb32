import { listDeviceTokens } from '@astropelago/contract/devices'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** When a token was used, as far as this page has seen: ISO 8601, null for never. */
export interface TokenUses {
  readonly firstAt: string | null
  readonly lastAt: string | null
}

/**
 * A first heartbeat can come from the line that one tries, which installs nothing; what is installed
 * sends a second one.
 */
export function isInstalled(uses: TokenUses | undefined): boolean {
  return uses !== undefined && uses.firstAt !== uses.lastAt
}

/** Short, since somebody looks at the page for what was just pasted; it ends with the second use. */
const pollMs = 3000

function tokenUsesQuery(client: QueryClient, deviceId: string, tokenId: string) {
  const queryKey = ['token-uses', tokenId]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<TokenUses> => {
      const tokens = await call(listDeviceTokens, { params: { id: deviceId }, signal })
      const known = client.getQueryData<TokenUses>(queryKey)
      // A token that was revoked meanwhile is no longer listed.
      const lastAt = tokens.find(({ id }) => id === tokenId)?.lastUsedAt ?? known?.lastAt ?? null
      return { firstAt: known?.firstAt ?? lastAt, lastAt }
    },
    refetchInterval: ({ state }) => (isInstalled(state.data) ? false : pollMs),
  })
}

/**
 * The uses of a token that was made on this page; '' for none. They are asked for while its device is
 * online, until there was a second one: the live feed and a device's status tell of no single heartbeat.
 */
export function useTokenUses(
  deviceId: string,
  tokenId: string,
  isOnline: boolean,
): TokenUses | undefined {
  const client = useQueryClient()
  const { data } = useQuery({
    ...tokenUsesQuery(client, deviceId, tokenId),
    enabled: isOnline && tokenId !== '',
  })
  return data
}
