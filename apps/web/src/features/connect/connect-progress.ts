import type { OwnDevice } from '@astropelago/contract/devices'

export type StepName = 'device' | 'token' | 'install' | 'watch'
export type StepState = 'locked' | 'open' | 'done'

/** How far someone has come. A token is known only to the page that made it. */
export type ConnectProgress =
  | { readonly stage: 'no-device' }
  | { readonly stage: 'device'; readonly device: OwnDevice }
  | { readonly stage: 'token'; readonly device: OwnDevice; readonly token: string }

/** What each step shows at each stage. Watching needs no token: the device may have one already. */
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
  tokens: ReadonlyMap<string, string>,
): ConnectProgress {
  const device = devices.find(({ id }) => id === selectedId)
  if (device === undefined) return { stage: 'no-device' }
  const token = tokens.get(device.id)
  return token === undefined ? { stage: 'device', device } : { stage: 'token', device, token }
}

export function stepStates(progress: ConnectProgress): Readonly<Record<StepName, StepState>> {
  const steps = stepsByStage[progress.stage]
  const isOnline = progress.stage !== 'no-device' && progress.device.status === 'online'
  if (!isOnline) return steps
  // Online shows that the command works, whichever way it came to the device.
  return { ...steps, install: steps.install === 'open' ? 'done' : steps.install, watch: 'done' }
}
