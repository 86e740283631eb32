import type { OwnDevice } from '@astropelago/contract/devices'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ConnectProgress, MadeToken, StepName, StepState } from './connect-progress.ts'
import { ConnectStep } from './connect-step.tsx'
import { GenerateToken } from './generate-token.tsx'
import { InstallHeartbeat } from './install-heartbeat.tsx'
import { WatchDevice } from './watch-device.tsx'
import { WatchFailure } from './watch-failure.tsx'

interface ReportStepsProps {
  progress: ConnectProgress
  states: Readonly<Record<StepName, StepState>>
  query: UseQueryResult<OwnDevice[]>
  onToken: (made: MadeToken) => void
  onAddAnother: () => void
}

/** The steps after choosing a device that reports. */
export function ReportSteps({ progress, states, query, onToken, onAddAnother }: ReportStepsProps) {
  const device = progress.stage === 'no-device' ? undefined : progress.device
  const made = progress.stage === 'token' ? progress.made : undefined
  const isInstalled = states.install === 'done'
  return (
    <>
      <ConnectStep
        number={2}
        title="Generate a device token"
        state={states.token}
        locked="Select a device"
      >
        {device && (
          <GenerateToken key={device.id} device={device} token={made?.token} onToken={onToken} />
        )}
      </ConnectStep>
      <ConnectStep
        number={3}
        title="Install the heartbeat command"
        state={states.install}
        locked="The commands appear here after you generate a token, because they contain it."
      >
        {device && made && (
          <InstallHeartbeat device={device} token={made.token} isInstalled={isInstalled} />
        )}
      </ConnectStep>
      <ConnectStep
        number={4}
        title="Watch the device appear online"
        state={states.watch}
        locked="You see it here as soon as its first heartbeat arrives."
        isLast
      >
        {device && (
          <WatchDevice
            key={device.id}
            device={device}
            hasToken={made !== undefined}
            isInstalled={isInstalled}
            onAddAnother={onAddAnother}
            failure={query.isError && <WatchFailure query={query} />}
          />
        )}
      </ConnectStep>
    </>
  )
}
