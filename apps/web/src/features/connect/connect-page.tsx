import { useState } from 'react'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isFirstLoad } from '../devices/own-devices-query.ts'
import { useOwnDevices } from '../devices/use-own-devices.ts'
import { ChooseDevice } from './choose-device.tsx'
import { connectProgress, stepStates } from './connect-progress.ts'
import { ConnectStep } from './connect-step.tsx'
import { GenerateToken } from './generate-token.tsx'
import { InstallHeartbeat } from './install-heartbeat.tsx'
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
  const [tokens, setTokens] = useState<ReadonlyMap<string, string>>(new Map())

  const progress = connectProgress(query.data ?? [], selectedId, tokens)
  const states = stepStates(progress)
  const device = progress.stage === 'no-device' ? undefined : progress.device

  return (
    <>
      <PageHeader
        title="Connect Device"
        lead="Four steps and a few minutes. No open ports, no tunnel: just a small heartbeat."
      />
      {isFirstLoad(query) ? (
        <Skeleton className="h-[36rem] w-full rounded-card" />
      ) : (
        <ol className="flex min-w-0 flex-col">
          <ConnectStep number={1} title="Select or create a device" state={states.device}>
            <ChooseDevice query={query} selectedId={device?.id} onSelect={select} />
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
                token={progress.stage === 'token' ? progress.token : undefined}
                onToken={(token) => setTokens((known) => new Map(known).set(device.id, token))}
              />
            )}
          </ConnectStep>
          <ConnectStep
            number={3}
            title="Install the heartbeat command"
            state={states.install}
            locked="The commands show here once there is a token: they carry it."
          >
            {progress.stage === 'token' && (
              <InstallHeartbeat device={progress.device} token={progress.token} />
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
                hasToken={progress.stage === 'token'}
                failure={query.isError && <WatchFailure query={query} />}
              />
            )}
          </ConnectStep>
        </ol>
      )}
    </>
  )
}
