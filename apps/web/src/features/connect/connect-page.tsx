import { lazy, Suspense, useRef, useState } from 'react'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useOwnDevices } from '../../devices/use-own-devices.ts'
import { ChooseDevice } from './choose-device.tsx'
import { ChoosePurpose } from './choose-purpose.tsx'
import { connectProgress, type MadeToken, stepStates } from './connect-progress.ts'
import { ConnectStep } from './connect-step.tsx'
import { deviceDraft } from './kept-draft.ts'
import { usePurpose } from './purpose.ts'
import { ReportSteps } from './report-steps.tsx'
import { useTokenUses } from './token-uses.ts'
import { useSelectedId } from './use-selected-id.ts'
import { watchInterval } from './watch-interval.ts'

const HostingSteps = lazy(async () => ({
  default: (await import('./hosting/hosting-steps.tsx')).HostingSteps,
}))

type Tokens = ReadonlyMap<string, MadeToken>

const leads = {
  reporting:
    'It takes four steps and a few minutes. You need no open ports and no tunnel. Your device only sends a small heartbeat.',
  hosting:
    'Choose a name, say what you host, and paste one block on your device. Then friends can visit. You need no open ports. A small program on your device, the agent, lets them in.',
} as const

/** The guide from a name to a device that is online or hosts an island. */
export function ConnectPage() {
  usePageTitle('Connect Device')
  const [purpose, choosePurpose] = usePurpose()
  const [selectedId, select] = useSelectedId('device')
  const query = useOwnDevices((devices) => watchInterval(devices, selectedId))
  // Tokens stay in memory, out of the address and of storage. A token for reporting can't be used for
  // the relay, so each purpose has its own.
  const [reportTokens, setReportTokens] = useState<Tokens>(new Map())
  const [relayTokens, setRelayTokens] = useState<Tokens>(new Map())
  // The form is open after a reload if something was typed.
  const [isCreating, setIsCreating] = useState(() => deviceDraft.read() !== undefined)
  const newDevice = useRef<HTMLElement>(null)
  const addAnother = () => {
    setIsCreating(true)
    // For a form that is already open. One that opens takes the focus by itself.
    newDevice.current?.querySelector('input')?.focus()
  }

  const progress = connectProgress(query.data ?? [], selectedId, reportTokens)
  const device = progress.stage === 'no-device' ? undefined : progress.device
  const reportToken = progress.stage === 'token' ? progress.made.id : ''
  const uses = useTokenUses(device?.id ?? '', reportToken, device?.status === 'online')
  const states = stepStates(progress, uses)

  return (
    <>
      <PageHeader title="Connect Device" lead={leads[purpose]} />
      {isFirstLoad(query) ? (
        <div data-awaited>
          <Skeleton className="h-[36rem] w-full rounded-card" />
        </div>
      ) : (
        <>
          <ChoosePurpose value={purpose} onChoose={choosePurpose} />
          <ol className="flex min-w-0 flex-col">
            {purpose === 'reporting' ? (
              <>
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
                <ReportSteps
                  progress={progress}
                  states={states}
                  query={query}
                  onToken={(made) => {
                    if (device) setReportTokens((tokens) => new Map(tokens).set(device.id, made))
                  }}
                  onAddAnother={addAnother}
                />
              </>
            ) : (
              <Suspense fallback={<Skeleton className="h-96 w-full rounded-card" />}>
                <HostingSteps
                  query={query}
                  tokens={relayTokens}
                  onToken={(deviceId, made) =>
                    setRelayTokens((tokens) => new Map(tokens).set(deviceId, made))
                  }
                />
              </Suspense>
            )}
          </ol>
        </>
      )}
    </>
  )
}
