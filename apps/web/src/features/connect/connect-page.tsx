import { useRef, useState } from 'react'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isFirstLoad } from '../devices/own-devices-query.ts'
import { useOwnDevices } from '../devices/use-own-devices.ts'
import { ChooseDevice } from './choose-device.tsx'
import { connectProgress, type MadeToken, stepStates } from './connect-progress.ts'
import { ConnectStep } from './connect-step.tsx'
import { GenerateToken } from './generate-token.tsx'
import { InstallHeartbeat } from './install-heartbeat.tsx'
import { deviceDraft } from './kept-draft.ts'
import { useTokenUses } from './token-uses.ts'
import { useSelectedDeviceId } from './use-selected-device-id.ts'
import { WatchFailure } from './watch-failure.tsx'
import { WatchDevice } from './watch-device.tsx'
import { watchInterval } from './watch-interval.ts'

/** The guide that leads from a name to a device that is online. */
export function ConnectPage() {
  usePageTitle('Connect Device')
  const [selectedId, select] = useSelectedDeviceId()
  const query = useOwnDevices((devices) => watchInterval(devices, selectedId))
  // In memory alone, so that a token is neither in the address nor in storage.
  const [tokens, setTokens] = useState<ReadonlyMap<string, MadeToken>>(new Map())
  // A reload finds the form as it was left.
  const [isCreating, setIsCreating] = useState(() => deviceDraft.read() !== undefined)
  const newDevice = useRef<HTMLElement>(null)
  const addAnother = () => {
    setIsCreating(true)
    // Where the form is open already; one that opens takes the focus by itself.
    newDevice.current?.querySelector('input')?.focus()
  }

  const progress = connectProgress(query.data ?? [], selectedId, tokens)
  const device = progress.stage === 'no-device' ? undefined : progress.device
  const made = progress.stage === 'token' ? progress.made : undefined
  const uses = useTokenUses(device?.id ?? '', made?.id ?? '', device?.status === 'online')
  const states = stepStates(progress, uses)
  const isInstalled = states.install === 'done'

  return (
    <>
      <PageHeader
        title="Connect Device"
        lead="Four steps and a few minutes. No open ports, no tunnel: just a small heartbeat."
      />
      {isFirstLoad(query) ? (
        <div data-awaited>
          <Skeleton className="h-[36rem] w-full rounded-card" />
        </div>
      ) : (
        <ol className="flex min-w-0 flex-col">
          <ConnectStep number={1} title="Select or create a device" state={states.device}>
            <ChooseDevice
              query={query}
              selectedId={device?.id}
              onSelect={select}
              isCreating={isCreating}
              onCreating={setIsCreating}
              newDevice={newDevice}
            />
          </ConnectStep>
          <ConnectStep
            number={2}
            title="Generate a device token"
            state={states.token}
            locked="Select a device"
          >
            {device && (
              <GenerateToken
                key={device.id}
                device={device}
                token={made?.token}
                onToken={(created) => setTokens((known) => new Map(known).set(device.id, created))}
              />
            )}
          </ConnectStep>
          <ConnectStep
            number={3}
            title="Install the heartbeat command"
            state={states.install}
            locked="The commands show here once there is a token: they carry it."
          >
            {device && made && (
              <InstallHeartbeat device={device} token={made.token} isInstalled={isInstalled} />
            )}
          </ConnectStep>
          <ConnectStep
            number={4}
            title="Watch the device appear online"
            state={states.watch}
            locked="It shows here the moment its first heartbeat arrives."
            isLast
          >
            {device && (
              <WatchDevice
                key={device.id}
                device={device}
                hasToken={made !== undefined}
                isInstalled={isInstalled}
                onAddAnother={addAnother}
                failure={query.isError && <WatchFailure query={query} />}
              />
            )}
          </ConnectStep>
        </ol>
      )}
    </>
  )
}
