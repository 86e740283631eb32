import { listDeviceTokens } from '@astropelago/contract/devices'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The uses of a token seen by this page, in ISO 8601; null if never used. */
export interface TokenUses {
  readonly firstAt: string | null
  readonly lastAt: string | null
}

/**
 * A first heartbeat can come from the test command, which installs nothing. An installed sender follows
 * with a second one.
 */
export function isInstalled(uses: TokenUses | undefined): boolean {
  return uses !== undefined && uses.firstAt !== uses.lastAt
}

/** Short, because the user is waiting for the result. Polling ends with the second use. */
const pollMs = 3000

function tokenUsesQuery(client: QueryClient, deviceId: string, tokenId: string) {
  const queryKey = ['token-uses', tokenId]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<TokenUses> => {
      const tokens = await call(listDeviceTokens, { params: { id: deviceId }, signal })
      const known = client.getQueryData<TokenUses>(queryKey)
      // A token that was revoked in the meantime is no longer listed.
      const lastAt = tokens.find(({ id }) => id === tokenId)?.lastUsedAt ?? known?.lastAt ?? null
      return { firstAt: known?.firstAt ?? lastAt, lastAt }
    },
    refetchInterval: ({ state }) => (isInstalled(state.data) ? false : pollMs),
  })
}

/**
 * The uses of a token created on this page; `''` for none. Polls while the device is online, until there is
 * a second use, because neither the live feed nor a device's status shows single heartbeats.
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
