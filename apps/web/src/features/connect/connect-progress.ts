import { listDeviceTokens, type OwnDevice } from '@astropelago/contract/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export type StepName = 'device' | 'token' | 'install' | 'watch'
export type StepState = 'locked' | 'open' | 'done'

export interface MadeToken {
  readonly id: string
  readonly token: string
}

/** How far the user has come. Only the page that created a token knows it. */
export type ConnectProgress =
  | { readonly stage: 'no-device' }
  | { readonly stage: 'device'; readonly device: OwnDevice }
  | { readonly stage: 'token'; readonly device: OwnDevice; readonly made: MadeToken }

/** Watching needs no token from this page, because the device may already have one. */
const stepsByStage: Readonly<
  Record<ConnectProgress['stage'], Readonly<Record<StepName, StepState>>>
> = {
  'no-device': { device: 'open', token: 'locked', install: 'locked', watch: 'locked' },
  device: { device: 'done', token: 'open', install: 'locked', watch: 'open' },
  token: { device: 'done', token: 'done', install: 'open', watch: 'open' },
}

export function connectProgress(
  devices: readonly OwnDevice[],
  selectedId: string | null,
  tokens: ReadonlyMap<string, MadeToken>,
): ConnectProgress {
  const device = devices.find(({ id }) => id === selectedId)
  if (device === undefined) return { stage: 'no-device' }
  const made = tokens.get(device.id)
  return made === undefined ? { stage: 'device', device } : { stage: 'token', device, made }
}

export function stepStates(
  progress: ConnectProgress,
  uses: TokenUses | undefined,
): Readonly<Record<StepName, StepState>> {
  const steps = stepsByStage[progress.stage]
  const isOnline = progress.stage !== 'no-device' && progress.device.status === 'online'
  return {
    ...steps,
    ...(steps.install === 'open' && isInstalled(uses) && { install: 'done' }),
    ...(isOnline && { watch: 'done' }),
  }
}

/** The uses of a token seen by this page, in ISO 8601; null if never used. */
export interface TokenUses {
  readonly firstAt: string | null
  readonly lastAt: string | null
}

/** A first heartbeat can come from the test command. An installed sender follows with a second. */
function isInstalled(uses: TokenUses | undefined): boolean {
  return uses !== undefined && uses.firstAt !== uses.lastAt
}

/** Short, because the user is waiting for the result. Polling ends with the second use. */
const pollMs = 3000

/** Polled while the device is online, because neither feed nor status shows single heartbeats. */
export function useTokenUses(deviceId: string, tokenId: string, isOnline: boolean) {
  const client = useQueryClient()
  const queryKey = ['token-uses', tokenId]
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<TokenUses> => {
      const tokens = await call(listDeviceTokens, { params: { id: deviceId }, signal })
      const known = client.getQueryData<TokenUses>(queryKey)
      // A token that was revoked in the meantime is no longer listed.
      const lastAt = tokens.find(({ id }) => id === tokenId)?.lastUsedAt ?? known?.lastAt ?? null
      return { firstAt: known?.firstAt ?? lastAt, lastAt }
    },
    refetchInterval: ({ state }) => (isInstalled(state.data) ? false : pollMs),
    enabled: isOnline && tokenId !== '',
  })
  return data
}

const waitingMs = 1000
const onlineMs = 10_000

/** No polling until a device is selected, every second while it is awaited. */
export function watchInterval(
  devices: readonly OwnDevice[] | undefined,
  selectedId: string | null,
): number | false {
  const device = devices?.find(({ id }) => id === selectedId)
  if (device === undefined) return false
  return device.status === 'online' ? onlineMs : waitingMs
}
