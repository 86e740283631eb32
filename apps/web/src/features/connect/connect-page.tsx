import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useOwnDevices } from '../../devices/use-own-devices.ts'
import { relayQuery } from '../../islands/relay-queries.ts'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useAddressParameters } from '../../lib/use-address-parameters.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { AwaitedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { ChooseDevice, deviceDraft } from './choose-device.tsx'
import {
  connectProgress,
  type ConnectProgress,
  type MadeToken,
  type StepName,
  type StepState,
  stepStates,
  useTokenUses,
  watchInterval,
} from './connect-progress.ts'
import { ConnectStep } from './connect-step.tsx'
import { GenerateToken } from './generate-token.tsx'
import { InstallHeartbeat } from './install-heartbeat.tsx'
import { WatchDevice } from './watch-device.tsx'

const HostingSteps = lazy(async () => ({
  default: (await import('./hosting/hosting-steps.tsx')).HostingSteps,
}))

type Tokens = ReadonlyMap<string, MadeToken>

/** Why a device is connected: to report its status, or to carry visitors to what it hosts. */
type Purpose = 'reporting' | 'hosting'

const leads = {
  reporting: t`It takes four steps and a few minutes. You need no open ports and no tunnel. Your device only sends a small heartbeat.`,
  hosting: t`Choose a name, say what you host, and paste one block on your device. Then friends can visit. You need no open ports. A small program on your device, the agent, lets them in.`,
} as const

export function ConnectPage() {
  usePageTitle(t`Connect Device`)
  // In the address, so that they survive a reload and can be linked to.
  const [parameters, changeParameters] = useAddressParameters()
  const purpose: Purpose = parameters.get('for') === 'hosting' ? 'hosting' : 'reporting'
  const selectedId = parameters.get('device')
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
      <PageHeader title={t`Connect Device`} lead={leads[purpose]} />
      {isFirstLoad(query) ? (
        <AwaitedSkeleton className="h-[36rem] w-full rounded-card" />
      ) : (
        <>
          <ChoosePurpose
            value={purpose}
            onChoose={(chosen) => changeParameters({ for: chosen === 'hosting' ? chosen : '' })}
          />
          <ol className="flex min-w-0 flex-col">
            {purpose === 'reporting' ? (
              <>
                <ConnectStep number={1} title={t`Select or create a device`} state={states.device}>
                  <ChooseDevice
                    query={query}
                    selectedId={device?.id}
                    onSelect={(id) => changeParameters({ device: id })}
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

interface ReportStepsProps {
  progress: ConnectProgress
  states: Readonly<Record<StepName, StepState>>
  query: UseQueryResult<OwnDevice[]>
  onToken: (made: MadeToken) => void
  onAddAnother: () => void
}

function ReportSteps({ progress, states, query, onToken, onAddAnother }: ReportStepsProps) {
  const device = progress.stage === 'no-device' ? undefined : progress.device
  const made = progress.stage === 'token' ? progress.made : undefined
  const isInstalled = states.install === 'done'
  return (
    <>
      <ConnectStep
        number={2}
        title={t`Generate a device token`}
        state={states.token}
        locked={t`Select a device`}
      >
        {device && (
          <GenerateToken key={device.id} device={device} token={made?.token} onToken={onToken} />
        )}
      </ConnectStep>
      <ConnectStep
        number={3}
        title={t`Install the heartbeat command`}
        state={states.install}
        locked={t`The commands appear here after you generate a token, because they contain it.`}
      >
        {device && made && (
          <InstallHeartbeat device={device} token={made.token} isInstalled={isInstalled} />
        )}
      </ConnectStep>
      <ConnectStep
        number={4}
        title={t`Watch the device appear online`}
        state={states.watch}
        locked={t`You see it here as soon as its first heartbeat arrives.`}
        isLast
      >
        {device && (
          <WatchDevice
            key={device.id}
            device={device}
            hasToken={made !== undefined}
            isInstalled={isInstalled}
            onAddAnother={onAddAnother}
            query={query}
          />
        )}
      </ConnectStep>
    </>
  )
}

interface ChoosePurposeProps {
  value: Purpose
  onChoose: (purpose: Purpose) => void
}

function ChoosePurpose({ value, onChoose }: ChoosePurposeProps) {
  const { data: relay } = useQuery(relayQuery)
  const hasNoRelay = relay?.addresses === null
  return (
    <RadioCards
      legend={t`What is it for?`}
      options={[
        {
          value: 'reporting',
          name: t`Report only`,
          about: t`The device reports that it is online, and you see it on the globe.`,
        },
        {
          value: 'hosting',
          name: t`Host something here`,
          about: hasNoRelay
            ? t`This server has no relay, so it can’t bring visitors to your device. The operator of this server can turn the relay on.`
            : t`A program or a folder on the device becomes an island that others open in a browser.`,
          isOff: hasNoRelay,
        },
      ]}
      value={value}
      onChange={onChoose}
    />
  )
}
