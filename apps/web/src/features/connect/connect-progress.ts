import type { OwnDevice } from '@astropelago/contract/devices'
import { isInstalled, type TokenUses } from './token-uses.ts'

export type StepName = 'device' | 'token' | 'install' | 'watch'
export type StepState = 'locked' | 'open' | 'done'

/** A token as returned on creation, with its secret. */
export interface MadeToken {
  readonly id: string
  readonly token: string
}

/** How far the user has come. Only the page that created a token knows it. */
export type ConnectProgress =
  | { readonly stage: 'no-device' }
  | { readonly stage: 'device'; readonly device: OwnDevice }
  | { readonly stage: 'token'; readonly device: OwnDevice; readonly made: MadeToken }

/**
 * What each step shows at each stage. Watching needs no token from this page, because the device may
 * already have one.
 */
const stepsByStage: Readonly<
  Record<ConnectProgress['stage'], Readonly<Record<StepName, StepState>>>
> = {
  'no-device': { device: 'open', token: 'locked', install: 'locked', watch: 'locked' },
  device: { device: 'done', token: 'open', install: 'locked', watch: 'open' },
  token: { device: 'done', token: 'done', install: 'open', watch: 'open' },
}

/** @param tokens the tokens made on this page, by device id */
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

/** @param uses the known uses of the token created on this page */
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
